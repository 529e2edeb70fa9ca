#include "problems/ball/ball_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "problems/ball/ball_samples.hpp"

namespace gwrm::ball {
namespace {

constexpr double kSlack = 1e-12;  // of the radius: points on the surface, but for rounding
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
enum System : std::size_t { kSphericalSystem, kCartesianSystem };

// r, theta, phi of a point; of the axis and the centre angles of no meaning.
std::array<double, 3> spherical(double x, double y, double z) {
  return {std::hypot(x, y, z), std::atan2(std::hypot(x, y), z), std::atan2(y, x)};
}

// Times inside the windows and a few points inside the sphere, with weights of the volume: where two answers are
// compared.
SpherePoints comparison_points(double inner) {
  SpherePoints points;
  for (int i = 0; i < 16; ++i)
    points.r.push_back(inner > 0.0
                           ? inner + (1.0 - inner) * (1.0 - std::cos(std::numbers::pi * (i + 0.43) / 15.86)) / 2.0
                           : std::sin(std::numbers::pi / 2.0 * (i + 0.43) / 15.43));
  for (int i = 0; i < 11; ++i) points.theta.push_back(std::numbers::pi * (i + 0.47) / 11.0);
  for (int i = 0; i < 14; ++i) points.phi.push_back(2.0 * std::numbers::pi * (i + 0.31) / 14.0);
  return points;
}

}  // namespace

BallAnswer::BallAnswer(const Case& the_case, const ArrayGroup& group)
    : case_(the_case),
      model_(case_),
      space_(model_.parts(), stored_degrees(group)),
      solution_(stored_solution(group, model_, space_)) {}

std::unique_ptr<BallAnswer> read_answer(const Case& the_case, const std::string& file) {
  const std::optional<ArrayGroup> group = read_array_group(file, "ball");
  if (!group) return nullptr;
  try {
    return std::make_unique<BallAnswer>(the_case, *group);
  } catch (const OutputError& error) {
    throw OutputError(file + ": cannot be read as a gwrm result: " + error.what());
  }
}

// phi goes round: an interval that holds both ways of counting it.
std::vector<std::vector<Axis>> BallAnswer::coordinates() const {
  const double radius = model_.section().radius;
  const auto space = [](const char* name, double lower, double upper) {
    return Axis{name, AxisKind::space, lower, upper, MapKind::linear};
  };
  const Axis& time = case_.domain.front().axis;
  return {{time, space("r", model_.section().inner_radius, radius), space("theta", 0.0, std::numbers::pi),
           space("phi", -2.0 * std::numbers::pi, 2.0 * std::numbers::pi)},
          {time, space("x", -radius, radius), space("y", -radius, radius), space("z", -radius, radius)}};
}

std::string BallAnswer::outside(std::size_t system, const std::vector<double>& point) const {
  const double radius = model_.section().radius, inner = model_.section().inner_radius;
  const double r = std::hypot(point[1], point[2], point[3]);
  if (system != kCartesianSystem || (r <= radius * (1.0 + kSlack) && r >= inner * (1.0 - kSlack))) return {};
  if (inner > 0.0)
    return fmt::format(
        "x = {:g}, y = {:g}, z = {:g} lies outside the shell: take points with {:g} <= sqrt(x^2 + y^2 + "
        "z^2) <= {:g}",
        point[1], point[2], point[3], inner, radius);
  return fmt::format(
      "x = {:g}, y = {:g}, z = {:g} lies outside the sphere of radius {:g}: take points with x^2 + y^2 + z^2 <= {:g}",
      point[1], point[2], point[3], radius, radius * radius);
}

std::vector<std::vector<double>> BallAnswer::values(std::size_t system, const std::vector<SourceText>& texts,
                                                    const ScatteredPoints& points) const {
  std::vector<expression::Expr> parsed;
  for (const SourceText& text : texts) parsed.push_back(model_.expressions().parse(text));
  std::vector<std::vector<double>> result(texts.size(), std::vector<double>(points.count, kUnknown));
  const double radius = model_.section().radius, inner = model_.radial().inner();
  const auto coordinate = [&](std::size_t axis, std::size_t p) {
    return points.axes[axis][points.axes[axis].size() == 1 ? 0 : p];
  };
  // Points of one time one after the other: the series of a time are those of all its points.
  std::vector<std::size_t> order(points.count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return coordinate(0, a) < coordinate(0, b); });
  const double first = solution_.windows.front().start, last = solution_.windows.back().end;
  std::vector<std::vector<double>> series;
  double time_of_series = kUnknown;
  for (std::size_t begin = 0; begin < points.count;) {
    const double time = coordinate(0, order[begin]);
    std::size_t end = begin;
    BallPlaces places;
    std::vector<std::size_t> inside;
    for (; end < points.count && end - begin < kPointsAtOnce; ++end) {
      const std::size_t p = order[end];
      if (coordinate(0, p) != time) break;
      std::array<double, 3> at = {coordinate(1, p), coordinate(2, p), coordinate(3, p)};
      if (system == kCartesianSystem) at = spherical(at[0], at[1], at[2]);
      if (!(at[0] >= inner * radius * (1.0 - kSlack) && at[0] <= radius * (1.0 + kSlack) && at[1] >= 0.0 &&
            at[1] <= std::numbers::pi * (1.0 + kSlack)) ||
          !std::isfinite(at[2]))
        continue;
      places.r.push_back(std::clamp(at[0] / radius, inner, 1.0));
      places.theta.push_back(std::min(at[1], std::numbers::pi));
      places.phi.push_back(at[2]);
      inside.push_back(p);
    }
    begin = std::max(end, begin + 1);  // NaN equals nothing
    if (inside.empty() || !(time >= first && time <= last)) continue;
    if (time != time_of_series) series.assign(1, solution_.at(time));
    time_of_series = time;
    const ScatteredFields fields(model_.radial(), space_.degrees(), places);
    for (std::size_t e = 0; e < parsed.size(); ++e) {
      const std::vector<double> values = model_.expressions().values_at(
          parsed[e], time, places,
          [&](std::size_t unknown) { return model_.unknown_values(space_, unknown, series, fields); });
      for (std::size_t i = 0; i < inside.size(); ++i) result[e][inside[i]] = values[i];
    }
  }
  return result;
}

std::vector<FieldDifference> BallAnswer::differences(const StoredAnswer& other) const {
  const auto* finer = dynamic_cast<const BallAnswer*>(&other);
  if (finer == nullptr) throw ShapeError("the two answers are of different problems");
  if (finer->model_.section().radius != model_.section().radius ||
      finer->model_.section().inner_radius != model_.section().inner_radius)
    throw ShapeError("the two spheres have different radii");
  constexpr double kAt[] = {0.21, 0.5, 0.79, 1.0};
  constexpr std::size_t kWindowsLookedAt = 64;
  std::vector<double> times = {finer->solution_.windows.front().start};
  const std::size_t n = finer->solution_.windows.size(), step = (n + kWindowsLookedAt - 1) / kWindowsLookedAt;
  for (std::size_t w = 0; w < n; ++w)
    for (double s : kAt)
      if (const BallWindow& window = finer->solution_.windows[w]; w % step == 0 || w + 1 == n)
        times.push_back(s == 1.0 ? window.end : window.start + s * (window.end - window.start));
  const double first = solution_.windows.front().start, last = solution_.windows.back().end;
  std::erase_if(times, [&](double time) { return time < first || time > last; });
  if (times.empty()) return {};
  const double inner = model_.radial().inner();
  const SpherePoints points = comparison_points(inner);
  std::vector<double> weights;
  for (std::size_t j = 0; j < points.phi.size(); ++j)
    for (double theta : points.theta)
      for (double r : points.r)
        weights.push_back(r * r * std::sqrt(inner > 0.0 ? (r - inner) * (1.0 - r) : 1.0 - r * r) * std::sin(theta));
  std::vector<FieldDifference> differences;
  for (const BallField& field : finer->model_.section().fields) {
    const auto is_the_same = [&](const BallField& own) { return own.name == field.name && own.kind == field.kind; };
    const std::vector<BallField>& own = model_.section().fields;
    if (std::none_of(own.begin(), own.end(), is_the_same)) continue;
    // Components relative to the largest of the vector: one of them may be rounding alone.
    DifferenceSums sums;
    for (const char* component : {"_r", "_theta", "_phi"}) {
      const SourceText name = SourceText::from_argument(field.is_vector() ? field.name + component : field.name);
      for (double time : times) {
        const std::vector<double> a = answer_values(model_, space_, solution_, name, {time}, points),
                                  b = answer_values(finer->model_, finer->space_, finer->solution_, name, {time},
                                                    points);
        for (std::size_t i = 0; i < a.size(); ++i) sums.add(a[i], b[i], weights[i]);
      }
      if (!field.is_vector()) break;
    }
    differences.push_back(sums.result(field.name));
  }
  return differences;
}

}  // namespace gwrm::ball
