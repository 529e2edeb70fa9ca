#include "weighted_residual/preconditioner/multipliers_at_end.hpp"

#include <algorithm>
#include <cmath>

#include "weighted_residual/model/multipliers.hpp"
#include "weighted_residual/preconditioner/shared_instantaneous.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;

constexpr double kLastPart = 0.05;  // of the window: where data are differentiated
constexpr int kNodes = 6;           // there, ...
constexpr int kNodesAtEnd = 1;      // ... or where no data depend on time
// The last change of the multipliers, relative: small enough to stop (the next one, by a factor of ten or more smaller,
// would be below what Newton leaves, 1e-12), ...
constexpr double kSolved = 1e-11;
// ... and to take them: of the size of kShortStep, by which they are off in any case.
constexpr double kMultiplierTolerance = 1e-8;

bool is_served(const WindowSystem& window) {
  const Model& model = window.model();
  if (model.multipliers.empty() || model.time_axis() != 0 || window.plan().series) return false;
  if (model.weighting != Weighting::radau || window.discretisation().time()->n_unknowns() < 2) return false;
  for (std::size_t f = 0; f < model.fields.size(); ++f)
    if (model.fields[f].time_order != (multiplier_of(model, static_cast<int>(f)) == nullptr ? 1 : 0)) return false;
  return std::all_of(model.conditions.begin(), model.conditions.end(), [&](const ConditionModel& condition) {
    const bool of_constraint = multiplier_of(model, model.equations[at(condition.equation)].field) != nullptr;
    return of_constraint || std::all_of(condition.fields.begin(), condition.fields.end(), [&](const auto& entry) {
             return multiplier_of(model, entry.field) == nullptr;
           });
  });
}

bool holds(expression::Expr e, const std::string& coordinate) {
  return (e->op == expression::Op::coordinate && e->name == coordinate) ||
         std::any_of(e->args.begin(), e->args.end(),
                     [&](expression::Expr argument) { return holds(argument, coordinate); });
}

// Constraints and conditions whose rows change in time although the state does not.
bool data_depend_on_time(const Model& model) {
  const std::string& t = model.axes[at(model.time_axis())].name;
  return std::any_of(model.conditions.begin(), model.conditions.end(),
                     [&](const ConditionModel& condition) { return holds(condition.residual, t); }) ||
         std::any_of(model.multipliers.begin(), model.multipliers.end(), [&](const Multiplier& multiplier) {
           return holds(model.equations[at(multiplier.equation)].residual, t);
         });
}

// Of the polynomial through the points its derivative at the last one: the weights of the values.
RowVector derivative_at_last(const Vector& points) {
  const Index n = points.size(), last = n - 1;
  RowVector weights = RowVector::Zero(n);
  for (Index j = 0; j < last; ++j) {
    double product = 1.0 / (points(j) - points(last));
    for (Index m = 0; m < last; ++m)
      if (m != j) product *= (points(last) - points(m)) / (points(j) - points(m));
    weights(j) = product;
    weights(last) += 1.0 / (points(last) - points(j));
  }
  return weights;
}

// The equations of the last part of a window, from the state at its end.
struct LastPart {
  bool depends;  // data on time
  Discretisation discretisation;
  State state;
  Context context;
  WindowSystem system;
  SpatialLayout layout;

  LastPart(const WindowSystem& window, State at_end)
      : depends(data_depend_on_time(window.model())),
        discretisation(last_part_of(window, depends)),
        state(std::move(at_end)),
        context(window.context().without_device()),
        system(context, window.model(), window.plan(), discretisation, state),
        layout(system) {}

 private:
  static Discretisation last_part_of(const WindowSystem& window, bool depends) {
    const Model& model = window.model();
    const TimeBasis& time = *window.discretisation().time();
    std::vector<AxisDescription> subdomains = window.discretisation().subdomains();
    std::vector<double> parameter_values;
    for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
      parameter_values.push_back(window.discretisation().points(axis)(0));  // read where it is the only one
    subdomains[at(model.time_axis())].degree = depends ? kNodes : kNodesAtEnd;
    return {model, subdomains, parameter_values, time.end() - kLastPart * time.length(), time.end()};
  }
};

bool set_by(InstantaneousSystem& instantaneous, const LastPart& part, const WindowSystem& window,
            std::vector<double>& x) {
  const Model& model = window.model();
  const SpatialLayout& layout = part.layout;
  const WindowSystem& system = part.system;
  const double z = kShortStep * window.discretisation().time()->length();
  const FactorResult factored = instantaneous.factors(z);
  if (factored.status != LuStatus::regular) return false;

  const Matrix rows = layout.gather(instantaneous.rows(), layout.rows);
  const RowVector at_end = rows.row(rows.rows() - 1);
  const RowVector slopes = part.depends ? RowVector(derivative_at_last(part.discretisation.time()->points()) * rows)
                                        : RowVector::Zero(rows.cols());
  std::vector<Complex> b(static_cast<std::size_t>(layout.size), 0.0);
  for (std::size_t i = 0; i < system.rows().size(); ++i) {
    const RowBlock& row = system.rows()[i];
    const bool of_constraint = multiplier_of(model, model.equations[at(row.equation)].field) != nullptr;
    const bool is_differentiated = row.kind == RowBlock::Kind::equation ? of_constraint
                                                                        : row.kind == RowBlock::Kind::condition ||
                                                                              row.kind == RowBlock::Kind::continuity;
    for (Index j = layout.rows[i]; j < layout.rows[i + 1]; ++j)
      b[static_cast<std::size_t>(j)] = is_differentiated ? -z * slopes(j) : -at_end(j);
    if (row.kind == RowBlock::Kind::mean)
      for (Index place : row.places) {
        const Index j = layout.rows[at(row.equation)] + place;
        b[static_cast<std::size_t>(j)] = -at_end(j);
      }
  }

  const auto of_multipliers = [&](const std::vector<Complex>& values) {
    double size = 0.0;
    for (const Multiplier& multiplier : model.multipliers)
      for (Index j = layout.fields[at(multiplier.field)]; j < layout.fields[at(multiplier.field) + 1]; ++j)
        size = std::max(size, std::abs(values[static_cast<std::size_t>(j)]));
    return size;
  };
  const auto [y, change] = solve_instantaneous(system, *factored.factors, z, b, kSolved, of_multipliers);
  if (!(change <= kMultiplierTolerance)) return false;
  for (const Multiplier& multiplier : model.multipliers) {
    const Index first = layout.fields[at(multiplier.field)], n = layout.fields[at(multiplier.field) + 1] - first;
    const FieldLayout& own = window.layouts()[at(multiplier.field)];
    for (Index j = 0; j < n; ++j)
      x[static_cast<std::size_t>(own.offset + element_count(own.extents) - n + j)] =
          y[static_cast<std::size_t>(first + j)].real();
  }
  return true;
}

}  // namespace

bool set_multipliers_at_end(const WindowSystem& window, std::vector<double>& x, const InstantaneousPlace& where) {
  if (!is_served(window)) return false;
  LastPart part(window, window.end_state(x));
  const std::unique_ptr<InstantaneousSystem> instantaneous = instantaneous_at(where, part.system, part.layout);
  return set_by(*instantaneous, part, window, x);
}

void set_multipliers_at_end(const WindowSystem& window, std::vector<double>& x, Communicator& ranks) {
  if (!is_served(window)) return;
  State state = ranks.rank() == 0 ? window.end_state(x) : window.state();  // which have the same extents
  for (std::vector<Array>& field : state)
    for (Array& values : field)
      ranks.broadcast(reinterpret_cast<std::byte*>(values.data.data()), values.data.size() * sizeof(double), 0);
  const LastPart part(window, std::move(state));
  if (ranks.rank() == 0)
    set_by(*shared_instantaneous(part.system, ranks), part, window, x);
  else
    serve_instantaneous(part.system, ranks);
}

}  // namespace gwrm
