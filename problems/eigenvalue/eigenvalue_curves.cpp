#include "problems/eigenvalue/eigenvalue_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "basis/axis_basis.hpp"
#include "core/log.hpp"
#include "problems/eigenvalue/eigenvalue_case.hpp"
#include "problems/eigenvalue/left_modes.hpp"
#include "problems/time_spectral/finer_comparison.hpp"

namespace gwrm {
namespace {

constexpr double kTurn = 1e-14;       // rounding over the distance of two eigenvalues is how far it turns a mode
constexpr double kCoincident = 1e-9;  // points, of the range
constexpr int kMostCrossings = 50, kSecantSteps = 60;

using Number = std::complex<double>;

std::vector<CurvePoint> points_of(const AxisDescription& along) {
  const auto basis = make_basis(along);
  const Vector nodes = basis->grid(basis->n_per_subdomain()).points;
  std::vector<CurvePoint> given;
  for (const double node : nodes) given.push_back({node, true});
  const double range = along.edges.back() - along.edges.front();
  for (const double end : places(along))
    if (std::none_of(given.begin(), given.end(),
                     [&](const CurvePoint& point) { return std::abs(point.at - end) <= kCoincident * range; }))
      given.push_back({end, false});
  std::sort(given.begin(), given.end(), [](const CurvePoint& a, const CurvePoint& b) { return a.at < b.at; });
  std::vector<CurvePoint> points;
  for (const CurvePoint& point : given) {
    if (!points.empty()) points.push_back({(points.back().at + point.at) / 2.0, false});
    points.push_back(point);
  }
  return points;
}

double nearest(const std::vector<Number>& eigenvalues, Number value) {
  double distance = HUGE_VAL;
  for (const Number other : eigenvalues) distance = std::min(distance, std::abs(other - value));
  return distance;
}

double size_at(const std::vector<Number>& eigenvalues, Number value) {
  std::vector<Mode> modes = {{value, {}, 0.0}};
  const double same = nearest(eigenvalues, value);
  for (const Number other : eigenvalues)
    if (std::abs(other - value) > same) modes.push_back({other, {}, 0.0});
  return size_of(modes, 0);
}

// The polynomial against what was found at the points that it was not made of.
void compare(const std::vector<CurvePoint>& points, const AxisDescription& along, const Pencil& pencil, Curve& curve) {
  std::vector<std::vector<double>> in_space;
  for (const AxisDescription& axis : pencil.system().discretisation().subdomains()) in_space.push_back(places(axis));
  const int n_fields = static_cast<int>(pencil.system().model().fields.size()) - 1;
  std::vector<double> sizes(static_cast<std::size_t>(n_fields), 0.0);
  for (const Mode& mode : curve.modes)
    for (int f = 0; f < n_fields; ++f) {
      double& size = sizes[static_cast<std::size_t>(f)];
      size = std::max(size, mode_values(pencil, mode.vector, f, in_space).cwiseAbs().maxCoeff());
    }
  const double largest = largest_magnitude(sizes);
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (points[p].is_node && !curve.is_double[p]) continue;
    const Mode here = at_parameter(along, curve.series, points[p].at);
    CurveError error;
    error.at = points[p].at;
    error.value =
        curve.is_double[p] ? nearest(points[p].eigenvalues, here.value) : std::abs(here.value - curve.modes[p].value);
    error.size = size_at(points[p].eigenvalues, curve.modes[p].value);
    error.condition = curve.modes[p].condition;
    for (int f = 0; f < n_fields; ++f) {
      const double size = sizes[static_cast<std::size_t>(f)];
      const Eigen::VectorXcd moved = here.vector - curve.modes[p].vector;
      error.moved.push_back(curve.is_double[p]
                                ? 0.0
                                : relative_error(mode_values(pencil, moved, f, in_space).cwiseAbs().maxCoeff(),
                                                 size > 1e-8 * largest ? size : largest));
    }
    curve.along.push_back(std::move(error));
  }
}

// Where the polynomials of two real eigenvalues meet between two points.
double crossing(const AxisDescription& along, const Curve& a, const Curve& b, double lower, double upper) {
  const auto difference = [&](double at) {
    return at_parameter(along, a.series, at).value.real() - at_parameter(along, b.series, at).value.real();
  };
  const bool begins_below = difference(lower) < 0.0;
  for (int step = 0; step < kSecantSteps; ++step) {
    const double middle = (lower + upper) / 2.0;
    ((difference(middle) < 0.0) == begins_below ? lower : upper) = middle;
  }
  return (lower + upper) / 2.0;
}

void check_crossings(const SpectrumAt& spectrum_at, const AxisDescription& along, const RunControl& control,
                     Curves& result) {
  int n_crossings = 0;
  for (std::size_t i = 0; i < result.curves.size(); ++i)
    for (std::size_t j = i + 1; j < result.curves.size(); ++j) {
      Curve &a = result.curves[i], &b = result.curves[j];
      if (any_complex(a.modes) || any_complex(b.modes)) continue;
      std::size_t before = result.points.size();
      for (std::size_t p = 0; p < result.points.size(); ++p) {
        if (a.is_double[p] || b.is_double[p]) continue;
        const auto below = [&](std::size_t at) { return a.modes[at].value.real() < b.modes[at].value.real(); };
        if (before < p && below(before) != below(p) && n_crossings++ < kMostCrossings) {
          if (control.interrupted && control.interrupted()) return;
          const double at = crossing(along, a, b, result.points[before].at, result.points[p].at);
          const auto spectrum =
              spectrum_at(at, {at_parameter(along, a.series, at).value, at_parameter(along, b.series, at).value});
          std::vector<Number> values;
          for (const Mode& mode : spectrum->candidates()) values.push_back(mode.value);
          logger().debug("curves {} and {} cross at {:.12g}", i, j, at);
          for (Curve* curve : {&a, &b}) {
            const Number value = at_parameter(along, curve->series, at).value;
            // Of two that are one the other is no neighbour.
            std::vector<Number> here = values;
            std::sort(here.begin(), here.end(),
                      [&](Number x, Number y) { return std::abs(x - value) < std::abs(y - value); });
            CurveError error{at, here.size() > 1 ? std::abs(here[1] - value) : HUGE_VAL, 1.0};
            error.size = size_at(values, value);
            error.moved.assign(curve->along.empty() ? 0 : curve->along.front().moved.size(), 0.0);
            curve->along.push_back(std::move(error));
          }
        }
        before = p;
      }
    }
}

void keep_worst(std::vector<Check>& worst, std::vector<Check> checks, const std::string& where) {
  const auto kind_of = [](const Check& check) { return check.subject.substr(0, check.subject.rfind(" (mode")); };
  for (Check& check : checks) {
    const auto same = std::find_if(worst.begin(), worst.end(), [&](const Check& other) {
      return other.kind == check.kind && kind_of(other) == kind_of(check);
    });
    check.subject.insert(check.subject.size() - 1, where);
    if (same == worst.end())
      worst.push_back(std::move(check));
    else if (std::isnan(check.value) || check.value > same->value)
      *same = std::move(check);
  }
}

// The modes that the equations have at a point, in order.
std::vector<Mode> first_modes(const Case& the_case, const PointSpectrum& spectrum) {
  std::vector<Mode> modes;
  int n_passed = 0;
  for (const Mode& candidate : spectrum.candidates()) {
    if (static_cast<int>(modes.size()) == eigenvalue_of(the_case)->modes || n_passed > kMostPassedOver) break;
    if (candidate.value.imag() < 0.0) continue;
    const Mode mode = spectrum.polished(candidate);
    if (spectrum.is_of_equations(spectrum.judged(mode)))
      modes.push_back(mode);
    else
      ++n_passed;
  }
  return modes;
}

}  // namespace

Curves eigenvalue_curves(const Context& context, const Case& the_case, int refinements, const AxisDescription& along,
                         const RunControl& control) {
  Curves result;
  result.points = points_of(along);
  const std::size_t n_points = result.points.size();
  const SpectrumAt spectrum_at = [&](double at, const std::vector<Number>& followed) {
    return std::make_shared<const PointSpectrum>(context, case_at_parameter(the_case, at), refinements, followed,
                                                 control);
  };
  // From the first point at which the modes are simple.
  std::size_t start = 0;
  std::optional<ModeFollower> begin;
  for (std::size_t p = 0; p < n_points && (!begin || start != p); ++p) {
    const auto spectrum = spectrum_at(result.points[p].at, {});
    if (!result.first) result.first = spectrum;
    if (control.interrupted && control.interrupted()) return result;
    const std::vector<Mode> modes = first_modes(the_case, *spectrum);
    ModeFollower follower(spectrum_at, result.points[p].at, spectrum, modes);
    const std::vector<bool>& is_double = follower.step().is_double;
    const bool is_simple = std::none_of(is_double.begin(), is_double.end(), [](bool one) { return one; });
    if (is_simple || !begin) {
      begin.emplace(std::move(follower));
      start = p;
    }
    if (is_simple) break;
  }
  const std::size_t n_modes = begin->step().modes.size();
  if (n_modes == 0) {
    result.failure = "no eigenvalue was found: is there one? Try another eigenvalue.near";
    return result;
  }
  result.curves.assign(n_modes, {});
  for (Curve& curve : result.curves) {
    curve.modes.resize(n_points);
    curve.is_double.resize(n_points);
  }
  std::size_t n_done = 0;
  const auto keep = [&](std::size_t p, const ModeFollower::Step& step) {
    CurvePoint& point = result.points[p];
    for (const Mode& mode : step.spectrum->candidates()) point.eigenvalues.push_back(mode.value);
    std::vector<Mode> simple;  // double ones have no left modes of their own
    for (std::size_t k = 0; k < n_modes; ++k) {
      Curve& curve = result.curves[k];
      curve.modes[p] = step.modes[k];
      curve.modes[p].left.resize(0);
      curve.modes[p].dual.resize(0);
      curve.is_double[p] = step.is_double[k] || step.spectrum->gap(step.modes[k]) * the_case.verification.tolerance <=
                                                    kTurn * std::abs(step.modes[k].value);
      if (!curve.is_double[p]) simple.push_back(step.modes[k]);
      if (!point.is_node) continue;
      const JudgedMode judged = step.spectrum->judged(step.modes[k]);
      curve.in_space.push_back({point.at, judged.error, judged.size, judged.mode.condition, judged.moved});
      if (curve.is_double[p]) curve.in_space.back().moved.assign(judged.moved.size(), 0.0);
    }
    if (!step.spectrum->is_large()) set_left_functions(step.spectrum->pencil(), simple);
    for (std::size_t k = 0, s = 0; k < n_modes; ++k)
      if (!result.curves[k].is_double[p]) result.curves[k].modes[p].left_functions = simple[s++].left_functions;
    if (point.is_node)
      keep_worst(result.checks,
                 check_modes(step.spectrum->at_point(), step.spectrum->pencil(), step.spectrum->finer(), step.modes),
                 fmt::format(", {} = {:.4g}", parameter_of(the_case)->axis.name, point.at));
    if (control.progress)
      control.progress(static_cast<double>(++n_done) / static_cast<double>(n_points),
                       fmt::format("{} = {:.6g}", parameter_of(the_case)->axis.name, point.at));
  };
  keep(start, begin->step());
  ModeFollower up = *begin, down = *begin;
  for (std::size_t p = start + 1; p < n_points; ++p) {
    up.advance(result.points[p].at, control.interrupted);
    if (control.interrupted && control.interrupted()) return result;
    keep(p, up.step());
  }
  for (std::size_t p = start; p-- > 0;) {
    down.advance(result.points[p].at, control.interrupted);
    if (control.interrupted && control.interrupted()) return result;
    keep(p, down.step());
  }
  result.loss = up.loss() ? up.loss() : down.loss();
  const Pencil& pencil = result.first->pencil();
  for (Curve& curve : result.curves) {
    std::sort(curve.in_space.begin(), curve.in_space.end(),
              [](const CurveError& a, const CurveError& b) { return a.at < b.at; });
    make_series(result.points, along, pencil, curve);
    compare(result.points, along, pencil, curve);
  }
  check_crossings(spectrum_at, along, control, result);
  for (Curve& curve : result.curves)
    std::sort(curve.along.begin(), curve.along.end(),
              [](const CurveError& a, const CurveError& b) { return a.at < b.at; });
  return result;
}

}  // namespace gwrm
