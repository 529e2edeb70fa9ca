#include "problems/ball/unseen_force.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/context.hpp"
#include "problems/ball/symmetric_bands.hpp"

namespace gwrm::ball {
namespace {

constexpr Index kMoreL = 24, kMoreR = 12;  // of the larger space
constexpr std::size_t kTimesLookedAt = 6;

// The square of a velocity in L2 from its coefficients: sum of l (l+1) c^T mass c over both parts, the poloidal one
// over R^2 (vector_fields.hpp).
double square_of(const BallSpace& space, std::size_t toroidal, double radius, const std::vector<double>& c) {
  std::vector<double> masses(c.size());
  space.apply_mass(c.data(), masses.data());
  double sum = 0.0;
  for (std::size_t part = toroidal; part <= toroidal + 1; ++part)
    for (Index l = 1; l <= space.degrees().l; ++l)
      for (Index i = space.unknowns().place(part, l); i < space.unknowns().place(part, l + 1); ++i)
        sum += static_cast<double>(l * (l + 1)) / (part == toroidal ? 1.0 : radius * radius) *
               c[static_cast<std::size_t>(i)] * masses[static_cast<std::size_t>(i)];
  return sum;
}

// Coefficients in the larger space of a function of the smaller one, for the parts of a velocity; the series of the
// smaller space are those of the larger one, its functions need not be.
std::vector<double> in_larger(const BallSpace& space, const BallSpace& larger, std::size_t toroidal,
                              const std::vector<double>& c) {
  std::vector<double> e(static_cast<std::size_t>(space.series().size())),
      embedded(static_cast<std::size_t>(larger.series().size()), 0.0);
  space.to_series(c.data(), e.data());
  for (std::size_t part = toroidal; part <= toroidal + 1; ++part)
    for (Index l = 1; l <= space.degrees().l; ++l)
      for (Index column = 0; column < space.series().n_orders(l); ++column) {
        const Index there = larger.series().orders().column(space.series().orders().of(column));
        std::copy_n(e.data() + space.series().place(part, l, column), space.series().n(part),
                    embedded.data() + larger.series().place(part, l, there));
      }
  return larger.project(embedded);
}

// What a force makes at rest: <psi_k, F> / (kappa stiffness_k).
std::vector<double> response(const BallSpace& space, std::size_t toroidal, std::vector<double> weak) {
  for (std::size_t part = toroidal; part <= toroidal + 1; ++part)
    for (Index l = 1; l <= space.degrees().l; ++l) {
      const std::vector<double>& stiffness = space.basis(part, l).stiffness();
      for (Index order = 0; order < space.unknowns().n_orders(l); ++order)
        for (Index k = 0; k < space.unknowns().n(part); ++k) {
          const double rate = space.parts()[part].diffusivity * stiffness[static_cast<std::size_t>(k)];
          double& value = weak[static_cast<std::size_t>(space.unknowns().place(part, l, order) + k)];
          value = rate > 0.0 ? value / rate : 0.0;  // the rigid rotation is in every space
        }
    }
  return weak;
}

// The acceleration.
std::vector<double> acceleration(const BallSpace& space, std::size_t toroidal, std::vector<double> weak) {
  for (std::size_t part = toroidal; part <= toroidal + 1; ++part) solve_mass(space, part, weak.data());
  return weak;
}

// Of functions of the larger space those that are not in the smaller one: the size of what is left.
double missed(const BallSpace& space, const BallSpace& larger, std::size_t toroidal, double radius,
              std::vector<double> all, const std::vector<double>& held) {
  const std::vector<double> own = in_larger(space, larger, toroidal, held);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] -= own[i];
  return std::sqrt(square_of(larger, toroidal, radius, all));
}

}  // namespace

void solve_mass(const BallSpace& space, std::size_t part, double* weak) {
  const Context context = Context::of_one_thread();
  for (Index l = space.parts()[part].first_l(); l <= space.degrees().l; ++l) {
    if (space.unknowns().n_orders(l) == 0) continue;
    const SymmetricBands mass = space.mass(part, l);
    std::array<std::vector<double>, 3> diagonals;
    for (std::size_t d = 0; d < mass.count; ++d) diagonals[d] = *mass.diagonals[d];
    const BandedShape shape{space.unknowns().n(part), space.unknowns().n_orders(l), BatchLayout::contiguous};
    const auto plan = make_symmetric_plan<double>(context, shape, diagonals);
    double* const block = weak + space.unknowns().place(part, l);
    plan->solve(block, block);
  }
}

double unseen_force(const BallModel& model, const BallSpace& space, const BallSolution& solution, std::size_t field) {
  const std::size_t toroidal = model.first_part(field);
  const Degrees& degrees = space.degrees();
  const BallSpace larger(model.parts(),
                         {degrees.t, degrees.r + kMoreR, degrees.l + kMoreL, std::min(degrees.m, degrees.l) + kMoreL});
  const double radius = model.section().radius, length = solution.windows.back().end - solution.windows.front().start;
  double most = 0.0, size = 0.0;
  const std::size_t n = solution.windows.size(),
                    step = model.source_depends_on_time() ? (n + kTimesLookedAt - 1) / kTimesLookedAt : n;
  for (std::size_t w = 0; w < n; w += step) {
    const BallWindow& window = solution.windows[w];
    const double time = window.start + 0.77 * (window.end - window.start);
    const std::vector<double> weak = model.source(larger, time), held = model.source(space, time);
    const auto left = [&](const auto& made) {
      return missed(space, larger, toroidal, radius, made(larger, toroidal, weak), made(space, toroidal, held));
    };
    most = std::max(most, std::min(left(response), length * left(acceleration)));
  }
  for (const BallWindow& window : solution.windows)
    size = std::max(size, std::sqrt(square_of(space, toroidal, radius, space.project(solution.at(window.end)))));
  if (most == 0.0) return 0.0;
  return size > 0.0 ? most / size : std::numeric_limits<double>::infinity();
}

}  // namespace gwrm::ball
