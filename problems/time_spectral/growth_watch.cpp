#include "problems/time_spectral/growth_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "basis/axis_basis.hpp"
#include "expression/lowering.hpp"
#include "expression/substitute.hpp"
#include "problems/time_spectral/parabolic.hpp"

namespace gwrm {
namespace {

constexpr double kShareOfLargestData = 0.1;
constexpr int kInstants = 5;                            // of a window
constexpr std::size_t kMaxPoints = 16;                  // of the parameters at which data are evaluated
constexpr int kMaxDegreeInTime = 100;                   // likewise, per subdomain
constexpr std::array kMaxDegree = {200, 200, 100, 24};  // by the number of axes of space

double largest_magnitude(const std::vector<double>& values) {
  double largest = 0.0;
  for (double value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

// Of the coefficients in space at a few times, per subdomain, the ends of the window among them. (Those in time would
// not do: the same growth has others in a long window than in a part of it.) Time is the first axis.
double largest_at_instants(const Array& coefficients, const AxisDescription& time, double n_subdomains) {
  constexpr Index kBlock = 2048;  // of modes in space whose values stay in the cache
  const Index n_modes = time.n_coefficients(), n = coefficients.size() / n_modes;
  std::array<double, kInstants> positions{};
  for (int i = 0; i < kInstants; ++i) positions[i] = std::cos(M_PI * i / (kInstants - 1));
  const Matrix rows = make_basis(time)->at_positions(positions);
  std::array<double, kInstants> largest{}, squares{};
  std::vector<double> values(static_cast<std::size_t>(kBlock));
  for (Index begin = 0; begin < n; begin += kBlock) {
    const Index count = std::min(kBlock, n - begin);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      std::fill(values.begin(), values.end(), 0.0);
      for (Index k = 0; k < n_modes; ++k) {
        const double* const modes = &coefficients.data[static_cast<std::size_t>(k * n + begin)];
        for (Index j = 0; j < count; ++j)
          values[static_cast<std::size_t>(j)] += rows(static_cast<Index>(i), k) * modes[j];
      }
      largest[i] = std::max(largest[i], largest_magnitude(values));
      for (double value : values) squares[i] += value * value;
    }
  }
  double size = 0.0;  // squares of what is tiny are 0
  for (std::size_t i = 0; i < positions.size(); ++i)
    size = std::max({size, largest[i], std::sqrt(squares[i] / n_subdomains)});
  return size;
}

// Evaluates data over the whole of time at the points of one discretisation.
class DataSizes {
 public:
  DataSizes(const Model& model, const std::vector<double>& point)
      : model_(model), grid_(model, coarse(model), point, model.window_edges.front(), model.window_edges.back()) {}

  void add_to(std::vector<double>& sizes) const {
    const double span = model_.window_edges.back() - model_.window_edges.front();
    for (std::size_t f = 0; f < model_.fields.size(); ++f) {
      double power = 1.0;
      for (expression::Expr initial : model_.fields[f].initial) {
        raise(sizes[f], power * size(initial));
        power *= span;
      }
    }
    for (const EquationModel& equation : model_.equations)
      raise(sizes[equation.field], span * size_without_unknowns(equation.residual));
    for (const ConditionModel& condition : model_.conditions) {
      const Axis& axis = model_.axes[condition.axis];
      raise(sizes[model_.equations[condition.equation].field],
            std::max(1.0, axis.upper - axis.lower) * size_without_unknowns(condition.residual));
    }
  }

  bool are_positive(const std::vector<expression::Expr>& data) const {
    return std::all_of(data.begin(), data.end(), [&](expression::Expr e) {
      const std::vector<double> values = grid_.data_at_points(*model_.pool, e).data;
      return std::all_of(values.begin(), values.end(), [](double value) { return value > 0.0; });
    });
  }

 private:
  static std::vector<AxisDescription> coarse(const Model& model) {
    std::vector<AxisDescription> subdomains = model.subdomains;
    const auto n_space = std::count_if(model.axes.begin(), model.axes.end(),
                                       [](const Axis& axis) { return axis.kind == AxisKind::space; });
    for (std::size_t axis = 0; axis < subdomains.size(); ++axis)
      subdomains[axis].degree =
          std::min(subdomains[axis].degree, static_cast<int>(axis) == model.time_axis()
                                                ? kMaxDegreeInTime
                                                : kMaxDegree.at(static_cast<std::size_t>(n_space)));
    return subdomains;
  }
  static void raise(double& a, double b) { a = std::max(a, b); }

  double size(expression::Expr data) const {
    return data == nullptr ? 0.0 : largest_magnitude(grid_.data_at_points(*model_.pool, data).data);
  }
  double size_without_unknowns(expression::Expr residual) const {
    expression::Pool& pool = *model_.pool;
    const std::vector<expression::Expr> zeros(model_.fields.size(), pool.zero());
    double largest = 0.0;
    for (expression::Expr term : expression::additive_terms(pool, residual)) {
      if (term->facts.degree == 0) raise(largest, size(term));
      if (term->facts.degree >= expression::kNonPolynomial)  // exp(u) at u = 0; where it is not finite, it counts for 0
        raise(largest, size(expression::lower(pool, expression::substitute(pool, term, zeros))));
    }
    return largest;
  }

  const Model& model_;
  Discretisation grid_;
};

bool has_derivatives_in_space(const Model& model) {
  for (const EquationModel& equation : model.equations)
    for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
      if (model.axes[axis].kind == AxisKind::space && equation.orders[axis] > 0) return true;
  return false;
}

bool vary_with_parameters(const Model& model, const std::vector<expression::Expr>& data) {
  return std::any_of(data.begin(), data.end(), [&](expression::Expr e) {
    for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
      if (model.axes[axis].kind == AxisKind::parameter && (e->facts.axes >> axis & 1u) != 0) return true;
    return false;
  });
}

}  // namespace

std::vector<double> sizes_of(const Model& model, const MarchWindow& window) {
  std::vector<double> sizes(model.fields.size(), 0.0);
  double n_subdomains = 1.0;
  for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
    if (model.axes[axis].kind == AxisKind::space)
      n_subdomains *= static_cast<double>(window.subdomains[axis].n_subdomains());
  for (const std::vector<Array>& fields : window.fields)
    for (std::size_t f = 0; f < sizes.size(); ++f)
      sizes[f] =
          std::max(sizes[f], model.fields[f].depends_on(model.time_axis())
                                 ? largest_at_instants(fields[f], window.subdomains[model.time_axis()], n_subdomains)
                                 : largest_magnitude(fields[f].data));
  return sizes;
}

GrowthWatch::GrowthWatch(const Model& model, const std::vector<std::vector<double>>& points)
    : model_(model),
      applies_(model.time_axis() >= 0 && !model.window_edges.empty() && has_derivatives_in_space(model)),
      data_(model.fields.size(), 0.0) {
  if (!applies_) return;
  const std::size_t step = (points.size() + kMaxPoints - 1) / kMaxPoints;
  const auto coefficients = parabolic_coefficients(model);
  bool parabolic = coefficients && (step == 1 || !vary_with_parameters(model, *coefficients));
  for (std::size_t p = 0; p < points.size(); p += step) {
    const DataSizes data(model, points[p]);
    data.add_to(data_);
    parabolic = parabolic && data.are_positive(*coefficients);
  }
  if (parabolic) doubtful_growth_ = kDoubtfulGrowthParabolic;
  const double least = kShareOfLargestData * *std::max_element(data_.begin(), data_.end());
  for (double& size : data_) size = std::max(size, least);
}

void GrowthWatch::update(const MarchWindow& window) {
  if (!applies_) return;
  WindowRecord record{window.end, nullptr, sizes_of(model_, window)};
  std::vector<AxisDescription> subdomains = window.subdomains;
  subdomains[model_.time_axis()] = model_.subdomains[model_.time_axis()];  // else no two windows have the same
  if (!windows_.empty()) {
    const WindowRecord& last = windows_.back();
    if (*last.subdomains == subdomains) record.subdomains = last.subdomains;
    for (std::size_t f = 0; f < record.sizes.size(); ++f) record.sizes[f] = std::max(record.sizes[f], last.sizes[f]);
  }
  if (record.subdomains == nullptr)
    record.subdomains = std::make_shared<const std::vector<AxisDescription>>(std::move(subdomains));
  windows_.push_back(std::move(record));
}

double GrowthWatch::growth_of(const WindowRecord& record) const {
  double growth = 0.0;
  for (std::size_t f = 0; f < data_.size(); ++f)
    if (record.sizes[f] > 0.0) growth = std::max(growth, record.sizes[f] / data_[f]);  // data of 0: infinite
  return growth;
}

double GrowthWatch::growth() const {
  return windows_.empty() ? 0.0 : growth_of(windows_.back());
}

std::size_t GrowthWatch::largest_field() const {
  std::size_t largest = 0;
  for (std::size_t f = 1; f < data_.size(); ++f)
    if (windows_.back().sizes[f] * data_[largest] > windows_.back().sizes[largest] * data_[f]) largest = f;
  return largest;
}

std::size_t GrowthWatch::n_until_grown() const {
  const double half = 0.5 * growth();
  const auto grown = std::find_if(windows_.begin(), windows_.end(),
                                  [&](const WindowRecord& record) { return growth_of(record) >= half; });
  return static_cast<std::size_t>(grown - windows_.begin()) + 1;
}

}  // namespace gwrm
