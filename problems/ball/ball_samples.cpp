#include "problems/ball/ball_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "problems/ball/radial_table.hpp"
#include "problems/ball/sphere_transform.hpp"

namespace gwrm::ball {
namespace {

std::vector<double> counted(Index first, Index last) {
  std::vector<double> numbers;
  for (Index i = first; i <= last; ++i) numbers.push_back(static_cast<double>(i));
  return numbers;
}

// -M .. M of those that are there.
std::vector<double> signed_orders(const Orders& orders) {
  std::vector<double> numbers;
  for (Index c = 0; c < orders.n_columns(); ++c) numbers.push_back(static_cast<double>(orders.of(c)));
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::string normalisation(const RadialFunctions& radial) {
  return "f = sum a_n,l,m,k T_k(s) E_n^l(r/R) Y_l^m; s from -1 to 1 over the window; " + radial.formula() +
         "; Y_l^m real, orthonormal on the unit sphere, without the phase of Condon and Shortley, m < 0: sin(|m| phi)";
}

}  // namespace

std::vector<double> answer_values(const BallModel& model, const BallSpace& space, const BallSolution& solution,
                                  const SourceText& text, const std::vector<double>& times,
                                  const SpherePoints& points) {
  const SphereTransform transform(space.radial(), space.degrees(), points);
  std::vector<std::vector<double>> e;
  for (double time : times) e.push_back(solution.at(time));
  return model.expressions().values(model.expressions().parse(text), times, points, [&](std::size_t unknown) {
    return model.unknown_values(space, unknown, e, transform);
  });
}

GridPoints output_grid(const Case& the_case) {
  GridPoints grid;
  for (std::size_t i = 0; i < the_case.domain.size(); ++i) {
    const GridAxis& wanted = the_case.output.grid[i];
    const Axis& axis = the_case.domain[i].axis;
    grid.emplace_back(wanted.points);
    for (int k = 0; k < wanted.count; ++k)
      grid.back().push_back(axis.lower + (axis.upper - axis.lower) * k / (wanted.count - 1));
    if (wanted.count > 1) grid.back().back() = axis.upper;
  }
  return grid;
}

SpherePoints sphere_points(const GridPoints& grid, double radius) {
  SpherePoints points{grid[1], grid[2], grid[3]};
  for (double& r : points.r) r /= radius;
  return points;
}

SampledField sampled_field(const BallModel& model, const BallSpace& space, const BallSolution& solution,
                           const NamedExpression& field, const GridPoints& grid) {
  const SpherePoints points = sphere_points(grid, model.section().radius);
  const std::vector<double> values = answer_values(model, space, solution, field.text, grid[0], points);
  SampledField sampled{field.name, field.text.text, {0, 1, 2, 3}, {}};
  const std::size_t n_t = grid[0].size(), n_r = points.r.size(), n_theta = points.theta.size(),
                    n_phi = points.phi.size();
  for (std::size_t n : {n_t, n_r, n_theta, n_phi}) sampled.values.shape.push_back(static_cast<Index>(n));
  sampled.values.data.resize(values.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < n_t; ++i)
    for (std::size_t r = 0; r < n_r; ++r)
      for (std::size_t j = 0; j < n_theta; ++j)
        for (std::size_t k = 0; k < n_phi; ++k)
          sampled.values.data[at++] = values[((i * n_phi + k) * n_theta + j) * n_r + r];
  return sampled;
}

std::vector<double> energies(const BallModel& model, const BallSpace& space, std::size_t field, const double* e) {
  const Layout& series = space.series();
  const double radius = model.section().radius, volume = radius * radius * radius;
  const std::size_t part = model.first_part(field);
  std::vector<double> result;
  const auto rows = [&](std::size_t of_part, Index l) {
    return Eigen::Map<const Matrix>(e + series.place(of_part, l), series.n_orders(l), series.n(of_part));
  };
  for (Index l = 0; l <= space.degrees().l; ++l) {
    if (!model.section().fields[field].is_vector()) {
      result.push_back(0.5 * volume * rows(part, l).squaredNorm());
      continue;
    }
    if (l == 0) {
      result.push_back(0.0);
      continue;
    }
    const auto both = static_cast<double>(l * (l + 1));
    const RadialNodes nodes = space.radial().nodes(2 * space.radial().degree(l, space.degrees().r));
    const RadialTable table = space.radial().table(l, space.degrees().r, nodes.radius);
    const Eigen::Map<const RowVector> weights(nodes.weight.data(), static_cast<Index>(nodes.weight.size()));
    const Matrix over_r = rows(part + 1, l) * table.over_r, spread = rows(part + 1, l) * table.spread;
    const double poloidal = (both * over_r.cwiseAbs2() + spread.cwiseAbs2()).colwise().sum().dot(weights);
    result.push_back(0.5 * volume * both * (rows(part, l).squaredNorm() + poloidal / (radius * radius)));
  }
  return result;
}

ArrayGroup answer_arrays(const BallModel& model, const BallSpace& space, const BallSolution& solution,
                         const std::vector<double>& times) {
  const Degrees& degrees = space.degrees();
  const auto n_windows = static_cast<Index>(solution.windows.size());
  const std::string of_series = normalisation(space.radial());
  ArrayGroup group{"ball", {{"normalisation", of_series}, {"coordinates", kSpherical}}, {}, {}};
  group.dimensions = {{"window", "window in time", counted(0, n_windows - 1)},
                      {"t_mode", "k of T_k", counted(0, degrees.t)},
                      {"m", "order of the harmonic; negative: sine", signed_orders(space.series().orders())},
                      {"l", "degree of the harmonic", counted(0, degrees.l)},
                      {"n", "n of the radial function E_n", counted(0, degrees.r)},
                      {"t", "time", times}};
  NamedArray starts{"window_start", {"window"}, {}, {}}, ends{"window_end", {"window"}, {}, {}};
  for (const BallWindow& window : solution.windows) {
    starts.values.push_back(window.start);
    ends.values.push_back(window.end);
  }
  group.arrays = {starts, ends};
  const Layout& series = space.series();
  for (std::size_t part = 0; part < space.parts().size(); ++part) {
    NamedArray array{model.part_name(part), {"window", "t_mode", "m", "l", "n"}, {}, {}};
    array.attributes = {{"normalisation", of_series},
                        {"long_name", space.parts()[part].kind == PartKind::scalar
                                          ? "coefficients"
                                          : "coefficients of T or P in curl(T Y r) + curl curl(P Y r)"}};
    for (const BallWindow& window : solution.windows)
      for (Index k = 0; k <= degrees.t; ++k)
        for (const double signed_order : group.dimensions[2].points)
          for (Index l = 0; l <= degrees.l; ++l)
            for (Index n = 0; n <= degrees.r; ++n) {
              const auto m = static_cast<Index>(signed_order);
              array.values.push_back(
                  l < std::abs(m) || l < space.parts()[part].first_l()
                      ? 0.0
                      : window.coefficients(k, series.place(part, l, series.orders().column(m)) + n));
            }
    group.arrays.push_back(std::move(array));
  }
  for (std::size_t field = 0; field < model.section().fields.size(); ++field) {
    const std::string& name = model.section().fields[field].name;
    NamedArray of_l{name + "_energy_of_l", {"t", "l"}, {}, {{"long_name", "half the integral of the square, by l"}}};
    NamedArray all{name + "_energy",
                   {"t"},
                   {},
                   {{"long_name", space.radial().is_shell() ? "half the integral of the square over the shell"
                                                            : "half the integral of the square over the sphere"}}};
    for (double time : times) {
      double sum = 0.0;
      for (double energy : energies(model, space, field, solution.at(time).data())) {
        of_l.values.push_back(energy);
        sum += energy;
      }
      all.values.push_back(sum);
    }
    group.arrays.push_back(std::move(all));
    group.arrays.push_back(std::move(of_l));
  }
  return group;
}

void check_array_names(const BallModel& model) {
  std::vector<std::string> taken = {
      "window",           "t_mode",         "m", "l", "n", "t", "window_start", "window_end", "mode", "growth_rate",
      "growth_frequency", "growth_residual"};
  const std::vector<BallField>& fields = model.section().fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    std::vector<std::string> own = {fields[i].name + "_energy", fields[i].name + "_energy_of_l"};
    for (std::size_t part = 0; part < model.parts().size(); ++part)
      if (model.parts()[part].field == i) own.push_back(model.part_name(part));
    for (const std::string& name : own)
      if (std::find(taken.begin(), taken.end(), name) != taken.end())
        throw_case_error(fields[i].where, 0,
                         fmt::format("the field `{}` would be stored as `{}`, which is another array of the group ball "
                                     "in the result: choose another name",
                                     fields[i].name, name));
    taken.insert(taken.end(), own.begin(), own.end());
  }
  for (const NamedExpression& field : model.of_case().output.fields)
    if (field.name == "ball")
      throw_case_error(field.text, 0, "`ball` is a group of the result file: choose another name for this field");
}

}  // namespace gwrm::ball
