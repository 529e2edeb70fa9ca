#include "problems/ball/ball_march.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <memory>

#include "basis/time_basis.hpp"
#include "problems/ball/diffusion_solver.hpp"

namespace gwrm::ball {
namespace {

constexpr double kShortest = 0x1p-40;       // of the whole interval
constexpr double kRoomToDouble = 1.0 / 64;  // a window is doubled below this part of the tolerance

// T_k(s), k = 0 .. degree.
RowVector chebyshev_row(Index degree, double s) {
  RowVector row(degree + 1);
  for (Index k = 0; k <= degree; ++k) row(k) = k == 0 ? 1.0 : k == 1 ? s : 2.0 * s * row(k - 1) - row(k - 2);
  return row;
}

// Coefficients from the values at -1 and the Radau nodes.
Matrix coefficients_from_values(const Vector& nodes) {
  const Index n_nodes = nodes.size();
  Matrix rows(n_nodes + 1, n_nodes + 1);
  rows.row(0) = chebyshev_row(n_nodes, -1.0);
  for (Index j = 0; j < n_nodes; ++j) rows.row(j + 1) = chebyshev_row(n_nodes, nodes(j));
  return rows.partialPivLu().inverse();
}

class Marcher {
 public:
  Marcher(const BallModel& model, const BallSpace& space)
      : model_(model),
        space_(space),
        n_nodes_(space.degrees().t),
        time_(Weighting::radau, n_nodes_, 0, 1, -1.0, 1.0, 2.0),
        to_coefficients_(coefficients_from_values(time_.points())),
        size_(space.unknowns().size()),
        state_(space.project(model.initial_series(space))) {}

  BallWindow solve(double start, double end) {
    const double h = end - start;
    if (solver_ == nullptr || std::abs(solver_->window_length() - h) > 1e-14 * h) {
      solver_ = std::make_unique<DiffusionSolver>(space_, h);
      ++n_factorisations_;
    }
    Matrix rates(n_nodes_, size_), rows(n_nodes_ + 1, size_);
    RowVector diffusion(size_);
    space_.apply_diffusion(state_.data(), diffusion.data());
    for (Index j = 0; j < n_nodes_; ++j) rates.row(j) = -diffusion;
    if (model_.has_source()) add_source(start, h, rates);
    const Matrix right = h / 2.0 * (time_.values(1) * rates);
    Matrix change(n_nodes_, size_);
    solver_->solve(right.data(), change.data());
    rows.row(0) = Eigen::Map<const RowVector>(state_.data(), size_);
    for (Index j = 0; j < n_nodes_; ++j) rows.row(j + 1) = rows.row(0) + change.row(j);
    end_state_.assign(rows.row(n_nodes_).data(), rows.row(n_nodes_).data() + size_);
    Matrix series(n_nodes_ + 1, space_.series().size());
    const Matrix coefficients = to_coefficients_ * rows;
    for (Index k = 0; k <= n_nodes_; ++k) space_.to_series(coefficients.row(k).data(), series.row(k).data());
    BallWindow window{start, end, std::move(series), 0.0};
    const double all = window.coefficients.norm();
    window.tail = all == 0.0 ? 0.0 : window.coefficients.bottomRows(std::min<Index>(2, n_nodes_)).norm() / all;
    return window;
  }

  void accept() { state_ = end_state_; }
  int n_factorisations() const { return n_factorisations_; }

 private:
  void add_source(double start, double h, Matrix& rates) {
    for (Index j = 0; j < n_nodes_; ++j) {
      if (steady_source_.empty() || model_.source_depends_on_time())
        steady_source_ = model_.source(space_, start + h / 2.0 * (1.0 + time_.points()(j)));
      rates.row(j) += Eigen::Map<const RowVector>(steady_source_.data(), size_);
    }
  }

  const BallModel& model_;
  const BallSpace& space_;
  Index n_nodes_;
  TimeBasis time_;
  Matrix to_coefficients_;
  Index size_;
  std::vector<double> state_, end_state_, steady_source_;
  std::unique_ptr<DiffusionSolver> solver_;
  int n_factorisations_ = 0;
};

}  // namespace

const BallWindow& BallSolution::window_of(double time) const {
  const auto found = std::find_if(windows.begin(), windows.end(), [&](const BallWindow& w) { return time <= w.end; });
  return found == windows.end() ? windows.back() : *found;
}

std::vector<double> BallSolution::at(double time) const {
  const BallWindow& window = window_of(time);
  const double s = (2.0 * time - window.start - window.end) / (window.end - window.start);
  const RowVector values = chebyshev_row(window.coefficients.rows() - 1, s) * window.coefficients;
  return {values.data(), values.data() + values.size()};
}

std::vector<double> BallSolution::rate_at(double time) const {
  const BallWindow& window = window_of(time);
  const double h = window.end - window.start, s = (2.0 * time - window.start - window.end) / h;
  const Index degree = window.coefficients.rows() - 1;
  // T_k' = k U_(k-1)
  RowVector row = RowVector::Zero(degree + 1);
  double last = 0.0, now = 1.0;
  for (Index k = 1; k <= degree; ++k) {
    row(k) = static_cast<double>(k) * now * 2.0 / h;
    const double next = 2.0 * s * now - last;
    last = now, now = next;
  }
  const RowVector values = row * window.coefficients;
  return {values.data(), values.data() + values.size()};
}

MarchResult march_ball(const BallModel& model, const BallSpace& space, double start, double end,
                       const MarchControl& control) {
  Marcher marcher(model, space);
  MarchResult result;
  const bool automatic = control.edges.empty();
  double time = start, length = end - start;
  for (std::size_t w = 0; time < end;) {
    if (control.interrupted && control.interrupted()) {
      result.reason = "interrupted";
      return result;
    }
    const bool is_last = automatic && time + 1.0001 * length >= end;
    const double to = !automatic ? control.edges[w + 1] : is_last ? end : time + length;
    BallWindow window = marcher.solve(time, to);
    if (!window.coefficients.allFinite()) {
      result.reason = fmt::format("the fields overflow in the window from t = {:.6g}", time);
      return result;
    }
    if (automatic && window.tail > control.tolerance) {
      length = (to - time) / 4.0;
      if (length < kShortest * (end - start)) {
        result.reason = fmt::format(
            "the window from t = {:.6g} would have to be shorter than {:.1e}: raise ball.tolerance or ball.degree's t",
            time, length);
        return result;
      }
      continue;
    }
    if (automatic && window.tail < kRoomToDouble * control.tolerance) length = 2.0 * (to - time);
    marcher.accept();
    time = to;
    ++w;
    if (control.progress) control.progress(time, to - window.start);
    result.solution.windows.push_back(std::move(window));
  }
  result.complete = true;
  result.n_factorisations = marcher.n_factorisations();
  return result;
}

}  // namespace gwrm::ball
