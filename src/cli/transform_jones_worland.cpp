// gwrm transform --kind jones_worland: functions of the radius in a full sphere, of one degree l of the spherical
// harmonics, along the last dimension of an array.
#include <fmt/format.h>

#include "cli/transform_coordinates.hpp"
#include "cli/transform_kinds.hpp"
#include "core/errors.hpp"
#include "kernels/transform/jones_worland.hpp"

namespace gwrm::cli {
namespace {

constexpr Index kMostRadialPoints = 1 << 20;
const char* const kRadialNormalisation =
    "f(r) = sum_n a_n W_n^l(r), int_0^1 W_i W_j dr / sqrt(1 - r^2) = delta_ij, r_k = cos(pi (2k+1) / (4 N))";

using Transform = void (*)(const JonesWorlandPlan&, const double*, double*, Index, Index, double*, int);

std::vector<double> transformed(Transform transform, const JonesWorlandPlan& plan, const std::vector<double>& from,
                                Index batch, Index n_to, int n_threads) {
  std::vector<double> to(static_cast<std::size_t>(batch * n_to));
  std::vector<double> workspace(static_cast<std::size_t>(cpu::jones_worland_workspace(plan, n_threads)));
  transform(plan, from.data(), to.data(), batch, 1, workspace.data(), n_threads);
  return to;
}
std::vector<double> coefficients(const JonesWorlandPlan& plan, const std::vector<double>& f, Index batch,
                                 int n_threads) {
  return transformed(cpu::jones_worland_forward, plan, f, batch, plan.n(), n_threads);
}
std::vector<double> values(const JonesWorlandPlan& plan, const std::vector<double>& a, Index batch, int n_threads) {
  return transformed(cpu::jones_worland_backward, plan, a, batch, plan.grid().n_points(), n_threads);
}

Index harmonic_degree(const TransformRequest& request) {
  check_names(request.degree, {"l", "n"}, "--degree");
  const Index l = number_of(request.degree, "l", -1);
  if (l < 0 || l > kHighestOrder)
    throw CaseError(
        fmt::format("--degree: error: the degree l of the spherical harmonics is needed, from 0 to {}: "
                    "--degree l=3",
                    kHighestOrder));
  return l;
}

}  // namespace

TransformResult jones_worland_forward(const TransformRequest& request) {
  const Index l = harmonic_degree(request);
  Array f = array_of_rank(request, request.dataset, 1, "the radii");
  const Index n_points = f.shape.back(), n = number_of(request.degree, "n", n_points - 1 - l / 2) + 1;
  if (n < 1 || n_points < jones_worland_points(l, n))
    throw ShapeError(fmt::format("{} coefficients of degree l = {}: {} points, at least {} are needed",
                                 std::max<Index>(n, 1), l, n_points, jones_worland_points(l, std::max<Index>(n, 1))));
  const JonesWorlandPlan plan(std::make_shared<JonesWorlandGrid>(n_points), l, n);
  const PointOrder order =
      placed_at_nodes(request, f, f.shape.size() - 1, coordinates_of(request, 1).back(), plan.grid().radii(),
                      fmt::format("the {0} radii cos(pi (2 k + 1) / {1}), k = 0, 1, .., {2} (either order)", n_points,
                                  4 * n_points, n_points - 1),
                      true);
  Batch batch(f.shape, 1);
  const std::vector<double> a = coefficients(plan, f.data, batch.size, request.n_threads);
  const std::vector<double> at_points = values(plan, a, batch.size, request.n_threads);
  batch.scales.push_back({"n", {}, static_cast<std::size_t>(n)});
  batch.names.push_back("n");
  TransformResult result{batch.scales,
                         {{request.dataset, fmt::format("Jones-Worland coefficients, l = {}", l), batch.names, a}},
                         kRadialNormalisation,
                         largest_error(coefficients(plan, at_points, batch.size, request.n_threads), a),
                         "round trip of the coefficients"};
  result.residual = largest_error(at_points, f.data);
  note_points(result, "r", order);
  return result;
}

TransformResult jones_worland_inverse(const TransformRequest& request) {
  const Index l = harmonic_degree(request);
  check_names(request.grid, {"r"}, "--grid");
  const Array a = array_of_rank(request, request.dataset, 1, "the degree");
  const Index n = a.shape.back(), least = jones_worland_points(l, n), n_points = number_of(request.grid, "r", least);
  if (n_points < least || n_points > kMostRadialPoints)
    throw ShapeError(fmt::format("{} coefficients of degree l = {}: {} points, from {} to {} are possible", n, l,
                                 n_points, least, kMostRadialPoints));
  const JonesWorlandPlan plan(std::make_shared<JonesWorlandGrid>(n_points), l, n);
  Batch batch(a.shape, 1);
  const std::vector<double> f = values(plan, a.data, batch.size, request.n_threads);
  batch.scales.push_back({"r", plan.grid().radii(), static_cast<std::size_t>(n_points)});
  batch.names.push_back("r");
  return {batch.scales,
          {{request.dataset, fmt::format("values of a Jones-Worland series, l = {}", l), batch.names, f}},
          kRadialNormalisation,
          largest_error(coefficients(plan, f, batch.size, request.n_threads), a.data),
          "round trip of the coefficients"};
}

}  // namespace gwrm::cli
