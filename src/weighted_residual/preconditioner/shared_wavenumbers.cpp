#include "weighted_residual/preconditioner/shared_wavenumbers.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace gwrm {
namespace {

using Complex = std::complex<double>;

constexpr Index kMostRanks = 8;  // that a part must not become larger for

// Of the axes before and the bit of each: axis a becomes the first.
std::uint32_t moved_first(std::uint32_t bits, std::size_t a) {
  const std::uint32_t below = (1u << a) - 1u;
  return (bits & ~(below | 1u << a)) | (bits & below) << 1 | (bits >> a & 1u);
}
template <class Values>
void move_first(Values& values, std::size_t a) {
  std::rotate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(a),
              values.begin() + static_cast<std::ptrdiff_t>(a) + 1);
}

}  // namespace

SharedWavenumbers::SharedWavenumbers(const WindowSystem& system, SharedWindow& window, Communicator& ranks)
    : SharedWavenumbers(system, window, ranks, SharedModes(system), window.rows(), window.unknowns()) {}

SharedWavenumbers::SharedWavenumbers(const WindowSystem& system, SharedWindow& window, Communicator& ranks,
                                     SharedModes modes, SharedVectors rows, SharedVectors unknowns)
    : system_(system),
      window_(window),
      ranks_(ranks),
      layout_(system),
      modes_(std::move(modes)),
      rows_(std::move(rows)),
      unknowns_(std::move(unknowns)) {
  const Model& model = system.model();
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.is_modal(axis) && model.subdomains[at(axis)].basis != kFourier) bounded_ = axis;
}

// The numbers along the shared axis, cut between groups of wavenumbers; then the place of each number at its rank: that
// of its row of a block, then of its wavenumbers, the shared axis first.
void SharedWavenumbers::share_out(const WavenumberOperators& operators) {
  own_ = std::make_shared<Own>();
  Own& own = *own_;
  int second = window_.first_axis() + 1;
  while (!system_.model().is_modal(second)) ++second;
  for (std::size_t a = 0; a < operators.axes.size(); ++a)
    if (operators.axes[a].axis == (second == bounded_ ? window_.first_axis() : second)) own.axis = a;

  const Index n = operators.axes[own.axis].n, n_pairs = (n + 1) / 2, others = operators.n_vectors() / n;
  const Index pair = 2 * others * operators.size;
  own.pairs_per_part = std::clamp<Index>((kPartSize + pair - 1) / pair, 1, std::max<Index>(1, n_pairs / kMostRanks));
  const Shares pairs = Shares::even(n_pairs, ranks_.size(), own.pairs_per_part);
  std::vector<Index> begins, counts;
  for (int rank = 0; rank <= ranks_.size(); ++rank) begins.push_back(std::max<Index>(0, 2 * pairs.begin(rank) - 1));
  own.places = Shares(begins);
  std::vector<int> rank_of;  // of a place along the axis
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    rank_of.insert(rank_of.end(), static_cast<std::size_t>(own.places.count(rank)), rank);
    counts.push_back(operators.size * own.places.count(rank) * others);
  }
  const auto exchange = [&](const SharedVectors& vectors, const std::vector<WavenumberPlace>& places) {
    return std::make_unique<WavenumberExchange>(
        vectors, modes_, ranks_.rank(), counts, [&](std::size_t part, Index line, Index column) {
          const WavenumberPlace& of_part = places[part];
          const Index place = line * vectors.parts()[part].n_columns + column;
          const auto along = [&](std::size_t a) { return place / of_part.strides[a] % operators.axes[a].n; };
          const int rank = rank_of[static_cast<std::size_t>(along(own.axis))];
          Index to = of_part.first + place / of_part.stride % of_part.count;
          to = to * own.places.count(rank) + along(own.axis) - own.places.begin(rank);
          for (std::size_t a = 0; a < operators.axes.size(); ++a)
            if (a != own.axis) to = to * operators.axes[a].n + along(a);
          return WavenumberExchange::Place{rank, to};
        });
  };
  std::size_t n_placed = 0;
  std::vector<WavenumberPlace> rows;  // of all blocks: means have no numbers of their own
  for (const RowBlock& row : system_.rows())
    rows.push_back(row.kind == RowBlock::Kind::mean ? WavenumberPlace() : operators.rows[n_placed++]);
  own.of_rows = exchange(rows_, rows);
  own.of_unknowns = exchange(unknowns_, operators.fields);
  own.n_off_rank =
      n_off_rank_of(rows_, rows, second == bounded_) + n_off_rank_of(unknowns_, operators.fields, second == bounded_);
  make_room();
}

void SharedWavenumbers::make_room() {
  const auto by_modes = [&](const SharedVectors& vectors) {
    return static_cast<std::size_t>(vectors.size_of(ranks_.rank()) / modes_.n_times() * modes_.n_modes() *
                                    modes_.n_parts());
  };
  rows_by_modes_.resize(by_modes(rows_));
  unknowns_by_modes_.resize(by_modes(unknowns_));
  right_.resize(static_cast<std::size_t>(modes_.n_modes() * own_->of_rows->size()));
  solution_.resize(right_.size());
}

// The operators of this rank's wavenumbers, on the vectors that it has of them.
WavenumberOperators SharedWavenumbers::own_part(WavenumberOperators operators) const {
  const Own& own = *own_;
  move_first(operators.axes, own.axis);
  operators.axes.front().first = own.places.begin(ranks_.rank());
  operators.axes.front().n = n_own();
  operators.pairs_per_part = own.pairs_per_part;
  for (std::vector<WavenumberPlace>* places : {&operators.rows, &operators.fields})
    for (WavenumberPlace& place : *places) {
      place.lacks = moved_first(place.lacks, own.axis);
      place.stride = operators.n_vectors();
      place.offset = place.first * place.stride;
      Index stride = 1;
      for (std::size_t a = operators.axes.size(); a-- > 0; stride *= operators.axes[a].n) place.strides[a] = stride;
    }
  for (WavenumberTerm& term : operators.terms) {
    move_first(term.orders, own.axis);
    term.zero = moved_first(term.zero, own.axis);
    term.replaced = moved_first(term.replaced, own.axis);
  }
  return operators;
}

void SharedWavenumbers::reuse(std::shared_ptr<SharedFactors> factors) {
  own_ = std::dynamic_pointer_cast<Own>(std::move(factors));
  if (own_ != nullptr) make_room();
}

LuStatus SharedWavenumbers::factor(const SharedLinearisation& at_x) {
  if (own_ != nullptr) own_->factors.reset();
  if (!window_.is_finite(at_x)) return LuStatus::not_finite;
  WavenumberOperators operators;
  std::map<std::pair<int, int>, Vector> known;  // all ranks ask for the same ones in the same order
  const CoefficientMeans means = [&](int coefficient, int axis) {
    const auto [mean, is_new] = known.try_emplace({coefficient, axis});
    if (is_new) mean->second = window_.coefficient_mean(at_x, coefficient, axis);
    return mean->second;
  };
  const LuStatus built = wavenumber_operators(window_.linearised(), layout_, means, operators);
  if (built != LuStatus::regular) return built;  // on all ranks
  if (own_ == nullptr) share_out(operators);
  FactorResult own;
  if (n_own() > 0)
    own = factor_wavenumbers(own_part(std::move(operators)), modes_.z(), system_.context().n_threads(),
                             modes_.precision());
  own_->factors = std::move(own.factors);
  return static_cast<LuStatus>(ranks_.agree(static_cast<int>(own.status)));
}

void SharedWavenumbers::apply(std::span<const double> v, std::span<double> result) {
  const double before = ranks_.traffic().sent;
  modes_.to_modes(rows_, ranks_.rank(), v, rows_by_modes_);
  const Own& own = *own_;
  own.of_rows->to_places(ranks_, rows_by_modes_, right_);
  const auto n = static_cast<std::size_t>(own.of_rows->size());
  for (std::size_t k = 0; own.factors != nullptr && k < modes_.z().size(); ++k)
    for (std::size_t part = 0; part < own.factors->n_parts(); ++part)
      own.factors->solve_part(part, k, {right_.data() + k * n, n}, {solution_.data() + k * n, n});
  own.of_unknowns->to_columns(ranks_, solution_, unknowns_by_modes_);
  ranks_.traffic().exchanged += ranks_.traffic().sent - before;
  ranks_.traffic().by_formula += static_cast<double>(sizeof(double)) * static_cast<double>(own.n_off_rank);
  modes_.from_modes(unknowns_, ranks_.rank(), unknowns_by_modes_, result);
}

// by_lines: the first axis is shared, else the second, which is the slowest of the columns.
Index SharedWavenumbers::n_off_rank_of(const SharedVectors& vectors, const std::vector<WavenumberPlace>& places,
                                       bool by_lines) const {
  Index count = 0;
  for (std::size_t part = 0; part < vectors.parts().size(); ++part) {
    const Shares& columns = vectors.columns(part);
    const Index n_lines = vectors.parts()[part].n_lines / modes_.n_times();
    for (int rank = 0; rank < ranks_.size(); ++rank) {
      const Index first = own_->places.begin(rank), end = own_->places.end(rank);
      if (by_lines) {
        count += columns.count(rank) * (n_lines - (std::min(end, n_lines) - std::min(first, n_lines)));
        continue;
      }
      const Index stride = places[part].strides[own_->axis];
      const Index stay = std::min(columns.end(rank), end * stride) - std::max(columns.begin(rank), first * stride);
      count += n_lines * (columns.count(rank) - std::max<Index>(0, stay));
    }
  }
  return count * modes_.n_modes() * modes_.n_parts();
}

}  // namespace gwrm
