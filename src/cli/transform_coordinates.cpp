#include "cli/transform_coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gwrm::cli {
namespace {

constexpr double kNodeTolerance = 1e-12;

double node_tolerance(const DimensionScale& scale, const std::vector<double>& nodes) {
  double largest = 1.0;
  for (const double node : nodes) largest = std::max(largest, std::abs(node));
  return largest * std::max(kNodeTolerance, 4.0 * scale.rounding);
}

void check_order(const TransformRequest& request, const DimensionScale& scale) {
  const std::vector<double>& x = scale.values;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]))
      throw CaseError(fmt::format(
          "{}: error: dataset {}: its coordinates {} are not finite at index {}: replace {} by the position "
          "of the value, or remove the value",
          request.path, request.dataset, scale.name, i, std::isnan(x[i]) ? "NaN" : "the infinity"));
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    if (x.back() > x.front() ? !(x[i] < x[i + 1]) : !(x[i] > x[i + 1]))
      throw CaseError(fmt::format(
          "{0}: error: dataset {1}: its coordinates {2} neither ascend nor descend: {2}[{3}] = {4:.9g} and {2}[{5}] = "
          "{6:.9g}: sort them together with the values, each point once",
          request.path, request.dataset, scale.name, i, x[i], i + 1, x[i + 1]));
}

}  // namespace

std::vector<std::optional<DimensionScale>> coordinates_of(const TransformRequest& request, std::size_t rank) {
  std::vector<std::optional<DimensionScale>> scales = read_dimension_scales(request.path, request.dataset);
  for (std::size_t d = scales.size() - rank; d < scales.size(); ++d)
    if (scales[d]) check_order(request, *scales[d]);
  return scales;
}

PointOrder order_against(const std::optional<DimensionScale>& scale, const std::vector<double>& nodes) {
  if (!scale) return PointOrder::assumed;
  const double tolerance = node_tolerance(*scale, nodes);
  const auto is_close = [&](double a, double b) { return std::abs(a - b) <= tolerance; };
  const std::vector<double>& x = scale->values;
  if (std::equal(x.begin(), x.end(), nodes.begin(), nodes.end(), is_close)) return PointOrder::nodes;
  if (std::equal(x.rbegin(), x.rend(), nodes.begin(), nodes.end(), is_close)) return PointOrder::reversed;
  return PointOrder::other;
}

void reverse_dimension(Array& array, std::size_t dimension) {
  Index inner = 1;
  for (std::size_t d = dimension + 1; d < array.shape.size(); ++d) inner *= array.shape[d];
  const Index n = array.shape[dimension];
  for (auto first = array.data.begin(); first != array.data.end(); first += n * inner)
    for (Index i = 0; i < n / 2; ++i)
      std::swap_ranges(first + i * inner, first + (i + 1) * inner, first + (n - 1 - i) * inner);
}

PointOrder placed_at_nodes(const TransformRequest& request, Array& f, std::size_t dimension,
                           const std::optional<DimensionScale>& scale, const std::vector<double>& nodes,
                           const std::string& expected, bool may_reverse) {
  const PointOrder order = order_against(scale, nodes);
  if (order == PointOrder::assumed || order == PointOrder::nodes) return order;
  if (order == PointOrder::reversed && may_reverse) {
    reverse_dimension(f, dimension);
    return order;
  }
  const std::vector<double>& x = scale->values;
  std::vector<double> in_order = nodes;
  if (may_reverse && x.size() > 1 && (x.front() < x.back()) != (nodes.front() < nodes.back()))
    std::reverse(in_order.begin(), in_order.end());
  const double tolerance = node_tolerance(*scale, nodes);
  std::size_t i = 0;
  while (i + 1 < x.size() && std::abs(x[i] - in_order[i]) <= tolerance) ++i;
  throw CaseError(fmt::format(
      "{0}: error: dataset {1}: its coordinates {2} range from {3:.9g} to {4:.9g} and are not the nodes of this "
      "transform: {2}[{5}] is {6:.9g}, expected {7:.9g}: interpolate the values to {8}",
      request.path, request.dataset, scale->name, x.front(), x.back(), i, x[i], in_order[i], expected));
}

std::string name_of(PointOrder order) {
  switch (order) {
    case PointOrder::assumed:
      return "assumed";
    case PointOrder::nodes:
      return "nodes";
    case PointOrder::reversed:
      return "reversed";
    case PointOrder::other:
      break;
  }
  return "fitted";
}

std::string remark_on(const std::string& dimension, PointOrder order) {
  switch (order) {
    case PointOrder::assumed:
      return fmt::format("the file has no coordinates {}: the values are taken as lying at the nodes of the transform",
                         dimension);
    case PointOrder::reversed:
      return fmt::format("the nodes {} are in the opposite order: values reversed", dimension);
    default:
      return "";
  }
}

void note_points(TransformResult& result, const std::string& dimension, PointOrder order) {
  result.points.emplace_back(dimension, name_of(order));
  if (const std::string remark = remark_on(dimension, order); !remark.empty()) result.remarks.push_back(remark);
}

}  // namespace gwrm::cli
