// Where data jump, and what happens there (sudden_starts()).
#include "problems/time_spectral/sudden_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/errors.hpp"
#include "expression/frechet.hpp"
#include "expression/kinks.hpp"
#include "expression/lowering.hpp"
#include "expression/printer.hpp"
#include "expression/substitute.hpp"
#include "problems/time_spectral/linear_symbol.hpp"
#include "problems/time_spectral/parameter_points.hpp"
#include "problems/time_spectral/time_kinks.hpp"

namespace gwrm {
namespace {

using expression::Atom;
using expression::Expr;
using expression::Pool;

constexpr double kStart = 1e-6;         // of the whole time
constexpr double kFirstWindows = 40.0;  // 1 + 3 + 9 + 27
constexpr double kSpacing = 1.2;        // of subdomains, over the length of diffusion in the first window
constexpr double kInside = 1e-9;        // of an axis, from an end
constexpr double kBeyond = 3.0;         // times the tolerance: a jump that is carried along and cannot be judged right
constexpr double kBesideJump = 1e-12;   // of an axis: values on both sides of a jump
constexpr double kJumpOfData = 1e-11;   // relative: above what smooth data change over that distance
constexpr double kMostOfTime = 0.5;     // of what is left of the run
constexpr std::array kSamples{0.5, 0.21, 0.83};  // of the other axes

using Corner = SuddenStart::Corner;

class StartSearch {
 public:
  StartSearch(const Case& the_case, const Model& model)
      : case_(the_case),
        model_(model),
        pool_(*model.pool),
        time_(model.time_axis()),
        tolerance_(tolerance_of_answer(the_case)),
        span_(model.window_edges.back() - model.window_edges.front()),
        parameters_(parameter_points(model)) {
    initial_ = initial_values(model);
    for (std::size_t f = 0; f < initial_.size(); ++f)
      if (initial_[f] == nullptr) initial_[f] = model.fields[f].guess != nullptr ? model.fields[f].guess : pool_.zero();
  }

  SuddenStarts run(const std::vector<IncompatibleData>& conflicts) {
    SuddenStart first = begin(model_.window_edges.front());
    for (const IncompatibleData& conflict : conflicts)
      if (is_felt(conflict.size, tolerance_)) {
        if (conflict.order == 0) add_condition(first, conflict.condition, Conflict::known);
        if (conflict.order == 1) warn_of_slope(first, conflict.condition);
        is_beyond_ = is_beyond_ || (conflict.order == 0 && conflict.size > kBeyond * tolerance_);
      }
    for (int c = 0; c < static_cast<int>(model_.conditions.size()); ++c)
      if (may_conflict(c)) add_condition(first, c, Conflict::possible);
    for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis)
      if (model_.axes[at(axis)].kind == AxisKind::space) add_initial_jumps(first, axis);
    keep(std::move(first));
    for (double t : times_of_kinks(model_)) {
      SuddenStart later = begin(at_edge(t));
      for (int c = 0; c < static_cast<int>(model_.conditions.size()); ++c)
        if (jumps_at(c, t)) add_condition(later, c, Conflict::known);
      keep(std::move(later));
    }
    if (!found_.carried.empty() || is_unknown_) found_.all.clear();
    found_.is_hopeless = !found_.carried.empty() && is_beyond_;
    return std::move(found_);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  SuddenStart begin(double t) const {
    const Case::Resolution& resolution = case_.resolution;
    const double asked = resolution.start > 0.0          ? resolution.start
                         : resolution.first_window > 0.0 ? kFirstWindows * resolution.first_window
                                                         : kStart * span_;
    const double length = std::min(asked, kMostOfTime * (model_.window_edges.back() - t));
    return {t,
            resolution.first_window > 0.0 ? std::min(resolution.first_window, length) : length / kFirstWindows,
            t + length,
            {}};
  }

  // A kink whose digits the file gives is the file's edge.
  double at_edge(double t) const {
    for (double edge : model_.window_edges)
      if (std::abs(edge - t) <= 1e-9 * span_) return edge;
    return t;
  }

  void keep(SuddenStart start) {
    if (!start.corners.empty()) found_.all.push_back(std::move(start));
  }

  // Points with this coordinate along one axis, at this time.
  std::vector<std::vector<double>> points_at(int axis, double z, double t) const {
    std::vector<std::vector<double>> points;
    for (const std::vector<double>& parameters : parameters_)
      for (double share : kSamples) {
        std::vector<double> point = parameters;
        for (std::size_t a = 0; a < model_.axes.size(); ++a)
          if (!model_.is_collocated(static_cast<int>(a)))
            point[a] = model_.axes[a].lower + share * (model_.axes[a].upper - model_.axes[a].lower);
        point[at(axis)] = z;
        point[at(time_)] = t;
        points.push_back(std::move(point));
      }
    return points;
  }

  double length_of(int axis) const { return model_.axes[at(axis)].upper - model_.axes[at(axis)].lower; }
  double beside(int axis, double z) const {
    return kBesideJump * length_of(axis) + 16.0 * std::numeric_limits<double>::epsilon() * std::abs(z);
  }

  // With these expressions for the unknowns; largest magnitude of it over the points, or nothing.
  std::optional<double> value(Expr e, const std::vector<Expr>& fields, const std::vector<double>& point) {
    const std::optional<double> found =
        value_at(pool_, expression::lower(pool_, expression::substitute(pool_, e, fields)), point);
    return found && std::isfinite(*found) ? found : std::nullopt;
  }

  // Its coefficient in a condition, of an unknown that it holds without derivatives: c u(x=0) + .. = 0.
  struct Held {
    int field = -1;
    Expr coefficient = nullptr;
  };
  std::optional<Held> held_by(const ConditionModel& condition, double place) {
    std::optional<Held> held;
    for (const expression::LinearTerm& term : collect(pool_, frechet(pool_, condition.residual))) {
      if (!expression::is_atom(term.leaf)) return std::nullopt;
      const Atom atom = expression::atom_of(pool_, term.leaf);
      if (std::any_of(atom.orders.begin(), atom.orders.end(), [](int order) { return order > 0; })) return std::nullopt;
      if (condition.axis >= 0 && atom.restricted[at(condition.axis)] && atom.points[at(condition.axis)] == place) {
        if (held) return std::nullopt;
        held = {atom.field, term.coefficient};
      }
    }
    return held;
  }

  std::vector<double> places_of(const ConditionModel& condition) {
    std::vector<double> places;
    if (condition.axis < 0 || model_.axes[at(condition.axis)].kind != AxisKind::space) return places;
    for (Expr leaf : expression::atoms_in(condition.residual)) {
      const Atom atom = expression::atom_of(pool_, leaf);
      if (!atom.restricted[at(condition.axis)]) continue;
      const double place = atom.points[at(condition.axis)];
      if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
    }
    return places;
  }

  enum class Conflict { known, possible };

  // It holds an unknown whose initial values follow from those of others by differential equations, as a potential does
  // from charges, beside one with initial values of its own.
  bool may_conflict(int c) {
    const ConditionModel& condition = model_.conditions[at(c)];
    if (condition.axis < 0 || of_initial_values(model_, condition.residual) != nullptr) return false;
    return std::any_of(condition.fields.begin(), condition.fields.end(), [&](const expression::FieldOrders& held) {
      return model_.fields[at(held.field)].time_order > 0;
    });
  }

  // Values agree, their time derivatives do not: of no concern where it is smoothed.
  void warn_of_slope(const SuddenStart& start, int c) {
    const ConditionModel& condition = model_.conditions[at(c)];
    for (double place : places_of(condition))
      for (const std::vector<double>& point : points_at(condition.axis, inside_of(condition.axis, place), start.at)) {
        const std::optional<LinearSymbol> symbol = linear_symbol(model_, condition.axis, initial_, point);
        if (!symbol || symbol->behaviour != JumpBehaviour::travels) continue;
        Corner corner;
        corner.axis = condition.axis;
        corner.place = place;
        corner.text = fmt::format("\"{}\" contradicts the time derivative of the initial values at t = {:g}",
                                  condition.text.text, start.at);
        return carry(start, corner, c);
      }
  }

  double inside_of(int axis, double place) const {
    const Axis& along = model_.axes[at(axis)];
    return place + (place < 0.5 * (along.lower + along.upper) ? 1.0 : -1.0) * kInside * length_of(axis);
  }

  void add_condition(SuddenStart& start, int c, Conflict conflict) {
    const ConditionModel& condition = model_.conditions[at(c)];
    for (double place : places_of(condition)) {
      const double inside = inside_of(condition.axis, place);
      // Unknowns after the jump: u - r/c, r what is left of c u + .. = 0.
      std::vector<std::vector<Expr>> states{initial_};
      std::string jump = "a derivative jumps", before;
      const bool is_first = start.at == model_.window_edges.front();
      if (const std::optional<Held> held = held_by(condition, place)) {
        const std::string& name = model_.fields[at(held->field)].name;
        double largest = -1.0;
        for (std::vector<double> point : points_at(condition.axis, inside, start.at)) {
          const std::optional<double> factor = value(held->coefficient, initial_, point),
                                      u = value(initial_[at(held->field)], initial_, point);
          point[at(time_)] = start.at + beside(time_, start.at);
          const std::optional<double> after = value(condition.residual, initial_, point);
          point[at(time_)] = start.at - beside(time_, start.at);
          const std::optional<double> other = is_first ? 0.0 : value(condition.residual, initial_, point);
          if (!factor || *factor == 0.0 || !u || !after || !other) continue;
          const double change = (*other - *after) / *factor;
          for (double v : {*u + change, *u - *after / *factor, *u - *other / *factor}) {
            std::vector<Expr> changed = initial_;
            changed[at(held->field)] = pool_.number(v);
            states.push_back(std::move(changed));
          }
          if (std::abs(change) <= largest) continue;
          largest = std::abs(change);
          jump = fmt::format("{} jumps by {:.4g}", name, largest);
          before = is_first ? fmt::format("{} = {:.4g}", name, *u) : "";
        }
      }
      if (before.empty()) before = "the initial values";
      const std::string& text = condition.text.text;
      add(start,
          {condition.axis, place, 0.0, 0.0, c,
           conflict == Conflict::possible ? fmt::format("\"{}\" may contradict {} at t = {:g}", text, before, start.at)
           : is_first                     ? fmt::format("\"{}\" contradicts {} at t = {:g}", text, before, start.at)
                                          : fmt::format("\"{}\" jumps at t = {:g}", text, start.at),
           jump},
          {inside}, states, c);
    }
  }

  void add_initial_jumps(SuddenStart& start, int axis) {
    for (std::size_t f = 0; f < model_.fields.size(); ++f) {
      const FieldModel& field = model_.fields[f];
      if (field.initial.empty() || !field.depends_on(axis)) continue;
      int order = 0;  // its derivatives below this are continuous
      for (const EquationModel& equation : model_.equations)
        order = std::max(order, expression::derivative_order(equation.fields, static_cast<int>(f), axis));
      const Expr value_of_field = field.initial.front();
      for (double z : expression::kinks_along(pool_, std::array{value_of_field}, axis)) {
        const double step = beside(axis, z);
        for (int m = 0; m < order; ++m) {
          double jump = 0.0, size = 0.0;
          const Expr derivative =
              m == 0 ? value_of_field
                     : expression::lower(pool_, pool_.derivative(value_of_field, model_.axes[at(axis)].name, m));
          const auto points = points_at(axis, z, start.at);
          for (std::vector<double> point : points) {
            const double u0 = value(value_of_field, initial_, point).value_or(0.0);
            point[at(axis)] = z - step;
            const std::optional<double> left = value(derivative, initial_, point);
            point[at(axis)] = z + step;
            const std::optional<double> right = value(derivative, initial_, point);
            if (!left || !right) continue;
            jump = std::max(jump, std::abs(*right - *left));
            size = std::max({size, std::abs(u0), std::abs(*left) * std::pow(length_of(axis), m),
                             std::abs(*right) * std::pow(length_of(axis), m)});
          }
          if (!(jump * std::pow(length_of(axis), m) > kJumpOfData * size)) continue;
          Corner corner{axis,
                        z,
                        0.0,
                        0.0,
                        -1,
                        fmt::format("the initial {} {} at {} = {:.6g}", field.name, m == 0 ? "jumps" : "has a kink",
                                    model_.axes[at(axis)].name, z),
                        m == 0 ? fmt::format("{} jumps by {:.4g}", field.name, jump)
                               : fmt::format("d{}({}{}) jumps by {:.4g}", model_.axes[at(axis)].name, field.name,
                                             m > 1 ? fmt::format(",{}", m) : "", jump)};
          // What a kink does to the first window is no larger than this; smaller ones the window control passes.
          add(start, std::move(corner), {z - step, z + step}, {initial_}, -1, m, jump / std::max(size, 1e-300));
          break;
        }
      }
    }
  }

  // Adds the corner, if what happens there is parabolic.
  void add(SuddenStart& start, Corner corner, const std::vector<double>& sides,
           const std::vector<std::vector<Expr>>& states, int condition, int kink = 0, double relative_jump = 1.0) {
    bool is_known = false;
    const double duration = start.end - start.at, decades = std::log(1.0 / tolerance_);
    double effect = 0.0;
    for (double side : sides)
      for (const std::vector<double>& point : points_at(corner.axis, side, start.at + beside(time_, start.at)))
        for (const std::vector<Expr>& state : states) {
          const std::optional<LinearSymbol> symbol = linear_symbol(model_, corner.axis, state, point);
          if (!symbol || symbol->behaviour == JumpBehaviour::still) continue;
          if (symbol->behaviour == JumpBehaviour::travels) {
            if (kink == 0) carry(start, corner, condition);
            return;
          }
          is_known = true;
          const double m = symbol->order;
          const double width = (m > 2.0 ? 3.0 : 2.0) * std::pow(symbol->diffusivity * duration, 1.0 / m) *
                                   std::pow(decades, (m - 1.0) / m) +
                               symbol->speed * duration;
          const double reach = std::pow(symbol->diffusivity * start.first, 1.0 / m);
          corner.width = std::max(corner.width, std::min(width, length_of(corner.axis)));
          corner.spacing = corner.spacing > 0.0 ? std::min(corner.spacing, kSpacing * reach) : kSpacing * reach;
          effect = std::max(effect, relative_jump * std::pow(reach, kink));
        }
    if (!is_known) {
      is_unknown_ = is_unknown_ || condition >= 0;
      return;
    }
    if (kink > 0 && !is_felt(effect, tolerance_)) return;
    const auto same = std::find_if(start.corners.begin(), start.corners.end(), [&](const Corner& other) {
      return other.axis == corner.axis && other.place == corner.place;
    });
    if (same == start.corners.end()) {
      start.corners.push_back(std::move(corner));
    } else {
      same->width = std::max(same->width, corner.width);
      same->spacing = std::min(same->spacing, corner.spacing);
    }
  }

  void carry(const SuddenStart& start, const Corner& corner, int c) {
    if (!found_.carried.empty()) return;
    found_.carried = corner.text + ", and the jump is carried along (nothing diffuses): no series follows it";
    if (c < 0) {
      found_.carried +=
          fmt::format("; give it a width, as 0.5*(1 + tanh(({} - {:g})/w)) for a step, or give the equations diffusion",
                      model_.axes[at(corner.axis)].name, corner.place);
      return;
    }
    const ConditionModel& condition = model_.conditions[at(c)];
    const std::optional<Held> held = held_by(condition, corner.place);
    const auto points = points_at(corner.axis, corner.place, start.at);
    const std::optional<double> u = held ? value(initial_[at(held->field)], initial_, points.front()) : std::nullopt;
    const bool is_plain = held && u && expression::is_number(held->coefficient, 1.0) &&
                          condition.left->op == expression::Op::restriction && condition.right->facts.degree == 0;
    if (!is_plain || start.at != model_.window_edges.front()) {
      found_.carried +=
          "; let the condition begin at the initial value and change within a time w, by a factor "
          "1 - exp(-(t/w)^4), or give the equations diffusion";
      return;
    }
    const std::string elapsed = start.at == 0.0 ? "t" : fmt::format("(t - {:g})", start.at);
    const std::string bump = fmt::format("exp(-({}/{:.2g})^4)", elapsed, 0.05 * span_);
    const std::string data = expression::print(condition.right);
    std::string right = is_number(condition.right, 0.0) ? "" : fmt::format("({})*(1 - {})", data, bump);
    if (*u != 0.0) right += fmt::format("{}{:g}*{}", right.empty() ? "" : " + ", *u, bump);
    found_.carried += fmt::format("; give it a width, as {} = {}, or give the equations diffusion",
                                  expression::print(condition.left), right);
  }

  // Whether the data of a condition, or what multiplies unknowns in it, jump there.
  bool jumps_at(int c, double t) {
    const ConditionModel& condition = model_.conditions[at(c)];
    if (condition.axis < 0) return false;
    const double step = beside(time_, t);
    double jump = 0.0, size = 0.0;
    std::vector<Expr> looked_at{condition.residual};
    for (const expression::LinearTerm& term : collect(pool_, frechet(pool_, condition.residual)))
      looked_at.push_back(term.coefficient);
    for (Expr e : looked_at)
      for (std::vector<double> point : points_at(condition.axis, model_.axes[at(condition.axis)].lower, t)) {
        point[at(time_)] = t - step;
        const std::optional<double> before = value(e, initial_, point);
        point[at(time_)] = t + step;
        const std::optional<double> after = value(e, initial_, point);
        if (!before || !after) continue;
        jump = std::max(jump, std::abs(*after - *before));
        size = std::max({size, std::abs(*after), std::abs(*before)});
      }
    return jump > kJumpOfData * size && is_felt(jump / size, tolerance_);
  }

  const Case& case_;
  const Model& model_;
  Pool& pool_;
  const int time_;
  const double tolerance_, span_;
  const std::vector<std::vector<double>> parameters_;
  std::vector<Expr> initial_;  // of each unknown, at the start
  SuddenStarts found_;
  bool is_unknown_ = false;  // what happens at a jump
  bool is_beyond_ = false;   // a contradiction is far above the tolerance
};

}  // namespace

SuddenStarts sudden_starts(const Case& the_case, const Model& model) {
  if (!the_case.resolution.automatic() || model.time_axis() < 0 || model.window_edges.empty()) return {};
  return sudden_starts(the_case, model,
                       incompatible_between(model, parameter_points(model).front(), model.window_edges.front(),
                                            model.window_edges[1], tolerance_of_answer(the_case)));
}

SuddenStarts sudden_starts(const Case& the_case, const Model& model, const std::vector<IncompatibleData>& conflicts) {
  if (!the_case.resolution.automatic() || model.time_axis() < 0 || model.whole_time || model.n_modal_axes() == 0 ||
      !model.multipliers.empty())
    return {};
  try {
    return StartSearch(the_case, model).run(conflicts);
  } catch (const Error&) {
    return {};  // derivatives of the data exceed the limits of an expression: nothing is known
  }
}

}  // namespace gwrm
