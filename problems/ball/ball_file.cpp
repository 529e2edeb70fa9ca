#include "problems/ball/ball_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

namespace gwrm::ball {
namespace {

constexpr double kHighestStoredDegree = 100000.0;

const NamedDimension& dimension_of(const ArrayGroup& group, const char* name) {
  const NamedDimension* dimension = group.find_dimension(name);
  if (dimension == nullptr || dimension->points.empty() ||
      !(std::abs(dimension->points.back()) <= kHighestStoredDegree))
    throw OutputError(std::string("the group ball has no dimension ") + name);
  return *dimension;
}

const NamedArray& array_of(const ArrayGroup& group, const std::string& name,
                           const std::vector<std::string>& dimensions) {
  const NamedArray* array = group.find(name);
  if (array == nullptr || array->dimensions != dimensions)
    throw OutputError("the group ball has no array " + name + " of the form that this program writes");
  return *array;
}

}  // namespace

Degrees stored_degrees(const ArrayGroup& group) {
  const auto last = [&](const char* name) { return static_cast<Index>(dimension_of(group, name).points.back()); };
  Degrees degrees{last("t_mode"), last("n"), last("l"), last("m")};
  std::vector<Index> sines;  // of -m, from the highest
  for (const double m : dimension_of(group, "m").points) {
    if (!(std::abs(m) <= kHighestStoredDegree)) throw OutputError("the group ball has no such order m");
    const auto order = static_cast<Index>(m);
    if (order < 0)
      sines.push_back(-order);
    else
      degrees.listed.push_back(order);
  }
  std::reverse(sines.begin(), sines.end());
  const std::size_t first = !degrees.listed.empty() && degrees.listed.front() == 0 ? 1 : 0;
  const bool fits = !degrees.listed.empty() &&
                    std::adjacent_find(degrees.listed.begin(), degrees.listed.end(), std::greater_equal<>()) ==
                        degrees.listed.end() &&
                    std::equal(degrees.listed.begin() + static_cast<std::ptrdiff_t>(first), degrees.listed.end(),
                               sines.begin(), sines.end());
  const auto has = [&](const char* name, Index count) {
    return dimension_of(group, name).points.size() == static_cast<std::size_t>(count);
  };
  if (!fits || degrees.t < 1 || degrees.m > degrees.l || !has("t_mode", degrees.t + 1) || !has("n", degrees.r + 1) ||
      !has("l", degrees.l + 1))
    throw OutputError("the degrees of the group ball do not fit together");
  return degrees;
}

BallSolution stored_solution(const ArrayGroup& group, const BallModel& model, const BallSpace& space) {
  const std::vector<double>&starts = array_of(group, "window_start", {"window"}).values,
        &ends = array_of(group, "window_end", {"window"}).values;
  const Degrees& degrees = space.degrees();
  const Layout& series = space.series();
  BallSolution solution;
  for (std::size_t w = 0; w < starts.size(); ++w) {
    if (!(starts[w] < ends[w]) || (w > 0 && starts[w] != ends[w - 1]))
      throw OutputError("the windows of the group ball do not follow each other");
    solution.windows.push_back({starts[w], ends[w], Matrix::Zero(degrees.t + 1, series.size()), 0.0});
  }
  if (solution.windows.empty()) throw OutputError("the group ball has no window");
  for (std::size_t part = 0; part < space.parts().size(); ++part) {
    const NamedArray& array = array_of(group, model.part_name(part), {"window", "t_mode", "m", "l", "n"});
    if (const auto expected =
            solution.windows.size() *
            static_cast<std::size_t>((degrees.t + 1) * (degrees.l + 1) * series.orders().n_columns() * (degrees.r + 1));
        array.values.size() != expected)
      throw OutputError("the array " + array.name + " of the group ball has another size than its dimensions");
    const double* next = array.values.data();
    for (BallWindow& window : solution.windows)
      for (Index k = 0; k <= degrees.t; ++k)
        for (const double signed_order : dimension_of(group, "m").points)
          for (Index l = 0; l <= degrees.l; ++l, next += degrees.r + 1) {
            const auto m = static_cast<Index>(signed_order);
            if (l < std::abs(m) || l < space.parts()[part].first_l()) continue;
            std::copy_n(next, degrees.r + 1, &window.coefficients(k, series.place(part, l, series.orders().column(m))));
          }
  }
  return solution;
}

}  // namespace gwrm::ball
