#include "problems/ball/data_search.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "problems/unseen_data.hpp"

namespace gwrm::ball {
namespace {

using expression::SampledAxis;

constexpr Index kMostRadii = 96;
constexpr std::size_t kMostSearchedWindows = 2000;
constexpr double kAside = 0.37;  // of the distance of two points

// Of the axes t, phi, theta, r alone.
std::unique_ptr<expression::Pool> spherical_pool(const BallModel& model) {
  expression::Symbols symbols = model.expressions().pool().symbols();
  symbols.axes.resize(4);
  symbols.fields.clear();
  const double pi = std::numbers::pi, radius = model.section().radius;
  const double lower[] = {symbols.axes[0].lower, 0.0, 0.0, model.section().inner_radius},
               upper[] = {symbols.axes[0].upper, 2.0 * pi, pi, radius};
  for (std::size_t i = 0; i < 4; ++i) symbols.axes[i].lower = lower[i], symbols.axes[i].upper = upper[i];
  const std::pair<const char*, const char*> cartesian[] = {
      {"x", "r*sin(theta)*cos(phi)"}, {"y", "r*sin(theta)*sin(phi)"}, {"z", "r*cos(theta)"}};
  for (const auto& [name, text] : cartesian) {
    SourceText source;
    source.text = text;
    symbols.definitions.insert(symbols.definitions.begin(), {name, source});
  }
  return std::make_unique<expression::Pool>(std::move(symbols));
}

SampledAxis times_of(const BallSolution& solution, Index degree) {
  std::vector<double> times, edges = {solution.windows.front().start};
  for (std::size_t w = 0; w < std::min(solution.windows.size(), kMostSearchedWindows); ++w) {
    const BallWindow& window = solution.windows[w];
    for (Index k = 0; k < degree; ++k) {
      const double angle = std::numbers::pi * (static_cast<double>(k) + 0.5) / static_cast<double>(degree);
      times.push_back(window.start + (window.end - window.start) * (1.0 - std::cos(angle)) / 2.0);
    }
    edges.push_back(window.end);
  }
  return {std::move(times), edges};
}

}  // namespace

SpherePoints data_points(const BallSpace& space) {
  SpherePoints points;
  const Degrees& degrees = space.degrees();
  const double inner = space.radial().inner(), pi = std::numbers::pi;
  const auto inside = [](Index i, Index n) { return (static_cast<double>(i) + kAside) / static_cast<double>(n); };
  const Index n_r = std::min<Index>(2 * degrees.r + degrees.l + 3, kMostRadii), n_theta = 2 * degrees.l + 5,
              n_phi = 4 * degrees.m + 7;
  for (Index i = 0; i < n_r; ++i)
    points.r.push_back(space.radial().is_shell() ? inner + (1.0 - inner) * (1.0 - std::cos(pi * inside(i, n_r))) / 2.0
                                                 : std::sin(pi / 2.0 * inside(i, n_r)));
  for (Index i = 0; i < n_theta; ++i) points.theta.push_back(pi * inside(i, n_theta));
  for (Index i = 0; i < n_phi; ++i) points.phi.push_back(2.0 * pi * inside(i, n_phi));
  return points;
}

void search_data(const BallModel& model, const BallSpace& space, const BallSolution& solution,
                 std::vector<Check>& checks, std::vector<std::string>& warnings) {
  const std::unique_ptr<expression::Pool> pool = spherical_pool(model);
  DataCollection data;
  const auto add = [&](const SourceText& text, const std::string& where, bool initial) {
    if (!text.text.empty()) data.add(expression::lower(*pool, expression::parse(*pool, text)), where, initial);
  };
  for (const BallField& field : model.section().fields) {
    add(field.initial, "the initial value of " + field.name, true);
    for (const SourceText& component : field.initial_vector.components)
      add(component, "the initial value of " + field.name, true);
    for (const auto* harmonics : {&field.toroidal, &field.poloidal})
      for (const HarmonicCase& harmonic : *harmonics) add(harmonic.text, "the initial value of " + field.name, true);
    add(field.source, "the source of " + field.name, false);
    for (const SourceText& component : field.vector_source.components)
      add(component, "the source of " + field.name, false);
  }
  const std::vector<Data> all = data.take();
  if (all.empty()) return;
  const SpherePoints points = data_points(space);
  std::vector<double> radii = points.r;
  for (double& r : radii) r *= model.section().radius;
  const std::vector<SampledAxis> axes = {times_of(solution, space.degrees().t),
                                         SampledAxis::around(points.phi, 2.0 * std::numbers::pi),
                                         {points.theta, {0.0, std::numbers::pi}},
                                         {std::move(radii), {model.section().inner_radius, model.section().radius}}};
  report_unseen(find_unseen_data(
                    *pool, all, axes,
                    [](expression::Expr, const std::vector<std::pair<int, double>>&) {
                      return std::string("higher degrees of ball.degree would show it");
                    },
                    kMaxDataBoxes),
                checks, warnings);
}

}  // namespace gwrm::ball
