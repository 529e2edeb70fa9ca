// Solutions made of random coefficients, of every shape the program can produce: windows, a parameter on a logarithmic
// map, two space dimensions, scalars, no time, nothing but time, subdomains and degrees that change between windows.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "expression/expression.hpp"
#include "output/hdf5_file.hpp"

namespace gwrm::test {

inline FieldSolution random_field(const Solution& solution, const std::string& name, std::vector<int> axes,
                                  std::size_t n_arrays, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  FieldSolution field{name, std::move(axes), {}};
  for (std::size_t w = 0; w < n_arrays; ++w) {
    Shape shape;
    for (int axis : field.axes) shape.push_back(solution.subdomains[w][axis].n_coefficients());
    Array array(shape);
    for (double& value : array.data) value = uniform(random);
    field.windows.push_back(array);
  }
  return field;
}

// One subdomain per axis and window, of the same degree in all windows; the axes and window edges are there.
inline void set_degrees(Solution& solution, const std::vector<int>& degrees) {
  solution.subdomains.assign(solution.n_windows(), {});
  for (std::size_t w = 0; w < solution.subdomains.size(); ++w)
    for (std::size_t i = 0; i < degrees.size(); ++i) {
      const bool is_time = solution.axes[i].kind == AxisKind::time;
      solution.subdomains[w].push_back({degrees[i],
                                        {is_time ? solution.window_edges[w] : solution.axes[i].lower,
                                         is_time ? solution.window_edges[w + 1] : solution.axes[i].upper},
                                        solution.axes[i].map});
    }
}

// u(t, nu, x), v(t, x), s(nu, x) and a scalar c with a value per window; three windows of different length.
inline Solution windowed_solution() {
  std::mt19937_64 random(11);
  Solution s;
  s.axes = {{"t", AxisKind::time, 0.0, 2.0, MapKind::linear},
            {"nu", AxisKind::parameter, 0.02, 0.2, MapKind::log},
            {"x", AxisKind::space, -1.0, 3.0, MapKind::linear}};
  s.window_edges = {0.0, 0.5, 1.3, 2.0};
  set_degrees(s, {4, 3, 6});
  s.fields = {random_field(s, "u", {0, 1, 2}, 3, random), random_field(s, "v", {0, 2}, 3, random),
              random_field(s, "s", {1, 2}, 1, random), random_field(s, "c", {}, 3, random)};
  return s;
}

// u(t, p, nu, x) and a number v(p, nu): two parameters that interact, one on a logarithmic map.
inline Solution two_parameters_solution() {
  std::mt19937_64 random(19);
  Solution s;
  s.axes = {{"t", AxisKind::time, 0.0, 2.0, MapKind::linear},
            {"p", AxisKind::parameter, -1.0, 4.0, MapKind::linear},
            {"nu", AxisKind::parameter, 0.02, 0.2, MapKind::log},
            {"x", AxisKind::space, -1.0, 3.0, MapKind::linear}};
  s.window_edges = {0.0, 0.5, 2.0};
  set_degrees(s, {2, 4, 3, 5});
  s.fields = {random_field(s, "u", {0, 1, 2, 3}, 2, random), random_field(s, "v", {1, 2}, 1, random)};
  return s;
}

inline Solution plane_solution() {
  std::mt19937_64 random(12);
  Solution s;
  s.axes = {{"t", AxisKind::time, -1.0, 1.0, MapKind::linear},
            {"y", AxisKind::space, 0.0, 2.0, MapKind::linear},
            {"x", AxisKind::space, 0.0, 3.0, MapKind::linear}};
  s.window_edges = {-1.0, 1.0};
  set_degrees(s, {2, 5, 3});
  s.fields = {random_field(s, "psi", {0, 1, 2}, 1, random), random_field(s, "omega", {0, 1, 2}, 1, random)};
  return s;
}

inline Solution steady_solution() {
  std::mt19937_64 random(13);
  Solution s;
  s.axes = {{"k", AxisKind::parameter, 1.0, 2.0, MapKind::linear}, {"x", AxisKind::space, 0.0, 1.0, MapKind::linear}};
  set_degrees(s, {2, 9});
  s.fields = {random_field(s, "u", {0, 1}, 1, random), random_field(s, "c", {}, 1, random)};
  return s;
}

inline Solution ode_solution() {
  std::mt19937_64 random(14);
  Solution s;
  s.axes = {{"t", AxisKind::time, 0.0, 10.0, MapKind::linear}};
  s.window_edges = {0.0, 1.0, 10.0};
  set_degrees(s, {8});
  s.fields = {random_field(s, "a", {0}, 2, random), random_field(s, "b", {0}, 2, random)};
  return s;
}

// The same fields as windowed_solution(); x has other subdomains and another degree in every window, and none in the
// last; so have t and nu other degrees.
inline Solution divided_solution() {
  std::mt19937_64 random(15);
  Solution s = windowed_solution();
  s.subdomains = {{{4, {0.0, 0.5}}, {3, {0.02, 0.2}, MapKind::log}, {5, {-1.0, 0.25, 3.0}}},
                  {{2, {0.5, 1.3}}, {1, {0.02, 0.2}, MapKind::log}, {3, {-1.0, -0.75, 0.25, 1.5, 3.0}}},
                  {{5, {1.3, 2.0}}, {3, {0.02, 0.2}, MapKind::log}, {7, {-1.0, 3.0}}}};
  for (FieldSolution& field : s.fields) field = random_field(s, field.name, field.axes, field.windows.size(), random);
  return s;
}

// The same fields as plane_solution() in two windows, 3 x 2 subdomains in the first.
inline Solution tensor_solution() {
  std::mt19937_64 random(16);
  Solution s = plane_solution();
  s.window_edges = {-1.0, 0.0, 1.0};
  s.subdomains = {{{2, {-1.0, 0.0}}, {4, {0.0, 0.5, 1.75, 2.0}}, {3, {0.0, 1.0, 3.0}}},
                  {{3, {0.0, 1.0}}, {5, {0.0, 1.0, 2.0}}, {6, {0.0, 3.0}}}};
  for (FieldSolution& field : s.fields) field = random_field(s, field.name, field.axes, 2, random);
  return s;
}

// u(k, x) and a scalar c; x on a logarithmic map in three subdomains, no time.
inline Solution steady_divided_solution() {
  std::mt19937_64 random(17);
  Solution s = steady_solution();
  s.axes[1] = {"x", AxisKind::space, 0.5, 8.0, MapKind::log};
  set_degrees(s, {2, 6});
  s.subdomains[0][1].edges = {0.5, 1.0, 3.0, 8.0};
  for (FieldSolution& field : s.fields) field = random_field(s, field.name, field.axes, 1, random);
  return s;
}

// One subdomain everywhere, but other degrees in the second window.
inline Solution changing_degrees_solution() {
  std::mt19937_64 random(18);
  Solution s = plane_solution();
  s.window_edges = {-1.0, 0.0, 1.0};
  set_degrees(s, {2, 5, 3});
  s.subdomains[1][0].degree = 4;
  s.subdomains[1][2].degree = 1;
  for (FieldSolution& field : s.fields) field = random_field(s, field.name, field.axes, 2, random);
  return s;
}

inline expression::Symbols symbols_of(const Solution& solution) {
  expression::Symbols symbols;
  symbols.axes = solution.axes;
  for (const FieldSolution& field : solution.fields) {
    expression::Field f{field.name, {}};
    for (int axis : field.axes) f.dims.push_back(solution.axes[axis].name);
    symbols.fields.push_back(f);
  }
  return symbols;
}

inline std::vector<double> equidistant(double lower, double upper, int count) {
  std::vector<double> points;
  for (int i = 0; i < count; ++i) points.push_back(lower + (upper - lower) * i / (count - 1));
  return points;
}

inline RunReport sample_report() {
  RunReport report;
  report.title = "A test with \u00fcmlauts";
  report.status = "verification failed";
  report.reason = "boundary error too large";
  report.case_text = "schema: 1\nproblem: time_spectral\n# \u03bd\n";
  report.command = "gwrm run sample.yaml";
  report.device = "cpu (1 threads)";
  report.linear_solver = "dense";
  report.n_unknowns = (Index{1} << 31) + 123;  // more than an int holds
  report.n_newton_iterations = 7;
  report.n_factorisations = 5;
  report.wall_seconds = 0.125;
  report.newton = {{0, 0, 0, 1.5, 0.25, 1.0}, {0, 0, 1, 1e-3, 1e-4, 0.5}, {1, 2, 0, 1e-12, 1e-13, 1.0}};
  report.verification.checks = {{"residual", "equation 1", 1e-7, 1e-4, true},
                                {"boundary", "u(x=0) = 0 for \u03bd", 0.5, 1e-6, true},
                                {"tail", "", std::nan(""), 1e-6, false}};
  report.warnings = {"the first warning", "the second"};
  return report;
}

}  // namespace gwrm::test
