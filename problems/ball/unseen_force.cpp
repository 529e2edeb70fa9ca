#include "problems/ball/unseen_force.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/context.hpp"
#include "problems/ball/symmetric_bands.hpp"

namespace gwrm::ball {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr Index kMoreL = 24, kMoreR = 12;  // of the larger space
constexpr std::size_t kTimesLookedAt = 6;

// The square of a velocity in L2 from its coefficients: sum of l (l+1) c^T mass c over both parts.
double square_of(const BallSpace& space, std::size_t toroidal, const std::vector<double>& c) {
  std::vector<double> masses(c.size());
  space.apply_mass(c.data(), masses.data());
  double sum = 0.0;
  for (std::size_t part = toroidal; part <= toroidal + 1; ++part)
    for (Index l = 1; l <= space.degrees().l; ++l)
      for (Index i = space.unknowns().place(part, l); i < space.unknowns().place(part, l + 1); ++i)
        sum += static_cast<double>(l * (l + 1)) * c[static_cast<std::size_t>(i)] * masses[static_cast<std::size_t>(i)];
  return sum;
}

std::vector<double> acceleration(const BallModel& model, const BallSpace& space, std::size_t toroidal, double time) {
  std::vector<double> c = model.source(space, time);
  solve_mass(space, toroidal, c.data());
  solve_mass(space, toroidal + 1, c.data());
  return c;
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
  double missed = 0.0, size = 0.0;
  const std::size_t n = solution.windows.size(),
                    step = model.source_depends_on_time() ? (n + kTimesLookedAt - 1) / kTimesLookedAt : n;
  for (std::size_t w = 0; w < n; w += step) {
    const BallWindow& window = solution.windows[w];
    const double time = window.start + 0.77 * (window.end - window.start);
    std::vector<double> left = acceleration(model, larger, toroidal, time);
    const std::vector<double> held = acceleration(model, space, toroidal, time);
    for (std::size_t part = toroidal; part <= toroidal + 1; ++part)
      for (Index l = 1; l <= degrees.l; ++l)
        for (Index c = 0; c < space.unknowns().n_orders(l); ++c)
          for (Index k = 0; k < space.unknowns().n(part); ++k)
            left[static_cast<std::size_t>(larger.unknowns().place(part, l, c) + k)] -=
                held[static_cast<std::size_t>(space.unknowns().place(part, l, c) + k)];
    missed = std::max(missed, std::sqrt(square_of(larger, toroidal, left)));
  }
  for (const BallWindow& window : solution.windows)
    size = std::max(size, std::sqrt(square_of(space, toroidal, space.project(solution.at(window.end)))));
  const auto l = static_cast<double>(std::min(degrees.l, degrees.m) + 1);
  const double r = kPi * static_cast<double>(degrees.r) / 2.0;
  const double slowest = space.parts()[toroidal].diffusivity * std::min(l * (l + 1.0), r * r);
  const double time = solution.windows.back().end - solution.windows.front().start;
  if (missed == 0.0) return 0.0;
  return size > 0.0 ? missed * std::min(time, 1.0 / slowest) / size : std::numeric_limits<double>::infinity();
}

}  // namespace gwrm::ball
