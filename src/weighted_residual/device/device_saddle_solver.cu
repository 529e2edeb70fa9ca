#include "weighted_residual/device/device_saddle_solver.cuh"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/linear_algebra/device_vectors.cuh"

namespace gwrm::cuda {
namespace {

std::vector<TensorField> laplacians_of(const std::vector<SaddlePair>& pairs) {
  std::vector<TensorField> result;
  for (const SaddlePair& pair : pairs) result.push_back(pair.laplacian);
  return result;
}

Shape on_axes(const Shape& extents, const Shape& axes) {
  Shape result;
  for (Index axis : axes) result.push_back(extents[static_cast<std::size_t>(axis)]);
  return result;
}

}  // namespace

DeviceSaddleSolver::DeviceSaddleSolver(DeviceTools& tools, const WindowSystem& system,
                                       const std::vector<TensorField>& others, const std::vector<SaddlePair>& pairs,
                                       const TimeModes* modes, const std::vector<ModeNumber>& z)
    : tools_(tools),
      modes_(mode_matrices(modes)),
      tensors_(tools, modes_.n_modes),
      facts_(system),
      matrices_(tools.profile, tools.pool),
      others_(tools, others, z),
      laplacians_(tools, laplacians_of(pairs), z) {
  const SpatialLayout layout(system);
  spatial_rows_ = layout.rows;
  spatial_unknowns_ = layout.fields;
  for (int axis = 0; axis < static_cast<int>(system.model().axes.size()); ++axis)
    if (system.model().is_modal(axis)) axes_.push_back(axis);
  for (const RowBlock& row : system.rows()) blocks_.push_back({row.offset, on_axes(row.extents, axes_)});
  for (const FieldLayout& field : system.layouts()) fields_.push_back({field.offset, on_axes(field.extents, axes_)});
  first_ = add_list(matrices_, {0});
  for (const TensorField& other : others) add_other(other);
  for (const SaddlePair& pair : pairs) add_pair(pair, z);
  matrices_.send();
}

// Of blocks that begin at one place the last has the rows: those of means have none of their own.
std::size_t DeviceSaddleSolver::block_at(Index spatial_row) const {
  const auto behind = std::upper_bound(spatial_rows_.begin(), spatial_rows_.end() - 1, spatial_row);
  return static_cast<std::size_t>(behind - spatial_rows_.begin()) - 1;
}

std::size_t DeviceSaddleSolver::field_at(Index spatial_unknown) const {
  const auto behind = std::upper_bound(spatial_unknowns_.begin(), spatial_unknowns_.end() - 1, spatial_unknown);
  return static_cast<std::size_t>(behind - spatial_unknowns_.begin()) - 1;
}

void DeviceSaddleSolver::add_other(const TensorField& source) {
  Other other;
  other.block = block_at(source.rows);
  other.field = field_at(source.unknowns);
  for (const TensorConditions& conditions : source.conditions) other.conditions.push_back(block_at(conditions.rows));
  of_others_.push_back(std::move(other));
}

DeviceSaddleSolver::Term DeviceSaddleSolver::term_of(const SeparableTerm& source, const std::vector<ModeNumber>& z) {
  Term term;
  term.block = block_at(source.row);
  term.field = field_at(source.column);
  term.picked_extents = on_axes(source.column_extents, axes_);
  for (std::size_t d = 0; d < axes_.size(); ++d) {
    const AxisAction& action = source.actions[static_cast<std::size_t>(axes_[d])];
    term.picked.push_back(nullptr);
    if (action.picked.empty()) {
      term.products.push_back({d, action.matrix.rows(), add_complex(matrices_, action.matrix)});
    } else if (!action.is_identity(term.picked_extents[d])) {
      term.picked.back() = add_list(matrices_, action.picked);
      term.picked_extents[d] = static_cast<Index>(action.picked.size());
    }
  }
  std::vector<ModeNumber> factors;
  for (const ModeNumber& value : z)
    factors.push_back(source.factor * (source.power == 0 ? ModeNumber(1.0) : std::pow(value, source.power)));
  term.factors = add_factors(matrices_, factors);
  return term;
}

void DeviceSaddleSolver::add_pair(const SaddlePair& source, const std::vector<ModeNumber>& z) {
  const std::size_t n_modes = z.size();
  const auto same = [&](double factor) { return add_factors(matrices_, std::vector<ModeNumber>(n_modes, factor)); };
  Pair pair;
  pair.block = block_at(source.laplacian.rows);
  pair.field = field_at(source.laplacian.unknowns);
  pair.extents = source.laplacian.extents;
  pair.free_extents = source.laplacian.free_extents;
  for (const SeparableTerm& term : source.divergence) pair.divergence.push_back(term_of(term, z));
  for (const SeparableTerm& term : source.gradient) pair.gradient.push_back(term_of(term, z));
  for (const SeparableTerm& term : source.degrees) {
    pair.degrees.push_back(term_of(term, z));
    pair.degrees.back().factors = same(1.0 / term.factor);
  }
  pair.inverse = add_factors(matrices_, source.inverse);
  pair.identity = add_factors(matrices_, source.identity);
  for (const Matrix& wind : source.wind) {
    pair.wind.emplace_back();
    if (wind.size() == 0) continue;
    std::vector<ModeNumber> factors;
    for (std::size_t k = 0; k < n_modes; ++k)
      factors.push_back(source.wind_factor[k] *
                        (source.wind_power == 0 ? ModeNumber(1.0) : std::pow(z[k], source.wind_power)));
    pair.wind.back() = {add_complex(matrices_, wind), add_factors(matrices_, factors)};
  }
  pair.has_kernel = source.has_kernel;
  double first = 1.0;
  for (const Vector& l : source.left_null) {
    pair.left_null.push_back(add_complex(matrices_, Matrix(l.transpose())));
    first *= l(0);
  }
  pair.by_left_null = same(-1.0 / first);
  for (const Vector& one : source.constant) pair.constant.push_back(add_complex(matrices_, Matrix(one)));
  for (const SeparableFunctional::Term& term : source.gauge.terms) {
    Pair::Functional functional;
    for (const RowVector& row : term.rows) functional.rows.push_back(add_complex(matrices_, Matrix(row)));
    functional.factors = same(term.factor);
    pair.gauge.push_back(std::move(functional));
  }
  pair.by_gauge = same(1.0 / source.gauge_of_one);
  pairs_.push_back(std::move(pair));
}

DeviceArray DeviceSaddleSolver::in_modes(const double* v, const Part& part) const {
  DeviceArray y = tensors_.take(part.extents);
  to_time_modes(tools_.handles, modes_, v + part.offset, static_cast<std::size_t>(element_count(part.extents)),
                mode_numbers(y));
  return y;
}

void DeviceSaddleSolver::add(const Term& term, bool negative, const DeviceArray& x, DeviceArray& y) const {
  Shape extents = term.picked_extents;
  DeviceArray u = tensors_.pick(x, fields_[term.field].extents, term.picked, extents);
  for (const Term::Product& product : term.products)
    u = tensors_.along({product.matrix}, product.m, u, extents, product.d);
  if (y.empty()) y = tensors_.zero(blocks_[term.block].extents);
  tensors_.add(term.factors, negative, u, extents, y);
}

void DeviceSaddleSolver::apply(const double* v, double* result) {
  const DeviceArray results = tools_.pool.take(2);
  look_at_rows(v, results.data());
  double largest[2] = {0.0, 0.0};
  tools_.profile.download(largest, results.data(), 2);
  apply(v, largest, result);
}

void DeviceSaddleSolver::apply(const double* v, const double* facts, double* result) {
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::preconditioner);
  const bool with_conditions = DeviceRowFacts::conditions_matter(facts);
  // w* = A^-1 r
  std::vector<DeviceTensorFields::Right> rights(others_.size());
  std::vector<std::size_t> all(others_.size());
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t f : all) {
    rights[f].equation = in_modes(v, blocks_[of_others_[f].block]);
    for (std::size_t c = 0; with_conditions && c < of_others_[f].conditions.size(); ++c)
      rights[f].conditions.push_back(in_modes(v, blocks_[of_others_[f].conditions[c]]));
  }
  std::vector<DeviceArray> of_others = others_.solve(all, std::move(rights)), unknowns(fields_.size());
  for (std::size_t f : all) unknowns[of_others_[f].field] = std::move(of_others[f]);
  for (std::size_t i = 0; i < pairs_.size(); ++i) unknowns[pairs_[i].field] = solve_multiplier(i, v, unknowns);
  add_correction(unknowns);
  for (std::size_t f = 0; f < fields_.size(); ++f)
    from_time_modes(tools_.handles, modes_, mode_numbers(unknowns[f]),
                    static_cast<std::size_t>(element_count(fields_[f].extents)), result + fields_[f].offset);
}

// p from D w* - c.
DeviceArray DeviceSaddleSolver::solve_multiplier(std::size_t i, const double* v,
                                                 const std::vector<DeviceArray>& unknowns) const {
  const Pair& pair = pairs_[i];
  const DeviceArray rows = in_modes(v, blocks_[pair.block]);
  DeviceArray right = tensors_.take(pair.free_extents);
  scale_and_add(tools_.handles, -1.0, rows.data(), 0.0, right.data(), right.size());
  for (const Term& term : pair.divergence) add(term, false, unknowns[term.field], right);
  const std::vector<const int*> first(pair.extents.size(), first_);
  if (pair.has_kernel) {  // the entry for the row in place of which the mean stands: what makes l^T r vanish
    Shape extents = pair.free_extents;
    DeviceArray sum = tensors_.copy(right);
    for (std::size_t d = 0; d < pair.left_null.size(); ++d)
      sum = tensors_.along({pair.left_null[d]}, 1, sum, extents, d);
    tensors_.place(sum, extents, pair.by_left_null, first, right, pair.free_extents);
  }

  std::vector<DeviceTensorFields::Right> rights(1);
  rights[0].equation = tensors_.copy(right);
  const std::vector<DeviceArray> solved = laplacians_.solve({i}, std::move(rights));  // E^-1
  const std::vector<const int*> free = laplacians_.free_lists(i);
  const DeviceArray inverse = tensors_.pick(solved.front(), pair.extents, free, pair.free_extents);
  DeviceArray sum = tensors_.zero(pair.free_extents);
  tensors_.add(pair.identity, false, right, pair.free_extents, sum);
  tensors_.add(pair.inverse, false, inverse, pair.free_extents, sum);
  for (std::size_t d = 0; d < pair.wind.size(); ++d) {
    if (pair.wind[d].matrix == nullptr) continue;
    Shape extents = pair.free_extents;
    const DeviceArray carried = tensors_.along({pair.wind[d].matrix}, extents[d], inverse, extents, d);
    tensors_.add(pair.wind[d].factors, false, carried, extents, sum);
  }
  DeviceArray own = tensors_.zero(pair.extents);
  tensors_.place(sum, pair.free_extents, nullptr, free, own, pair.extents);
  for (const Term& term : pair.degrees)
    tensors_.place(in_modes(v, blocks_[term.block]), blocks_[term.block].extents, term.factors, term.picked, own,
                   pair.extents);
  if (pair.has_kernel) fix_mean(i, rows, own);
  return own;
}

// The row of the mean: + constant. rows: those of the constraint, its own among them.
void DeviceSaddleSolver::fix_mean(std::size_t i, const DeviceArray& rows, DeviceArray& own) const {
  const Pair& pair = pairs_[i];
  const Shape one(pair.extents.size(), 1);
  const std::vector<const int*> first(pair.extents.size(), first_);
  DeviceArray constant = tensors_.zero(one);
  tensors_.add(pair.by_gauge, false, tensors_.pick(rows, pair.free_extents, first, one), one, constant);
  for (const Pair::Functional& functional : pair.gauge) {
    Shape extents = pair.extents;
    DeviceArray value = tensors_.copy(own), sum = tensors_.zero(one);
    for (std::size_t d = 0; d < functional.rows.size(); ++d)
      value = tensors_.along({functional.rows[d]}, 1, value, extents, d);
    tensors_.add(functional.factors, false, value, one, sum);
    tensors_.add(pair.by_gauge, true, sum, one, constant);
  }
  Shape extents = one;
  for (std::size_t d = 0; d < pair.constant.size(); ++d)
    constant = tensors_.along({pair.constant[d]}, pair.free_extents[d], constant, extents, d);
  tensors_.place(constant, extents, nullptr, laplacians_.free_lists(i), own, pair.extents);
}

// w = w* - A^-1 G p
void DeviceSaddleSolver::add_correction(std::vector<DeviceArray>& unknowns) const {
  std::vector<DeviceArray> rows(blocks_.size());
  for (const Pair& pair : pairs_)
    for (const Term& term : pair.gradient) add(term, true, unknowns[pair.field], rows[term.block]);
  std::vector<std::size_t> driven;
  std::vector<DeviceTensorFields::Right> rights;
  for (std::size_t f = 0; f < of_others_.size(); ++f) {
    const Other& other = of_others_[f];
    DeviceTensorFields::Right right;
    bool any = !rows[other.block].empty();
    for (std::size_t block : other.conditions) {
      any = any || !rows[block].empty();
      right.conditions.push_back(std::move(rows[block]));
    }
    if (!any) continue;
    right.equation = rows[other.block].empty() ? tensors_.zero(others_.free_extents(f)) : std::move(rows[other.block]);
    driven.push_back(f);
    rights.push_back(std::move(right));
  }
  const std::vector<DeviceArray> corrections = others_.solve(driven, std::move(rights));
  for (std::size_t i = 0; i < driven.size(); ++i) {
    DeviceArray& own = unknowns[of_others_[driven[i]].field];
    scale_and_add(tools_.handles, 1.0, corrections[i].data(), 1.0, own.data(), own.size());
  }
}

}  // namespace gwrm::cuda
