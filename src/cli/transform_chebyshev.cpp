// gwrm transform --kind chebyshev: series along the last dimension of an array, on the points cos(pi (2i+1) / (2N)).
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "cli/transform_kinds.hpp"
#include "kernels/transform/cosine_transform.hpp"

namespace gwrm::cli {
namespace {

constexpr Index kMostPoints = 1 << 22;
const char* const kNormalisation = "f(x) = sum_n a_n T_n(x)";

std::vector<double> coefficients(const std::vector<double>& f, Index batch, Index n_points, Index n_modes) {
  std::vector<double> a(static_cast<std::size_t>(batch * n_modes));
  cpu::cosine_transform(CosinePlan(CosineKind::cosine_2, n_points), f.data(), n_points, a.data(), n_modes, batch, 1,
                        {2.0 / static_cast<double>(n_points), 0.5});
  return a;
}
std::vector<double> values(const std::vector<double>& a, Index batch, Index n_modes, Index n_points) {
  std::vector<double> f(static_cast<std::size_t>(batch * n_points));
  cpu::cosine_transform(CosinePlan(CosineKind::cosine_3, n_points), a.data(), n_modes, f.data(), n_points, batch, 1);
  return f;
}

}  // namespace

TransformResult chebyshev_forward(const TransformRequest& request) {
  check_names(request.degree, {"n"}, "--degree");
  const Array f = array_of_rank(request, request.dataset, 1, "the points");
  const Index n_points = f.shape.back(), degree = number_of(request.degree, "n", n_points - 1);
  if (degree >= n_points)
    throw ShapeError(fmt::format("a Chebyshev series of degree {}: {} points, at least {} are needed", degree, n_points,
                                 degree + 1));
  Batch batch(f.shape, 1);
  const std::vector<double> a = coefficients(f.data, batch.size, n_points, degree + 1);
  const std::vector<double> again =
      coefficients(values(a, batch.size, degree + 1, n_points), batch.size, n_points, degree + 1);
  batch.scales.push_back({"n", {}, static_cast<std::size_t>(degree + 1)});
  batch.names.push_back("n");
  return {batch.scales,
          {{request.dataset, "Chebyshev coefficients", batch.names, a}},
          kNormalisation,
          largest_error(again, a),
          "round trip of the coefficients"};
}

TransformResult chebyshev_inverse(const TransformRequest& request) {
  check_names(request.grid, {"n"}, "--grid");
  const Array a = array_of_rank(request, request.dataset, 1, "the degree");
  const Index n_modes = a.shape.back(), n_points = number_of(request.grid, "n", n_modes);
  if (n_points < n_modes || n_points > kMostPoints)
    throw ShapeError(fmt::format("a Chebyshev series of degree {}: {} points, from {} to {} are possible", n_modes - 1,
                                 n_points, n_modes, kMostPoints));
  Batch batch(a.shape, 1);
  const std::vector<double> f = values(a.data, batch.size, n_modes, n_points);
  std::vector<double> x;
  for (Index i = 0; i < n_points; ++i)
    x.push_back(
        std::sin(std::numbers::pi * static_cast<double>(n_points - 1 - 2 * i) / static_cast<double>(2 * n_points)));
  batch.scales.push_back({"x", x, x.size()});
  batch.names.push_back("x");
  return {batch.scales,
          {{request.dataset, "values of a Chebyshev series", batch.names, f}},
          kNormalisation,
          largest_error(coefficients(f, batch.size, n_points, n_modes), a.data),
          "round trip of the coefficients"};
}

}  // namespace gwrm::cli
