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

// What functions outside the smaller space become at rest: <psi_k, F> / (kappa stiffness_k).
double missed_response(const BallSpace& space, const BallSpace& larger, std::size_t toroidal, double radius,
                       const std::vector<double>& weak) {
  std::vector<double> c(weak.size(), 0.0);
  for (std::size_t part = toroidal; part <= toroidal + 1; ++part)
    for (Index l = 1; l <= larger.degrees().l; ++l) {
      const std::vector<double>& stiffness = larger.basis(part, l).stiffness();
      for (Index order = 0; order < larger.unknowns().n_orders(l); ++order) {
        const bool is_held = l <= space.degrees().l && order < space.unknowns().n_orders(l);
        for (Index k = is_held ? space.unknowns().n(part) : 0; k < larger.unknowns().n(part); ++k) {
          const auto i = static_cast<std::size_t>(larger.unknowns().place(part, l, order) + k);
          const double rate = larger.parts()[part].diffusivity * stiffness[static_cast<std::size_t>(k)];
          c[i] = rate > 0.0 ? weak[i] / rate : 0.0;  // the rigid rotation is in every space
        }
      }
    }
  return std::sqrt(square_of(larger, toroidal, radius, c));
}

// The acceleration that is in the larger space and not in the smaller.
double missed_acceleration(const BallSpace& space, const BallSpace& larger, std::size_t toroidal, double radius,
                           std::vector<double> weak, std::vector<double> held) {
  for (std::size_t part = toroidal; part <= toroidal + 1; ++part) {
    solve_mass(larger, part, weak.data());
    solve_mass(space, part, held.data());
    for (Index l = 1; l <= space.degrees().l; ++l)
      for (Index order = 0; order < space.unknowns().n_orders(l); ++order)
        for (Index k = 0; k < space.unknowns().n(part); ++k)
          weak[static_cast<std::size_t>(larger.unknowns().place(part, l, order) + k)] -=
              held[static_cast<std::size_t>(space.unknowns().place(part, l, order) + k)];
  }
  return std::sqrt(square_of(larger, toroidal, radius, weak));
}

}  // namespace

void solve_mass(const BallSpace& space, std::size_t part, double* weak) {
  const Context context = Context::create(BackendChoice::cpu, 1);
  for (Index l = space.parts()[part].first_l(); l <= space.degrees().l; ++l) {
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
  double missed = 0.0, size = 0.0;
  const std::size_t n = solution.windows.size(),
                    step = model.source_depends_on_time() ? (n + kTimesLookedAt - 1) / kTimesLookedAt : n;
  for (std::size_t w = 0; w < n; w += step) {
    const BallWindow& window = solution.windows[w];
    const double time = window.start + 0.77 * (window.end - window.start);
    const std::vector<double> weak = model.source(larger, time), held = model.source(space, time);
    missed = std::max(missed, std::min(missed_response(space, larger, toroidal, radius, weak),
                                       length * missed_acceleration(space, larger, toroidal, radius, weak, held)));
  }
  for (const BallWindow& window : solution.windows)
    size = std::max(size, std::sqrt(square_of(space, toroidal, radius, space.project(solution.at(window.end)))));
  if (missed == 0.0) return 0.0;
  return size > 0.0 ? missed / size : std::numeric_limits<double>::infinity();
}

}  // namespace gwrm::ball
