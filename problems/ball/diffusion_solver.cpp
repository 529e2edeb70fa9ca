#include "problems/ball/diffusion_solver.hpp"

#include <cmath>

#include "basis/time_basis.hpp"
#include "core/errors.hpp"
#include "kernels/banded/tridiagonal.hpp"
#include "kernels/linear_algebra/complex_schur.hpp"

namespace gwrm::ball {
namespace {

using Number = std::complex<double>;

Complex complex(Number z) {
  return {z.real(), z.imag()};
}

}  // namespace

DiffusionSolver::DiffusionSolver(const BallSpace& space, double window_length)
    : space_(space), length_(window_length), context_(Context::create(BackendChoice::cpu, 1)) {
  const TimeBasis time(Weighting::radau, space.degrees().t, 0, 1, -1.0, 1.0,
                       2.0);  // its integrals are Q
  const ComplexSchur schur = complex_schur(time.values(1).cast<Number>());
  if (!schur.converged) throw ShapeError("no Schur form of the Radau nodes was found");
  unitary_ = schur.unitary;
  triangle_ = schur.triangle;
  const Layout& layout = space.unknowns();
  for (std::size_t part = 0; part < space.parts().size(); ++part)
    for (Index l = space.parts()[part].first_l(); l <= space.degrees().l; ++l) {
      const RadialBasis& basis = space.basis(part, l);
      const Index n = layout.n(part), batch = layout.n_orders(l);
      Block block{layout.place(part, l), n * batch, space.parts()[part].diffusivity, &basis.stiffness(), {}};
      const std::vector<double>&diagonal = space.mass(part, l, 0), &next = space.mass(part, l, 1);
      std::vector<Complex> lower(at(static_cast<int>(n))), middle(lower.size()), upper(lower.size());
      for (Index k = 0; k < space.degrees().t; ++k) {
        const Number factor = length_ / 2.0 * block.diffusivity * triangle_(k, k);
        for (std::size_t i = 0; i < middle.size(); ++i) {
          middle[i] = complex(diagonal[i] + factor * basis.stiffness()[i]);
          upper[i] = complex(next[i]);
          lower[i] = complex(i > 0 ? next[i - 1] : 0.0);
        }
        block.plans.push_back(make_tridiagonal_plan<Complex>(context_, {n, batch, BatchLayout::contiguous},
                                                             {lower.data(), middle.data(), upper.data()}));
        if (block.plans.back()->status() != BandedStatus::solved)
          throw Error(ExitStatus::singular, "the diffusion of a window is singular");
      }
      blocks_.push_back(std::move(block));
    }
}

void DiffusionSolver::solve(const double* r, double* d) const {
  const Index n_nodes = space_.degrees().t, size = space_.unknowns().size();
  const auto n_blocks = static_cast<Index>(blocks_.size());
#pragma omp parallel for schedule(dynamic)
  for (Index b = 0; b < n_blocks; ++b) {
    const Block& block = blocks_[static_cast<std::size_t>(b)];
    using Rows = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using Stride = Eigen::OuterStride<>;
    const Eigen::Map<const Matrix, 0, Stride> given(r + block.place, n_nodes, block.size, Stride(size));
    Rows modes = unitary_.adjoint() * given.cast<Number>();
    const auto n = static_cast<Index>(block.stiffness->size());
    const Eigen::Map<const RowVector> stiffness(block.stiffness->data(), n);
    const RowVector repeated = stiffness.replicate(1, block.size / n);
    for (Index k = n_nodes - 1; k >= 0; --k) {
      for (Index j = k + 1; j < n_nodes; ++j)
        modes.row(k) -=
            length_ / 2.0 * block.diffusivity * triangle_(k, j) * modes.row(j).cwiseProduct(repeated.cast<Number>());
      Complex* const row = complex_numbers(modes.data() + k * block.size);
      block.plans[static_cast<std::size_t>(k)]->solve(row, row);
    }
    Eigen::Map<Matrix, 0, Stride>(d + block.place, n_nodes, block.size, Stride(size)) = (unitary_ * modes).real();
  }
}

}  // namespace gwrm::ball
