// gwrm transform --kind spherical: spherical harmonics of the last two dimensions of an array, theta and phi.
#include <fmt/format.h>

#include <numbers>

#include "cli/transform_coordinates.hpp"
#include "cli/transform_kinds.hpp"
#include "kernels/transform/spherical_harmonics.hpp"

namespace gwrm::cli {
namespace {

using Complex = std::complex<double>;
const char* const kNormalisation =
    "f = sum_l (a_l0 Y_l0 + 2 Re sum_m a_lm Y_lm), Y_lm orthonormal on the unit sphere, without the phase (-1)^m; "
    "theta: "
    "Gauss nodes from the north pole, phi = 2 pi j / n_phi";

std::vector<Complex> analysis(const SphericalPlan& plan, Index batch, const std::vector<double>& f, int n_threads) {
  std::vector<Complex> a(static_cast<std::size_t>(batch * plan.n_coefficients()));
  std::vector<double> workspace(cpu::spherical_workspace(plan, n_threads));
  cpu::spherical_analysis(plan, batch, f.data(), a.data(), workspace.data(), n_threads);
  return a;
}
std::vector<double> synthesis(const SphericalPlan& plan, Index batch, const std::vector<Complex>& a, int n_threads) {
  std::vector<double> f(static_cast<std::size_t>(batch * plan.n_points()));
  std::vector<double> workspace(cpu::spherical_workspace(plan, n_threads));
  cpu::spherical_synthesis(plan, batch, a.data(), f.data(), workspace.data(), n_threads);
  return f;
}
std::vector<double> equispaced_angles(Index n) {
  std::vector<double> angles;
  for (Index j = 0; j < n; ++j)
    angles.push_back(2.0 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(n));
  return angles;
}
double round_trip(const SphericalPlan& plan, Index batch, const std::vector<Complex>& a, int n_threads) {
  const std::vector<Complex> again = analysis(plan, batch, synthesis(plan, batch, a, n_threads), n_threads);
  double error = 0.0, largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error = std::max(error, std::abs(again[i] - a[i]));
    largest = std::max(largest, std::abs(a[i]));
  }
  return largest > 0.0 ? error / largest : error;
}

// visit(number in the packed list, number in a table of l and m)
template <class Visit>
void for_coefficients(const AssociatedLegendrePlan& plan, Index batch, Visit&& visit) {
  const Index n = plan.degree() + 1;
  for (Index b = 0; b < batch; ++b)
    for (Index m = 0; m < n; ++m)
      for (Index l = m; l < n; ++l)
        visit(static_cast<std::size_t>(b * plan.n_coefficients() + plan.coefficient_place(m) + l - m),
              static_cast<std::size_t>((b * n + l) * n + m));
}

}  // namespace

TransformResult spherical_forward(const TransformRequest& request) {
  check_names(request.degree, {"l"}, "--degree");
  Array f = array_of_rank(request, request.dataset, 2, "theta and phi");
  const Index n_theta = f.shape[f.shape.size() - 2], n_phi = f.shape.back();
  const Index degree = number_of(request.degree, "l", std::min(n_theta - 1, (n_phi - 1) / 2));
  const SphericalPlan plan(degree, n_theta, n_phi);
  const std::vector<std::optional<DimensionScale>> scales = coordinates_of(request, 2);
  const std::size_t rank = f.shape.size();
  const PointOrder theta = placed_at_nodes(request, f, rank - 2, scales[rank - 2], plan.legendre().theta(),
                                           fmt::format("the {0} Gauss-Legendre nodes in radians from a pole "
                                                       "(numpy: arccos(polynomial.legendre.leggauss({0})[0][::-1]))",
                                                       n_theta),
                                           true);
  const PointOrder phi =
      placed_at_nodes(request, f, rank - 1, scales[rank - 1], equispaced_angles(n_phi),
                      fmt::format("the angles 2 pi j / {0} in radians, j = 0, 1, .., {1}", n_phi, n_phi - 1), false);
  Batch batch(f.shape, 2);
  const std::vector<Complex> a = analysis(plan, batch.size, f.data, request.n_threads);
  std::vector<double> re(static_cast<std::size_t>(batch.size * (degree + 1) * (degree + 1))), im = re;
  for_coefficients(plan.legendre(), batch.size, [&](std::size_t packed, std::size_t place) {
    re[place] = a[packed].real();
    im[place] = a[packed].imag();
  });
  for (const char* name : {"l", "m"}) {
    batch.scales.push_back({name, {}, static_cast<std::size_t>(degree + 1)});
    batch.names.push_back(name);
  }
  TransformResult result{
      batch.scales,
      {{request.dataset + "_re", "real parts of spherical-harmonic coefficients", batch.names, re},
       {request.dataset + "_im", "imaginary parts of spherical-harmonic coefficients", batch.names, im}},
      kNormalisation,
      round_trip(plan, batch.size, a, request.n_threads),
      "round trip of the coefficients"};
  result.residual = largest_error(synthesis(plan, batch.size, a, request.n_threads), f.data);
  note_points(result, "theta", theta);
  note_points(result, "phi", phi);
  return result;
}

TransformResult spherical_inverse(const TransformRequest& request) {
  check_names(request.grid, {"theta", "phi"}, "--grid");
  const std::string re_name = request.dataset + "_re", im_name = request.dataset + "_im";
  const Array re = array_of_rank(request, re_name, 2, "l and m"), im = array_of_rank(request, im_name, 2, "l and m");
  const Index n = re.shape.back();
  if (re.shape != im.shape || re.shape[re.shape.size() - 2] != n)
    throw CaseError(request.path + ": error: the datasets " + re_name + " and " + im_name +
                    " need the same shape, with as many m as l");
  const SphericalPlan plan(n - 1, number_of(request.grid, "theta", n),
                           number_of(request.grid, "phi", smooth_length(2 * n)));
  Batch batch(re.shape, 2);
  std::vector<Complex> a(static_cast<std::size_t>(batch.size * plan.n_coefficients()));
  for_coefficients(plan.legendre(), batch.size, [&](std::size_t packed, std::size_t place) {
    a[packed] = {re.data[place], packed % static_cast<std::size_t>(plan.n_coefficients()) < static_cast<std::size_t>(n)
                                     ? 0.0
                                     : im.data[place]};
  });
  const std::vector<double> f = synthesis(plan, batch.size, a, request.n_threads);
  const std::vector<double> phi = equispaced_angles(plan.n_phi());
  batch.scales.push_back({"theta", plan.legendre().theta(), plan.legendre().theta().size()});
  batch.scales.push_back({"phi", phi, phi.size()});
  batch.names.insert(batch.names.end(), {"theta", "phi"});
  return {batch.scales,
          {{request.dataset, "values of spherical harmonics", batch.names, f}},
          kNormalisation,
          round_trip(plan, batch.size, a, request.n_threads),
          "round trip of the coefficients"};
}

}  // namespace gwrm::cli
