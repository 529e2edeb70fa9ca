#include "problems/ball/coupled_residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "problems/ball/ball_terms.hpp"
#include "problems/ball/evolving_terms.hpp"
#include "problems/ball/least_terms.hpp"
#include "problems/ball/order_sets.hpp"
#include "problems/ball/unseen_force.hpp"
#include "problems/ball/vector_fields.hpp"

namespace gwrm::ball {
namespace {

constexpr double kNoOrder = 1e-12;  // relative, of the coefficients of an order that is not there

// The series of one space in another of higher degrees.
std::vector<double> embedded(const BallSpace& space, const BallSpace& fine, const std::vector<double>& e) {
  std::vector<double> result(static_cast<std::size_t>(fine.series().size()), 0.0);
  for (std::size_t part = 0; part < space.parts().size(); ++part)
    for (Index l = space.parts()[part].first_l(); l <= space.degrees().l; ++l)
      for (Index c = 0; c < space.series().n_orders(l); ++c)
        std::copy_n(
            e.data() + space.series().place(part, l, c), space.degrees().r + 1,
            result.data() + fine.series().place(part, l, fine.series().orders().column(space.series().orders().of(c))));
  return result;
}

// <E_n, kappa Lapl u - kappa_4 Lapl^2 u>.
std::vector<double> diffusion_moments(const BallSpace& space, const std::vector<double>& e) {
  std::vector<double> laplacian(e.size()), twice(e.size());
  const Layout& series = space.series();
  for (std::size_t part = 0; part < space.parts().size(); ++part) {
    const Part& the_part = space.parts()[part];
    laplacian_series(space.radial(), series, part, e.data(), part, laplacian.data());
    if (the_part.hyperdiffusion > 0.0)
      for (Index l = the_part.first_l(); l <= series.degree(); ++l)
        space.radial().bilaplacian(l, series.n(part), series.n_orders(l), e.data() + series.place(part, l),
                                   twice.data() + series.place(part, l));
    for (Index i = series.place(part, 0); i < series.place(part, series.degree() + 1); ++i) {
      const auto k = static_cast<std::size_t>(i);
      laplacian[k] = the_part.diffusivity * laplacian[k] - the_part.hyperdiffusion * twice[k];
    }
  }
  return laplacian;
}

// The root of r^T G^-1 r of a poloidal part of a velocity, weighted by l (l+1): that of the square of a velocity.
double acceleration_size(const BallSpace& space, std::size_t part, const std::vector<double>& r) {
  std::vector<double> solved = r;
  solve_mass(space, part, solved.data());
  double sum = 0.0;
  for (Index l = 1; l <= space.degrees().l; ++l)
    for (Index i = space.unknowns().place(part, l); i < space.unknowns().place(part, l + 1); ++i)
      sum += static_cast<double>(l * (l + 1)) * r[static_cast<std::size_t>(i)] * solved[static_cast<std::size_t>(i)];
  return std::sqrt(std::max(sum, 0.0));
}

// The size of each part's share of the weak equations: moments <E_n, f> of all parts, but of poloidal parts of
// velocities the products with the functions of the space, `weak`.
std::vector<double> part_sizes(const BallSpace& space, const std::vector<double>& moments,
                               const std::vector<double>& weak) {
  const std::vector<double> c = space.project(moments);
  std::vector<double> e(moments.size()), sizes;
  space.to_series(c.data(), e.data());
  for (std::size_t part = 0; part < space.parts().size(); ++part) {
    const Index first = space.series().place(part, 0), last = space.series().place(part, space.degrees().l + 1);
    sizes.push_back(space.parts()[part].of_curl ? acceleration_size(space, part, weak)
                                                : Eigen::Map<const Vector>(e.data() + first, last - first).norm());
  }
  return sizes;
}

Degrees of_residual(const BallModel& model, const BallSpace& space, const BallSolution& solution) {
  Degrees finer = space.degrees().with_all_orders();
  finer.r += 4;
  finer.l += 3;
  finer.m += highest_order_of(model.section().flow);
  if (is_nonlinear(model)) finer.m = std::max(finer.m, space.degrees().m + stride_of_orders(space, solution));
  finer.m = std::min(finer.m, finer.l);
  return finer;
}

}  // namespace

double ratio(double value, double size) {
  return value == 0.0 ? 0.0 : size > 0.0 ? value / size : std::numeric_limits<double>::infinity();
}

bool multiplies_fields(const BallModel& model) {
  const BallCase& section = model.section();
  const bool has_velocity = std::any_of(section.fields.begin(), section.fields.end(),
                                        [](const BallField& field) { return field.kind == FieldKind::velocity; });
  return section.has(TermWord::inertia) || section.has(TermWord::lorentz) ||
         (has_velocity && (section.has(TermWord::induction) || section.has(TermWord::advection)));
}

bool is_nonlinear(const BallModel& model) {
  const BallCase& section = model.section();
  return multiplies_fields(model) || std::any_of(section.fields.begin(), section.fields.end(),
                                                 [](const BallField& field) { return !field.reaction.text.empty(); });
}

bool couples_harmonics(const BallModel& model) {
  return !model.section().terms.empty() || is_nonlinear(model);
}

Index stride_of_orders(const BallSpace& space, const BallSolution& solution) {
  const Degrees& degrees = space.degrees();
  std::vector<double> sizes(static_cast<std::size_t>(degrees.m + 1), 0.0);
  for (std::size_t part = 0; part < space.parts().size(); ++part)
    for (Index l = space.parts()[part].first_l(); l <= degrees.l; ++l)
      for (Index c = 0; c < space.series().n_orders(l); ++c)
        for (const BallWindow& window : solution.windows) {
          double& size = sizes[static_cast<std::size_t>(space.series().orders().size_of(c))];
          size = std::max(
              size,
              window.coefficients.middleCols(space.series().place(part, l, c), degrees.r + 1).cwiseAbs().maxCoeff());
        }
  const double largest = *std::max_element(sizes.begin(), sizes.end());
  Index stride = 0;
  for (Index m = 1; m <= degrees.m; ++m)
    if (sizes[static_cast<std::size_t>(m)] > kNoOrder * largest) stride = std::gcd(stride, m);
  return stride;
}

std::vector<double> coupled_residuals(const BallModel& model, const BallSpace& space, const BallSolution& solution) {
  const BallSpace fine(model.parts(), of_residual(model, space, solution));
  const BallTerms terms(model, fine);
  const EvolvingTerms evolving(model, fine);
  const std::size_t n_parts = fine.parts().size();
  std::vector<double> worst(n_parts, 0.0), size = least_terms(model, space, solution);
  const std::size_t n = solution.windows.size(), step = (n + kWindowsLookedAt - 1) / kWindowsLookedAt;
  const auto n_unknowns = static_cast<std::size_t>(fine.unknowns().size());
  for (std::size_t w = 0; w < n; w += step)
    for (double place : {0.29, 0.77}) {
      const BallWindow& window = solution.windows[w];
      const double time = window.start + place * (window.end - window.start);
      const std::vector<double> e = embedded(space, fine, solution.at(time));
      const std::vector<double> rate = embedded(space, fine, solution.rate_at(time));
      const std::vector<double> lapl = diffusion_moments(fine, e);
      std::vector<double> coupled(e.size());
      terms.moments(e.data(), coupled.data());
      if (evolving.any()) evolving.add_moments(evolving.on_points(e.data()), time, coupled.data());
      if (model.has_source()) {
        const std::vector<double> source = model.source_series(fine, time);
        for (std::size_t i = 0; i < coupled.size(); ++i) coupled[i] += source[i];
      }
      std::vector<double> left(e.size());
      for (std::size_t i = 0; i < left.size(); ++i) left[i] = rate[i] - lapl[i] - coupled[i];
      // The same tested with the functions of the space.
      std::vector<double> weak_rate(n_unknowns), weak_lapl(n_unknowns), weak_terms(n_unknowns), weak_left(n_unknowns);
      fine.apply_mass(fine.project(rate).data(), weak_rate.data());
      fine.apply_diffusion(fine.project(e).data(), weak_lapl.data());
      fine.test(coupled.data(), weak_terms.data());
      for (std::size_t i = 0; i < n_unknowns; ++i) weak_left[i] = weak_rate[i] + weak_lapl[i] - weak_terms[i];
      const std::vector<double> of_rate = part_sizes(fine, rate, weak_rate),
                                of_lapl = part_sizes(fine, lapl, weak_lapl),
                                of_terms = part_sizes(fine, coupled, weak_terms),
                                of_left = part_sizes(fine, left, weak_left);
      for (std::size_t part = 0; part < n_parts; ++part) {
        size[part] = std::max({size[part], of_rate[part], of_lapl[part], of_terms[part]});
        worst[part] = std::max(worst[part], of_left[part]);
      }
    }
  for (std::size_t part = 0; part < n_parts; ++part) worst[part] = ratio(worst[part], size[part]);
  return worst;
}

}  // namespace gwrm::ball
