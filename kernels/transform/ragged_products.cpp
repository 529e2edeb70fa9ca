#include "kernels/transform/ragged_products.hpp"

#include <algorithm>

#include "core/errors.hpp"

namespace gwrm {

RaggedProducts::RaggedProducts(std::vector<RaggedTask> tasks, std::vector<RaggedTerm> terms)
    : tasks_(std::move(tasks)), terms_(std::move(terms)) {
  const auto n_terms = static_cast<std::int64_t>(terms_.size());
  for (const RaggedTask& task : tasks_)
    if (task.m < 0 || task.n < 0 || task.a_rows.divisor < 1 || task.c_rows.divisor < 1 || task.first_term < 0 ||
        task.n_terms < 0 || std::int64_t{task.first_term} + task.n_terms > n_terms)
      throw ShapeError("ragged products: a task of no shape");
  for (const RaggedTerm& term : terms_)
    if (term.n < 0) throw ShapeError("ragged products: a negative extent");
}

double RaggedProducts::operations() const {
  double operations = 0.0;
  for (const RaggedTask& task : tasks_)
    for (std::int32_t s = 0; s < task.n_terms; ++s)
      operations += 2.0 * task.m * task.n * terms_[static_cast<std::size_t>(task.first_term + s)].n;
  return operations;
}

void RaggedProducts::apply(const double* a, const double* b, bool add, double* c) const {
  for (const RaggedTask& task : tasks_)
    for (std::int32_t i = 0; i < task.m; ++i) {
      double* const row = c + task.c + task.c_rows.place(i);
      if (!add) std::fill(row, row + task.n, 0.0);
      for (std::int32_t s = 0; s < task.n_terms; ++s) {
        const RaggedTerm& term = terms_[static_cast<std::size_t>(task.first_term + s)];
        const double* const factors = a + term.a + task.a_rows.place(i);
        for (std::int32_t k = 0; k < term.n; ++k) {
          const double* const other = b + term.b + k * task.b_stride;
          for (std::int32_t j = 0; j < task.n; ++j) row[j] += factors[k] * other[j];
        }
      }
    }
}

}  // namespace gwrm
