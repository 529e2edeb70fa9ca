// Many matrix products of different shapes in one pass: the steps of transforms whose matrices depend on a degree or an
// order.
//
// Formula   C = sum_s A_s B_s, or C += that, for every task; its terms s have matrices of the same steps, inner extents
//           of their own. A task without terms sets its C to zero.
// Shapes    A_s: m x k_s, B_s: k_s x n, C: m x n, all with contiguous rows, inside of three arrays. Row i of A and of C
//           begins at (i / divisor) outer + (i % divisor) inner: batches whose rows do not follow each other at one
//           step (orders, and nodes of time within each). Rows of B are b_stride apart.
// Cost      sum of 2 m n k operations. Device: tiles of 32 x 64 on the tensor cores, one launch whatever the shapes.
// Determinism  the same bits on every run of one backend: the sum runs over s and k in order.
// Errors    ShapeError from the constructor for a negative extent or terms that are not there. Tasks must not overlap
//           in C.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/array.hpp"

namespace gwrm {

struct RowSteps {
  std::int32_t divisor = 1;
  std::int64_t outer = 0, inner = 0;

  std::int64_t place(std::int64_t i) const { return i / divisor * outer + i % divisor * inner; }
};

struct RaggedTerm {
  std::int64_t a = 0, b = 0;  // places of the first entries
  std::int32_t n = 0;         // inner extent
};

struct RaggedTask {
  std::int32_t m = 0, n = 0;
  RowSteps a_rows, c_rows;
  std::int64_t b_stride = 0, c = 0;
  std::int32_t first_term = 0, n_terms = 0;
};

class RaggedProducts {
 public:
  RaggedProducts() = default;
  RaggedProducts(std::vector<RaggedTask> tasks, std::vector<RaggedTerm> terms);

  const std::vector<RaggedTask>& tasks() const { return tasks_; }
  const std::vector<RaggedTerm>& terms() const { return terms_; }
  double operations() const;
  // On the device: kernels/transform/device_ragged_products.cuh.
  void apply(const double* a, const double* b, bool add, double* c) const;

 private:
  std::vector<RaggedTask> tasks_;
  std::vector<RaggedTerm> terms_;
};

}  // namespace gwrm
