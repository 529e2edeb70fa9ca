#include "problems/time_spectral/march.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "system/tensor_helpers.hpp"

namespace gwrm {
namespace {

// What a window keeps alive; the system holds references to its neighbours here, so it stays where it is.
struct Window {
  Discretisation discretisation;
  State state;
  WindowSystem system;
  std::vector<double> x;

  Window(const Context& context, const Model& model, const SystemPlan& plan,
         const std::vector<double>& parameter_values, double start, double end, State initial)
      : discretisation(model, parameter_values, start, end),
        state(std::move(initial)),
        system(context, model, plan, discretisation, state) {}
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
};

// Where an initial value or guess is not finite on the points of the first window; empty if nowhere.
std::string locate_bad_data(const Model& model, const Discretisation& discretisation) {
  const auto look = [&](expression::Expr data, const std::string& what) -> std::string {
    if (data == nullptr) return {};
    const Array values = discretisation.data_at_points(*model.pool, data);
    for (std::size_t k = 0; k < values.data.size(); ++k) {
      if (std::isfinite(values.data[k])) continue;
      const std::vector<Index> index = unravel(values.shape, static_cast<Index>(k));
      std::string point;
      for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
        if (values.shape[at(axis)] > 1)
          point += fmt::format("{}{} = {:.6g}", point.empty() ? " at " : ", ", model.axes[at(axis)].name,
                               discretisation.points(axis)(index[at(axis)]));
      return fmt::format("{} is {}{}", what, values.data[k], point);
    }
    return {};
  };
  for (const FieldModel& field : model.fields) {
    std::string text = look(field.guess, "the guess of " + field.name);
    for (std::size_t m = 0; m < field.initial.size() && text.empty(); ++m)
      text = look(field.initial[m],
                  fmt::format("the initial value of {}", m == 0 ? field.name : "a time derivative of " + field.name));
    if (!text.empty()) return text;
  }
  return {};
}

}  // namespace

State initial_state(const Context& context, const Model& model, const Discretisation& discretisation) {
  State state;
  for (const FieldModel& field : model.fields) {
    state.emplace_back();
    for (expression::Expr initial : field.initial)
      state.back().push_back(discretisation.project(context, *model.pool, initial, field, false));
  }
  return state;
}

MarchResult march(const Context& context, const Model& model, const SystemPlan& plan, const NewtonOptions& options,
                  const std::vector<double>& parameter_values, int parameter_point,
                  const std::function<void(int, const NewtonResult&)>& window_done,
                  const std::function<bool()>& interrupted) {
  MarchResult result;
  // A steady problem is one window without time.
  const std::vector<double> edges = model.window_edges.empty() ? std::vector<double>{0.0, 1.0} : model.window_edges;
  const Discretisation first(model, parameter_values, edges[0], edges[1]);
  result.detail = locate_bad_data(model, first);
  if (!result.detail.empty()) {
    result.status = NewtonStatus::not_finite;
    result.failed_window = 0;
    return result;
  }
  const auto lu = make_dense_lu(context);
  State state = initial_state(context, model, first);
  std::unique_ptr<Window> previous;
  for (std::size_t w = 0; w + 1 < edges.size(); ++w) {
    const double start = edges[w], end = edges[w + 1];
    auto window = std::make_unique<Window>(context, model, plan, parameter_values, start, end, std::move(state));
    window->x =
        window->system.start(previous ? &previous->system : nullptr, previous ? previous->x : std::vector<double>{});

    // A linear problem with coefficients constant in time has the same Jacobian in windows of the same length.
    const bool same_matrix =
        previous && model.autonomous_jacobian &&
        std::abs((end - start) - (previous->discretisation.time()->end() - previous->discretisation.time()->start())) <=
            1e-12 * (end - start);
    const NewtonResult newton_result = newton(window->system, window->x, options, *lu, same_matrix, interrupted);
    result.n_factorisations += newton_result.n_factorisations;
    if (newton_result.reciprocal_condition > 0.0)
      result.reciprocal_condition = std::min(result.reciprocal_condition, newton_result.reciprocal_condition);
    for (std::size_t i = 0; i < newton_result.iterations.size(); ++i) {
      const NewtonIteration& iteration = newton_result.iterations[i];
      result.newton.push_back({static_cast<int>(w), parameter_point, static_cast<int>(i), iteration.residual_norm,
                               iteration.correction_norm, iteration.damping});
    }
    result.status = newton_result.status;
    result.detail = newton_result.detail;
    if (!succeeded(newton_result.status)) {
      result.failed_window = static_cast<int>(w);
      return result;
    }
    result.windows.emplace_back();
    for (int f = 0; f < static_cast<int>(model.fields.size()); ++f)
      result.windows.back().push_back(window->system.coefficients(window->x, f));
    window_done(static_cast<int>(w), newton_result);
    state = window->system.end_state(window->x);
    previous = std::move(window);
  }
  return result;
}

}  // namespace gwrm
