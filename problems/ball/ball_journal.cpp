#include "problems/ball/ball_journal.hpp"

#include <utility>

#include "problems/ball/coupled_residual.hpp"

namespace gwrm::ball {
namespace {

JournalHeader header_of(const BallModel& model, double tightening) {
  JournalHeader header = journal_header(model.of_case());
  header.tightening = tightening;
  for (const AxisCase& axis : model.of_case().domain) header.axes.push_back(axis.axis.name);
  for (std::size_t part = 0; part < model.parts().size(); ++part) header.fields.push_back(model.part_name(part));
  header.bases = {"chebyshev", model.radial().name(), "harmonics", "harmonics"};
  return header;
}

// The columns of a part.
std::pair<Index, Index> columns_of(const BallSpace& space, std::size_t part) {
  const Index first = space.series().place(part, 0);
  return {first, space.series().place(part, space.degrees().l + 1) - first};
}

}  // namespace

BallJournal::BallJournal(const RunControl& control, const BallModel& model, double tightening)
    : model_(model), file_(control, header_of(model, tightening)) {}

std::optional<Degrees> BallJournal::open() {
  if (!file_.is_kept() || file_.open().n_windows == 0) return std::nullopt;
  std::optional<Degrees> degrees;
  file_.read([&](const JournalWindow& record) {
    if (degrees) return;
    if (record.subdomains.size() != 4) throw OutputError("a window has no degrees");
    const auto degree = [&](std::size_t axis) { return static_cast<Index>(record.subdomains[axis].degree); };
    degrees = model_.degrees();
    degrees->t = degree(0);
    degrees->r = degree(1);
    degrees->l = degree(2);
    degrees->m = degree(3);
    const bool is_listed =
        degrees->listed.empty() ? degrees->m % degrees->fold == 0 : degrees->m == degrees->listed.back();
    if (degrees->t < 1 || degrees->r < 0 || degrees->m < 0 || degrees->m > degrees->l || !is_listed)
      throw OutputError("the degrees of a window are not valid");
  });
  has_windows_ = true;
  return degrees;
}

MarchStart BallJournal::restore(const BallSpace& space) {
  MarchStart start;
  const OutputError misfit("a window does not fit the case");
  file_.read([&](JournalWindow record) {
    const std::size_t n_parts = space.parts().size();
    if (record.fields.size() != n_parts + 1 || !(record.start < record.end)) throw misfit;
    BallWindow window{record.start, record.end, Matrix(space.degrees().t + 1, space.series().size()), 0.0};
    for (std::size_t part = 0; part < n_parts; ++part) {
      const auto [first, count] = columns_of(space, part);
      if (record.fields[part].shape != Shape{window.coefficients.rows(), count}) throw misfit;
      window.coefficients.middleCols(first, count) =
          Eigen::Map<const Matrix>(record.fields[part].data.data(), window.coefficients.rows(), count);
    }
    const Index n_rows = is_nonlinear(model_) ? space.degrees().t + 1 : 1;
    if (record.fields.back().shape != Shape{n_rows, space.unknowns().size()}) throw misfit;
    if (!start.windows.empty() && start.windows.back().end != window.start) throw misfit;
    start.rows = Eigen::Map<const Matrix>(record.fields.back().data.data(), n_rows, space.unknowns().size());
    start.length = record.next_step;
    start.windows.push_back(std::move(window));
  });
  return start;
}

void BallJournal::add(const BallSpace& space, const BallWindow& window, const Matrix& rows, double next_length) {
  if (!file_.is_kept()) return;
  JournalWindow record;
  record.start = window.start;
  record.end = window.end;
  record.next_step = next_length;
  const Degrees& degrees = space.degrees();
  const Index of_axis[] = {degrees.t, degrees.r, degrees.l, degrees.m};
  const std::vector<AxisCase>& domain = model_.of_case().domain;
  for (std::size_t axis = 0; axis < 4; ++axis)
    record.subdomains.push_back({static_cast<int>(of_axis[axis]),
                                 axis == 0 ? std::vector<double>{window.start, window.end}
                                           : std::vector<double>{domain[axis].axis.lower, domain[axis].axis.upper}});
  for (std::size_t part = 0; part < space.parts().size(); ++part) {
    const auto [first, count] = columns_of(space, part);
    Array array(Shape{window.coefficients.rows(), count});
    Eigen::Map<Matrix>(array.data.data(), window.coefficients.rows(), count) =
        window.coefficients.middleCols(first, count);
    record.fields.push_back(std::move(array));
  }
  const Index n_rows = is_nonlinear(model_) ? rows.rows() : 1;
  Array last(Shape{n_rows, rows.cols()});
  Eigen::Map<Matrix>(last.data.data(), n_rows, rows.cols()) = rows.bottomRows(n_rows);
  record.fields.push_back(std::move(last));
  for (const Array& array : record.fields) waiting_bytes_ += sizeof(double) * static_cast<double>(array.data.size());
  waiting_.push_back(std::move(record));
  if (file_.due(waiting_bytes_) == WindowJournal::Due::now) write();
}

void BallJournal::write() {
  file_.write(waiting_bytes_, [&](JournalWriter& writer) {
    for (const JournalWindow& record : waiting_) writer.append(record);
  });
  waiting_.clear();
  waiting_bytes_ = 0.0;
}

void BallJournal::keep() {
  if (!waiting_.empty()) write();
  file_.close();
}

}  // namespace gwrm::ball
