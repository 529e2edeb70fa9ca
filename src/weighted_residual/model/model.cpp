#include "weighted_residual/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "basis/axis_basis.hpp"
#include "core/array.hpp"
#include "core/distribution.hpp"
#include "expression/components.hpp"
#include "expression/frechet.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "expression/printer.hpp"
#include "weighted_residual/model/characteristic_walls.hpp"
#include "weighted_residual/model/equation_matching.hpp"
#include "weighted_residual/model/inner_conditions.hpp"
#include "weighted_residual/model/multipliers.hpp"
#include "weighted_residual/model/orders_of_equations.hpp"
#include "weighted_residual/model/periodic_data.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::Pool;

bool uses_whole_axis(const Pool& pool, Expr residual, int axis) {
  const std::vector<expression::AtomUse> uses = expression::atom_uses(pool, residual);
  return std::any_of(uses.begin(), uses.end(), [&](const expression::AtomUse& use) {
    return use.atom.restricted[axis] || (use.integrated >> axis & 1u) != 0;
  });
}

// Lowered; what is too large for it is told at its place.
Expr lowered(Pool& pool, Expr e, const SourceText& text) {
  try {
    return expression::lower(pool, e);
  } catch (const CaseError& error) {
    if (error.place().line > 0) throw;
    throw_case_error(text, 0, error.what());
  }
}

// Data of the problem: coordinates and constants only.
Expr parse_data(Model& model, const SourceText& text, std::uint32_t allowed, const std::string& what) {
  const Expr e = lowered(*model.pool, expression::parse(*model.pool, text), text);
  if (e->facts.degree > 0) throw_case_error(text, 0, what + " must not contain an unknown");
  if ((e->facts.axes & ~allowed) != 0)
    throw_case_error(text, 0, fmt::format("{} must not depend on {}", what, model.axes_text(e->facts.axes & ~allowed)));
  return e;
}

void add_fields(Model& model, const Case& the_case) {
  for (const UnknownCase& unknown : the_case.unknowns) {
    FieldModel field;
    field.name = unknown.name;
    for (const std::string& name : unknown.dims) field.axes.push_back(model.pool->symbols().find_axis(name));
    model.fields.push_back(std::move(field));
  }
}

// An equation or a condition as it was written, and its residual; there has to be an unknown in it.
template <class Statement>
Statement read_statement(Model& model, const SourceText& text, const std::string& what) {
  const expression::Equation parsed =
      expression::parse_equation(*model.pool, text, std::is_same_v<Statement, EquationModel>);
  check_jumps(model, parsed, text, std::is_same_v<Statement, EquationModel>);
  Statement statement;
  statement.text = text;
  statement.left = parsed.left;
  statement.right = parsed.right;
  statement.residual = lowered(*model.pool, model.pool->difference(parsed.left, parsed.right), text);
  statement.fields = expression::field_orders(*model.pool, statement.residual);
  if (statement.residual->facts.degree == 0) throw_case_error(text, 0, "this " + what + " contains no unknown");
  return statement;
}

void add_equations(Model& model, const Case& the_case) {
  for (const SourceText& text : the_case.equations)
    model.equations.push_back(read_statement<EquationModel>(model, text, "equation"));
}

bool is_restricted(const Pool& pool, Expr residual, int axis) {
  const std::vector<expression::AtomUse> uses = expression::atom_uses(pool, residual);
  return std::any_of(uses.begin(), uses.end(),
                     [&](const expression::AtomUse& use) { return static_cast<bool>(use.atom.restricted[axis]); });
}

// The dimension a condition closes: one its unknowns have and its value has lost, by restriction or integral; or the
// periodic dimensions that it has lost by integrals alone: their means; or all of a multiplier's.
void find_closed_axes(const Model& model, ConditionModel& condition) {
  std::uint32_t held = 0;
  for (const expression::FieldOrders& entry : condition.fields) held |= model.fields[entry.field].axes_mask();
  std::vector<int> lost;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if ((held >> axis & 1u) != 0 && (condition.residual->facts.axes >> axis & 1u) == 0 &&
        uses_whole_axis(*model.pool, condition.residual, axis))
      lost.push_back(axis);
  if (lost.empty())
    throw_case_error(condition.text, 0,
                     "a boundary condition says where it holds: write a restriction such as u(x=0), or an integral "
                     "over the dimension");
  if (multiplier_fixed_by(model, condition, lost) != nullptr || std::all_of(lost.begin(), lost.end(), [&](int axis) {
        return model.is_modal(axis) && make_basis(model.subdomains[axis])->is_periodic() &&
               !is_restricted(*model.pool, condition.residual, axis);
      })) {
    condition.mean_axes = lost;
    return;
  }
  if (lost.size() > 1)
    throw_case_error(
        condition.text, 0,
        "this condition fixes one point in several dimensions; a boundary condition closes one dimension. Put a "
        "single number's condition among `equations`, with an unknown scalar {name: c, dims: []} to go with it");
  if (!model.is_modal(lost.front()))
    throw_case_error(condition.text, 0,
                     "conditions in time belong under `initial` (keys \"u\", \"dt(u)\"); for a solution that is "
                     "periodic in time, write time as x");
  condition.axis = lost.front();
  condition.inner_edge = inner_edge_of(model, condition);
}

void add_conditions(Model& model, const Case& the_case) {
  for (const SourceText& text : the_case.boundary) {
    auto condition = read_statement<ConditionModel>(model, text, "condition");
    find_closed_axes(model, condition);
    model.conditions.push_back(std::move(condition));
  }
  for (const SourceText& text : missing_gauges(model)) {
    auto condition = read_statement<ConditionModel>(model, text, "condition");
    find_closed_axes(model, condition);
    for (Multiplier& multiplier : model.multipliers)
      if (multiplier.field == condition.fields.front().field) multiplier.mean_zero = true;
    model.conditions.push_back(std::move(condition));
  }
}

void find_time_orders(Model& model) {
  const int time = model.time_axis();
  std::vector<bool> appears(model.fields.size(), false);
  const auto look = [&](const std::vector<expression::FieldOrders>& fields) {
    for (const expression::FieldOrders& entry : fields)
      if (time >= 0)
        model.fields[entry.field].time_order = std::max(model.fields[entry.field].time_order, entry.orders[time]);
  };
  for (const EquationModel& equation : model.equations) {
    look(equation.fields);
    for (const expression::FieldOrders& entry : equation.fields) appears[entry.field] = true;
  }
  for (const ConditionModel& condition : model.conditions) {
    look(condition.fields);
    for (const expression::FieldOrders& entry : condition.fields) {  // numbers may be there alone
      const std::vector<int>& axes = model.fields[entry.field].axes;
      appears[entry.field] = appears[entry.field] ||
                             std::none_of(axes.begin(), axes.end(), [&](int axis) { return model.is_modal(axis); });
    }
  }
  for (std::size_t f = 0; f < model.fields.size(); ++f) {
    if (!appears[f])
      throw_case_error(model.equations.front().text, 0,
                       fmt::format("the unknown {} appears in no equation", model.fields[f].name));
    if (model.fields[f].time_order > 4)
      throw_case_error(model.equations.front().text, 0,
                       fmt::format("{} has a time derivative of order {}; the highest is 4", model.fields[f].name,
                                   model.fields[f].time_order));
  }
}

std::string initial_key(const std::string& field, int order) {
  return order == 0 ? field : order == 1 ? fmt::format("dt({})", field) : fmt::format("dt({},{})", field, order);
}

void add_initial_values(Model& model, const Case& the_case) {
  const int time = model.time_axis();
  for (FieldModel& field : model.fields) field.initial.assign(at(field.time_order), nullptr);
  for (const InitialCase& initial : the_case.initial) {
    const int f = model.pool->symbols().find_field(initial.field);
    if (const Multiplier* multiplier = f < 0 ? nullptr : multiplier_of(model, f))
      throw_case_error(initial.key, 0,
                       fmt::format("{} takes no initial value: it is {}, which determines it at every time",
                                   initial.field, describe(model, *multiplier)));
    if (f < 0 || initial.order >= model.fields[f].time_order)
      throw_case_error(
          initial.key, 0,
          fmt::format("surplus initial value: the equations hold no d/dt of order {} of {}{}", initial.order + 1,
                      initial.field,
                      time < 0 ? " (there is no t in the domain)" : "; a start for Newton goes under `guess`"));
    FieldModel& field = model.fields[f];
    const std::uint32_t allowed = field.axes_mask() & ~(1u << time);
    field.initial[initial.order] =
        parse_data(model, initial.text, allowed, "the initial value of " + initial_key(initial.field, initial.order));
  }
  for (const FieldModel& field : model.fields)
    for (int order = 0; order < field.time_order; ++order)
      if (field.initial[order] == nullptr)
        throw_case_error(
            model.equations.front().text, 0,
            fmt::format("missing initial value: give `{}` under `initial` (an equation holds d/dt of order {} of {})",
                        initial_key(field.name, order), field.time_order, field.name));
}

void add_guess_and_exact(Model& model, const Case& the_case) {
  auto target = [&](const NamedExpression& named, const char* section) -> FieldModel& {
    const int f = model.pool->symbols().find_field(named.name);
    if (f < 0) throw_case_error(named.text, 0, fmt::format("`{}` names {}, which is no unknown", section, named.name));
    return model.fields[f];
  };
  for (const NamedExpression& named : the_case.guess) {
    FieldModel& field = target(named, "guess");
    field.guess = parse_data(model, named.text, field.axes_mask(), "the guess of " + named.name);
  }
  for (const NamedExpression& named : the_case.exact) {
    FieldModel& field = target(named, "exact");
    field.exact = parse_data(model, named.text, field.axes_mask(), "the exact solution of " + named.name);
  }
}

// Parameters can be solved point by point unless something ties their values together.
bool needs_coupling(const Model& model, int axis) {
  for (const FieldModel& field : model.fields)
    if (!field.depends_on(axis)) return true;
  auto tied = [&](Expr residual) {
    const std::vector<int> orders = local_orders(model, residual, axis);
    return *std::max_element(orders.begin(), orders.end()) > 0 || uses_whole_axis(*model.pool, residual, axis);
  };
  return std::any_of(model.equations.begin(), model.equations.end(),
                     [&](const EquationModel& e) { return tied(e.residual); }) ||
         std::any_of(model.conditions.begin(), model.conditions.end(),
                     [&](const ConditionModel& c) { return tied(c.residual); });
}

void choose_parameter_method(Model& model, const Case& the_case) {
  model.parameters_coupled = the_case.parameters == ParameterMethod::coupled;
  for (std::size_t axis = 0; axis < model.axes.size(); ++axis) {
    if (model.axes[axis].kind != AxisKind::parameter || model.parameters_coupled ||
        !needs_coupling(model, static_cast<int>(axis)))
      continue;
    if (the_case.parameters == ParameterMethod::collocation)
      throw_case_error(
          model.equations.front().text, 0,
          fmt::format("the values of {} depend on each other here (a derivative, restriction or integral along it, "
                      "or an unknown without it): use parameters: {{method: coupled}}",
                      model.axes[axis].name));
    model.parameters_coupled = true;
    model.warnings.push_back(
        fmt::format("the equations tie the values of {} together: parameters are solved as one coupled system",
                    model.axes[axis].name));
  }
}

// Finds whether time can be divided; a case that divides it all the same is refused.
void check_windows(Model& model, bool automatic) {
  const int time = model.time_axis();
  if (time < 0) return;
  const bool divided = model.window_edges.size() > 2 || automatic;
  const std::string cure = automatic ? "; give resolution.degree for t and one window instead of a tolerance"
                                     : "; use one window: resolution: {domains: {t: 1}}";
  for (const EquationModel& equation : model.equations) {
    if (!uses_whole_axis(*model.pool, equation.residual, time)) continue;
    model.whole_time = true;
    if (divided)
      throw_case_error(equation.text, 0,
                       "an equation with a restriction or integral in t needs the whole time at once" + cure);
  }
  for (const FieldModel& field : model.fields) {
    if (field.depends_on(time)) continue;
    model.whole_time = true;
    if (divided)
      throw_case_error(
          model.equations.front().text, 0,
          fmt::format("the unknown {} does not depend on t and cannot be marched through windows", field.name) + cure);
  }
}

// Where an automatic run starts. Twelve Radau nodes a window are cheapest down to a tolerance of 1e-8, sixteen below
// (docs/numerics.md 2.4); 16 modes a subdomain need the fewest unknowns in all (docs/numerics.md 5.3).
int starting_degree(const Case& the_case, AxisKind kind) {
  int n_space = 0;
  for (const AxisCase& axis : the_case.domain) n_space += axis.axis.kind == AxisKind::space ? 1 : 0;
  const bool fine = the_case.resolution.tolerance < 1e-8;
  switch (kind) {
    case AxisKind::time:
      return fine ? 16 : 12;
    case AxisKind::space:
      return n_space == 1 ? 16 : 12;
    case AxisKind::parameter:
      return 8;
    case AxisKind::arc_length:  // no dimension of a case
    case AxisKind::mode:
      break;
  }
  return 16;
}

void check_basis(const AxisCase& axis) {
  const std::string& name = axis.axis.name;
  if (!is_basis(axis.basis))
    throw_case_error(axis.where, 0,
                     fmt::format("there is no basis `{}` for {}, there are: {}", axis.basis, name, basis_names()));
  if (axis.axis.kind == AxisKind::time && axis.basis != kChebyshev)
    throw_case_error(axis.where, 0, fmt::format("the basis of time is {}, not {}", kChebyshev, axis.basis));
  if (family_of_basis(axis.basis) == kHermite && axis.degree > Distribution::kMaxUnboundedDegree)
    throw_case_error(axis.where, 0,
                     fmt::format("degree {} of {}: polynomials of a normal or lognormal parameter have degree {} at "
                                 "most",
                                 axis.degree, name, Distribution::kMaxUnboundedDegree));
}

// Whether no coefficient of something linear in the directions depends on t, inside its integrals over space neither.
bool constant_in_time(Model& model, expression::LinearExpr linear) {
  const int time = model.time_axis();
  for (const expression::LinearTerm& term : collect(*model.pool, linear)) {
    if ((term.coefficient->facts.axes >> time & 1u) != 0) return false;
    if (expression::is_atom(term.leaf)) continue;
    if (term.leaf->op != expression::Op::integral || uses_whole_axis(*model.pool, term.leaf, time) ||
        !constant_in_time(model, {term.leaf->args[0]}))
      return false;
  }
  return true;
}

void classify(Model& model) {
  model.linear = true;
  model.autonomous_jacobian = true;
  const int time = model.time_axis();
  auto look = [&](Expr residual) {
    if (residual->facts.degree > 1) model.linear = false;
    if (time < 0 || !model.linear) return;
    if (!constant_in_time(model, frechet(*model.pool, residual))) model.autonomous_jacobian = false;
  };
  for (const EquationModel& equation : model.equations) look(equation.residual);
  for (const ConditionModel& condition : model.conditions) look(condition.residual);
  if (!model.linear) model.autonomous_jacobian = false;
}

}  // namespace

bool FieldModel::depends_on(int axis) const {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

std::uint32_t FieldModel::axes_mask() const {
  std::uint32_t mask = 0;
  for (int axis : axes) mask |= 1u << axis;
  return mask;
}

int Model::time_axis() const {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].kind == AxisKind::time) return static_cast<int>(i);
  return -1;
}

bool Model::is_modal(int axis) const {
  const AxisKind kind = axes[axis].kind;
  return kind == AxisKind::space || (kind == AxisKind::parameter && parameters_coupled);
}

int Model::n_modal_axes() const {
  int n = 0;
  for (int axis = 0; axis < static_cast<int>(axes.size()); ++axis) n += is_modal(axis) ? 1 : 0;
  return n;
}

bool Model::is_collocated(int axis) const {
  return axes[axis].kind == AxisKind::parameter && !parameters_coupled;
}

std::string Model::axes_text(std::uint32_t mask) const {
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if ((mask >> i & 1u) != 0) text += (text.empty() ? "" : ", ") + axes[i].name;
  return text.empty() ? "no dimension" : text;
}

Model build_model(const Case& the_case) {
  Model model;
  model.pool = std::make_shared<Pool>(the_case.symbols());
  expression::definition_values(*model.pool);  // those that nothing uses are right, too
  model.weighting = the_case.time.weighting;
  model.has_eigenvalue = the_case.has_eigenvalue;
  for (const AxisCase& axis : the_case.domain) {
    model.axes.push_back(axis.axis);
    const bool is_time = axis.axis.kind == AxisKind::time;
    check_basis(axis);
    model.subdomains.push_back({axis.degree >= 0 ? axis.degree : starting_degree(the_case, axis.axis.kind),
                                is_time ? std::vector<double>{axis.axis.lower, axis.axis.upper} : axis.edges,
                                is_time ? MapKind::linear : axis.axis.map,
                                axis.basis});  // a log map of t distributes the windows
    if (!is_time) continue;
    model.window_edges = axis.edges;
    if (!the_case.resolution.automatic()) model.window_lengths = WindowLengths(axis.edges);
  }
  add_fields(model, the_case);
  add_equations(model, the_case);
  find_multipliers(model);
  model.parameters_coupled = true;  // while conditions are read, any dimension but time may be closed by one
  add_conditions(model, the_case);
  choose_parameter_method(model, the_case);
  find_time_orders(model);
  match_equations(model);
  find_equation_orders(model);
  lower_degrees(model);
  add_equations_at_characteristic_walls(model);
  match_conditions(model);
  match_means(model);
  rank_corners(model);
  add_inner_conditions(model);
  add_initial_values(model, the_case);
  add_guess_and_exact(model, the_case);
  check_periodic_data(model, the_case);
  check_windows(model, the_case.resolution.automatic());
  classify(model);
  if (model.weighting == Weighting::chebyshev && model.window_edges.size() > 2)
    model.warnings.push_back(
        "time.weighting: chebyshev is not A-stable: errors of oscillating solutions grow from window to "
        "window (up to 1.41 a window); use radau to march, or one window");
  return model;
}

}  // namespace gwrm
