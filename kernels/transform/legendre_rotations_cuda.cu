#include "core/device_handles.cuh"
//
#include <algorithm>
#include <string>

#include "core/errors.hpp"
#include "kernels/transform/legendre_rotations.hpp"

namespace gwrm::cuda {

class LegendreRotationColumns {
 public:
  LegendreRotationColumns(const Context& context, std::shared_ptr<const LegendreRotationGrid> grid, Index outer,
                          Index inner)
      : context_(context), grid_(std::move(grid)), outer_(outer), inner_(inner) {
    if (outer < 0 || inner < 0)
      throw ShapeError("associated Legendre transform: " + std::to_string(outer) + " x " + std::to_string(inner) +
                       " columns");
    if (n_columns() == 0) return;
    for (const Index m : {0, 1}) {
      from_values_[m] = make_cosine_transform(context, grid_->from_values(m), outer, inner);
      to_values_[m] = make_cosine_transform(context, grid_->to_values(m), outer, inner);
    }
    to_legendre_ = make_connection(context, grid_->to_legendre());
    to_chebyshev_ = make_connection(context, grid_->to_chebyshev());
  }

  const Context& context() const { return context_; }
  const LegendreRotationGrid& grid() const { return *grid_; }
  Index outer() const { return outer_; }
  Index inner() const { return inner_; }
  Index n_columns() const { return outer_ * inner_; }
  const CosineTransform& from_values(bool odd) const { return *from_values_[odd ? 1 : 0]; }
  const CosineTransform& to_values(bool odd) const { return *to_values_[odd ? 1 : 0]; }
  const Connection& to_legendre() const { return *to_legendre_; }
  const Connection& to_chebyshev() const { return *to_chebyshev_; }

 private:
  Context context_;
  std::shared_ptr<const LegendreRotationGrid> grid_;
  Index outer_, inner_;
  std::unique_ptr<CosineTransform> from_values_[2], to_values_[2];
  std::unique_ptr<Connection> to_legendre_, to_chebyshev_;
};

namespace {

constexpr unsigned kThreads = 256;
constexpr long long kMostBlocks = 1 << 16;

std::size_t aligned(std::size_t bytes) {
  return (bytes + 255) / 256 * 256;
}

// What a row of number j, a frequency or degree, is multiplied by.
enum class RowFactor { one, integral, derivative, norm, inverse_norm };

// Rows `first_from` and on of one tensor as rows `first_to` and on of another; those of `to` that have no counterpart
// are zero.
struct Rows {
  const double* from;
  double* to;
  long long n_from, n_to, first_from, first_to, n_copied, inner, n_numbers;  // n_numbers of `to`
  long long number;                                                          // j of the first row that is copied
  long long highest;  // the sine of the highest frequency N_x, which counts half
  RowFactor factor;
  bool odd;
};

__device__ double factor_of(const Rows& rows, long long j) {
  const double degree = static_cast<double>(j);
  switch (rows.factor) {
    case RowFactor::integral:
      return (j == rows.highest ? 0.5 : 1.0) / degree;
    case RowFactor::derivative:
      return degree;
    case RowFactor::norm:  // in dx of P_j, or of sin(theta) P_j'
    case RowFactor::inverse_norm: {
      const double norm = ::sqrt((rows.odd ? 2.0 * degree * (degree + 1.0) : 2.0) / (2.0 * degree + 1.0));
      return rows.factor == RowFactor::norm ? norm : 1.0 / norm;
    }
    case RowFactor::one:
      break;
  }
  return 1.0;
}

__global__ void __launch_bounds__(kThreads) move_rows_kernel(const Rows rows) {
  const long long stride = static_cast<long long>(gridDim.x) * kThreads;
  for (long long i = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x; i < rows.n_numbers; i += stride) {
    const long long column = i % rows.inner, row = i / rows.inner % rows.n_to, batch = i / rows.inner / rows.n_to;
    const long long k = row - rows.first_to;
    const bool exists = k >= 0 && k < rows.n_copied;
    rows.to[i] = exists ? rows.from[(batch * rows.n_from + rows.first_from + k) * rows.inner + column] *
                              factor_of(rows, rows.number + k)
                        : 0.0;
  }
}

class RotationsOnDevice final : public LegendreRotationTransform {
 public:
  RotationsOnDevice(std::shared_ptr<const LegendreRotationColumns> columns, const LegendreRotationPlan& plan)
      : columns_(std::move(columns)), odd_(plan.m() % 2 == 1), n_(plan.n()), chain_(plan.chain()) {
    if (chain_.n_pairs > 0) table_bytes_ = aligned(rotation_workspace_bytes(chain_, n_));
    rows_bytes_ = aligned(sizeof(double) * static_cast<std::size_t>((n_points() + 1) * columns_->n_columns()));
  }

  // Two tensors of N_x + 1 rows that take turns; what the cosine transform needs, or the table of the chain.
  std::size_t workspace_bytes() const override {
    if (columns_->n_columns() == 0) return 0;
    return 2 * rows_bytes_ + std::max({table_bytes_, columns_->from_values(odd_).workspace_bytes(),
                                       columns_->to_values(odd_).workspace_bytes()});
  }

  void forward(const double* f, double* c, void* workspace) const override {
    if (columns_->n_columns() == 0) return;
    double *a = static_cast<double*>(workspace), *b = a + rows_bytes_ / sizeof(double);
    const Index n = n_points(), n_rows = chain_.n_rows(n_);
    // Values to a series of T_i, i <= N_x: their own, or that of minus its derivative in theta.
    columns_->from_values(odd_).run(f, n, a, n, {2.0 / static_cast<double>(n), odd_ ? 1.0 : 0.5}, behind(workspace));
    move(odd_ ? RowFactor::integral : RowFactor::one, a, n, 0, b, n + 1, first(), n);
    columns_->to_legendre().run(false, b, a, columns_->outer(), columns_->inner());
    double* const normalised = chain_.n_pairs > 0 ? b : c;
    move(RowFactor::norm, a, n + 1, first(), normalised, n_rows, 0, n_rows);
    if (chain_.n_pairs > 0)
      rotate_forward_to(columns_->context(), chain_, n_, columns_->outer(), columns_->inner(), b, c, behind(workspace));
  }

  void backward(const double* c, double* f, void* workspace) const override {
    if (columns_->n_columns() == 0) return;
    double *a = static_cast<double*>(workspace), *b = a + rows_bytes_ / sizeof(double);
    const Index n = n_points(), n_rows = chain_.n_rows(n_), n_known = columns_->grid().degree() + 1;
    const double* normalised = c;
    if (chain_.n_pairs > 0) {
      rotate_backward_to(columns_->context(), chain_, n_, columns_->outer(), columns_->inner(), c, a,
                         behind(workspace));
      normalised = a;
    }
    move(RowFactor::inverse_norm, normalised, n_rows, 0, b, n_known, first(), n_rows);
    columns_->to_chebyshev().run(false, b, a, columns_->outer(), columns_->inner());
    // The sine series of minus the derivative has one number less.
    const double* series = a;
    const Index n_series = n_known - first();
    if (odd_) {
      move(RowFactor::derivative, a, n_known, 1, b, n_series, 0, n_series);
      series = b;
    }
    columns_->to_values(odd_).run(series, n_series, f, n, {}, behind(workspace));
  }

 private:
  Index n_points() const { return columns_->grid().n_points(); }
  Index first() const { return odd_ ? 1 : 0; }  // frequency or degree
  void* behind(void* workspace) const { return static_cast<char*>(workspace) + 2 * rows_bytes_; }

  // The number of the first row is first(), whether rows below it are there or not.
  void move(RowFactor factor, const double* from, Index n_from, Index first_from, double* to, Index n_to,
            Index first_to, Index n_copied) const {
    const long long n_numbers = n_to * columns_->n_columns(), n_blocks = (n_numbers + kThreads - 1) / kThreads;
    const Rows rows{from,      to,      n_from,     n_to,   first_from, first_to, n_copied, columns_->inner(),
                    n_numbers, first(), n_points(), factor, odd_};
    move_rows_kernel<<<static_cast<unsigned>(std::min(n_blocks, kMostBlocks)), kThreads, 0,
                       columns_->context().device()->stream>>>(rows);
    GWRM_LAUNCHED(move_rows_kernel);
  }

  std::shared_ptr<const LegendreRotationColumns> columns_;
  bool odd_;
  Index n_;
  RotationChain chain_;
  std::size_t table_bytes_ = 0, rows_bytes_ = 0;
};

}  // namespace

std::shared_ptr<const LegendreRotationColumns> make_legendre_rotation_columns(
    const Context& context, std::shared_ptr<const LegendreRotationGrid> grid, Index outer, Index inner) {
  return std::make_shared<const LegendreRotationColumns>(context, std::move(grid), outer, inner);
}

std::unique_ptr<LegendreRotationTransform> make_legendre_rotation_transform(
    std::shared_ptr<const LegendreRotationColumns> columns, const LegendreRotationPlan& plan) {
  if (&plan.grid() != &columns->grid())
    throw ShapeError("associated Legendre transform: the plan's grid is not that of the columns");
  return std::make_unique<RotationsOnDevice>(std::move(columns), plan);
}

}  // namespace gwrm::cuda
