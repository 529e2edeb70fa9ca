#include "output/point_plan.hpp"

#include <algorithm>

#include "basis/fast_rows.hpp"
#include "core/errors.hpp"

namespace gwrm {

using expression::Atom;
using expression::Expr;
using expression::Op;
using expression::Pool;

namespace {

constexpr Index kPointsOfBlock = cpu::kScatteredBlock;

std::span<const double> numbers_of(const PointBlock::Coordinates& axis, std::size_t count) {
  return std::span(axis.numbers).first(axis.is_fixed ? 1 : count);
}

// functions[k * kPointsOfBlock + p] of one subdomain at the points of a block.
void tabulate(const AxisBasis& basis, Index subdomain, std::span<const double> points, int order,
              std::vector<double>& functions) {
  functions.resize(static_cast<std::size_t>(basis.n_per_subdomain() * kPointsOfBlock));
  fast_rows(basis, subdomain, points, order, kPointsOfBlock, functions.data());
  const auto n = static_cast<Index>(points.size());
  for (Index k = 0; k < basis.n_per_subdomain(); ++k) {
    double* const row = functions.data() + k * kPointsOfBlock;
    std::fill(row + n, row + kPointsOfBlock, row[n - 1]);  // of one coordinate: for all points
  }
}

// Along one axis of a field: its basis and where the points are.
struct AxisPlace {
  const AxisBasis* basis;
  std::size_t axis;
  int order;
  bool restricted;
  PointBlock::Coordinates points;
  Index subdomain;  // -1: not the same for all
};

}  // namespace

WindowBases::WindowBases(const Solution& solution) {
  for (std::size_t w = 0; w < solution.subdomains.size(); ++w) {
    bases_.emplace_back();
    for (std::size_t axis = 0; axis < solution.axes.size(); ++axis) {
      const AxisDescription& own = solution.subdomains[w].at(axis);
      const bool is_known = w > 0 && bases_[w - 1][axis]->description() == own;
      bases_.back().push_back(is_known ? bases_[w - 1][axis] : make_basis(own));
    }
  }
}

// The functions of a block, by window, axis and derivative: unknowns and their derivatives share most of them.
struct PointPlan::Tables {
  struct Entry {
    std::size_t window, axis;
    int order;
    std::vector<double> functions;
  };
  std::vector<std::unique_ptr<Entry>> entries;
  std::vector<double> sums;

  const double* get(std::size_t window, const AxisPlace& place, std::size_t count, Index subdomain) {
    for (const auto& entry : entries)
      if (entry->window == window && entry->axis == place.axis && entry->order == place.order)
        return entry->functions.data();
    entries.push_back(std::make_unique<Entry>(Entry{window, place.axis, place.order, {}}));
    tabulate(*place.basis, subdomain, numbers_of(place.points, count), place.order, entries.back()->functions);
    return entries.back()->functions.data();
  }
};

PointPlan::PointPlan(const Pool& pool, const Solution& solution, const WindowBases& bases, std::span<const Expr> es)
    : solution_(solution), bases_(bases), time_(solution.windowed_axis()), pool_(&pool) {
  WithoutIntegrals parts = without_integrals(pool, es);
  for (Expr node : parts.integrals) {
    Integral integral;
    integral.axis = at(pool.symbols().find_axis(node->name));
    if (static_cast<int>(integral.axis) != time_)
      integral.windows = integrand_windows(solution, pool, node->args[0], integral.axis);
    integral.integrand =
        std::make_unique<PointPlan>(pool, solution, bases, std::span<const Expr>(node->args.data(), 1));
    integrals_.push_back(std::move(integral));
  }
  if (parts.pool) {
    own_pool_ = std::move(parts.pool);
    pool_ = own_pool_.get();
  }
  tape_ = std::make_unique<expression::Tape>(*pool_, parts.around);
}

void PointPlan::evaluate(const PointBlock& block, std::span<BlockNumbers> values,
                         std::span<const double* const> given) const {
  std::vector<BlockNumbers> known(integrals_.size());
  for (std::size_t i = 0; i < integrals_.size(); ++i) integrate(integrals_[i], block, known[i]);
  Tables tables;
  std::vector<Array> leaves;
  for (std::size_t i = 0; i < n_leaves(); ++i) {
    if (given.empty() || given[i] == nullptr) {
      leaves.push_back(leaf_values(tape_->leaves()[i], block, known, tables));
    } else {
      leaves.emplace_back(Shape(solution_.axes.size(), 1));
      leaves.back().shape.back() = static_cast<Index>(block.count);
      leaves.back().data.assign(given[i], given[i] + block.count);
    }
  }
  const std::vector<Array> results = tape_->evaluate(leaves, {});
  for (std::size_t e = 0; e < results.size(); ++e)
    for (std::size_t p = 0; p < block.count; ++p) values[e][p] = results[e].data[results[e].size() == 1 ? 0 : p];
}

// The points' own other coordinates, and one node of the quadrature after the other for all of them.
void PointPlan::integrate(const Integral& integral, const PointBlock& block, BlockNumbers& values) const {
  values.fill(0.0);
  PointBlock moved = block;
  PointBlock::Coordinates& axis = moved.axes[integral.axis];
  axis.is_fixed = true;
  BlockNumbers part{};
  const auto add = [&](const Quadrature& rule) {
    for (std::size_t i = 0; i < rule.points.size(); ++i) {
      axis.numbers[0] = rule.points[i];
      integral.integrand->evaluate(moved, std::span(&part, 1));
      const double weight = rule.weights[static_cast<Index>(i)];
      for (std::size_t p = 0; p < block.count; ++p) values[p] += weight * part[p];
    }
  };
  if (static_cast<int>(integral.axis) != time_)
    return add(
        quadrature_over(solution_, integral.axis, integral.windows.with(block.window), integral.windows.repeats));
  for (auto& other : moved.axes) other.subdomain = -1;  // those of another window are not the block's
  for (moved.window = 0; moved.window < solution_.n_windows(); ++moved.window)
    add(quadrature(solution_.subdomains[moved.window][integral.axis]));
}

const FieldSolution& PointPlan::field_of(const Atom& atom) const {
  const std::string& name = pool_->symbols().fields[at(atom.field)].name;
  const FieldSolution* field = solution_.find_field(name);
  if (field == nullptr) throw ShapeError("evaluate: the solution has no field " + name);
  if (field->windows.size() != 1 && field->windows.size() != solution_.n_windows())
    throw ShapeError("evaluate: " + name + " needs one array per time window");
  return *field;
}

// Derivatives along axes on which the field does not depend.
bool PointPlan::vanishes(const FieldSolution& field, const Atom& atom) const {
  for (std::size_t axis = 0; axis < atom.orders.size(); ++axis)
    if (atom.orders[axis] > 0 &&
        std::find(field.axes.begin(), field.axes.end(), static_cast<int>(axis)) == field.axes.end())
      return true;
  return false;
}

std::vector<PointPlan::SeriesLeaf> PointPlan::series() const {
  const std::size_t n_unknowns = pool_->symbols().fields.size() - integrals_.size();
  std::vector<SeriesLeaf> result;
  for (std::size_t i = 0; i < n_leaves(); ++i) {
    const Expr leaf = tape_->leaves()[i];
    if (leaf->op == Op::coordinate) continue;
    const Atom atom = expression::atom_of(*pool_, leaf);
    if (atom.direction || at(atom.field) >= n_unknowns) continue;
    const FieldSolution& field = field_of(atom);
    if (!vanishes(field, atom)) result.push_back({i, &field, atom});
  }
  return result;
}

// The last dimension of the tape's tensors stands for the points.
Array PointPlan::leaf_values(Expr leaf, const PointBlock& block, const std::vector<BlockNumbers>& known,
                             Tables& tables) const {
  Shape shape(solution_.axes.size(), 1);
  const auto as_array = [&](std::span<const double> numbers) {
    shape.back() = static_cast<Index>(numbers.size());
    Array values;
    values.shape = shape;
    values.data.assign(numbers.begin(), numbers.end());
    return values;
  };
  if (leaf->op == Op::coordinate)
    return as_array(numbers_of(block.axes[at(pool_->symbols().find_axis(leaf->name))], block.count));
  const Atom atom = expression::atom_of(*pool_, leaf);
  if (atom.direction) throw ShapeError("evaluate: the direction of a Frechet derivative has no values");
  const std::size_t n_unknowns = pool_->symbols().fields.size() - known.size();
  if (at(atom.field) >= n_unknowns) return as_array(std::span(known[at(atom.field) - n_unknowns]).first(block.count));

  const FieldSolution& field = field_of(atom);
  if (vanishes(field, atom)) return Array(shape);
  BlockNumbers values;
  atom_values(field, atom, block, tables, values);
  return as_array(std::span(values).first(block.count));
}

void PointPlan::atom_values(const FieldSolution& field, const Atom& atom, const PointBlock& block, Tables& tables,
                            BlockNumbers& values) const {
  const std::size_t window = field.windows.size() == 1              ? 0
                             : time_ >= 0 && atom.restricted[time_] ? solution_.window_of(atom.points[time_])
                                                                    : block.window;
  const Array& coefficients = field.windows[window];
  std::vector<AxisPlace> places;
  bool together = true;
  for (int a : field.axes) {
    const std::size_t axis = at(a);
    AxisPlace place{&bases_.get(window, axis), axis, atom.orders[axis], atom.restricted[axis], block.axes[axis], -1};
    if (places.size() >= coefficients.shape.size() ||
        place.basis->n_coefficients() != coefficients.shape[places.size()])
      throw ShapeError("evaluate: the coefficients of " + field.name + " do not have the degrees of the axes");
    if (place.restricted) {
      place.points.is_fixed = true;
      place.points.numbers[0] = atom.points[axis];
    }
    if (place.points.is_fixed)
      place.subdomain = place.basis->description().subdomain_of(place.points.numbers[0]);
    else if (window == block.window)
      place.subdomain = place.points.subdomain;
    together = together && place.subdomain >= 0;
    places.push_back(place);
  }

  std::vector<cpu::ScatteredAxis> axes(places.size());
  Index stride = 1;
  for (std::size_t d = places.size(); d-- > 0;) {
    axes[d].n = places[d].basis->n_per_subdomain();
    axes[d].stride = stride;
    stride *= coefficients.shape[d];
  }
  tables.sums.resize(static_cast<std::size_t>(cpu::scattered_sum_workspace(axes.size()) + kPointsOfBlock));
  double* const workspace = tables.sums.data() + kPointsOfBlock;
  const auto start_of = [&](const std::vector<Index>& subdomains) {
    Index start = 0;
    for (std::size_t d = 0; d < axes.size(); ++d) start += subdomains[d] * axes[d].n * axes[d].stride;
    return coefficients.data.data() + start;
  };

  std::vector<Index> subdomains(places.size());
  if (together) {
    for (std::size_t d = 0; d < places.size(); ++d) subdomains[d] = places[d].subdomain;
    // Restricted ones are this atom's own.
    std::vector<std::vector<double>> restricted(places.size());
    for (std::size_t d = 0; d < places.size(); ++d) {
      if (places[d].restricted) {
        tabulate(*places[d].basis, subdomains[d], numbers_of(places[d].points, block.count), places[d].order,
                 restricted[d]);
        axes[d].functions = restricted[d].data();
      } else {
        axes[d].functions = tables.get(window, places[d], block.count, subdomains[d]);
      }
    }
    cpu::scattered_sum(start_of(subdomains), axes, workspace, values.data());
    return;
  }

  // The points of a block in several subdomains of another window: those in the same ones together.
  std::vector<std::vector<double>> functions(places.size());
  std::vector<bool> is_done(block.count, false);
  for (std::size_t first = 0; first < block.count; ++first) {
    if (is_done[first]) continue;
    std::vector<std::size_t> members;
    const auto subdomain_at = [&](const AxisPlace& place, std::size_t p) {
      return place.subdomain >= 0 ? place.subdomain : place.basis->description().subdomain_of(place.points.numbers[p]);
    };
    for (std::size_t d = 0; d < places.size(); ++d) subdomains[d] = subdomain_at(places[d], first);
    for (std::size_t p = first; p < block.count; ++p) {
      bool is_member = !is_done[p];
      for (std::size_t d = 0; d < places.size() && is_member; ++d)
        is_member = subdomain_at(places[d], p) == subdomains[d];
      if (!is_member) continue;
      is_done[p] = true;
      members.push_back(p);
    }
    for (std::size_t d = 0; d < places.size(); ++d) {
      PointBlock::Coordinates own = places[d].points;
      if (!own.is_fixed)
        for (std::size_t i = 0; i < members.size(); ++i) own.numbers[i] = places[d].points.numbers[members[i]];
      tabulate(*places[d].basis, subdomains[d], numbers_of(own, members.size()), places[d].order, functions[d]);
      axes[d].functions = functions[d].data();
    }
    cpu::scattered_sum(start_of(subdomains), axes, workspace, tables.sums.data());
    for (std::size_t i = 0; i < members.size(); ++i) values[members[i]] = tables.sums[i];
  }
}

}  // namespace gwrm
