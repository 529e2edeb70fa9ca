#include "core/device_libraries.cuh"
//
#include <algorithm>
#include <string>

#include "core/errors.hpp"
#include "kernels/transform/jones_worland.hpp"

namespace gwrm::cuda {

class JonesWorlandColumns {
 public:
  JonesWorlandColumns(const Context& context, std::shared_ptr<const JonesWorlandGrid> grid, Index outer, Index inner)
      : context_(context), grid_(std::move(grid)), outer_(outer), inner_(inner) {
    for (const Index l : {0, 1}) {
      forward_[l] = make_cosine_transform(context, grid_->forward(l), outer, inner);
      if (l == 0) backward_ = make_cosine_transform(context, grid_->backward(l), outer, inner);
    }
  }

  const Context& context() const { return context_; }
  Index n_points() const { return grid_->n_points(); }
  Index outer() const { return outer_; }
  Index inner() const { return inner_; }
  const CosineTransform& forward(Index l) const { return *forward_[l % 2]; }
  const CosineTransform& backward(Index l) const { return l % 2 == 0 ? *backward_ : *forward_[1]; }

 private:
  Context context_;
  std::shared_ptr<const JonesWorlandGrid> grid_;
  Index outer_, inner_;
  std::unique_ptr<CosineTransform> forward_[2], backward_;  // kinds II and IV, III
};

namespace {

std::size_t aligned(std::size_t bytes) {
  return (bytes + 255) / 256 * 256;
}

class RotationTransform final : public JonesWorlandTransform {
 public:
  RotationTransform(std::shared_ptr<const JonesWorlandColumns> columns, const JonesWorlandPlan& plan)
      : columns_(std::move(columns)),
        l_(plan.l()),
        n_(plan.n()),
        chain_(plan.chain()),
        scale_of_forward_(jones_worland_scale(plan, true)),
        scale_of_backward_(jones_worland_scale(plan, false)) {
    if (chain_.n_pairs == 0) return;
    table_bytes_ = aligned(rotation_workspace_bytes(chain_, n_));
    const Index n_numbers = chain_.n_rows(n_) * columns_->outer() * columns_->inner();
    rows_bytes_ = aligned(sizeof(double) * static_cast<std::size_t>(n_numbers));
  }

  // Rows of the first degree; what the cosine transform needs or the table of the chain, one after the other.
  std::size_t workspace_bytes() const override {
    return rows_bytes_ +
           std::max({table_bytes_, columns_->forward(l_).workspace_bytes(), columns_->backward(l_).workspace_bytes()});
  }

  // The N_T first frequencies, then down the rows.
  void forward(const double* f, double* c, void* workspace) const override {
    double* rows = chain_.n_pairs == 0 ? c : static_cast<double*>(workspace);
    columns_->forward(l_).run(f, columns_->n_points(), rows, chain_.n_rows(n_), scale_of_forward_, behind(workspace));
    if (chain_.n_pairs > 0)
      rotate_forward_to(columns_->context(), chain_, n_, columns_->outer(), columns_->inner(), rows, c,
                        behind(workspace));
  }

  void backward(const double* c, double* f, void* workspace) const override {
    const double* rows = c;
    if (chain_.n_pairs > 0) {
      rotate_backward_to(columns_->context(), chain_, n_, columns_->outer(), columns_->inner(), c,
                         static_cast<double*>(workspace), behind(workspace));
      rows = static_cast<double*>(workspace);
    }
    columns_->backward(l_).run(rows, chain_.n_rows(n_), f, columns_->n_points(), scale_of_backward_, behind(workspace));
  }

 private:
  void* behind(void* workspace) const { return static_cast<char*>(workspace) + rows_bytes_; }

  std::shared_ptr<const JonesWorlandColumns> columns_;
  Index l_, n_;
  RotationChain chain_;
  CosineScale scale_of_forward_, scale_of_backward_;
  std::size_t table_bytes_ = 0, rows_bytes_ = 0;
};

class QuadratureTransform final : public JonesWorlandTransform {
 public:
  QuadratureTransform(std::shared_ptr<const JonesWorlandColumns> columns, const JonesWorlandPlan& plan)
      : columns_(std::move(columns)), n_(plan.n()), weight_(plan.grid().weight()) {
    double* to = memory_.reserve<double>(plan.matrix().size());
    const DeviceHandles& handles = *columns_->context().device();
    handles.upload(to, plan.matrix().data(), plan.matrix().size());
    GWRM_DEVICE(cudaStreamSynchronize(handles.stream));  // the plan may end here
    matrix_ = to;
  }

  std::size_t workspace_bytes() const override { return 0; }
  void forward(const double* f, double* c, void*) const override {
    multiply(weight_, columns_->n_points(), n_, false, f, c);
  }
  void backward(const double* c, double* f, void*) const override {
    multiply(1.0, n_, columns_->n_points(), true, c, f);
  }

 private:
  // to = factor W from, or W^T from; W: n x n_points by rows, so that cuBLAS sees its transpose, as it sees all
  // tensors.
  void multiply(double factor, Index n_in, Index n_out, bool transposed, const double* from, double* to) const {
    const DeviceHandles& handles = *columns_->context().device();
    const int in = static_cast<int>(n_in), out = static_cast<int>(n_out), lead = static_cast<int>(columns_->n_points());
    const int outer = static_cast<int>(columns_->outer()), inner = static_cast<int>(columns_->inner());
    const double zero = 0.0;
    if (inner == 1) {
      GWRM_DEVICE(cublasDgemm(handles.blas, transposed ? CUBLAS_OP_N : CUBLAS_OP_T, CUBLAS_OP_N, out, outer, in,
                              &factor, matrix_, lead, from, in, &zero, to, out));
      return;
    }
    GWRM_DEVICE(cublasDgemmStridedBatched(handles.blas, CUBLAS_OP_N, transposed ? CUBLAS_OP_T : CUBLAS_OP_N, inner, out,
                                          in, &factor, from, inner, n_in * inner, matrix_, lead, 0, &zero, to, inner,
                                          n_out * inner, outer));
  }

  std::shared_ptr<const JonesWorlandColumns> columns_;
  Index n_;
  double weight_;
  DeviceBuffer memory_;
  const double* matrix_ = nullptr;
};

}  // namespace

std::shared_ptr<const JonesWorlandColumns> make_jones_worland_columns(const Context& context,
                                                                      std::shared_ptr<const JonesWorlandGrid> grid,
                                                                      Index outer, Index inner) {
  return std::make_shared<const JonesWorlandColumns>(context, std::move(grid), outer, inner);
}

std::unique_ptr<JonesWorlandTransform> make_jones_worland_transform(std::shared_ptr<const JonesWorlandColumns> columns,
                                                                    const JonesWorlandPlan& plan) {
  if (plan.grid().n_points() != columns->n_points())
    throw ShapeError("Jones-Worland transform: a plan for " + std::to_string(plan.grid().n_points()) +
                     " points, columns of " + std::to_string(columns->n_points()));
  switch (plan.variant()) {
    case JonesWorlandVariant::rotations:
      return std::make_unique<RotationTransform>(std::move(columns), plan);
    case JonesWorlandVariant::quadrature:
      return std::make_unique<QuadratureTransform>(std::move(columns), plan);
    default:
      throw ShapeError("Jones-Worland transform: pairs of connection matrices run on the CPU only");
  }
}

}  // namespace gwrm::cuda
