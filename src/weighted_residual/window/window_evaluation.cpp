// The rows of a window evaluated: the residual, and the linearised rows without their matrix.
//
// Nodal in time, a row holds values at its own point in time only (averaging_unsupported_reason): large systems are
// evaluated one point after the other, so that the numbers stay in the cache, and in threads.
#include <algorithm>
#include <mutex>
#include <optional>

#include "core/blas.hpp"
#include "core/parallel_loop.hpp"
#include "core/thread_scratch.hpp"
#include "core/vector_clones.hpp"
#include "kernels/transform/tensor_transform.hpp"
#include "weighted_residual/window/averaged_rows.hpp"
#include "weighted_residual/window/series_evaluation.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {
namespace {

constexpr Index kSolvedForThreads = 20000;  // unknowns: some milliseconds of work

// What an evaluation needs of memory; each thread keeps its own from call to call.
struct Workspace {
  AtomValues::Memory atoms;
  expression::Tape::Memory tape;
  Buffer form, first, second;
};
Workspace& workspace() {
  return thread_scratch<Workspace>();
}

ArrayView at_time(const Array& a, Index time) {
  return time < 0 ? ArrayView(a) : ArrayView(a).at_first(time);
}

// coefficient * direction at the points; the coefficient may be the same at all of them.
struct Factors {
  const double* coefficient;
  bool varies;
  const double* direction;
};

// total = the sum of four or of one of them, or total += it.
GWRM_VECTOR_CLONES void sum_four(const Factors* factors, bool add, Index n, double* total) {
  const double *a0 = factors[0].coefficient, *a1 = factors[1].coefficient, *a2 = factors[2].coefficient,
               *a3 = factors[3].coefficient;
  const double *b0 = factors[0].direction, *b1 = factors[1].direction, *b2 = factors[2].direction,
               *b3 = factors[3].direction;
  for (Index i = 0; i < n; ++i) {
    double sum = add ? total[i] : 0.0;
    sum += a0[i] * b0[i];
    sum += a1[i] * b1[i];
    sum += a2[i] * b2[i];
    sum += a3[i] * b3[i];
    total[i] = sum;
  }
}
GWRM_VECTOR_CLONES void sum_one(const Factors& factors, bool add, Index n, double* total) {
  const double *a = factors.coefficient, *b = factors.direction;
  if (factors.varies) {
    for (Index i = 0; i < n; ++i) total[i] = (add ? total[i] : 0.0) + a[i] * b[i];
  } else {
    const double factor = *a;
    for (Index i = 0; i < n; ++i) total[i] = (add ? total[i] : 0.0) + factor * b[i];
  }
}

// total = the sum of all, in their order, by chunks that stay in the first-level cache.
void add_up(std::vector<Factors>& factors, Index size, double* total) {
  constexpr Index kChunk = 2048;
  constexpr std::size_t kTogether = 4;
  if (factors.empty()) std::fill_n(total, size, 0.0);
  for (Index first = 0; first < size; first += kChunk) {
    const Index n = std::min(kChunk, size - first);
    for (std::size_t i = 0; i < factors.size();) {
      const auto begin = factors.begin() + static_cast<std::ptrdiff_t>(i);
      const bool together = i + kTogether <= factors.size() &&
                            std::all_of(begin, begin + kTogether, [](const Factors& f) { return f.varies; });
      if (together)
        sum_four(&factors[i], i > 0, n, total + first);
      else
        sum_one(factors[i], i > 0, n, total + first);
      i += together ? kTogether : 1;
    }
    for (Factors& f : factors) {
      if (f.varies) f.coefficient += n;
      f.direction += n;
    }
  }
}

// The factors of the terms of one linearised row.
class LinearForm {
 public:
  LinearForm(const Linearisation& at_x, const std::vector<ArrayView>& directions, Index time, std::size_t n_axes)
      : at_x_(at_x), directions_(directions), time_(time), one_(Shape(n_axes, 1), &kOne) {}

  // The values of an integral that later terms hold.
  void add_integral(Array values) { integrals_.push_back(std::move(values)); }

  // sum of coefficient * direction over the terms, at the points.
  ArrayView sum(const std::vector<RowTerm>& terms, Buffer& memory) const {
    std::vector<std::pair<ArrayView, ArrayView>> products;
    Shape extents = one_.shape;
    for (const RowTerm& term : terms) {
      const auto& [coefficient, direction] =
          products.emplace_back(term.coefficient < 0 ? one_ : at_time(at_x_.coefficients[term.coefficient], time_),
                                term.integral < 0 ? directions_[term.direction] : ArrayView(integrals_[term.integral]));
      for (std::size_t axis = 0; axis < extents.size(); ++axis)
        extents[axis] = std::max({extents[axis], coefficient.shape[axis], direction.shape[axis]});
    }
    const Index size = element_count(extents);
    double* total = memory.reserve(size);
    const bool broadcasts = std::any_of(products.begin(), products.end(), [&](const auto& product) {
      return product.second.size() != size || (product.first.size() != size && product.first.size() != 1);
    });
    if (broadcasts) {
      std::fill_n(total, size, 0.0);
      for (const auto& [coefficient, direction] : products) add_product(total, extents, coefficient, direction);
      return {std::move(extents), total};
    }
    std::vector<Factors> factors;
    for (const auto& [coefficient, direction] : products)
      factors.push_back({coefficient.data, coefficient.size() == size, direction.data});
    add_up(factors, size, total);
    return {std::move(extents), total};
  }

 private:
  static constexpr double kOne = 1.0;
  const Linearisation& at_x_;
  const std::vector<ArrayView>& directions_;
  Index time_;
  ArrayView one_;
  std::vector<Array> integrals_;
};

}  // namespace

template <class Body>
void WindowSystem::for_each_time(const Body& body) const {
  if (!time_by_time_) {
    body(Index{-1});
    return;
  }
  const Index n_times = discretisation_.n_points(model_.time_axis());
  const bool in_threads = context_.n_threads() > 1 && size_ > kSolvedForThreads;
  std::optional<SingleThreadedBlas> single;
  if (in_threads) single.emplace();
  for_each_index_dynamically(n_times, in_threads, context_.n_threads(), body);
}

std::vector<ArrayView> WindowSystem::leaf_values(const std::vector<Leaf>& leaves, const std::vector<ArrayView>& values,
                                                 Index time) {
  std::vector<ArrayView> result;
  for (const Leaf& leaf : leaves) result.push_back(leaf.value < 0 ? at_time(leaf.fixed, time) : values[leaf.value]);
  return result;
}

Index WindowSystem::row_size(const RowBlock& row, Index time) const {
  return element_count(row.extents) / (time < 0 ? 1 : discretisation_.n_points(model_.time_axis()));
}

// target = test . values along every axis, with the operation of a banded term in place of the test along its axis.
void WindowSystem::apply_tests(const RowBlock& row, const BandedRowTerm* banded, ArrayView values, Index time,
                               double* target) const {
  struct Step {
    std::size_t axis;
    const BlockMatrix* matrix;
  };
  std::vector<Step> steps;
  std::vector<BlockMatrix> sums;
  sums.reserve(row.tests.size());
  for (std::size_t axis = time < 0 ? 0 : 1; axis < row.tests.size(); ++axis) {
    const bool on_coefficients = banded != nullptr && static_cast<int>(axis) == plan_.banded_axis;
    const BlockMatrix& test = on_coefficients ? banded->operation : row.tests[axis];
    if (values.shape[axis] == 1 && test.cols > 1) {  // does not vary along the axis: the test of a constant
      sums.emplace_back(test.row_sums());
      steps.push_back({axis, &sums.back()});
    } else if (!test.identity) {
      steps.push_back({axis, &test});
    }
  }
  if (steps.empty()) std::copy_n(values.data, values.size(), target);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Shape shape = values.shape;
    shape[steps[i].axis] = steps[i].matrix->rows;
    Buffer& memory = i % 2 == 0 ? workspace().first : workspace().second;
    double* y = i + 1 == steps.size() ? target : memory.reserve(element_count(shape));
    cpu::block_transform(values.data, values.shape, steps[i].axis, *steps[i].matrix, y);
    values = {std::move(shape), y};
  }
}

// f[rows] = scale * test . values, the values in the points.
void WindowSystem::project(const RowBlock& row, const ArrayView& values, Index time, std::span<double> f) const {
  const Index size = row_size(row, time);
  if (row.kind == RowBlock::Kind::mean) return project_mean(row, values, time, f);
  double* target = f.data() + row.offset + std::max<Index>(0, time) * size;
  apply_tests(row, nullptr, values, time, target);
  if (row.scale != 1.0)
    for (Index i = 0; i < size; ++i) target[i] *= row.scale;
}

Index WindowSystem::place_of(const RowBlock& row, Index i) const {
  if (row.kind != RowBlock::Kind::mean) return row.offset + i;
  const Index n_places = static_cast<Index>(row.places.size()), n_times = element_count(row.extents) / n_places;
  const Index stride = element_count(rows_[at(row.equation)].extents) / n_times;
  return row.offset + i / n_places * stride + row.places[at(i % n_places)];
}

// The same over rows of the equation, at every time: after these have been projected.
void WindowSystem::project_mean(const RowBlock& row, const ArrayView& values, Index time, std::span<double> f) const {
  std::vector<double> share(static_cast<std::size_t>(row_size(row, time)));
  apply_tests(row, nullptr, values, time, share.data());
  const RowBlock& equation = rows_[at(row.equation)];
  const Index n_times = static_cast<Index>(share.size() / row.places.size());
  const Index stride = row_size(equation, time) / n_times;
  const double* source = share.data();
  double* target = f.data() + row.offset + std::max<Index>(0, time) * row_size(equation, time);
  for (Index k = 0; k < n_times; ++k, target += stride)
    for (Index place : row.places) target[place] = row.scale * *source++;
}

// f[rows] += test . (coefficient * values), with the banded operation in place of the test along its axis.
void WindowSystem::add_banded(const RowBlock& row, const BandedRowTerm& term, const ArrayView& coefficient,
                              const ArrayView& values, Index time, std::span<double> f) const {
  Array product(values.shape);
  add_product(product.data.data(), product.shape, coefficient, values);
  std::vector<double> share(static_cast<std::size_t>(row_size(row, time)));
  apply_tests(row, &term, product, time, share.data());
  double* target = f.data() + row.offset + std::max<Index>(0, time) * row_size(row, time);
  for (double value : share) *target++ += value;
}

void WindowSystem::residual(std::span<const double> x, std::span<double> f) {
  if (series_ != nullptr) return series_->residual(x, f);
  const std::vector<Array> starts = cpu_values_.in_time(layouts_, x, &state_);
  const std::vector<Leaf>& leaves = with_data(cpu_residual_leaves_);
  for_each_time([&](Index time) {
    AtomValues::Memory& memory = workspace().atoms;
    cpu_values_.in_space(starts, time, memory);
    expression::Tape::Memory& tape = workspace().tape;
    std::vector<Array> rows =
        cpu_residual_tape().evaluate(leaf_values(leaves, memory.values, time), discretisation_.weights(), tape);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const bool of_coefficients = rows_[i].value >= 0;
      if (rows_[i].other_value >= 0) {
        Array sum = memory.values[rows_[i].value].copy();
        const double* other = memory.values[rows_[i].other_value].data;
        for (double& value : sum.data) value += *other++;
        project(rows_[i], sum, time, f);
        continue;
      }
      project(rows_[i], of_coefficients ? memory.values[rows_[i].value] : ArrayView(rows[i]), time, f);
      for (const BandedRowTerm& term : rows_[i].banded)
        add_banded(rows_[i], term, rows[term.coefficient], memory.values[term.value], time, f);
      for (const SymbolRowTerm& term : rows_[i].symbols)
        add_symbol(rows_[i], term, rows[term.value], memory.values[term.of_values], time, f);
    }
    tape.give_back(std::move(rows));
  });
}

void WindowSystem::project_equations(const std::vector<Array>& values, std::span<double> f) const {
  std::fill(f.begin(), f.end(), 0.0);
  for (const RowBlock& row : rows_)
    if (row.kind == RowBlock::Kind::equation) project(row, values[at(row.index)], -1, f);
}

Linearisation WindowSystem::linearise(std::span<const double> x) const {
  Linearisation at_x;
  linearise(x, at_x);
  return at_x;
}

void WindowSystem::linearise(std::span<const double> x, Linearisation& at_x) const {
  if (series_ != nullptr) at_x.series = series_->linearise(x);
  // What averages over time is built from the values at the points.
  if (series_ != nullptr && !averaging_unsupported_reason(model_, plan_).empty()) return;
  std::vector<Array>& all = at_x.coefficients;
  const std::vector<Leaf>& leaves = with_data(cpu_jacobian_leaves_);
  const bool reads_unknowns =
      std::any_of(leaves.begin(), leaves.end(), [](const Leaf& leaf) { return leaf.value >= 0; });
  std::vector<Array> starts;
  if (reads_unknowns) starts = cpu_coefficients_.in_time(layouts_, x, &state_);
  if (!time_by_time_) {
    AtomValues::Memory memory;
    expression::Tape::Memory tape;
    tape.give_back(std::exchange(all, {}));
    if (reads_unknowns) cpu_coefficients_.in_space(starts, -1, memory);
    all = plan_.jacobian_tape.evaluate(leaf_values(leaves, memory.values, -1), discretisation_.weights(), tape);
    return;
  }
  // Time is the first axis: each point in time fills its part of what varies.
  std::vector<bool> vary;
  for (const Leaf& leaf : leaves) vary.push_back(leaf.value >= 0 || leaf.fixed.shape.front() > 1);
  vary = plan_.jacobian_tape.depends_on(vary);
  const Index n_times = discretisation_.n_points(model_.time_axis());
  std::once_flag shaped;
  for_each_time([&](Index time) {
    AtomValues::Memory& memory = workspace().atoms;
    if (reads_unknowns) cpu_coefficients_.in_space(starts, time, memory);
    std::vector<Array> own = plan_.jacobian_tape.evaluate(leaf_values(leaves, memory.values, time),
                                                          discretisation_.weights(), workspace().tape);
    std::call_once(shaped, [&] {
      all.resize(own.size());
      for (std::size_t i = 0; i < own.size(); ++i) {
        Shape shape = own[i].shape;
        shape.front() = vary[i] ? n_times : 1;
        if (all[i].shape != shape) all[i] = Array(std::move(shape));
      }
    });
    for (std::size_t i = 0; i < own.size(); ++i)
      if (vary[i] || time == 0)
        std::copy(own[i].data.begin(), own[i].data.end(), all[i].data.begin() + time * own[i].size());
    workspace().tape.give_back(std::move(own));
  });
}

void WindowSystem::apply_jacobian(const Linearisation& at_x, std::span<const double> v,
                                  std::span<double> result) const {
  if (at_x.series != nullptr) return series_->apply_jacobian(*at_x.series, v, result);
  const std::vector<Array> starts = cpu_directions_.in_time(layouts_, v, nullptr);
  for_each_time([&](Index time) {
    AtomValues::Memory& memory = workspace().atoms;
    cpu_directions_.in_space(starts, time, memory);
    LinearForm form(at_x, memory.values, time, model_.axes.size());
    for (std::size_t i = 0; i < plan_.integrals.size(); ++i) {  // an inner one comes before the one that holds it
      const std::size_t axis = at(plan_.integrals[i].axis);
      const Array inner = form.sum(cpu_integral_terms_[i], workspace().form).copy();
      form.add_integral(weighted_sum(inner, axis, discretisation_.weights()[axis]));
    }
    for (const RowBlock& row : rows_) {
      project(row, form.sum(row.cpu_terms, workspace().form), time, result);
      for (const BandedRowTerm& banded : row.banded)
        add_banded(row, banded, at_time(at_x.coefficients[banded.term.coefficient], time),
                   memory.values[banded.term.direction], time, result);
      for (const SymbolRowTerm& term : row.symbols)
        add_symbol(row, term, at_time(at_x.coefficients[term.coefficient], time), memory.values[term.of_direction],
                   time, result);
    }
  });
}

}  // namespace gwrm
