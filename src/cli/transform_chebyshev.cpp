// gwrm transform --kind chebyshev and legendre: series along the last dimension of an array, on the points
// cos(pi (2i+1) / (2N)), or by least squares through the points that the file gives. Legendre coefficients are
// connected to those of Chebyshev polynomials.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "cli/chebyshev_fit.hpp"
#include "cli/transform_coordinates.hpp"
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

std::vector<double> chebyshev_points(Index n_points) {
  std::vector<double> x;
  for (Index i = 0; i < n_points; ++i)
    x.push_back(
        std::sin(std::numbers::pi * static_cast<double>(n_points - 1 - 2 * i) / static_cast<double>(2 * n_points)));
  return x;
}

// The points as the fit needs them: within [-1, 1], a rounding error of the file aside.
std::vector<double> points_within(const TransformRequest& request, const DimensionScale& scale) {
  std::vector<double> x = scale.values;
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  const double limit = 1.0 + std::max(1e-12, 4.0 * scale.rounding);
  if (*low < -limit || *high > limit)
    throw CaseError(fmt::format(
        "{0}: error: dataset {1}: its coordinates {2} range from {3:.9g} to {4:.9g}, expected within [-1, 1]: "
        "map the interval of {2} to [-1, 1], as {2} = 2 ({2} - {3:.9g}) / ({4:.9g} - {3:.9g}) - 1; if the values lie "
        "at cos(pi (2 i + 1) / {5}), i = 0, 1, .., detach the scale (h5py: dims[..].detach_scale(..))",
        request.path, request.dataset, scale.name, *low, *high, 2 * x.size()));
  for (double& point : x) point = std::clamp(point, -1.0, 1.0);
  return x;
}

// What turns values at the points of a dataset to coefficients and back: the fast transform at its nodes, or a fit.
struct Series {
  const Polynomials& polynomials;
  Index batch, n_points, n_modes = 0;
  std::optional<ChebyshevFit> fit = {};

  std::vector<double> coefficients_of(const std::vector<double>& f) const {
    if (!fit) return coefficients(polynomials, f, batch, n_points, n_modes);
    std::vector<double> a = fit->coefficients(f, batch, n_modes);
    if (polynomials.legendre) connect(ConnectionKind::chebyshev_to_legendre, batch, n_modes, a);
    return a;
  }
  std::vector<double> values_of(std::vector<double> a) const {
    if (!fit) return values(polynomials, std::move(a), batch, n_modes, n_points);
    if (polynomials.legendre) connect(ConnectionKind::legendre_to_chebyshev, batch, n_modes, a);
    return fit->values(a, batch, n_modes);
  }
};

// The number of modes of a fit. CaseError for a degree that the points do not determine well.
Index fitted_modes(const TransformRequest& request, const Polynomials& polynomials, const DimensionScale& scale,
                   const ChebyshevFit& fit) {
  const Index asked = number_of(request.degree, "n", -1) + 1;
  if (asked > 0 && asked <= fit.most_modes() && fit.condition(asked) <= kLargestCondition) return asked;
  const Index most = fit.well_conditioned_modes();
  if (asked == 0) return most;
  const std::string reason =
      asked > fit.most_modes()
          ? fmt::format("the largest possible degree of a fit through them is {}", fit.most_modes() - 1)
          : fmt::format("condition number above {:g}", kLargestCondition);
  throw CaseError(
      fmt::format("{}: error: dataset {}: its {} coordinates {} are not the nodes of the transform and do not "
                  "determine a {} series of degree {} well enough ({}): use --degree n={} or less, or sample the "
                  "values at the nodes cos(pi (2 i + 1) / {})",
                  request.path, request.dataset, fit.n_points(), scale.name, polynomials.name, asked - 1, reason,
                  most - 1, 2 * fit.n_points()));
}

TransformResult forward(const Polynomials& polynomials, const TransformRequest& request) {
  check_names(request.degree, {"n"}, "--degree");
  Array f = array_of_rank(request, request.dataset, 1, "the points");
  const Index n_points = f.shape.back(), degree = number_of(request.degree, "n", n_points - 1);
  if (degree >= n_points)
    throw ShapeError(fmt::format("a {} series of degree {}: {} points, at least {} are needed", polynomials.name,
                                 degree, n_points, degree + 1));
  const std::optional<DimensionScale> scale = coordinates_of(request, 1).back();
  const PointOrder order = order_against(scale, chebyshev_points(n_points));
  Batch batch(f.shape, 1);
  Series series{polynomials, batch.size, n_points, degree + 1};
  if (order == PointOrder::reversed) reverse_dimension(f, f.shape.size() - 1);
  std::string fitted;
  if (order == PointOrder::other) {
    series.fit.emplace(points_within(request, *scale));
    series.n_modes = fitted_modes(request, polynomials, *scale, *series.fit);
    fitted = fmt::format(
        "least-squares series of degree {} through the {} points {} in [{:.6g}, {:.6g}], which are not the nodes of "
        "the "
        "transform; condition number {:.2g}",
        series.n_modes - 1, n_points, scale->name, std::min(scale->values.front(), scale->values.back()),
        std::max(scale->values.front(), scale->values.back()), series.fit->condition(series.n_modes));
  }
  const std::vector<double> a = series.coefficients_of(f.data), at_points = series.values_of(a);
  batch.scales.push_back({"n", {}, static_cast<std::size_t>(series.n_modes)});
  batch.names.push_back("n");
  TransformResult result{batch.scales,
                         {{request.dataset, std::string(polynomials.name) + " coefficients", batch.names, a}},
                         polynomials.normalisation,
                         largest_error(series.coefficients_of(at_points), a),
                         "round trip of the coefficients"};
  result.residual = largest_error(at_points, f.data);
  note_points(result, "x", order);
  if (!fitted.empty()) result.remarks.push_back(fitted);
  return result;
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
  const std::vector<double> x = chebyshev_points(n_points);
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
