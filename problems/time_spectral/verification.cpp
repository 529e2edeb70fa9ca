#include "problems/time_spectral/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "expression/frechet.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "expression/printer.hpp"
#include "output/evaluate.hpp"
#include "problems/time_spectral/checked_values.hpp"
#include "problems/time_spectral/incompatible_data.hpp"
#include "problems/time_spectral/left_out_values.hpp"
#include "problems/time_spectral/places_between.hpp"
#include "problems/time_spectral/residual_magnitude.hpp"
#include "problems/time_spectral/solution_tails.hpp"
#include "problems/time_spectral/sudden_start.hpp"
#include "weighted_residual/model/multipliers.hpp"
#include "weighted_residual/model/size_coupling.hpp"
#include "weighted_residual/model/statement_names.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::Pool;

constexpr double kLeastShare = 1e-6;  // an unknown counts for this share of the largest one at least (FieldScales)

// Terms of an equation count, at least, for what they are of unknowns of this size, relative to the largest
// (residual_magnitude.hpp): rounding of derivatives is smaller, and errors that matter are not.
constexpr double kLeastOfTerms = 1e-8;
// And a residual is small that errors of the unknowns of this many times their tails would make: what a series leaves
// out is little more than its last coefficients, of a multiplier between Radau's points up to eight times as much.
constexpr double kErrorOverTail = 10.0;

// Everything that one part shows. The list of measurements is the same for every part.
class Verifier {
 public:
  // known: from earlier parts.
  Verifier(const Case& the_case, const Model& model, const Solution& solution, bool is_first, bool is_last,
           KnownOfResiduals& known, std::span<const LeftOut> left_out, Communicator* ranks)
      : known_(known),
        left_out_(left_out),
        case_(the_case),
        model_(model),
        pool_(*model.pool),
        solution_(solution),
        is_first_(is_first),
        is_last_(is_last),
        checked_(pool_, solution,
                 check_grids_toward_features(model, solution, the_case.verification.tolerance, is_first), ranks,
                 left_out) {}

  std::vector<Measurement> run() {
    checked_.leave_out_corners(corners_of(left_out_));
    for (std::size_t i = 0; i < model_.equations.size(); ++i) check_residual(static_cast<int>(i));
    for (int f = 0; f < static_cast<int>(model_.fields.size()); ++f) {
      check_tails(f);
      check_initial(f);
    }
    for (const ConditionModel& condition : model_.conditions) {
      if (condition.equation_at_end) continue;  // judged as the equation that it is
      checked_.leave_out_times(is_beside_jump(model_, condition, left_out_));
      check_condition(condition);
      checked_.leave_out_times(false);
      checked_.leave_out_corners(corners_of(left_out_));
      if (!condition.mean_axes.empty()) check_replaced_mean(condition);
    }
    for (std::size_t f = 0; f < model_.fields.size(); ++f)
      if (model_.fields[f].exact != nullptr) check_exact(static_cast<int>(f));
    for (const ReferenceValue& value : case_.verification.values) check_value(value);
    return std::move(measurements_);
  }

 private:
  Measurement& add(const std::string& kind, const std::string& subject, double tolerance) {
    measurements_.push_back({{kind, subject, 0.0, tolerance, true}, Norm::largest, 0.0, 0.0, 0.0, true});
    return measurements_.back();
  }
  void add(const std::string& kind, const std::string& subject, double tolerance, double error, double size) {
    Measurement& measurement = add(kind, subject, tolerance);
    measurement.error = error;
    measurement.size = size;
  }

  double largest_of(Expr e) { return checked_.largest_of(e); }
  double size_of(Expr magnitude) { return checked_.size_of(magnitude); }
  template <std::size_t n>
  std::array<double, n> integrals_of_norm(const std::array<Expr, n>& es) {
    std::array<double, n> integrals;
    std::ranges::copy(checked_.integrals_of_norm(es), integrals.begin());
    return integrals;
  }

  Expr magnitude(Expr residual) {
    Expr& known = known_.magnitudes[residual];
    if (known == nullptr) known = magnitude_of(pool_, model_, residual);
    return known;
  }
  // Zero if the condition holds no derivative.
  Expr derivatives_in(Expr residual) {
    Expr& known = known_.derivatives[residual];
    if (known == nullptr) known = magnitude_of_derivatives(pool_, model_, residual);
    return known;
  }
  double derivative_size(Expr derivatives) {
    const auto [size, is_new] = derivative_sizes_.emplace(derivatives, 0.0);
    if (is_new) size->second = size_of(derivatives);
    return size->second;
  }
  double field_size(int f) {
    const auto [size, is_new] = field_scales_.emplace(f, 0.0);
    if (is_new) {
      checked_.leave_out_corners(corners_of(left_out_));
      size->second = largest_of(pool_.field(model_.fields[f].name));
    }
    return size->second;
  }

  double largest_field_size() {
    double size = 0.0;
    for (int f = 0; f < static_cast<int>(model_.fields.size()); ++f) size = std::max(size, field_size(f));
    return size;
  }
  double size_of_fields_in(Expr residual) {
    double size = 0.0;
    for (Expr atom : expression::atoms_in(residual))
      size = std::max(size, field_size(expression::atom_of(pool_, atom).field));
    return size;
  }

  // Root mean square over space and parameters, and of that the mean over time: what the residual R of dt(u) = F(u) + R
  // can do to the answer is bounded by the integral over time of its norm where the equation does not amplify errors.
  // (The root mean square over time too would be led by the first instant of a start that is not smooth: there dt(u)
  // of the true solution is infinite, and R with it, for as long as the first window.) By quadrature, so that a short
  // window counts for no more than its length.
  //
  // An automatic run is held to its estimate, or without one to the tails that it followed: where the solution is not
  // smooth, as in corners, the residual is far larger than the error, and no resolution makes it as small.
  void check_residual(int i) {
    const EquationModel& equation = model_.equations[i];
    Measurement& residual = add("residual", fmt::format("{}: {}", equation_name(model_, at(i)), equation.text.text),
                                case_.verification.residual);
    const auto [size, error] = integrals_of_norm<2>({magnitude(equation.residual), equation.residual});
    take_mean(residual, error, size);
    set_least(residual, equation.residual, [&](Expr e) { return integrals_of_norm<1>({e}).front(); });
    residual.check.judged = !case_.resolution.automatic();
  }

  // From here on relative to the mean of the size over time.
  void take_mean(Measurement& measurement, double error, double size) const {
    measurement.norm = Norm::mean_in_time;
    measurement.error = error;
    measurement.size = size;
    measurement.volume = integral_of_one();
    if (const int t = solution_.windowed_axis(); t >= 0)  // of the run, not of this part
      measurement.volume *= (solution_.axes[t].upper - solution_.axes[t].lower) / duration();
  }
  double duration() const {
    return solution_.windowed_axis() < 0 ? 1.0 : solution_.window_edges.back() - solution_.window_edges.front();
  }
  // What integrals_of_norm makes of 1.
  double integral_of_one() const {
    double volume = 1.0;
    for (std::size_t axis = 0; axis < solution_.axes.size(); ++axis)
      if (static_cast<int>(axis) != solution_.windowed_axis())
        volume *= solution_.axes[axis].upper - solution_.axes[axis].lower;
    return duration() * std::sqrt(volume);
  }

  void check_tails(int f) {
    const FieldSolution& field = solution_.fields[f];
    double all = 0.0;
    for (const Array& window : field.windows) all = std::max(all, largest(window));
    for (std::size_t d = 0; d < field.axes.size(); ++d) {
      const std::optional<double> tail = tail_of(model_, solution_, f, d);
      add("tail", fmt::format("{} along {}", field.name, model_.axes[field.axes[d]].name), case_.verification.tail,
          tail.value_or(0.0), all);
      measurements_.back().is_here = tail.has_value();
      measurements_.back().field = f;
      // A solution that is zero has no series that could decay: its coefficients are errors, which `exact` judges.
      const Expr exact = model_.fields[f].exact;
      measurements_.back().check.judged = exact == nullptr || !expression::is_zero(exact);
    }
  }

  void check_initial(int f) {
    const FieldModel& field = model_.fields[f];
    for (int order = 0; order < field.time_order; ++order) {
      Measurement& initial =
          add("initial",
              order == 0 ? field.name : fmt::format("dt({}{})", field.name, order > 1 ? fmt::format(",{}", order) : ""),
              case_.verification.tolerance);
      initial.is_here = is_first_;
      if (!is_first_) continue;
      const std::string& t = model_.axes[model_.time_axis()].name;
      Expr u = pool_.field(field.name);
      if (order > 0) u = pool_.derivative(u, t, order);
      u = pool_.restriction(u, {{t, pool_.number(solution_.window_edges.front())}});
      const Expr difference = expression::lower(pool_, pool_.difference(u, field.initial[order]));
      initial.size = std::max(checked_.largest_at_start(field.initial[order]), order == 0 ? 0.0 : field_size(f));
      initial.error = checked_.largest_at_start(difference);
      // A polynomial in t that ends with a tail of coefficients starts with a derivative that is wrong by n^2 times as
      // much, and the answer none the worse: the unknowns meet the derivative exactly (docs/method.md 2).
      initial.check.judged = order == 0;
    }
  }

  // Where the initial values contradict it, the true solution jumps at t0, and no polynomial follows: the largest
  // violation is then of the size of the jump however short the first window is. What it does to the answer passes with
  // it, so it counts for as long as it lasts, like a residual.
  //
  // A misfit r(t) of D^m u = g acts on the answer as a boundary flux does, by its integral over time. Between the nodes
  // in time it is the error of D^m u, n^(2m) times that of u, and largest at an instant; where D^m u is zero its own
  // size at the wall says nothing. So the mean of |r| over time counts, relative to the largest |D^m u| anywhere. A
  // condition that is violated all the time has the mean of its misfit. Of a side of a steady problem that reaches a
  // corner where the derivatives are unbounded the same mean is taken over the side: of the magnitudes of the means of
  // subdomains, within which what oscillates does nothing to the answer.
  void check_condition(const ConditionModel& condition) {
    const double of_fields = std::max(size_of_fields_in(condition.residual), kLeastShare * largest_field_size());
    checked_.leave_out_corners(corners_on(model_, condition, left_out_));
    double size = std::max(size_of(magnitude(condition.residual)), of_fields);
    Measurement& boundary = add("boundary", condition.text.text, case_.verification.tolerance);
    const Expr derivatives = derivatives_in(condition.residual);
    const bool is_of_derivatives = !expression::is_zero(derivatives);
    if (is_of_derivatives) size = std::max(size, derivative_size(derivatives));
    if (is_of_derivatives && solution_.windowed_axis() >= 0) {
      take_mean(boundary, integrals_of_norm<1>({condition.residual}).front(), size);
      boundary.norm = Norm::mean_over_largest;
      return;
    }
    if (is_of_derivatives && !corners_on(model_, condition, left_out_).empty()) {
      boundary.error = checked_.mean_of_subdomains(condition.residual);
      boundary.size = size;
      return;
    }
    const double error = largest_of(condition.residual);
    const double allowed = case_.verification.tolerance * size;
    boundary.error = error;
    boundary.size = size;
    if (is_first_ && error > allowed && violation_at_start(condition.residual) > allowed)
      known_.clashing.insert(condition.residual);
    if (known_.clashing.count(condition.residual) > 0)
      take_mean(boundary, integrals_of_norm<1>({condition.residual}).front(), size * integral_of_one());
  }

  // A mean of the equation in whose place the condition stands: it vanishes by itself, or there is no solution (a torus
  // that is heated on the whole and cannot cool).
  void check_replaced_mean(const ConditionModel& condition) {
    const EquationModel& equation = model_.equations[at(condition.equation)];
    const auto integrated = [&](Expr e) {
      for (int axis : condition.mean_axes) e = pool_.integral(e, model_.axes[at(axis)].name);
      return e;
    };
    Measurement& whole =
        add("mean", fmt::format("{}: {}", equation_name(model_, at(condition.equation)), equation.text.text),
            case_.verification.tolerance);
    whole.error = largest_of(integrated(equation.residual));
    whole.size = size_of(integrated(magnitude(equation.residual)));
    set_least(whole, equation.residual, [&](Expr e) { return size_of(integrated(e)); });
  }

  // Of an equation whose terms may all be errors of the unknowns: where dz(p) = 0 in one direction and dx(p) is large
  // in another, what is left of dz(p) and the residual are of one size. Nothing but the tails says how large these
  // errors are, and no unknown counts for more than it varies. norm: of the measurement. (Only where it matters: it
  // takes the values of all unknowns.)
  template <class OwnNorm>
  void set_least(Measurement& measurement, Expr residual, const OwnNorm& norm) {
    const double tolerance = measurement.check.tolerance;
    if (!(measurement.error > tolerance * measurement.size)) return;
    std::vector<double> sizes;
    for (int f = 0; f < static_cast<int>(model_.fields.size()); ++f)
      sizes.push_back(std::max(kLeastOfTerms * largest_field_size(),
                               std::min(kErrorOverTail * largest_tail(f) / tolerance,
                                        checked_.variation(pool_.field(model_.fields[at(f)].name)))));
    measurement.least = norm(magnitude_of_sizes(pool_, model_, residual, sizes));
  }

  double largest_tail(int f) const {
    double tail = 0.0;
    for (std::size_t d = 0; d < solution_.fields[at(f)].axes.size(); ++d)
      tail = std::max(tail, tail_of(model_, solution_, f, d).value_or(0.0));
    return tail;
  }
  double violation_at_start(Expr residual) {
    const Expr held = of_initial_values(model_, residual);
    return held == nullptr ? 0.0 : checked_.largest_at_start(held);
  }

  // e less its mean over the space of a field.
  Expr without_mean(Expr e, const FieldModel& field) {
    Expr mean = e;
    for (int axis : field.axes) {
      const Axis& along = model_.axes[at(axis)];
      if (along.kind == AxisKind::space)
        mean = pool_.quotient(pool_.integral(mean, along.name), pool_.number(along.upper - along.lower));
    }
    return pool_.difference(e, mean);
  }

  // An unknown whose mean is a choice of the program's is compared without its mean.
  void check_exact(int f) {
    const FieldModel& field = model_.fields[at(f)];
    std::array<Expr, 2> compared{pool_.difference(pool_.field(field.name), field.exact), field.exact};
    const Multiplier* multiplier = multiplier_of(model_, f);
    const bool relative = multiplier != nullptr && multiplier->mean_zero;
    if (relative)
      for (Expr& e : compared) e = without_mean(e, field);
    const std::string subject = field.name + (relative ? " less its mean" : "");
    const CheckedValues::Compared found = checked_.compare(compared, field.axes);
    add("error_max", subject, case_.verification.tolerance, found.largest[0], found.largest[1]);
    add("error_l2", subject, case_.verification.tolerance, found.squares[0], found.squares[1]);
    measurements_.back().norm = Norm::mean_square;
    measurements_.back().volume = 1.0;
  }

  void check_value(const ReferenceValue& reference) {
    GridPoints points;
    for (const Axis& axis : solution_.axes) points.push_back({axis.lower});
    std::string where;
    for (const auto& [name, z] : reference.at) {
      points[pool_.symbols().find_axis(name)] = {z};
      where += fmt::format("{}{} = {:.6g}", where.empty() ? "" : ", ", name, z);
    }
    Measurement& measurement =
        add("value", reference.expr.text + (where.empty() ? "" : " at " + where), case_.verification.tolerance);
    const int time = solution_.windowed_axis();
    measurement.is_here = time < 0 || holds(points[time].front());
    if (!measurement.is_here) return;
    const Expr e = known_value_expression(model_, reference);
    measurement.error = std::abs(evaluate(pool_, solution_, e, points).data.front() - reference.value);
    measurement.size = std::abs(reference.value);
  }

  // An edge between two parts belongs to the one it ends.
  bool holds(double t) const {
    return (is_first_ || t > solution_.window_edges.front()) && (is_last_ || t <= solution_.window_edges.back());
  }

  KnownOfResiduals& known_;
  std::span<const LeftOut> left_out_;
  const Case& case_;
  const Model& model_;
  Pool& pool_;
  const Solution& solution_;
  bool is_first_, is_last_;
  CheckedValues checked_;
  std::map<int, double> field_scales_;
  std::map<Expr, double> derivative_sizes_;
  std::vector<Measurement> measurements_;
};

void merge(Measurement& whole, const Measurement& part) {
  if (!part.is_here) return;
  whole.is_here = true;
  const bool summed = whole.norm != Norm::largest;
  whole.error = summed ? whole.error + part.error : larger(whole.error, part.error);
  const bool summed_sizes = summed && whole.norm != Norm::mean_over_largest;
  whole.size = summed_sizes ? whole.size + part.size : larger(whole.size, part.size);
  whole.least = summed_sizes ? whole.least + part.least : larger(whole.least, part.least);
}

double value_of(const Measurement& measurement) {
  const auto norm = [&](double sum) {
    switch (measurement.norm) {
      case Norm::mean_square:
        return std::sqrt(sum) / std::sqrt(measurement.volume);
      case Norm::mean_in_time:
      case Norm::mean_over_largest:
        return sum / measurement.volume;
      case Norm::largest:
        break;
    }
    return sum;
  };
  const double error = norm(measurement.error);
  const double size = measurement.norm == Norm::mean_over_largest
                          ? measurement.size
                          : std::max(norm(measurement.size), norm(measurement.least));
  return size > 0.0 ? error / size : error;
}

}  // namespace

expression::Expr known_value_expression(const Model& model, const ReferenceValue& reference) {
  const expression::Expr e = expression::lower(*model.pool, expression::parse(*model.pool, reference.expr));
  for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
    if ((e->facts.axes >> axis & 1u) != 0 && std::none_of(reference.at.begin(), reference.at.end(), [&](const auto& p) {
          return p.first == model.axes[axis].name;
        }))
      throw_case_error(reference.expr, 0, fmt::format("`at` must give {} for this value", model.axes[axis].name));
  return e;
}

RunVerification::RunVerification(const Case& the_case, const Model& model)
    : case_(the_case),
      model_(model),
      corners_(side_corners(the_case, model)),
      left_out_(left_out_of(sudden_starts(the_case, model).all)) {}

void RunVerification::add(const Solution& part, bool is_last, Communicator* ranks) {
  const bool is_first = measurements_.empty();
  if (!corners_.empty()) left_out_ = left_out_of(corners_, part.subdomains.front());
  std::vector<Measurement> found = Verifier(case_, model_, part, is_first, is_last, known_, left_out_, ranks).run();
  if (is_first)
    measurements_ = std::move(found);
  else
    for (std::size_t i = 0; i < found.size(); ++i) merge(measurements_[i], found[i]);
}

Verification RunVerification::result() const {
  Verification verification;
  verification.left_out = left_out_;
  std::vector<double> sizes(model_.fields.size(), 0.0);
  for (const Measurement& measurement : measurements_)
    if (measurement.field >= 0) sizes[at(measurement.field)] = measurement.size;
  const std::vector<bool> zero = SizeCoupling(model_).zero_to_rounding(sizes);
  for (const Measurement& measurement : measurements_) {
    if (!measurement.is_here) continue;
    verification.checks.push_back(measurement.check);
    verification.checks.back().value = value_of(measurement);
    if (measurement.field >= 0 && zero[at(measurement.field)]) verification.checks.back().judged = false;
  }
  return verification;
}

Verification verify(const Case& the_case, const Model& model, const Solution& solution) {
  RunVerification verification(the_case, model);
  verification.add(solution, true);
  return verification.result();
}

}  // namespace gwrm
