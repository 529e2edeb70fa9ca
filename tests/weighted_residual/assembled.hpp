// One window of a case with random initial values, ready to be evaluated.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "weighted_residual/support_case.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm::test {

inline std::vector<double> random_vector(Index n, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  std::vector<double> x(static_cast<std::size_t>(n));
  for (double& v : x) v = uniform(generator);
  return x;
}

// The window is [0, 0.7], the collocated parameters are 0.37.
struct Assembled {
  Model model;
  SystemPlan plan;
  Context context;
  Discretisation discretisation;
  State state;
  WindowSystem system;

  explicit Assembled(const std::string& yaml, unsigned seed = 7)
      : model(build_model(case_of(yaml))),
        plan(model),
        context(Context::create(BackendChoice::cpu, 1)),
        discretisation(model, model.subdomains, std::vector<double>(model.axes.size(), 0.37), 0.0, 0.7),
        state(random_state(model, discretisation, seed)),
        system(context, model, plan, discretisation, state) {}
  Assembled(const Assembled&) = delete;
  Assembled& operator=(const Assembled&) = delete;

  // Column-major, as the system fills it.
  Eigen::MatrixXd jacobian(const std::vector<double>& x) {
    const Index n = system.size();
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
    system.jacobian(x, {matrix.data(), static_cast<std::size_t>(n * n)});
    return matrix;
  }

  static State random_state(const Model& model, const Discretisation& discretisation, unsigned seed) {
    State state;
    for (const FieldModel& field : model.fields) {
      state.emplace_back();
      Shape shape(model.axes.size(), 1);
      for (int axis : field.axes)
        if (model.is_modal(axis)) shape[static_cast<std::size_t>(axis)] = discretisation.n_unknowns(axis);
      for (int m = 0; m < field.time_order; ++m) {
        Array a(shape);
        a.data = random_vector(a.size(), seed++);
        state.back().push_back(a);
      }
    }
    return state;
  }
};

}  // namespace gwrm::test
