#include "cli/eval_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "expression/atoms.hpp"
#include "expression/frechet.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "expression/printer.hpp"

namespace gwrm::cli {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kSlack = 1e-12;  // of the largest coordinate: points on the ends of the grid, but for rounding

// z = (1 - weight) points[below] + weight points[below + 1]; weight NaN: outside.
struct Place {
  std::size_t below = 0;
  double weight = 0.0;
};

Place place_of(double z, const std::vector<double>& points) {
  const double slack = kSlack * std::max(std::abs(points.front()), std::abs(points.back()));
  if (!(z >= points.front() - slack && z <= points.back() + slack)) return {0, kUnknown};
  if (points.size() == 1) return {0, 0.0};
  const auto above = std::upper_bound(points.begin() + 1, points.end() - 1, z);
  const auto below = static_cast<std::size_t>(above - points.begin()) - 1;
  const double weight = (z - points[below]) / (points[below + 1] - points[below]);
  return {below, std::clamp(weight, 0.0, 1.0)};
}

// Multilinear, from dimension d on; `position` is the flat index of the corner so far. A corner without weight does not
// count, whatever stands there.
double interpolate(const Array& values, const std::vector<Place>& places, std::size_t d, std::size_t position) {
  if (d == places.size()) return values.data[position];
  const std::size_t row = position * static_cast<std::size_t>(values.shape[d]) + places[d].below;
  const double weight = places[d].weight;
  if (std::isnan(weight)) return kUnknown;
  double sum = 0.0;
  if (weight < 1.0) sum += (1.0 - weight) * interpolate(values, places, d + 1, row);
  if (weight > 0.0) sum += weight * interpolate(values, places, d + 1, row + 1);
  return sum;
}

// Calls visit(index per axis) for every point of the tensor, the last axis fastest.
template <class Visit>
void for_each_point(const Shape& shape, Visit visit) {
  std::vector<Index> index(shape.size(), 0);
  for (Index k = 0; k < element_count(shape); ++k) {
    Index rest = k;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      index[axis] = rest % shape[axis];
      rest /= shape[axis];
    }
    visit(static_cast<std::size_t>(k), index);
  }
}

// What a leaf of the derivative stands for: the atom itself in place of its direction.
expression::Expr value_of_direction(expression::Pool& pool, expression::Expr leaf) {
  if (!expression::is_atom(leaf)) return nullptr;  // an integral
  expression::Atom atom = expression::atom_of(pool, leaf);
  atom.direction = false;
  return expression::make_atom(pool, atom);
}

}  // namespace

EvalErrors::EvalErrors(const std::string& file, expression::Pool& pool, const Solution& solution,
                       std::vector<LeftOut> left_out)
    : pool_(pool), solution_(solution), samples_(read_samples(file)), left_out_(std::move(left_out)) {
  for (const SampledField& error : samples_.fields) {
    const auto field = std::find_if(samples_.fields.begin(), samples_.fields.end(),
                                    [&](const SampledField& other) { return other.name == error.error_of; });
    if (error.error_of.empty() || field == samples_.fields.end()) continue;
    const SourceText text = SourceText::from_argument(field->expression, file + ": " + field->name);
    ErrorField found{expression::lower(pool, expression::parse(pool, text)), error, {}};
    for (int axis : error.axes)
      found.axes.push_back(
          static_cast<int>(std::find_if(solution.axes.begin(), solution.axes.end(),
                                        [&](const Axis& other) { return other.name == samples_.axes[axis].name; }) -
                           solution.axes.begin()));
    fields_.push_back(std::move(found));
  }
  if (fields_.empty())
    throw CaseError(
        file +
        ": error: --error: this result has no fields of errors: run the case again with output: {error: on} "
        "(and verification: {estimate: on})");
}

std::vector<LeftOut> EvalErrors::left_out_of(expression::Expr e) const {
  std::vector<LeftOut> concerned;
  const std::vector<expression::FieldOrders> fields = expression::field_orders(pool_, e);
  for (const LeftOut& place : left_out_)
    if (std::any_of(fields.begin(), fields.end(), [&](const expression::FieldOrders& held) {
          return place.concerns(pool_.symbols().fields[at(held.field)].name);
        }))
      concerned.push_back(place);
  return concerned;
}

bool EvalErrors::is_left_out(const std::vector<LeftOut>& places,
                             const std::function<double(std::size_t)>& coordinate) const {
  const int time = solution_.windowed_axis();
  return std::any_of(places.begin(), places.end(),
                     [&](const LeftOut& place) { return place.holds(time, coordinate); });
}

const EvalErrors::ErrorField* EvalErrors::find(expression::Expr e) const {
  const auto found =
      std::find_if(fields_.begin(), fields_.end(), [&](const ErrorField& field) { return field.of == e; });
  return found == fields_.end() ? nullptr : &*found;
}

Array EvalErrors::interpolated(const ErrorField& field, const GridPoints& points) const {
  Shape shape;
  for (const auto& along : points) shape.push_back(static_cast<Index>(along.size()));
  Array result(shape);
  std::vector<Place> places(field.axes.size());
  for_each_point(shape, [&](std::size_t k, const std::vector<Index>& index) {
    for (std::size_t d = 0; d < places.size(); ++d) {
      const auto axis = static_cast<std::size_t>(field.axes[d]);
      places[d] = place_of(points[axis][static_cast<std::size_t>(index[axis])],
                           samples_.axes[static_cast<std::size_t>(field.sampled.axes[d])].points);
    }
    result.data[k] = interpolate(field.sampled.values, places, 0, 0);
  });
  return result;
}

std::vector<EvalErrors::Term> EvalErrors::terms(const SourceText& source, expression::Expr e) const {
  if (const ErrorField* field = find(e)) return {{nullptr, field}};
  std::vector<Term> terms;
  for (const expression::LinearTerm& term : expression::collect(pool_, expression::frechet(pool_, e))) {
    const expression::Expr part = value_of_direction(pool_, term.leaf);
    const ErrorField* field = part == nullptr ? nullptr : find(part);
    if (field == nullptr) {
      const std::string what = part == nullptr ? "this integral" : expression::print(part);
      throw_case_error(
          source, 0,
          fmt::format("--error: the error of {} is not in this result: run the case again with it among the "
                      "fields, output: {{error: on, fields: {{name: \"{}\"}}}}",
                      what, source.text));
    }
    terms.push_back({term.coefficient, field});
  }
  return terms;
}

// An expression without unknowns is exact.
Array EvalErrors::of(const SourceText& source, expression::Expr e, const GridPoints& points) const {
  Shape shape;
  for (const auto& along : points) shape.push_back(static_cast<Index>(along.size()));
  Array sum(shape);
  for (const Term& term : terms(source, e)) {
    const Array error = interpolated(*term.error, points);
    const Array slope = term.slope == nullptr ? Array(shape, 1.0) : evaluate(pool_, solution_, term.slope, points);
    for (std::size_t i = 0; i < sum.data.size(); ++i) sum.data[i] += std::abs(slope.data[i]) * error.data[i];
  }
  if (const std::vector<LeftOut> left_out = left_out_of(e); !left_out.empty())
    for_each_point(shape, [&](std::size_t k, const std::vector<Index>& index) {
      if (is_left_out(left_out, [&](std::size_t axis) { return points[axis][static_cast<std::size_t>(index[axis])]; }))
        sum.data[k] = kUnknown;
    });
  return sum;
}

std::vector<double> EvalErrors::of(const SourceText& source, expression::Expr e, const ScatteredPoints& points,
                                   const Context& context) const {
  std::vector<double> sum(points.count, 0.0);
  for (const Term& term : terms(source, e)) {
    std::vector<double> slope;
    if (term.slope != nullptr)
      slope = std::move(
          evaluate_points(context, pool_, solution_, std::span<const expression::Expr>(&term.slope, 1), points)
              .front());
    std::vector<Place> places(term.error->axes.size());
    for (std::size_t p = 0; p < points.count; ++p) {
      for (std::size_t d = 0; d < places.size(); ++d) {
        const std::span<const double> along = points.axes[at(term.error->axes[d])];
        places[d] = place_of(along[along.size() == 1 ? 0 : p], samples_.axes[at(term.error->sampled.axes[d])].points);
      }
      const double error = interpolate(term.error->sampled.values, places, 0, 0);
      sum[p] += slope.empty() ? error : std::abs(slope[p]) * error;
    }
  }
  if (const std::vector<LeftOut> left_out = left_out_of(e); !left_out.empty())
    for (std::size_t p = 0; p < points.count; ++p)
      if (is_left_out(left_out,
                      [&](std::size_t axis) { return points.axes[axis][points.axes[axis].size() == 1 ? 0 : p]; }))
        sum[p] = kUnknown;
  return sum;
}

}  // namespace gwrm::cli
