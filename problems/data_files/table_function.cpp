#include "problems/data_files/table_function.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <optional>

#include "core/errors.hpp"
#include "expression/tensor_series.hpp"
#include "problems/data_files/axis_interpolation.hpp"
#include "solver/fourier_least_squares.hpp"

namespace gwrm {
namespace {

using Dimension = DataTable::Dimension;
using expression::AxisFunctions;

// Values with one extent a dimension, the last fastest.
struct Tensor {
  std::vector<Index> extents;
  std::vector<double> values;

  Index inner(std::size_t d) const {
    Index count = 1;
    for (std::size_t i = d + 1; i < extents.size(); ++i) count *= extents[i];
    return count;
  }
  // The lines along dimension d as columns, and back with another extent.
  Matrix lines(std::size_t d) const {
    const Index n = extents[d], step = inner(d), outer = std::ssize(values) / (n * step);
    Matrix result(n, outer * step);
    for (Index o = 0; o < outer; ++o)
      for (Index i = 0; i < n; ++i)
        for (Index k = 0; k < step; ++k)
          result(i, o * step + k) = values[static_cast<std::size_t>((o * n + i) * step + k)];
    return result;
  }
  void put_lines(std::size_t d, const Matrix& lines) {
    const Index n = lines.rows(), step = inner(d), outer = lines.cols() / step;
    extents[d] = n;
    values.resize(static_cast<std::size_t>(lines.size()));
    for (Index o = 0; o < outer; ++o)
      for (Index i = 0; i < n; ++i)
        for (Index k = 0; k < step; ++k)
          values[static_cast<std::size_t>((o * n + i) * step + k)] = lines(i, o * step + k);
  }
};

double largest_of(const std::vector<double>& values) {
  double largest = 0.0;
  for (double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

std::optional<double> value_at(const std::vector<std::pair<std::string, double>>& at, const std::string& name) {
  for (const auto& [axis, z] : at)
    if (axis == name) return z;
  return std::nullopt;
}

const AxisCase* find_axis(const Case& the_case, const std::string& name) {
  for (const AxisCase& axis : the_case.domain)
    if (axis.axis.name == name) return &axis;
  return nullptr;
}

// The first of the domain that the file does not have; else the first.
std::string not_among(const std::vector<std::string>& domain, const std::vector<std::string>& names) {
  for (const std::string& name : domain)
    if (std::find(names.begin(), names.end(), name) == names.end()) return name;
  return domain.front();
}

void check_dimensions(const Case& the_case, const DataTable& table,
                      const std::vector<std::pair<std::string, double>>& at) {
  std::vector<std::string> names, domain;
  for (const Dimension& dimension : table.dimensions) names.push_back(dimension.name);
  for (const AxisCase& axis : the_case.domain) domain.push_back(axis.axis.name);
  for (const std::string& name : names)
    if (find_axis(the_case, name) == nullptr && !value_at(at, name))
      throw CaseError(
          fmt::format("{0} has the dimension {1}, and the domain has {2}: say which of these it is, dimensions: "
                      "{{{3}: {1}}}, or give one coordinate of it, at: {{{1}: ..}}",
                      table.dataset, name, fmt::join(domain, ", "), not_among(domain, names)));
  for (const auto& [name, z] : at)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw CaseError(
          fmt::format("at: {} has no dimension {}, it has {}", table.dataset, name, fmt::join(names, ", ")));
}

// Equal points around each of the axes with the values of the series fitted to points that lie anywhere.
DataTable fitted(const Case& the_case, const DataTable& table, DataReport& report) {
  const std::size_t n_axes = table.dimensions.size(), n_points = table.values.size();
  std::vector<std::vector<double>> angles;
  std::vector<Index> wanted;
  for (const Dimension& dimension : table.dimensions) {
    const AxisCase* axis = find_axis(the_case, dimension.name);
    if (axis == nullptr || axis->basis != kFourier)
      throw CaseError(
          fmt::format("{} is given at {} points that make no grid: that serves along periodic dimensions "
                      "(basis: fourier) alone, and {} is none. Interpolate it to a grid first (scipy's "
                      "griddata, RBFInterpolator)",
                      table.dataset, n_points, dimension.name));
    const double turn = 2.0 * std::numbers::pi / (axis->axis.upper - axis->axis.lower);
    angles.emplace_back();
    for (double z : dimension.coordinates) angles.back().push_back(turn * (z - axis->axis.lower));
    wanted.push_back(axis->degree >= 0 ? axis->degree : static_cast<Index>(n_points));
  }
  if (n_axes > 3) throw CaseError("scattered points in more than three dimensions are not fitted");
  std::vector<std::span<const double>> coordinates(angles.begin(), angles.end());
  std::vector<std::complex<double>> values(table.values.begin(), table.values.end());
  // As many modes as half of the points carry; fewer where gaps let the others grow.
  constexpr double kMostModesPerPoint = 0.5;
  constexpr double kLargestCondition = 30.0;
  std::vector<Index> modes(n_axes);
  FourierFit fit;
  for (double share = 1.0;; share *= 0.8) {
    double count = 1.0;
    for (std::size_t d = 0; d < n_axes; ++d) {
      modes[d] = 2 * static_cast<Index>(share * static_cast<double>(wanted[d])) + 1;
      count *= static_cast<double>(modes[d]);
    }
    if (count == 1.0)
      throw CaseError(fmt::format("{} points are too few, or too uneven, for a series along {}", n_points,
                                  table.dimensions.front().name));
    if (count > kMostModesPerPoint * static_cast<double>(n_points)) continue;
    fit = fit_fourier_series(modes, coordinates, values, {});
    if (fit.status == FitStatus::converged && fit.condition <= kLargestCondition) break;
  }
  DataTable grid = table;
  grid.is_grid = true;
  std::size_t count = 1;
  for (std::size_t d = 0; d < n_axes; ++d) {
    const Axis& axis = find_axis(the_case, table.dimensions[d].name)->axis;
    grid.dimensions[d].coordinates.clear();
    for (Index i = 0; i < modes[d]; ++i)
      grid.dimensions[d].coordinates.push_back(axis.lower + (axis.upper - axis.lower) * static_cast<double>(i) /
                                                                static_cast<double>(modes[d]));
    count *= static_cast<std::size_t>(modes[d]);
  }
  grid.values.assign(count, 0.0);
  // Axis by axis: sum_k F_k exp(i k 2 pi j / n).
  std::vector<std::complex<double>> now = fit.modes;
  std::size_t inner = count;
  for (std::size_t d = 0; d < n_axes; ++d) {
    const auto n = static_cast<std::size_t>(modes[d]);
    inner /= n;
    std::vector<std::complex<double>> next(count);
    for (std::size_t o = 0; o < count / (n * inner); ++o)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k) {
          const double turns = static_cast<double>((k + n - n / 2) % n * j % n) / static_cast<double>(n);
          const std::complex<double> wave = std::polar(1.0, 2.0 * std::numbers::pi * turns);
          for (std::size_t i = 0; i < inner; ++i) next[(o * n + j) * inner + i] += wave * now[(o * n + k) * inner + i];
        }
    now = std::move(next);
  }
  for (std::size_t i = 0; i < count; ++i) grid.values[i] = now[i].real();
  const double size = largest_of(table.values);
  report.error += size > 0.0 ? fit.residual / size : 0.0;
  report.text = fmt::format("{} scattered points, fitted by least squares", n_points);
  return grid;
}

}  // namespace

std::string name_in_domain(const DataCase& data, const std::string& name) {
  for (const auto& [axis, in_file] : data.dimensions)
    if (in_file == name) return axis;
  for (const auto& [axis, in_file] : data.dimensions)
    if (axis == name) return name + " of the file";
  return name;
}

ReportedFunction function_of_table(const Case& the_case, const DataTable& given,
                                   const std::vector<std::pair<std::string, double>>& at) {
  check_dimensions(the_case, given, at);
  ReportedFunction result;
  DataReport& report = result.report;
  report.error = given.rounding;
  const DataTable table = given.is_grid ? given : fitted(the_case, given, report);
  const double size = largest_of(table.values);

  Tensor tensor;
  std::vector<std::string> shape;
  for (const Dimension& dimension : table.dimensions) {
    tensor.extents.push_back(std::ssize(dimension.coordinates));
    shape.push_back(std::to_string(dimension.coordinates.size()));
  }
  tensor.values = table.values;
  if (report.text.empty()) report.text = shape.empty() ? "a number" : fmt::format("{} points", fmt::join(shape, " x "));

  std::vector<std::shared_ptr<const AxisFunctions>> functions;
  const Tensor values = tensor;
  for (std::size_t d = 0; d < table.dimensions.size(); ++d) {
    const Dimension& dimension = table.dimensions[d];
    const auto fixed = value_at(at, dimension.name);
    const AxisCase* const own = find_axis(the_case, dimension.name);
    Axis axis;
    axis.name = dimension.name;
    if (fixed)
      axis.lower = dimension.coordinates.front(), axis.upper = dimension.coordinates.back();
    else
      axis = own->axis;
    if (fixed && (*fixed < axis.lower || *fixed > axis.upper))
      throw CaseError(fmt::format("at: {} = {:g} is outside the file's coordinates, {:g} to {:g}", dimension.name,
                                  *fixed, axis.lower, axis.upper));
    const AxisInterpolation along(axis, !fixed && own->basis == kFourier, dimension.coordinates);
    if (size > 0.0) report.error += along.error(values.lines(d)) / size;
    report.text += fmt::format("{} along {} {}", d == 0 ? ";" : ",", dimension.name, along.text());
    tensor.put_lines(d, along.coefficients(tensor.lines(d)));
    functions.push_back(along.functions());
  }
  // Dimensions at one coordinate are summed now; the others come into the order of the domain.
  std::vector<std::string> axes;
  std::vector<std::shared_ptr<const AxisFunctions>> kept;
  for (std::size_t d = table.dimensions.size(); d-- > 0;)
    if (const auto fixed = value_at(at, table.dimensions[d].name)) {
      const auto rows = functions[d]->rows(std::span(&*fixed, 1), 0);
      const Index n = tensor.extents[d], inner = tensor.inner(d);
      tensor.values = expression::summed_along(rows, tensor.values, std::ssize(tensor.values) / (n * inner), n, inner);
      tensor.extents.erase(tensor.extents.begin() + static_cast<std::ptrdiff_t>(d));
      functions.erase(functions.begin() + static_cast<std::ptrdiff_t>(d));
    } else {
      axes.insert(axes.begin(), table.dimensions[d].name);
    }
  std::vector<std::size_t> order;
  for (const AxisCase& axis : the_case.domain)
    if (const auto found = std::find(axes.begin(), axes.end(), axis.axis.name); found != axes.end())
      order.push_back(static_cast<std::size_t>(found - axes.begin()));
  std::vector<std::string> names;
  std::vector<Index> strides, extents;
  for (std::size_t d : order) {
    names.push_back(axes[d]);
    kept.push_back(functions[d]);
    extents.push_back(tensor.extents[d]);
    strides.push_back(tensor.inner(d));
  }
  std::vector<double> ordered(tensor.values.size());
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    Index from = 0;
    auto rest = static_cast<Index>(i);
    for (std::size_t d = order.size(); d-- > 0; rest /= extents[d]) from += rest % extents[d] * strides[d];
    ordered[i] = tensor.values[static_cast<std::size_t>(from)];
  }
  result.function =
      std::make_shared<const expression::TensorSeries>(std::move(names), std::move(kept), std::move(ordered));
  return result;
}

}  // namespace gwrm
