// Windows with given Chebyshev coefficients, for the tests of what an automatic run makes of them.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "problems/run_case.hpp"
#include "problems/time_spectral/window.hpp"

namespace gwrm::test {

inline const std::string kLine = R"yaml(
domain: {t: [0, 2], x: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) = dx(u,2)", "dt(v) = v"]
initial: {u: "0", v: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 5, x: 16}}
)yaml";

inline const std::string kPlane = R"yaml(
domain: {t: [0, 2], x: [0, 1], y: [0, 3]}
unknowns: [u]
equations: ["dt(u) = lap(u)"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=3) = 0"]
resolution: {degree: {t: 5, x: 10, y: 12}}
)yaml";

// A window whose fields have these Chebyshev coefficients.
struct HandMade {
  Context context = Context::create(BackendChoice::cpu, 1);
  Model model;
  SystemPlan plan;
  std::vector<AxisDescription> subdomains;
  std::vector<Array> coefficients;
  std::vector<std::unique_ptr<Window>> windows;  // one

  HandMade(const std::string& yaml, const std::vector<AxisDescription>& space)
      : model(build_model(read_case_text(yaml, "test.yaml"))), plan(model), subdomains(model.subdomains) {
    for (std::size_t i = 0; i < space.size(); ++i) subdomains[i + 1] = space[i];  // time is the first axis
  }
  explicit HandMade(const std::string& yaml) : HandMade(yaml, {}) {}

  Shape shape() const {
    Shape extents;
    for (const AxisDescription& of_axis : subdomains) extents.push_back(of_axis.n_coefficients());
    return extents;
  }

  void fill_at_random(unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (std::size_t f = 0; f < model.fields.size(); ++f) {
      coefficients.emplace_back(shape());
      for (double& value : coefficients.back().data) value = uniform(random);
    }
    make_window();
  }

  // Each field gets a(subdomain, l) along x for the k-th coefficient in t.
  void fill(const std::function<double(std::size_t field, Index k, Index subdomain, Index l)>& a) {
    for (std::size_t f = 0; f < model.fields.size(); ++f) {
      coefficients.emplace_back(shape());
      const Index n = subdomains[1].degree + 1, n_space = subdomains[1].n_coefficients();
      for (Index i = 0; i < coefficients.back().size(); ++i)
        coefficients.back().data[static_cast<std::size_t>(i)] = a(f, i / n_space, i % n_space / n, i % n);
    }
    make_window();
  }

  Window& window() { return *windows.front(); }

  void make_window() {
    State state;  // sum over k of (-1)^k a_k
    for (const Array& a : coefficients) {
      Shape extents = a.shape;
      extents[0] = 1;
      Array start(extents);
      for (Index i = 0; i < a.size(); ++i)
        start.data[static_cast<std::size_t>(i % start.size())] +=
            (i / start.size() % 2 == 0 ? 1.0 : -1.0) * a.data[static_cast<std::size_t>(i)];
      state.push_back({start});
    }
    windows.push_back(std::make_unique<Window>(
        context, model, plan, subdomains, std::vector<double>(subdomains.size(), 0.0), 0.0, 0.5, std::move(state)));
    window().change_x() = unknowns_from(window().system, coefficients, window().discretisation.subdomains());
  }
};

// Coefficient l on a subdomain, by the sum over 256 Gauss points.
inline double series_of(const std::function<double(double)>& f, const AxisDescription& subdomains, Index subdomain,
                        Index l) {
  const double lower = subdomains.edges[static_cast<std::size_t>(subdomain)];
  const double upper = subdomains.edges[static_cast<std::size_t>(subdomain) + 1];
  double sum = 0.0;
  for (int i = 0; i < 256; ++i) {
    const double angle = (i + 0.5) * std::numbers::pi / 256.0;
    sum +=
        f(0.5 * (lower + upper) + 0.5 * (upper - lower) * std::cos(angle)) * std::cos(static_cast<double>(l) * angle);
  }
  return (l == 0 ? 1.0 : 2.0) * sum / 256.0;
}

}  // namespace gwrm::test
