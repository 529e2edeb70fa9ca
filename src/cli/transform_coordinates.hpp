// Where the values of a dataset lie along the dimensions of a transform: the dimension scales of the file against the
// nodes of the transform.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/transform_kinds.hpp"

namespace gwrm::cli {

enum class PointOrder {
  assumed,   // the file has no coordinates: the values are taken as lying at the nodes
  nodes,     // the coordinates are the nodes
  reversed,  // the nodes in the opposite order
  other
};

// The dimension scale of each dimension of the dataset of a request, empty if it has none. CaseError for the last
// `rank` of them if a coordinate is NaN or infinite, or if they neither ascend nor descend.
std::vector<std::optional<DimensionScale>> coordinates_of(const TransformRequest& request, std::size_t rank);

// How the coordinates lie against the nodes, within 1e-12 of the largest node or the rounding error of the file.
PointOrder order_against(const std::optional<DimensionScale>& scale, const std::vector<double>& nodes);

// Reverses the order of the values along one dimension.
void reverse_dimension(Array& array, std::size_t dimension);

// For a kind whose values must lie at its nodes: order_against(), with the values reversed where the order is.
// CaseError, which names the first coordinate that is not a node, for other points. `expected` describes the nodes and
// how to make them: "the N Gauss-Legendre nodes (numpy: ..)". `may_reverse`: whether the opposite order is accepted.
PointOrder placed_at_nodes(const TransformRequest& request, Array& f, std::size_t dimension,
                           const std::optional<DimensionScale>& scale, const std::vector<double>& nodes,
                           const std::string& expected, bool may_reverse);

// Name of the order in --json.
std::string name_of(PointOrder order);
// The remark for the printed output: empty for the nodes in their order.
std::string remark_on(const std::string& dimension, PointOrder order);
// Adds both to a result.
void note_points(TransformResult& result, const std::string& dimension, PointOrder order);

}  // namespace gwrm::cli
