// The kinds of `gwrm transform`: arrays to coefficients and back. A kind is a line in a table (transform_kinds.cpp)
// with two functions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "output/array_file.hpp"

namespace gwrm::cli {

// What the command line asks for.
struct TransformRequest {
  std::string path, dataset;
  bool inverse = false;
  std::map<std::string, Index> degree, grid;  // as written: {l: 1023}; empty: not given
  std::vector<std::string> points;            // names of datasets
  double tolerance = 1e-12;
  int n_threads = 1;
};

struct TransformResult {
  std::vector<WrittenScale> scales;
  std::vector<WrittenArray> arrays;
  std::string normalisation;  // in words, for the file
  // Largest error over largest value.
  double error = 0.0;
  std::string error_of;  // what is compared
  // Of values to coefficients: largest |series at the points - data| over the largest |data|.
  std::optional<double> residual = {};
  // For each dimension of the values where they lie: assumed, nodes, reversed or fitted.
  std::vector<std::pair<std::string, std::string>> points = {};
  std::vector<std::string> remarks = {};  // on the points, for the reader
};

struct TransformKind {
  std::string name;
  TransformResult (*forward)(const TransformRequest& request);
  TransformResult (*inverse)(const TransformRequest& request);
};

const std::vector<TransformKind>& transform_kinds();
std::vector<std::string> transform_kind_list();
std::string transform_kind_names(const std::string& separator);

// For the kinds. The errors name file, dataset and cure.

// The number under a name; `none` where it is not given.
Index number_of(const std::map<std::string, Index>& numbers, const std::string& name, Index none);
// CaseError for a name that is none of these.
void check_names(const std::map<std::string, Index>& numbers, const std::vector<std::string>& names,
                 const char* option);
// An array of at least `rank` dimensions. CaseError.
Array array_of_rank(const TransformRequest& request, const std::string& name, std::size_t rank, const char* what);
// Dimensions before the last `rank`: a scale each, dim_0, dim_1, .., and how many arrays that makes.
struct Batch {
  Index size = 1;
  std::vector<WrittenScale> scales;
  std::vector<std::string> names;
  Batch(const Shape& shape, std::size_t rank);
};
double largest_error(const std::vector<double>& a, const std::vector<double>& b);  // over the largest of b

TransformResult chebyshev_forward(const TransformRequest& request);
TransformResult chebyshev_inverse(const TransformRequest& request);
TransformResult legendre_forward(const TransformRequest& request);
TransformResult legendre_inverse(const TransformRequest& request);
TransformResult jones_worland_forward(const TransformRequest& request);
TransformResult jones_worland_inverse(const TransformRequest& request);
TransformResult spherical_forward(const TransformRequest& request);
TransformResult spherical_inverse(const TransformRequest& request);
TransformResult nonuniform_forward(const TransformRequest& request);
TransformResult nonuniform_inverse(const TransformRequest& request);

}  // namespace gwrm::cli
