#include "problems/ball/ball_verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "problems/ball/axisymmetric_terms.hpp"
#include "problems/ball/ball_samples.hpp"
#include "problems/ball/coupled_residual.hpp"
#include "problems/ball/data_search.hpp"
#include "problems/ball/given_vector.hpp"
#include "problems/ball/least_terms.hpp"
#include "problems/ball/order_sets.hpp"
#include "problems/ball/unseen_force.hpp"
#include "problems/ball/vector_fields.hpp"

namespace gwrm::ball {
namespace {

constexpr double kShareOfWindow =
    0.7639320225002103;  // 3 - sqrt(5): no multiple of the window of the case aliases alike

double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (double value : values) result = std::abs(value) > result || std::isnan(value) ? std::abs(value) : result;
  return result;
}

// Neither nodes nor places of symmetry.
SpherePoints unseen_points(const BallSpace& space) {
  SpherePoints points;
  const Degrees& degrees = space.degrees();
  const double inner = space.radial().inner();
  const Index n_r = std::min<Index>(2 * degrees.r + degrees.l + 3, 48);
  for (Index i = 0; i < n_r; ++i) {
    const double place = (static_cast<double>(i) + 0.37) / static_cast<double>(n_r);
    points.r.push_back(space.radial().is_shell()
                           ? inner + (1.0 - inner) * (1.0 - std::cos(std::numbers::pi * place)) / 2.0
                           : std::sin(std::numbers::pi / 2.0 * place));
  }
  for (double theta : {0.31, 0.83, 1.27, 1.72, 2.11, 2.77}) points.theta.push_back(theta);
  for (double phi : {0.17, 1.43, 2.59, 3.71, 4.49, 5.83}) points.phi.push_back(phi);
  return points;
}

// The root mean square over the volume, with weights r^2.
double mean_size(const std::vector<double>& values, const SpherePoints& points) {
  double sum = 0.0, weights = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double r = points.r[i % points.r.size()];
    sum += r * r * values[i] * values[i];
    weights += r * r;
  }
  return std::sqrt(sum / weights);
}

// Of u_t - kappa Lapl u + kappa_4 Lapl^2 u - f, relative to the largest of the terms at any of the times, `least` of
// them in L2.
double residual_of(const BallModel& model, const BallSpace& space, const BallSolution& solution, std::size_t part,
                   double least) {
  const SpherePoints points = unseen_points(space);
  const SphereTransform transform(space.radial(), space.degrees(), points);
  const Part& the_part = space.parts()[part];
  const BallField& field = model.section().fields[the_part.field];
  const double volume = 4.0 / 3.0 * std::numbers::pi * (1.0 - std::pow(space.radial().inner(), 3));
  double worst = 0.0, size = least / std::sqrt(volume);
  const std::size_t n = solution.windows.size(), step = (n + kWindowsLookedAt - 1) / kWindowsLookedAt;
  for (std::size_t w = 0; w < n; w += step)
    for (double place : {0.29, 0.77}) {
      const BallWindow& window = solution.windows[w];
      const double time = window.start + place * (window.end - window.start);
      const std::vector<double> e = solution.at(time), rate = solution.rate_at(time);
      std::vector<double> left = transform.scalar(space.series(), part, rate.data());
      const std::vector<double> lapl = transform.scalar(space.series(), part, e.data(), &RadialTable::laplacian);
      const double rate_size = mean_size(left, points);
      std::vector<double> source(left.size(), 0.0);
      if (!field.source.text.empty()) source = model.expressions().finite_values(field.source, time, points);
      for (std::size_t i = 0; i < left.size(); ++i) left[i] -= the_part.diffusivity * lapl[i] + source[i];
      size = std::max({size, rate_size, the_part.diffusivity * mean_size(lapl, points), mean_size(source, points)});
      if (the_part.hyperdiffusion > 0.0) {
        const std::vector<double> second = transform.scalar(space.series(), part, e.data(), &RadialTable::bilaplacian);
        for (std::size_t i = 0; i < left.size(); ++i) left[i] += the_part.hyperdiffusion * second[i];
        size = std::max(size, the_part.hyperdiffusion * mean_size(second, points));
      }
      worst = std::max(worst, mean_size(left, points));
    }
  return ratio(worst, size);
}

// The last coefficients along a direction, relative to all, which are `least` together: root mean squares over windows
// and times. Orders are there in steps of `stride`.
double tail_of(const BallSpace& space, const BallSolution& solution, std::size_t part, char direction, Index stride,
               double least) {
  const Layout& series = space.series();
  const Degrees& degrees = space.degrees();
  double worst = 0.0, all_of_run = least * least;
  for (const BallWindow& window : solution.windows) {
    double all = 0.0, last = 0.0;
    for (Index k = 0; k <= degrees.t; ++k)
      for (Index l = space.parts()[part].first_l(); l <= degrees.l; ++l)
        for (Index c = 0; c < series.n_orders(l); ++c)
          for (Index n = 0; n <= degrees.r; ++n) {
            const double value = window.coefficients(k, series.place(part, l, c) + n);
            const bool is_last = direction == 't'   ? k > degrees.t - 2
                                 : direction == 'r' ? n > degrees.r - 2
                                 : direction == 'l' ? l > degrees.l - 2
                                                    : series.orders().size_of(c) > degrees.m - stride;
            all += value * value;
            if (is_last) last += value * value;
          }
    worst = std::max(worst, last);
    all_of_run = std::max(all_of_run, all);
  }
  return std::sqrt(ratio(worst, all_of_run));
}

// At the points, one component of a scalar, three of a vector.
using PointValues = std::vector<std::vector<double>>;

PointValues field_values(const BallModel& model, const BallSpace& space, const SphereTransform& transform,
                         std::size_t field, const std::vector<double>& e) {
  const std::size_t part = model.first_part(field);
  if (!model.section().fields[field].is_vector()) return {transform.scalar(space.series(), part, e.data())};
  auto [r, theta, phi] = vector_values(transform, space.series(), part, model.section().radius, e.data());
  return {std::move(r), std::move(theta), std::move(phi)};
}

double mean_size(const PointValues& values, const SpherePoints& points) {
  double sum = 0.0;
  for (const std::vector<double>& component : values) sum += std::pow(mean_size(component, points), 2);
  return std::sqrt(sum);
}

double largest_size(const PointValues& values) {
  double size = 0.0;
  for (const std::vector<double>& component : values) size = std::max(size, largest(component));
  return size;
}

double largest_difference(PointValues values, const PointValues& others) {
  for (std::size_t k = 0; k < values.size(); ++k)
    for (std::size_t i = 0; i < values[k].size(); ++i) values[k][i] -= others[k][i];
  return largest_size(values);
}

double mean_difference(PointValues values, const PointValues& others, const SpherePoints& points) {
  for (std::size_t k = 0; k < values.size(); ++k)
    for (std::size_t i = 0; i < values[k].size(); ++i) values[k][i] -= others[k][i];
  return mean_size(values, points);
}

PointValues given_values(const BallModel& model, const SourceText& text, const VectorCase& vector, double time,
                         const SpherePoints& points) {
  if (!vector.is_there()) return {model.expressions().finite_values(text, time, points)};
  auto [r, theta, phi] = given_vector(model.expressions(), vector, time, points);
  return {std::move(r), std::move(theta), std::move(phi)};
}

// What the space cannot hold of the source of a scalar or a magnetic field (its divergence among it), as an error of
// the answer, relative to it: within a time T a harmonic that decays at the rate kappa lambda (+ kappa_4 lambda^2) is
// brought by a source s to at most |s| min(T, 1/rate). lambda is at least l (l + 1) for the lowest degree l that is
// left out, and about (pi n / 2)^2 for what more than n functions of r take.
double unseen_source(const BallModel& model, const BallSpace& space, const BallSolution& solution, std::size_t field) {
  const BallField& of_case = model.section().fields[field];
  const std::size_t part = model.first_part(field);
  const Degrees& degrees = space.degrees();
  const SpherePoints points = unseen_points(space);
  const SphereTransform transform(space.radial(), degrees, points);
  double missed = 0.0, size = 0.0;
  const std::size_t n = solution.windows.size(), step = (n + kWindowsLookedAt - 1) / kWindowsLookedAt;
  for (std::size_t w = 0; w < n; w += step) {
    const BallWindow& window = solution.windows[w];
    const double time = window.start + 0.77 * (window.end - window.start);
    const PointValues held = field_values(model, space, transform, field, model.source_series(space, time));
    missed = std::max(missed, mean_difference(given_values(model, of_case.source, of_case.vector_source, time, points),
                                              held, points));
    size = std::max(size, mean_size(field_values(model, space, transform, field, solution.at(window.end)), points));
  }
  // The lowest order that is not there has harmonics from that degree on.
  Index order = 0;
  while (space.series().orders().has(order)) ++order;
  const double l = static_cast<double>(std::min(degrees.l + 1, order)),
               r = std::numbers::pi * static_cast<double>(degrees.r) / (2.0 * (1.0 - space.radial().inner()));
  const double lambda = std::min(l * (l + 1.0), r * r);
  const double slowest =
      space.parts()[part].diffusivity * lambda + space.parts()[part].hyperdiffusion * lambda * lambda;
  const double time = solution.windows.back().end - solution.windows.front().start;
  return ratio(missed * std::min(time, 1.0 / slowest), size);
}

double initial_error(const BallModel& model, const BallSpace& space, const BallSolution& solution, std::size_t field) {
  const double start = solution.windows.front().start;
  const BallField& of_case = model.section().fields[field];
  const std::vector<double> e = solution.at(start);
  const std::size_t part = model.first_part(field);
  if (!of_case.is_vector() && of_case.initial.text.empty()) return 0.0;  // zero, and the coefficients of it are
  if (!of_case.is_vector() || of_case.initial_vector.is_there()) {
    const SpherePoints points = data_points(space);
    const PointValues given = given_values(model, of_case.initial, of_case.initial_vector, start, points);
    const PointValues own =
        field_values(model, space, SphereTransform(space.radial(), space.degrees(), points), field, e);
    double size = largest_size(given);
    if (size == 0.0) size = largest_norm(space, solution, part);
    return ratio(largest_difference(given, own), size);
  }
  const std::vector<double> given = model.initial_series(space);
  double difference = 0.0, size = 0.0;
  const Index first = space.series().place(part, 0), last = space.series().place(part + 1, space.degrees().l + 1);
  for (Index i = first; i < last; ++i) {
    const auto k = static_cast<std::size_t>(i);
    difference += (e[k] - given[k]) * (e[k] - given[k]);
    size += given[k] * given[k];
  }
  if (size == 0.0)
    size = std::pow(std::hypot(largest_norm(space, solution, part), largest_norm(space, solution, part + 1)), 2);
  return std::sqrt(ratio(difference, size));
}

double boundary_error(const BallSpace& space, const BallSolution& solution, std::size_t part) {
  double worst = 0.0, size = 0.0;
  const Degrees& degrees = space.degrees();
  for (const BallWindow& window : solution.windows) {
    const std::vector<double> e = solution.at(window.end);
    for (Index l = space.parts()[part].first_l(); l <= degrees.l; ++l)
      for (Index c = 0; c < space.series().n_orders(l); ++c) {
        const double* const block = e.data() + space.series().place(part, l, c);
        for (Index n = 0; n <= degrees.r; ++n) {
          for (const double wall : space.radial().walls()) {
            const auto [value, slope, curvature] = space.radial().wall_values(wall, l, n);
            size = std::max(size, std::abs(block[n]) * std::max(std::abs(slope), std::abs(curvature)));
          }
        }
        for (const WallCondition& condition : space.parts()[part].conditions(l))
          worst = std::max(worst, std::abs(space.radial().wall_value(condition, l, degrees.r, block)));
      }
  }
  return ratio(worst, size);
}

void check_exact(const BallModel& model, const BallSpace& space, const BallSolution& solution,
                 std::vector<Check>& checks) {
  const Case& the_case = model.of_case();
  const GridPoints grid = output_grid(the_case);
  const SpherePoints points = sphere_points(grid, model.section().radius);
  for (const NamedExpression& exact : the_case.exact) {
    const std::vector<double> truth =
        model.expressions().values(model.expressions().parse_known(exact.text), grid[0], points);
    SourceText name = exact.text;
    name.text = exact.name;
    std::vector<double> error = answer_values(model, space, solution, name, grid[0], points);
    for (std::size_t i = 0; i < error.size(); ++i) error[i] -= truth[i];
    const double tolerance = the_case.verification.tolerance;
    checks.push_back({"error_max", exact.name, ratio(largest(error), largest(truth)), tolerance});
    checks.push_back({"error_l2", exact.name, ratio(mean_size(error, points), mean_size(truth, points)), tolerance});
  }
}

void check_values(const BallModel& model, const BallSpace& space, const BallSolution& solution,
                  std::vector<Check>& checks) {
  for (const ReferenceValue& value : model.of_case().verification.values) {
    GridPoints at(4, {0.0});
    std::string place;
    at[0] = {model.of_case().domain.front().axis.upper};
    for (const auto& [axis, coordinate] : value.at) {
      for (std::size_t i = 0; i < 4; ++i)
        if (model.of_case().domain[i].axis.name == axis) at[i] = {coordinate};
      place += fmt::format("{}{}={:g}", place.empty() ? "" : ", ", axis, coordinate);
    }
    const double own =
        answer_values(model, space, solution, value.expr, at[0], sphere_points(at, model.section().radius)).front();
    const double size = std::abs(value.value) > 0.0 ? std::abs(value.value) : 1.0;
    checks.push_back({"value", fmt::format("{}({}) = {:.10g}", value.expr.text, place, value.value),
                      std::abs(own - value.value) / size, model.of_case().verification.tolerance});
  }
}

}  // namespace

std::vector<Check> check_answer(const BallModel& model, const BallSpace& space, const BallSolution& solution,
                                bool judge_system) {
  std::vector<Check> checks;
  const Case::Verification& wanted = model.of_case().verification;
  const bool is_coupled = couples_harmonics(model), makes_orders = is_nonlinear(model);
  const Index stride = makes_orders ? std::max<Index>(stride_of_orders(space, solution), 1) : 1;
  const bool by_moments =
      is_coupled || std::any_of(model.section().fields.begin(), model.section().fields.end(),
                                [](const BallField& field) { return field.vector_source.is_there(); });
  const std::vector<double> coupled =
      by_moments ? coupled_residuals(model, space, solution) : std::vector<double>(space.parts().size());
  const std::vector<double> sizes = least_sizes(model, space, solution), terms = least_terms(model, space, solution);
  for (std::size_t part = 0; part < space.parts().size(); ++part) {
    const std::string name = model.part_name(part);
    if (by_moments || !space.parts()[part].of_curl)
      checks.push_back({"residual", name,
                        by_moments ? coupled[part] : residual_of(model, space, solution, part, terms[part]),
                        wanted.residual, judge_system});
    for (const char direction : {'t', 'r', 'l', 'm'}) {
      // Diffusion does not couple the harmonics: what the data have is all there is.
      const bool is_judged = judge_system && (direction == 't' || direction == 'r' ||
                                              (is_coupled && direction == 'l') || (makes_orders && direction == 'm'));
      if (direction != 'm' || space.series().orders().list().size() > 1)
        checks.push_back({"tail", fmt::format("{} along {}", name, direction),
                          tail_of(space, solution, part, direction, stride, sizes[part]), wanted.tail, is_judged});
    }
    checks.push_back({"boundary", name, boundary_error(space, solution, part), wanted.tolerance});
  }
  for (std::size_t i = 0; i < model.section().fields.size(); ++i)
    if (const SourceText& source = model.section().fields[i].source; !source.text.empty())
      checks.push_back({"data", fmt::format("{} of {}", source.text, model.section().fields[i].name),
                        unseen_source(model, space, solution, i), wanted.tolerance});
  for (std::size_t i = 0; i < model.section().fields.size(); ++i)
    if (const BallField& field = model.section().fields[i]; field.vector_source.is_there())
      checks.push_back({"data", fmt::format("source of {}", field.name),
                        field.kind == FieldKind::velocity ? unseen_force(model, space, solution, i)
                                                          : unseen_source(model, space, solution, i),
                        wanted.tolerance});
  for (std::size_t i = 0; i < model.section().fields.size(); ++i)
    checks.push_back(
        {"initial", model.section().fields[i].name, initial_error(model, space, solution, i), wanted.tolerance});
  check_exact(model, space, solution, checks);
  check_values(model, space, solution, checks);
  return checks;
}

Degrees finer_degrees(const BallModel& model, const Degrees& degrees, Index stride) {
  const FlowCase& flow = model.section().flow;
  Index l = 2, m = 0;
  for (const auto& harmonics : {flow.toroidal, flow.poloidal})
    for (const HarmonicCase& harmonic : harmonics) {
      l = std::max<Index>(l, harmonic.l);
      m = std::max<Index>(m, std::abs(harmonic.m));
    }
  // Products spread energy over all degrees and orders.
  if (is_nonlinear(model)) {
    l = std::max<Index>(l, degrees.l / 4);
    m = std::max(m, stride);
  }
  Degrees finer = degrees;
  finer.t += 2;
  finer.r += 4;
  finer.l += l;
  if (!degrees.listed.empty()) {
    finer.listed = coupled_orders(model, degrees.listed, finer.l);
    finer.m = finer.listed.back();
    return finer;
  }
  const bool has_all = degrees.m + degrees.fold > degrees.l;
  finer.m = has_all ? finer.l : std::min(degrees.m + m, finer.l);
  finer.m -= finer.m % finer.fold;
  return finer;
}

std::vector<Check> growth_errors(const BallModel& model, const BallSpace& space, const GrowthResult& growth,
                                 const std::function<bool()>& interrupted, WindowDevice* device) {
  // Degrees l that nothing couples are other modes than those of the case.
  Degrees degrees = finer_degrees(model, space.degrees(), 0);
  if (reach_in_degree(model) == 0) {
    const Degrees finer = degrees;
    degrees = space.degrees();
    degrees.t = finer.t, degrees.r = finer.r;
  }
  GrowthSearch search;
  search.window_share = kShareOfWindow;
  search.seed = 2;
  search.expected = growth.modes;
  const GrowthResult fine = find_growth(model, BallSpace(model.parts(), degrees), interrupted, device, search);
  const double tolerance = model.of_case().verification.tolerance;
  std::vector<double> errors;
  for (const GrowthMode& own : growth.modes) {
    double distance = std::numeric_limits<double>::infinity();
    for (const GrowthMode& mode : fine.converged) distance = std::min(distance, growth_distance(mode, own));
    errors.push_back(distance / growth_scale(space, own));
  }
  // A mode of the finer space that the case should have listed: the error of the first that grows more slowly.
  for (const GrowthMode& mode : fine.converged) {
    const double scale = growth_scale(space, mode);
    const bool is_listed = std::any_of(growth.converged.begin(), growth.converged.end(), [&](const GrowthMode& own) {
      return growth_distance(mode, own) <= tolerance * scale;
    });
    if (is_listed) continue;
    for (std::size_t i = 0; i < errors.size(); ++i)
      if (mode.rate > growth.modes[i].rate + tolerance * scale) {
        errors[i] = std::max(errors[i], growth_distance(mode, growth.modes[i]) / growth_scale(space, growth.modes[i]));
        break;
      }
  }
  std::vector<Check> checks;
  for (std::size_t i = 0; i < errors.size(); ++i)
    checks.push_back({"goal", fmt::format("growth rate of mode {}", i + 1), errors[i], tolerance});
  return checks;
}

ErrorEstimate estimate_error(const BallModel& model, const BallSpace& space, const BallSolution& solution,
                             const std::function<bool()>& interrupted, WindowDevice* device) {
  ErrorEstimate estimate;
  const BallSpace fine_space(model.parts(), finer_degrees(model, space.degrees(), stride_of_orders(space, solution)));
  MarchControl control;
  for (const BallWindow& window : solution.windows) control.edges.push_back(window.start);
  control.edges.push_back(solution.windows.back().end);
  control.interrupted = interrupted;
  control.device = device;
  const MarchResult fine = march_ball(model, fine_space, control.edges.front(), control.edges.back(), control);
  estimate.status = ErrorEstimate::Status::missing;
  estimate.reason = fine.reason;
  if (!fine.complete) return estimate;
  estimate.status = ErrorEstimate::Status::made;

  std::vector<double> times;
  const std::size_t n = solution.windows.size(), step = (n + kWindowsLookedAt - 1) / kWindowsLookedAt;
  for (std::size_t w = 0; w < n; w += step)
    times.push_back((solution.windows[w].start + solution.windows[w].end) / 2.0);
  times.push_back(control.edges.back());
  const SpherePoints points = unseen_points(space);
  const double radius = model.section().radius;
  const std::size_t n_r = points.r.size(), n_theta = points.theta.size(), n_phi = points.phi.size();
  std::size_t first = 0;
  for (const BallField& field : model.section().fields) {
    // Components relative to the largest of the vector: one of them may be rounding alone.
    std::vector<std::vector<double>> components;
    double size = 0.0;
    for (std::size_t k = first; k < first + (field.is_vector() ? 3 : 1); ++k) {
      components.push_back(answer_values(model, space, solution, model.of_case().unknowns[k].where, times, points));
      size = std::max(size, largest(components.back()));
    }
    for (std::vector<double>& error : components) {
      const UnknownCase& unknown = model.of_case().unknowns[first++];
      const std::vector<double> truth = answer_values(model, fine_space, fine.solution, unknown.where, times, points);
      for (std::size_t i = 0; i < error.size(); ++i) error[i] = ratio(std::abs(error[i] - truth[i]), size);
      const auto at = static_cast<std::size_t>(std::max_element(error.begin(), error.end()) - error.begin());
      FieldError of_field;
      of_field.field = unknown.name;
      of_field.largest = error[at];
      of_field.at = {times[at / n_r / n_theta / n_phi], radius * points.r[at % n_r], points.theta[at / n_r % n_theta],
                     points.phi[at / n_r / n_theta % n_phi]};
      for (std::size_t i = error.size() - n_r * n_theta * n_phi; i < error.size(); ++i)
        of_field.at_end = std::max(of_field.at_end, error[i]);
      estimate.fields.push_back(std::move(of_field));
    }
  }
  return estimate;
}

}  // namespace gwrm::ball
