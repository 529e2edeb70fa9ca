#include "problems/time_spectral/side_corners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "basis/axis_basis.hpp"
#include "expression/frechet.hpp"
#include "expression/kinks.hpp"
#include "expression/lowering.hpp"
#include "expression/substitute.hpp"
#include "problems/time_spectral/graded_subdomains.hpp"
#include "problems/time_spectral/incompatible_data.hpp"
#include "problems/time_spectral/linear_symbol.hpp"
#include "problems/time_spectral/parameter_points.hpp"
#include "weighted_residual/model/multipliers.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

using expression::Atom;
using expression::Expr;
using expression::Pool;

constexpr double kNotJudged = 0.02;             // of the subdomains beside a corner before they are graded
constexpr double kInnerShare = 1.0 - 1e-6;      // a subdomain that begins where judging does is judged
constexpr double kBesideKink = 1e-9;            // of an axis: values on both sides of a jump
constexpr double kJumpOfSide = 1e-6;            // relative: above what smooth data change over that distance
constexpr double kAtPlace = 1e-9;               // of an axis
constexpr std::array kSideSamples{0.37, 0.71};  // of the other axes

// The lengths of the subdomains on both sides of a place.
std::vector<double> lengths_beside(const AxisDescription& subdomains, double place) {
  const std::vector<double>& edges = subdomains.edges;
  const double near = kAtPlace * (edges.back() - edges.front());
  std::vector<double> lengths;
  for (std::size_t p = 0; p + 1 < edges.size(); ++p)
    if (std::abs(edges[p] - place) <= near || std::abs(edges[p + 1] - place) <= near)
      lengths.push_back(edges[p + 1] - edges[p]);
  return lengths;
}

class CornerSearch {
 public:
  CornerSearch(const Model& model, double tolerance)
      : model_(model),
        pool_(*model.pool),
        tolerance_(tolerance),
        zeros_(model.fields.size(), pool_.zero()),
        parameters_(parameter_points(model).front()) {}

  std::vector<SideCorner> run() {
    std::vector<Side> sides;
    for (const ConditionModel& condition : model_.conditions)
      if (const std::optional<double> place = place_of(condition)) sides.push_back({&condition, *place});
    for (const Side& side : sides)
      for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis)
        if (axis != side.condition->axis && is_divided(axis)) add_jumps(side, axis);
    for (std::size_t i = 0; i < sides.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) add_clash(sides[j], sides[i]);
    return std::move(corners_);
  }

 private:
  struct Side {
    const ConditionModel* condition;
    double place;
  };

  bool is_divided(int axis) const {
    return model_.is_modal(axis) && model_.axes[at(axis)].kind == AxisKind::space &&
           make_basis(model_.subdomains[at(axis)])->can_be_divided();
  }
  double length_of(int axis) const { return model_.axes[at(axis)].upper - model_.axes[at(axis)].lower; }

  // Of a condition on one side of the box.
  std::optional<double> place_of(const ConditionModel& condition) const {
    if (condition.axis < 0 || !is_divided(condition.axis)) return std::nullopt;
    std::optional<double> place;
    for (Expr leaf : expression::atoms_in(condition.residual)) {
      const Atom atom = expression::atom_of(pool_, leaf);
      if (!atom.restricted[at(condition.axis)]) return std::nullopt;
      const double z = atom.points[at(condition.axis)];
      if (place && *place != z) return std::nullopt;
      place = z;
    }
    const Axis& along = model_.axes[at(condition.axis)];
    return place && (*place == along.lower || *place == along.upper) ? place : std::nullopt;
  }

  // Of data, with zero for the unknowns; nothing where it is not finite.
  std::optional<double> value(Expr e, const std::vector<double>& point) {
    const std::optional<double> found =
        value_at(pool_, expression::lower(pool_, expression::substitute(pool_, e, zeros_)), point);
    return found && std::isfinite(*found) ? found : std::nullopt;
  }

  std::vector<std::vector<double>> points_at(const std::array<int, 2>& axes,
                                             const std::array<double, 2>& places) const {
    std::vector<std::vector<double>> points;
    for (double share : kSideSamples) {
      std::vector<double> point = parameters_;
      for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis)
        if (!model_.is_collocated(axis)) point[at(axis)] = model_.axes[at(axis)].lower + share * length_of(axis);
      for (std::size_t i = 0; i < 2; ++i) point[at(axes[i])] = places[i];
      points.push_back(std::move(point));
    }
    return points;
  }

  // Along a side: its data, or a coefficient of an unknown, jump.
  void add_jumps(const Side& side, int axis) {
    const Expr residual = side.condition->residual;
    for (double z : expression::kinks_along(pool_, std::array{residual}, axis)) {
      std::vector<Expr> parts{residual};
      for (const expression::LinearTerm& term : collect(pool_, expression::frechet(pool_, residual)))
        parts.push_back(term.coefficient);
      bool jumps = false;
      for (std::vector<double> point : points_at({side.condition->axis, axis}, {side.place, z}))
        for (Expr part : parts) {
          point[at(axis)] = z - kBesideKink * length_of(axis);
          const std::optional<double> before = value(part, point);
          point[at(axis)] = z + kBesideKink * length_of(axis);
          const std::optional<double> after = value(part, point);
          jumps = jumps || !before || !after ||
                  std::abs(*after - *before) > kJumpOfSide * std::max(std::abs(*after), std::abs(*before));
        }
      if (jumps)
        add({{side.condition->axis, axis},
             {side.place, z},
             fmt::format("\"{}\" jumps at {} = {:.6g}", side.condition->text.text, model_.axes[at(axis)].name, z),
             "the condition jumps",
             0.0,
             1});
    }
  }

  // What a condition c u + r = 0 prescribes; nothing where it holds derivatives, or more than one unknown.
  struct Prescribed {
    int field = -1;
    Expr coefficient = nullptr;
  };
  std::optional<Prescribed> prescribed_by(const ConditionModel& condition) {
    std::optional<Prescribed> found;
    for (const expression::LinearTerm& term : collect(pool_, expression::frechet(pool_, condition.residual))) {
      if (found || !expression::is_atom(term.leaf)) return std::nullopt;
      const Atom atom = expression::atom_of(pool_, term.leaf);
      if (std::any_of(atom.orders.begin(), atom.orders.end(), [](int order) { return order > 0; }) ||
          term.coefficient->facts.degree > 0)
        return std::nullopt;
      found = {atom.field, term.coefficient};
    }
    return found;
  }

  void add_clash(const Side& one, const Side& other) {
    const std::array<int, 2> axes{one.condition->axis, other.condition->axis};
    if (axes[0] == axes[1]) return;
    const std::optional<Prescribed> first = prescribed_by(*one.condition), second = prescribed_by(*other.condition);
    if (first.has_value() != second.has_value()) {
      const ConditionModel &free = first ? *other.condition : *one.condition,
                           &held = first ? *one.condition : *other.condition;
      if (free.equation == held.equation && holds_tangential_derivative(pool_, free))
        add({axes,
             {one.place, other.place},
             fmt::format("\"{}\" meets \"{}\"", held.text.text, free.text.text),
             "the kind of condition changes",
             0.0,
             1});
    }
    if (!first && !second) return add_clash_of_derivatives(one, other);
    if (!first || !second || first->field != second->field) return;
    double jump = 0.0;
    for (const std::vector<double>& point : points_at(axes, {one.place, other.place})) {
      const std::optional<double> a = value(one.condition->residual, point), c = value(first->coefficient, point),
                                  b = value(other.condition->residual, point), d = value(second->coefficient, point);
      if (!a || !b || !c || !d || *c == 0.0 || *d == 0.0) continue;
      const double difference = std::abs(*a / *c - *b / *d), size = std::max(std::abs(*a / *c), std::abs(*b / *d));
      if (is_felt(difference / std::max(size, 1e-300), tolerance_)) jump = std::max(jump, difference);
    }
    if (jump > 0.0)
      add({axes,
           {one.place, other.place},
           fmt::format("\"{}\" and \"{}\" differ by {:.4g} where these sides meet", one.condition->text.text,
                       other.condition->text.text, jump),
           fmt::format("{} jumps by {:.4g}", model_.fields[at(first->field)].name, jump),
           0.0,
           2});
  }

  // Both prescribe the same derivatives, as the shear stress of two free sides that meet, and different values of them.
  void add_clash_of_derivatives(const Side& one, const Side& other) {
    const std::array<int, 2> axes{one.condition->axis, other.condition->axis};
    using Terms = std::map<std::pair<int, std::vector<int>>, double>;
    bool differ = false;
    for (const std::vector<double>& point : points_at(axes, {one.place, other.place})) {
      const auto terms_of = [&](const ConditionModel& condition) {
        Terms terms;
        for (const expression::LinearTerm& term : collect(pool_, expression::frechet(pool_, condition.residual))) {
          if (!expression::is_atom(term.leaf)) return Terms();
          const Atom atom = expression::atom_of(pool_, term.leaf);
          terms[{atom.field, atom.orders}] += value(term.coefficient, point).value_or(0.0);
        }
        std::erase_if(terms, [](const auto& term) { return term.second == 0.0; });
        return terms;
      };
      const Terms first = terms_of(*one.condition), second = terms_of(*other.condition);
      const std::optional<double> a = value(one.condition->residual, point),
                                  b = value(other.condition->residual, point);
      if (first.empty() || first.size() != second.size() || !a || !b) return;
      const double ratio = second.begin()->second / first.begin()->second;
      for (auto i = first.begin(), j = second.begin(); i != first.end(); ++i, ++j)
        if (i->first != j->first || std::abs(j->second - ratio * i->second) > kJumpOfSide * std::abs(j->second)) return;
      differ = differ || std::abs(*b - ratio * *a) > kJumpOfSide * std::max(std::abs(*b), std::abs(ratio * *a));
    }
    if (differ)
      add({axes,
           {one.place, other.place},
           fmt::format("\"{}\" and \"{}\" differ where these sides meet", one.condition->text.text,
                       other.condition->text.text),
           "a derivative jumps",
           0.0,
           1});
  }

  void add(SideCorner corner) {
    if (corner.axes[0] > corner.axes[1]) {
      std::swap(corner.axes[0], corner.axes[1]);
      std::swap(corner.places[0], corner.places[1]);
    }
    const bool is_known = std::any_of(corners_.begin(), corners_.end(), [&](const SideCorner& known) {
      return known.axes == corner.axes && known.places == corner.places;
    });
    const double n_cells = corner.jump + std::ceil(-0.5 * std::log10(tolerance_));
    corner.widths = std::pow(kGradingRatio, 1.0 - std::max(n_cells, 2.0));
    if (!is_known) corners_.push_back(std::move(corner));
  }

  const Model& model_;
  Pool& pool_;
  double tolerance_;
  std::vector<Expr> zeros_;
  std::vector<double> parameters_;
  std::vector<SideCorner> corners_;
};

}  // namespace

std::vector<SideCorner> side_corners(const Case& the_case, const Model& model) {
  if (!the_case.resolution.automatic() || model.time_axis() >= 0 || model.n_modal_axes() < 2) return {};
  return CornerSearch(model, tolerance_of_answer(the_case)).run();
}

Model graded_toward_corners(const Case& the_case, Model model) {
  const std::vector<SideCorner> corners = side_corners(the_case, model);
  std::vector<double> spacings;
  for (const SideCorner& corner : corners) {
    double shorter = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < 2; ++i)
      for (double length : lengths_beside(model.subdomains[at(corner.axes[i])], corner.places[i]))
        shorter = std::min(shorter, length);
    spacings.push_back(kNotJudged * shorter / corner.widths);
  }
  for (std::size_t c = 0; c < corners.size(); ++c)
    for (std::size_t i = 0; i < 2; ++i) {
      AxisDescription& mine = model.subdomains[at(corners[c].axes[i])];
      mine = cut_toward(std::move(mine), corners[c].places[i], spacings[c], kGradingRatio,
                        the_case.resolution.max_domains);
    }
  return model;
}

std::vector<AxisDescription> with_another_level(const std::vector<SideCorner>& corners,
                                                std::vector<AxisDescription> subdomains) {
  std::vector<std::pair<int, double>> done;
  for (const SideCorner& corner : corners)
    for (std::size_t i = 0; i < 2; ++i) {
      const std::pair<int, double> place{corner.axes[i], corner.places[i]};
      if (std::find(done.begin(), done.end(), place) != done.end()) continue;
      done.push_back(place);
      AxisDescription& mine = subdomains[at(corner.axes[i])];
      const std::vector<double> lengths = lengths_beside(mine, corner.places[i]);
      if (lengths.empty()) continue;
      const double spacing = 0.99 * *std::min_element(lengths.begin(), lengths.end());
      mine = cut_toward(std::move(mine), corner.places[i], spacing, kGradingRatio, std::numeric_limits<int>::max());
    }
  return subdomains;
}

std::vector<LeftOut> left_out_of(const std::vector<SideCorner>& corners,
                                 const std::vector<AxisDescription>& subdomains) {
  constexpr double kAlways = std::numeric_limits<double>::infinity();
  std::vector<LeftOut> left_out;
  for (const SideCorner& corner : corners) {
    double longest = 0.0;
    for (std::size_t i = 0; i < 2; ++i)
      for (double length : lengths_beside(subdomains[at(corner.axes[i])], corner.places[i]))
        longest = std::max(longest, length);
    const double width = (1.0 + kAtPlace) * corner.widths * longest;
    left_out.push_back({-kAlways, kAlways, corner.axes[0], corner.places[0], width, corner.what, "", corner.axes[1],
                        corner.places[1]});
  }
  return left_out;
}

std::vector<std::string> describe(const Model& model, const std::vector<SideCorner>& corners) {
  const std::vector<LeftOut> left_out = left_out_of(corners, model.subdomains);
  std::vector<std::string> texts;
  for (std::size_t c = 0; c < corners.size(); ++c)
    texts.push_back(fmt::format(
        "{}: the solution is singular at {} = {:.6g}, {} = {:.6g}; subdomains are graded toward it, and what is within "
        "{:.3g} of it along both axes is not judged",
        corners[c].text, model.axes[at(corners[c].axes[0])].name, corners[c].places[0],
        model.axes[at(corners[c].axes[1])].name, corners[c].places[1], left_out[c].width));
  return texts;
}

// Coefficients of all fields, with zeros in the cells where nothing is judged.
static std::vector<Array> judged_coefficients(const Model& model, std::vector<Array> coefficients,
                                              const std::vector<AxisDescription>& subdomains,
                                              const std::vector<LeftOut>& left_out) {
  // Of each axis, and of each place that is left out: which coefficients belong to subdomains that reach into it.
  const auto within = [&](int axis, double place, double width) {
    const AxisDescription& mine = subdomains[at(axis)];
    const Index n = make_basis(mine)->n_per_subdomain();
    std::vector<bool> inside;
    for (Index p = 0; p < mine.n_subdomains(); ++p)
      inside.insert(
          inside.end(), at(n),
          mine.edges[at(p)] < place + kInnerShare * width && mine.edges[at(p + 1)] > place - kInnerShare * width);
    return inside;
  };
  for (const LeftOut& place : left_out) {
    if (place.other_axis < 0) continue;
    const std::vector<bool> first = within(place.axis, place.place, place.width),
                            second = within(place.other_axis, place.other_place, place.width);
    for (std::size_t f = 0; f < coefficients.size(); ++f) {
      if (!model.fields[f].depends_on(place.axis) || !model.fields[f].depends_on(place.other_axis)) continue;
      Array& a = coefficients[f];
      for (Index i = 0; i < a.size(); ++i) {
        const std::vector<Index> index = unravel(a.shape, i);
        if (first[at(index[at(place.axis)])] && second[at(index[at(place.other_axis)])]) a.data[at(i)] = 0.0;
      }
    }
  }
  return coefficients;
}

Tails judged_tails(std::span<const std::unique_ptr<Window>> windows, FieldScales sizes, std::span<const int> levels,
                   const std::vector<SideCorner>& corners) {
  const Model& model = windows.front()->system.model();
  const std::vector<AxisDescription> subdomains = windows.front()->discretisation.subdomains();
  const std::vector<LeftOut> left_out = left_out_of(corners, subdomains);
  std::vector<std::vector<Array>> judged;
  for (const auto& window : windows) {
    judged.push_back(judged_coefficients(model, window->coefficients(), subdomains, left_out));
    sizes.update(model, judged.back(), subdomains);
  }
  Tails tails = measure_tails(*windows.front(), sizes, levels, {}, &judged.front());
  for (std::size_t p = 1; p < windows.size(); ++p)
    tails = largest_of(tails, measure_tails(*windows[p], sizes, levels, {}, &judged[p]));
  // Where short series do not show it: that of the subdomains beside one that ends at a singularity.
  const double decay = std::log((1.0 + std::sqrt(kGradingRatio)) / (1.0 - std::sqrt(kGradingRatio)));
  for (std::vector<double>& along : tails.decay)
    for (double& one : along)
      if (one == 0.0) one = decay;
  return tails;
}

}  // namespace gwrm
