#include "problems/time_spectral/stored_windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>

#include "core/errors.hpp"

namespace gwrm {
namespace {

constexpr int kMostFactorisations = 1000000;  // of a window: far beyond any, and the sum over windows is an int

[[noreturn]] void refuse(const std::string& what) {
  throw OutputError(
      fmt::format("a window of the journal does not fit its case: {}; delete the file and begin the run afresh", what));
}

// No more than `most`: a product of forged degrees is any number.
std::size_t n_parameter_points(const Model& model, const std::vector<AxisDescription>& subdomains, std::size_t most) {
  double n = 1.0;
  for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
    if (model.is_collocated(static_cast<int>(axis))) n *= static_cast<double>(subdomains[axis].n_coefficients());
  if (n > static_cast<double>(most)) refuse("it has more parameter points than records");
  return static_cast<std::size_t>(n);
}

}  // namespace

// Windows of fixed degrees have those of the case; those of an automatic run what its limits allow. Edges that are not
// those of the window are those of the axis.
bool StoredWindows::fits(const AxisDescription& stored, std::size_t axis) const {
  const AxisDescription& own = model_.subdomains[axis];
  const bool is_time = static_cast<int>(axis) == model_.time_axis();
  const auto ascend = std::adjacent_find(stored.edges.begin(), stored.edges.end(), std::not_fn(std::less<>()));
  if (stored.edges.size() < 2 || ascend != stored.edges.end() ||
      (is_time && stored.edges != std::vector<double>{window.start, window.end}))
    return false;  // a NaN does not ascend
  if (!case_.resolution.automatic()) return stored.degree == own.degree && (is_time || stored.edges == own.edges);
  return stored.degree >= 0 && stored.degree <= std::max(own.degree, case_.resolution.max_degree) &&
         stored.n_subdomains() <= std::max<Index>(own.n_subdomains(), case_.resolution.max_domains) &&
         (is_time || (stored.edges.front() == own.edges.front() && stored.edges.back() == own.edges.back()));
}

bool StoredWindows::fits(const Array& coefficients, const std::vector<AxisDescription>& subdomains,
                         std::size_t field) const {
  Shape expected(model_.axes.size(), 1);
  for (int axis : model_.fields[field].axes)
    if (!model_.is_collocated(axis)) expected[axis] = subdomains[axis].n_coefficients();
  return coefficients.shape == expected;
}

void StoredWindows::check(const JournalWindow& record) const {
  const bool is_new = record.parameter_point == 0;
  if (record.fields.size() < model_.fields.size()) refuse("unknowns are missing");
  if (!std::isfinite(record.next_step) || record.next_step < 0.0) refuse("the next length is not valid");
  if (record.n_factorisations < 0 || record.n_factorisations > kMostFactorisations)
    refuse("its factorisations cannot be");
  if (!is_new) {
    if (static_cast<std::size_t>(record.parameter_point) != window.fields.size() || window.fields.size() >= n_points_)
      refuse("the points of the parameters are out of order");
    return;
  }
  if (window.fields.size() < n_points_) refuse("points of the parameters are missing");
  if (!(record.start < record.end)) refuse("it ends before it starts");
  if (!model_.window_edges.empty()) {
    const double from = is_first_ ? model_.window_edges.front() : window.end;
    if (record.start != from || record.end > model_.window_edges.back()) refuse("it does not follow the one before");
  }
  if (record.subdomains.size() != model_.axes.size()) refuse("it has other dimensions");
}

bool StoredWindows::take(JournalWindow record) {
  check(record);
  if (record.parameter_point == 0) {
    window = MarchWindow();
    window.start = record.start;
    window.end = record.end;
    window.next_step = record.next_step;
    window.subdomains = std::move(record.subdomains);
    for (std::size_t axis = 0; axis < window.subdomains.size(); ++axis) {
      window.subdomains[axis].map = model_.subdomains[axis].map;
      window.subdomains[axis].basis = model_.subdomains[axis].basis;
      if (!fits(window.subdomains[axis], axis)) refuse("the resolution along " + model_.axes[axis].name);
    }
    n_points_ = n_parameter_points(model_, window.subdomains, n_records_);
    is_first_ = false;
  }
  for (std::size_t f = 0; f < model_.fields.size(); ++f)
    if (!fits(record.fields[f], window.subdomains, f)) refuse("the coefficients of " + model_.fields[f].name);
  const auto n_fields = static_cast<std::ptrdiff_t>(model_.fields.size());
  if (std::ssize(record.fields) > n_fields)
    window.restart_state.emplace_back(std::make_move_iterator(record.fields.begin() + n_fields),
                                      std::make_move_iterator(record.fields.end()));
  record.fields.resize(model_.fields.size());
  window.fields.push_back(std::move(record.fields));
  if (window.restart_state.size() % window.fields.size() != 0) refuse("some points have their states, others not");
  window.newton.insert(window.newton.end(), record.newton.begin(), record.newton.end());
  window.n_factorisations += record.n_factorisations;
  window.reciprocal_condition = std::min(window.reciprocal_condition, record.reciprocal_condition);
  return window.fields.size() == n_points_;
}

}  // namespace gwrm
