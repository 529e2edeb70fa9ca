// gwrm transform --kind chebyshev and legendre: series along the last dimension of an array, on the points
// cos(pi (2i+1) / (2N)). Legendre coefficients are connected to those of Chebyshev polynomials.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cli/transform_kinds.hpp"
#include "kernels/transform/chebyshev_legendre.hpp"
#include "kernels/transform/cosine_transform.hpp"

namespace gwrm::cli {
namespace {

constexpr Index kMostChebyshevPoints = 1 << 22;

struct Polynomials {
  const char *name, *normalisation;
  bool legendre;
};
constexpr Polynomials kChebyshev = {"Chebyshev", "f(x) = sum_n a_n T_n(x)", false};
constexpr Polynomials kLegendre = {"Legendre", "f(x) = sum_n a_n P_n(x), P_n(1) = 1", true};

void connect(ConnectionKind kind, Index batch, Index n_modes, std::vector<double>& a) {
  const ChebyshevLegendrePlan plan(kind, n_modes);
  std::vector<double> workspace(static_cast<std::size_t>(cpu::connection_workspace(plan, 1)));
  cpu::chebyshev_legendre(plan, false, a.data(), a.data(), batch, 1, workspace.data(), 1);
}

// All that the points determine is connected before the series is cut off: a Legendre coefficient has its share of all
// Chebyshev coefficients behind it.
std::vector<double> coefficients(const Polynomials& polynomials, const std::vector<double>& f, Index batch,
                                 Index n_points, Index n_modes) {
  const Index n_all = polynomials.legendre ? n_points : n_modes;
  std::vector<double> a(static_cast<std::size_t>(batch * n_all));
  cpu::cosine_transform(CosinePlan(CosineKind::cosine_2, n_points), f.data(), n_points, a.data(), n_all, batch, 1,
                        {2.0 / static_cast<double>(n_points), 0.5});
  if (!polynomials.legendre) return a;
  connect(ConnectionKind::chebyshev_to_legendre, batch, n_all, a);
  for (Index b = 0; b < batch; ++b) std::copy_n(a.begin() + b * n_all, n_modes, a.begin() + b * n_modes);
  a.resize(static_cast<std::size_t>(batch * n_modes));
  return a;
}
std::vector<double> values(const Polynomials& polynomials, std::vector<double> a, Index batch, Index n_modes,
                           Index n_points) {
  if (polynomials.legendre) connect(ConnectionKind::legendre_to_chebyshev, batch, n_modes, a);
  std::vector<double> f(static_cast<std::size_t>(batch * n_points));
  cpu::cosine_transform(CosinePlan(CosineKind::cosine_3, n_points), a.data(), n_modes, f.data(), n_points, batch, 1);
  return f;
}

TransformResult forward(const Polynomials& polynomials, const TransformRequest& request) {
  check_names(request.degree, {"n"}, "--degree");
  const Array f = array_of_rank(request, request.dataset, 1, "the points");
  const Index n_points = f.shape.back(), degree = number_of(request.degree, "n", n_points - 1);
  if (degree >= n_points)
    throw ShapeError(fmt::format("a {} series of degree {}: {} points, at least {} are needed", polynomials.name,
                                 degree, n_points, degree + 1));
  Batch batch(f.shape, 1);
  const std::vector<double> a = coefficients(polynomials, f.data, batch.size, n_points, degree + 1);
  const std::vector<double> again = coefficients(polynomials, values(polynomials, a, batch.size, degree + 1, n_points),
                                                 batch.size, n_points, degree + 1);
  batch.scales.push_back({"n", {}, static_cast<std::size_t>(degree + 1)});
  batch.names.push_back("n");
  return {batch.scales,
          {{request.dataset, std::string(polynomials.name) + " coefficients", batch.names, a}},
          polynomials.normalisation,
          largest_error(again, a),
          "round trip of the coefficients"};
}

TransformResult inverse(const Polynomials& polynomials, const TransformRequest& request) {
  check_names(request.grid, {"n"}, "--grid");
  const Array a = array_of_rank(request, request.dataset, 1, "the degree");
  const Index n_modes = a.shape.back(), n_points = number_of(request.grid, "n", n_modes);
  if (n_points < n_modes || n_points > kMostChebyshevPoints)
    throw ShapeError(fmt::format("a {} series of degree {}: {} points, from {} to {} are possible", polynomials.name,
                                 n_modes - 1, n_points, n_modes, kMostChebyshevPoints));
  Batch batch(a.shape, 1);
  const std::vector<double> f = values(polynomials, a.data, batch.size, n_modes, n_points);
  std::vector<double> x;
  for (Index i = 0; i < n_points; ++i)
    x.push_back(
        std::sin(std::numbers::pi * static_cast<double>(n_points - 1 - 2 * i) / static_cast<double>(2 * n_points)));
  batch.scales.push_back({"x", x, x.size()});
  batch.names.push_back("x");
  return {batch.scales,
          {{request.dataset, fmt::format("values of a {} series", polynomials.name), batch.names, f}},
          polynomials.normalisation,
          largest_error(coefficients(polynomials, f, batch.size, n_points, n_modes), a.data),
          "round trip of the coefficients"};
}

}  // namespace

TransformResult chebyshev_forward(const TransformRequest& request) {
  return forward(kChebyshev, request);
}
TransformResult chebyshev_inverse(const TransformRequest& request) {
  return inverse(kChebyshev, request);
}
TransformResult legendre_forward(const TransformRequest& request) {
  return forward(kLegendre, request);
}
TransformResult legendre_inverse(const TransformRequest& request) {
  return inverse(kLegendre, request);
}

}  // namespace gwrm::cli
