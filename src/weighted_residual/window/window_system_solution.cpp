// From the unknowns of a window to its polynomials and to the start of the next window.
#include <algorithm>
#include <optional>
#include <utility>

#include "core/blas.hpp"
#include "core/buffer.hpp"
#include "core/parallel_loop.hpp"
#include "core/thread_scratch.hpp"
#include "core/zeros.hpp"
#include "kernels/transform/complex_transform.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {
namespace {

// Of the unknowns of one field, along t; they are many, and are not copied before.
Array transformed_in_time(const Context& context, std::span<const double> x, const FieldLayout& field, int time,
                          const Matrix& matrix) {
  Array result;
  result.shape = field.extents;
  result.shape[at(time)] = matrix.rows();
  result.data = zeros(static_cast<std::size_t>(element_count(result.shape)), context.n_threads());
  cpu::block_transform(x.data() + field.offset, field.extents, at(time), BlockMatrix(matrix), result.data.data());
  return result;
}

// sum += what the state contributes, whose extent along t is 1: `matrix`, of one column, times it. In pieces, so that
// there is no second array of this size; each is computed as block_transform() would.
void add_state(const Context& context, Array& sum, int time, const Matrix& matrix, const Array& state) {
  struct Room : Buffer {};
  constexpr Index kPiece = 1024;                // as that of block_transform(): the same products
  constexpr Index kCopiedForThreads = 1000000;  // numbers
  const AroundDimension around(state.shape, at(time));
  const BlockMatrix column(matrix);
  const Index n = matrix.rows(), inner = around.inner, per_outer = (inner + kPiece - 1) / kPiece;
  const bool in_threads = context.n_threads() > 1 && sum.size() > kCopiedForThreads;
  std::optional<SingleThreadedBlas> single;
  if (in_threads) single.emplace();
  for_each_index(around.outer * per_outer, in_threads, context.n_threads(), [&](Index t) {
    const Index o = t / per_outer, first = t % per_outer * kPiece, width = std::min(kPiece, inner - first);
    double* const share = thread_scratch<Room>().reserve(n * kPiece);
    cpu::block_transform(state.data.data() + o * inner + first, {1, width}, 0, column, share);
    for (Index k = 0; k < n; ++k) {
      double* const row = sum.data.data() + (o * n + k) * inner + first;
      for (Index i = 0; i < width; ++i) row[i] += share[k * width + i];
    }
  });
}

}  // namespace

Array WindowSystem::unknowns_of(std::span<const double> x, int field) const {
  const FieldLayout& layout = layouts_[field];
  Array tensor;
  tensor.shape = layout.extents;
  const auto first = x.begin() + layout.offset;
  tensor.data.assign(first, first + element_count(layout.extents));
  return tensor;
}

Array WindowSystem::coefficients(std::span<const double> x, int field) const {
  const FieldModel& model = model_.fields[field];
  const int time = model_.time_axis();
  if (time < 0 || !model.depends_on(time)) return unknowns_of(x, field);
  const TimeBasis& basis = *discretisation_.time();
  Array sum = transformed_in_time(context_, x, layouts_[field], time, basis.coefficients(model.time_order));
  for (int m = 0; m < model.time_order; ++m)
    add_state(context_, sum, time, Matrix(basis.state_coefficients(m)), state_[field][m]);
  return sum;
}

State WindowSystem::end_state(std::span<const double> x) const {
  State end(model_.fields.size());
  const int time = model_.time_axis();
  for (int f = 0; f < static_cast<int>(model_.fields.size()); ++f) {
    const FieldModel& field = model_.fields[f];
    for (int r = 0; r < field.time_order; ++r) {
      const TimeBasis& basis = *discretisation_.time();
      Array value =
          transformed_in_time(context_, x, layouts_[f], time, Matrix(basis.row_at(basis.end(), field.time_order - r)));
      for (int m = r; m < field.time_order; ++m) {
        Array share = state_[f][m];
        const double factor = basis.state_at(basis.end(), m - r);
        for (double& entry : share.data) entry *= factor;
        add_to(value, share);
      }
      end[f].push_back(std::move(value));
    }
  }
  return end;
}

}  // namespace gwrm
