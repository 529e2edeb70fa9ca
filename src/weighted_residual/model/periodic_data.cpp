#include "weighted_residual/model/periodic_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "basis/axis_basis.hpp"
#include "expression/data_function.hpp"
#include "expression/printer.hpp"
#include "expression/scalar_functions.hpp"
#include "weighted_residual/model/statement_names.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::Op;
using expression::Pool;

constexpr int kPlacesAcross = 16;  // along the other axes
constexpr int kAlong = 64;         // along the axis itself, to know how large something is
constexpr int kQuadrature = 7;     // of an integral: equal integrands have equal sums, however few the points
constexpr double kSlope = 1e-6;    // relative difference of slopes that is a kink
constexpr std::size_t kText = 80;  // of an expression that is quoted

// The fractional part of n times an irrational number: points that lie evenly whatever their number.
double fraction(std::size_t n, double step) {
  const double z = static_cast<double>(n) * step;
  return z - std::floor(z);
}

// A lowered expression at one point. An atom has an arbitrary positive value of its own.
class PointValue {
 public:
  PointValue(const Model& model, std::vector<double> point) : model_(model), point_(std::move(point)) {}

  double operator()(Expr e) {
    if (const auto known = known_.find(e); known != known_.end()) return known->second;
    return known_[e] = expression::is_atom(e) ? 0.5 + fraction(e->id, 0.7548776662466927) : compute(e);
  }

 private:
  double compute(Expr e) {
    const expression::Symbols& symbols = model_.pool->symbols();
    switch (e->op) {
      case Op::number:
        return e->value;
      case Op::coordinate:
        return point_[static_cast<std::size_t>(symbols.find_axis(e->name))];
      case Op::negate:
        return -(*this)(e->args[0]);
      case Op::integral:
        return integral(e);
      case Op::data:
        return data(e);
      case Op::call:
        if (e->args.size() == 1) return expression::apply(e->function, (*this)(e->args[0]));
        [[fallthrough]];
      default:
        return expression::apply(e->op, e->function, (*this)(e->args[0]), (*this)(e->args[1]));
    }
  }

  double data(Expr e) {
    std::vector<double> at;
    for (Expr argument : e->args) at.push_back((*this)(argument));
    return model_.pool->symbols().find_data(e->name)->at(at, e->orders);
  }

  double integral(Expr e) {
    const auto axis = static_cast<std::size_t>(model_.pool->symbols().find_axis(e->name));
    const Axis& over = model_.axes[axis];
    double sum = 0.0;
    for (int i = 0; i < kQuadrature; ++i) {
      std::vector<double> inside = point_;
      inside[axis] = over.lower + (over.upper - over.lower) * (i + 0.5) / kQuadrature;
      sum += PointValue(model_, std::move(inside))(e->args[0]);
    }
    return sum * (over.upper - over.lower) / kQuadrature;
  }

  const Model& model_;
  std::vector<double> point_;
  std::unordered_map<Expr, double> known_;
};

struct Ends {
  double lower = 0.0, upper = 0.0;
};

class PeriodicCheck {
 public:
  PeriodicCheck(const Model& model, std::size_t axis) : model_(model), axis_(axis), name_(model.axes[axis].name) {}

  // `what`: "the initial value of u"; nothing to be named for an equation, whose text is shown.
  void check(Expr e, const SourceText& text, const std::string& what) {
    if (!uses_axis(e)) return;
    const auto found = differing(e);
    if (!found) return;
    throw_case_error(
        text, 0,
        fmt::format("{} along {}: {} is {:.10g} at {} = {:g} and {:.10g} at {} = {:g}. With basis: fourier all data "
                    "repeat with the length of {}; make it periodic, or leave the basis out and give conditions at "
                    "both ends of {}",
                    what + " is not periodic", name_, quoted(found->first), found->second.lower, name_, axis().lower,
                    found->second.upper, name_, axis().upper, name_, name_));
  }

  // Continuous across the ends with another slope: the part to show, or null. Of an equation, its derivative along the
  // axis for arbitrary values of the unknowns and of their derivatives.
  Expr kinked(Expr e) {
    if (!uses_axis(e) || !has_other_slope(e)) return nullptr;
    visited_.clear();
    const Expr part = kinked_data(e);
    return part == nullptr ? e : part;
  }

 private:
  const Axis& axis() const { return model_.axes[axis_]; }
  bool varies(Expr e) const { return (e->facts.axes >> axis_ & 1u) != 0; }

  bool uses_axis(Expr e) {
    if (expression::is_atom(e)) return false;
    if (e->op == Op::coordinate) return e->name == name_;
    const auto [known, is_new] = uses_.try_emplace(e, false);
    if (!is_new) return known->second;
    const bool uses = std::any_of(e->args.begin(), e->args.end(), [&](Expr argument) { return uses_axis(argument); });
    return uses_[e] = uses;
  }

  double value(Expr e, std::size_t place, double at) const {
    std::vector<double> point;
    for (std::size_t i = 0; i < model_.axes.size(); ++i)
      point.push_back(model_.axes[i].lower + (model_.axes[i].upper - model_.axes[i].lower) *
                                                 fraction(place + 1, std::sqrt(2.0 + static_cast<double>(i))));
    point[axis_] = at;
    return PointValue(model_, std::move(point))(e);
  }

  double size(Expr e, std::size_t place) const {
    double largest = 0.0;
    for (int i = 0; i <= kAlong; ++i) {
      const double here = std::abs(value(e, place, axis().lower + (axis().upper - axis().lower) * i / kAlong));
      if (std::isfinite(here)) largest = std::max(largest, here);
    }
    return largest;
  }

  // Where they differ most, relative to `same` of the size.
  std::optional<Ends> ends(Expr e, double same) const {
    for (std::size_t place = 0; place < kPlacesAcross; ++place) {
      const Ends at{value(e, place, axis().lower), value(e, place, axis().upper)};
      const double difference = std::abs(at.lower - at.upper);
      if (std::isfinite(difference) && difference > same * std::max(std::abs(at.lower), std::abs(at.upper)) &&
          difference > same * size(e, place))
        return at;
    }
    return {};
  }

  // The smallest part to show: the integrand of an integral over the axis, data without an unknown, or all of it.
  std::optional<std::pair<Expr, Ends>> differing(Expr e) {
    if (const auto inside = differing_integrand(e)) return inside;
    const auto whole = ends(e, kSamePeriodicValue);
    if (!whole) return {};
    visited_.clear();
    if (const auto part = differing_data(e)) return part;
    return std::pair(e, *whole);
  }

  std::optional<std::pair<Expr, Ends>> differing_integrand(Expr e) {
    if (expression::is_atom(e) || !visited_.insert(e).second) return {};
    if (e->op == Op::integral && e->name == name_ && uses_axis(e->args[0]))
      if (const auto found = ends(e->args[0], kSamePeriodicValue)) return std::pair(e->args[0], *found);
    for (Expr argument : e->args)
      if (const auto found = differing_integrand(argument)) return found;
    return {};
  }

  std::optional<std::pair<Expr, Ends>> differing_data(Expr e) {
    if (expression::is_atom(e) || !visited_.insert(e).second) return {};
    if (e->facts.degree == 0) {
      const auto found = varies(e) ? ends(e, kSamePeriodicValue) : std::nullopt;
      return found ? std::optional(std::pair(e, *found)) : std::nullopt;
    }
    for (Expr argument : e->args)
      if (const auto found = differing_data(argument)) return found;
    return {};
  }

  Expr kinked_data(Expr e) {
    if (e->facts.degree == 0) return varies(e) && has_other_slope(e) ? e : nullptr;
    if (expression::is_atom(e) || !visited_.insert(e).second) return nullptr;
    for (Expr argument : e->args)
      if (Expr found = kinked_data(argument)) return found;
    return nullptr;
  }

  bool has_other_slope(Expr e) const {
    return ends(expression::lower(*model_.pool, model_.pool->derivative(e, name_, 1)), kSlope).has_value();
  }

  static std::string quoted(Expr e) {
    std::string text = expression::print(e);
    if (text.size() > kText) text = text.substr(0, kText) + " ...";
    return text;
  }

  const Model& model_;
  std::size_t axis_;
  std::string name_;
  std::unordered_set<Expr> visited_;
  std::unordered_map<Expr, bool> uses_;
};

}  // namespace

void check_periodic_data(Model& model, const Case& the_case) {
  for (std::size_t axis = 0; axis < model.axes.size(); ++axis) {
    if (model.axes[axis].kind != AxisKind::space || !make_basis(model.subdomains[axis])->is_periodic()) continue;
    const auto each = [&](auto look) {
      const auto field_of = [&](const std::string& name) -> const FieldModel& {
        return model.fields[static_cast<std::size_t>(model.pool->symbols().find_field(name))];
      };
      for (const InitialCase& initial : the_case.initial)
        look(field_of(initial.field).initial[static_cast<std::size_t>(initial.order)], initial.text,
             "the initial value of " + initial.field);
      for (const NamedExpression& exact : the_case.exact)
        look(field_of(exact.name).exact, exact.text, "the exact solution of " + exact.name);
      // Behind the exact solutions, of which manufactured equations are made.
      for (std::size_t i = 0; i < model.equations.size(); ++i)
        look(model.equations[i].residual, model.equations[i].text, equation_name(model, i));
      for (const ConditionModel& condition : model.conditions)
        look(condition.residual, condition.text, std::string("this condition"));
    };
    each([&](Expr e, const SourceText& text, const std::string& what) {
      PeriodicCheck(model, axis).check(e, text, what);
    });
    each([&](Expr e, const SourceText&, const std::string& what) {
      if (Expr data = PeriodicCheck(model, axis).kinked(e))
        model.warnings.push_back(
            fmt::format("{0}: the slope of {1} jumps where {2} = {3:g} and {2} = {4:g} meet: the Fourier series in {2} "
                        "converge slowly (basis: chebyshev with periodic conditions has no trouble with it)",
                        what, expression::print(data).substr(0, kText), model.axes[axis].name, model.axes[axis].lower,
                        model.axes[axis].upper));
    });
  }
}

}  // namespace gwrm
