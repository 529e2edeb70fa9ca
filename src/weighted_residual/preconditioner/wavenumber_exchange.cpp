#include "weighted_residual/preconditioner/wavenumber_exchange.hpp"

namespace gwrm {

WavenumberExchange::WavenumberExchange(const SharedVectors& vectors, const SharedModes& modes, int rank,
                                       std::vector<Index> counts, const PlaceOf& place_of)
    : n_modes_(modes.n_modes()),
      n_parts_(modes.n_parts()),
      size_(counts[at(rank)]),
      to_(counts.size()),
      from_(counts.size()),
      n_to_(counts.size(), 0),
      n_from_(counts.size(), 0) {
  const Index per_number = n_modes_ * n_parts_;
  const auto add = [](std::vector<Run>& runs, const Run& one) {
    if (!runs.empty()) {
      Run& last = runs.back();
      const Index step = one.place - last.place - (last.count - 1) * last.step;
      if (one.own == last.own + last.count && one.stride == last.stride && (last.count == 1 || step == last.step)) {
        last.step = step;
        ++last.count;
        return;
      }
    }
    runs.push_back(one);
  };
  for (int holder = 0; holder < static_cast<int>(counts.size()); ++holder)
    for (std::size_t part = 0; part < vectors.parts().size(); ++part) {
      const Index n_lines = vectors.parts()[part].n_lines / modes.n_times();
      vectors.for_each_block(part, holder, [&](Index first, Index place, Index width) {
        const Index of_block = place / modes.n_times() * per_number, stride = n_lines * width;
        for (Index line = 0; line < n_lines; ++line)
          for (Index i = 0; i < width; ++i) {
            const Place there = place_of(part, line, first + i);
            const Run one{of_block + line * width + i, stride, there.place, 0, 1};
            if (there.rank == holder) {
              if (holder == rank) add(stay_, one);
              continue;
            }
            if (holder == rank) {
              add(to_[at(there.rank)], one);
              n_to_[at(there.rank)] += static_cast<std::size_t>(per_number);
            }
            if (there.rank == rank) {
              add(from_[at(holder)], one);
              n_from_[at(holder)] += static_cast<std::size_t>(per_number);
            }
          }
      });
    }
}

template <class Body>
void WavenumberExchange::for_each(const std::vector<Run>& runs, const Body& body) const {
  for (const Run& run : runs)
    for (Index k = 0; k < n_modes_; ++k)
      for (Index part = 0; part < n_parts_; ++part) {
        const Index by_columns = run.own + (k * n_parts_ + part) * run.stride, place = k * size_ + run.place;
        for (Index i = 0; i < run.count; ++i) body(by_columns + i, place + i * run.step, part == 1);
      }
}

void WavenumberExchange::to_places(Communicator& ranks, std::span<const double> by_modes,
                                   std::span<std::complex<double>> values) {
  std::size_t n_sent = 0, n_received = 0;
  for (std::size_t rank = 0; rank < n_to_.size(); ++rank) n_sent += n_to_[rank], n_received += n_from_[rank];
  double* const sent = sent_.reserve(static_cast<Index>(n_sent));
  double* const received = received_.reserve(static_cast<Index>(n_received));
  double* next = sent;
  for (const std::vector<Run>& runs : to_)
    for_each(runs, [&](Index own, Index, bool) { *next++ = by_modes[static_cast<std::size_t>(own)]; });
  ranks.all_to_all<double>({sent, n_sent}, n_to_, {received, n_received}, n_from_);
  const double* from = received;
  double* const numbers = reinterpret_cast<double*>(values.data());
  const auto put = [&](Index place, bool imaginary, double value) {
    numbers[2 * place + (imaginary ? 1 : 0)] = value;
    if (n_parts_ == 1) numbers[2 * place + 1] = 0.0;
  };
  for_each(stay_, [&](Index own, Index place, bool imaginary) {
    put(place, imaginary, by_modes[static_cast<std::size_t>(own)]);
  });
  for (const std::vector<Run>& runs : from_)
    for_each(runs, [&](Index, Index place, bool imaginary) { put(place, imaginary, *from++); });
}

void WavenumberExchange::to_columns(Communicator& ranks, std::span<const std::complex<double>> values,
                                    std::span<double> by_modes) {
  std::size_t n_sent = 0, n_received = 0;
  for (std::size_t rank = 0; rank < n_to_.size(); ++rank) n_sent += n_from_[rank], n_received += n_to_[rank];
  double* const sent = sent_.reserve(static_cast<Index>(n_sent));
  double* const received = received_.reserve(static_cast<Index>(n_received));
  double* next = sent;
  const double* const numbers = reinterpret_cast<const double*>(values.data());
  for (const std::vector<Run>& runs : from_)
    for_each(runs, [&](Index, Index place, bool imaginary) { *next++ = numbers[2 * place + (imaginary ? 1 : 0)]; });
  ranks.all_to_all<double>({sent, n_sent}, n_from_, {received, n_received}, n_to_);
  for_each(stay_, [&](Index own, Index place, bool imaginary) {
    by_modes[static_cast<std::size_t>(own)] = numbers[2 * place + (imaginary ? 1 : 0)];
  });
  const double* from = received;
  for (const std::vector<Run>& runs : to_)
    for_each(runs, [&](Index own, Index, bool) { by_modes[static_cast<std::size_t>(own)] = *from++; });
}

}  // namespace gwrm
