#include "problems/ball/ball_expressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "expression/components.hpp"
#include "expression/holds_integral.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "expression/tape.hpp"
#include "problems/ball/ball_case.hpp"

namespace gwrm::ball {
namespace {

enum AxisPlace { kTime, kPhi, kTheta, kRadius, kX, kY, kZ, kAxes };

// The order of the values: t, phi, theta, r; then what depends on all of the last three.
expression::Symbols symbols_of(const Case& the_case) {
  expression::Symbols symbols;
  symbols.constants = the_case.constants;
  const double radius = section_of<BallCase>(the_case).radius;
  const auto axis = [&](const char* name) {
    for (const AxisCase& known : the_case.domain)
      if (known.axis.name == name) return known.axis;
    return Axis{name, AxisKind::space, -radius, radius, MapKind::linear};
  };
  for (const char* name : {"t", "phi", "theta", "r", "x", "y", "z"}) symbols.axes.push_back(axis(name));
  for (const UnknownCase& unknown : the_case.unknowns)
    symbols.fields.push_back({unknown.name, {"t", "phi", "theta", "r"}});
  symbols.definitions = the_case.symbols().definitions;
  symbols.curvilinear = {"r", "theta", "phi"};
  return symbols;
}

}  // namespace

BallExpressions::BallExpressions(const Case& the_case)
    : radius_(section_of<BallCase>(the_case).radius), pool_(std::make_unique<expression::Pool>(symbols_of(the_case))) {
  expression::definition_values(*pool_);  // those that nothing uses are right, too
}

// Its coordinates are taken for independent of each other.
void BallExpressions::check_derivatives(expression::Expr e, const SourceText& text) const {
  if (e->op == expression::Op::laplacian)
    throw_case_error(text, 0, "lap() of a given function is not computed here: write its derivatives");
  if (e->op == expression::Op::derivative) {
    constexpr std::uint32_t spherical = (1u << kPhi) | (1u << kTheta) | (1u << kRadius),
                            cartesian = (1u << kX) | (1u << kY) | (1u << kZ);
    const std::uint32_t along = 1u << pool_->symbols().find_axis(e->name);
    const std::uint32_t others = (along & spherical) != 0 ? cartesian : (along & cartesian) != 0 ? spherical : 0;
    if ((e->args[0]->facts.axes & others) != 0)
      throw_case_error(
          text, 0,
          fmt::format("d{} of a function of both r, theta, phi and x, y, z: a derivative along one of them "
                      "wants it in these alone, as r*sin(theta)*cos(phi) in the place of x",
                      e->name));
  }
  for (const expression::Expr argument : e->args) check_derivatives(argument, text);
}

expression::Expr BallExpressions::parse(const SourceText& text) const {
  const expression::Expr parsed = expression::parse(*pool_, text);
  check_derivatives(parsed, text);
  const expression::Expr e = expression::lower(*pool_, parsed);
  if (expression::holds_integral(e)) throw_case_error(text, 0, "integrals are not computed here: write their value");
  for (expression::Expr atom : expression::atoms_in(e)) {
    const expression::Atom of_field = expression::atom_of(*pool_, atom);
    const bool is_plain =
        std::all_of(of_field.orders.begin(), of_field.orders.end(), [](int k) { return k == 0; }) &&
        std::none_of(of_field.restricted.begin(), of_field.restricted.end(), [](bool b) { return b; });
    if (!is_plain)
      throw_case_error(text, 0,
                       "derivatives and restrictions of the fields are not "
                       "available here: use their values");
  }
  return e;
}

expression::Expr BallExpressions::parse_known(const SourceText& text) const {
  const expression::Expr e = parse(text);
  if (!expression::atoms_in(e).empty())
    throw_case_error(text, 0, "this is to be known before the fields are: write it without them");
  return e;
}

expression::Expr BallExpressions::parse_radial(const SourceText& text) const {
  const expression::Expr e = parse_known(text);
  for (int axis = 0; axis < kAxes; ++axis)
    if (axis != kRadius && (e->facts.axes >> axis & 1u) != 0)
      throw_case_error(text, 0,
                       fmt::format("the factor of a harmonic is a function of r alone, without `{}`",
                                   pool_->symbols().axes[static_cast<std::size_t>(axis)].name));
  return e;
}

bool BallExpressions::varies(expression::Expr e, int axis) const {
  const std::uint32_t cartesian = (1u << kX) | (1u << kY) | (1u << kZ);
  return (e->facts.axes >> axis & 1u) != 0 || (axis != kTime && (e->facts.axes & cartesian) != 0);
}

bool BallExpressions::depends_on_azimuth(expression::Expr e) const {
  if (e->op == expression::Op::coordinate) return e->name == "phi" || e->name == "x" || e->name == "y";
  return std::any_of(e->args.begin(), e->args.end(),
                     [&](expression::Expr argument) { return depends_on_azimuth(argument); });
}

std::vector<double> BallExpressions::values(expression::Expr e, const std::vector<double>& times,
                                            const SpherePoints& points, const UnknownValues& unknown) const {
  const auto n_t = static_cast<Index>(times.size()), n_phi = static_cast<Index>(points.phi.size()),
             n_theta = static_cast<Index>(points.theta.size()), n_r = static_cast<Index>(points.r.size());
  const Shape full = {n_t, n_phi, n_theta, n_r, 1, 1, 1};
  const auto list = [&](int axis, const std::vector<double>& coordinates, double factor) {
    Shape shape(kAxes, 1);
    shape[static_cast<std::size_t>(axis)] = static_cast<Index>(coordinates.size());
    Array array(shape);
    for (std::size_t i = 0; i < coordinates.size(); ++i) array.data[i] = factor * coordinates[i];
    return array;
  };
  const auto cartesian = [&](int axis) {
    Array array(Shape{1, n_phi, n_theta, n_r, 1, 1, 1});
    std::size_t at = 0;
    for (double phi : points.phi)
      for (double theta : points.theta)
        for (double r : points.r) {
          const double s = axis == kZ ? 1.0 : std::sin(theta);
          array.data[at++] = radius_ * r * s *
                             (axis == kX   ? std::cos(phi)
                              : axis == kY ? std::sin(phi)
                                           : std::cos(theta));
        }
    return array;
  };
  const expression::Tape tape(*pool_, std::vector<expression::Expr>{e});
  std::vector<Array> leaves;
  for (expression::Expr leaf : tape.leaves()) {
    if (leaf->op != expression::Op::coordinate) {
      if (!unknown) throw ShapeError("an unknown in an expression of known things");
      Array array;
      array.shape = full;
      array.data = unknown(static_cast<std::size_t>(expression::atom_of(*pool_, leaf).field));
      leaves.push_back(std::move(array));
      continue;
    }
    const int axis = pool_->symbols().find_axis(leaf->name);
    leaves.push_back(axis == kTime     ? list(axis, times, 1.0)
                     : axis == kPhi    ? list(axis, points.phi, 1.0)
                     : axis == kTheta  ? list(axis, points.theta, 1.0)
                     : axis == kRadius ? list(axis, points.r, radius_)
                                       : cartesian(axis));
  }
  const Array result = tape.evaluate(leaves, {}).front();
  std::vector<double> values(static_cast<std::size_t>(element_count(full)));
  const auto step = [&](std::size_t axis) {
    Index steps = 1;
    for (std::size_t d = axis + 1; d < kAxes; ++d) steps *= result.shape[d];
    return result.shape[axis] == 1 ? 0 : steps;
  };
  const Index steps[4] = {step(0), step(1), step(2), step(3)};
  std::size_t at = 0;
  for (Index i = 0; i < n_t; ++i)
    for (Index j = 0; j < n_phi; ++j)
      for (Index k = 0; k < n_theta; ++k)
        for (Index q = 0; q < n_r; ++q)
          values[at++] =
              result.data[static_cast<std::size_t>(i * steps[0] + j * steps[1] + k * steps[2] + q * steps[3])];
  return values;
}

// All coordinates vary along the first axis of the tensors alone.
std::vector<double> BallExpressions::values_at(expression::Expr e, double time, const BallPlaces& places,
                                               const UnknownValues& unknown) const {
  const std::size_t n = places.r.size();
  Shape shape(kAxes, 1);
  shape.front() = static_cast<Index>(n);
  const auto coordinate = [&](int axis, std::size_t p) {
    const double r = radius_ * places.r[p], s = r * std::sin(places.theta[p]);
    switch (axis) {
      case kTime:
        return time;
      case kPhi:
        return places.phi[p];
      case kTheta:
        return places.theta[p];
      case kRadius:
        return r;
      case kX:
        return s * std::cos(places.phi[p]);
      case kY:
        return s * std::sin(places.phi[p]);
      default:
        return r * std::cos(places.theta[p]);
    }
  };
  const expression::Tape tape(*pool_, std::vector<expression::Expr>{e});
  std::vector<Array> leaves;
  for (expression::Expr leaf : tape.leaves()) {
    Array array(shape);
    if (leaf->op != expression::Op::coordinate) {
      array.data = unknown(static_cast<std::size_t>(expression::atom_of(*pool_, leaf).field));
    } else {
      const int axis = pool_->symbols().find_axis(leaf->name);
      for (std::size_t p = 0; p < n; ++p) array.data[p] = coordinate(axis, p);
    }
    leaves.push_back(std::move(array));
  }
  std::vector<double> values = tape.evaluate(leaves, {}).front().data;
  values.resize(n, values.front());  // a number is one for all
  return values;
}

std::vector<double> BallExpressions::finite_values(const SourceText& text, double time,
                                                   const SpherePoints& points) const {
  std::vector<double> result = values(parse_known(text), {time}, points);
  const auto bad = std::find_if(result.begin(), result.end(), [](double value) { return !std::isfinite(value); });
  if (bad == result.end()) return result;
  const auto at = static_cast<std::size_t>(bad - result.begin());
  const std::size_t n_r = points.r.size(), n_theta = points.theta.size();
  throw Error(ExitStatus::not_finite,
              render_error(text, 0,
                           fmt::format("this is {} at t = {:.6g}, r = {:.6g}, "
                                       "theta = {:.6g}, phi = {:.6g}: mend the "
                                       "expression",
                                       *bad, time, radius_ * points.r[at % n_r], points.theta[at / n_r % n_theta],
                                       points.phi[at / n_r / n_theta])));
}

}  // namespace gwrm::ball
