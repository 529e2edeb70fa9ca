#include "problems/ball/diffusion_solver.hpp"

#include <cmath>

#include "basis/time_basis.hpp"
#include "core/errors.hpp"
#include "kernels/linear_algebra/complex_schur.hpp"

namespace gwrm::ball {
namespace {

using Number = std::complex<double>;

Complex complex(Number z) {
  return {z.real(), z.imag()};
}

}  // namespace

DiffusionSolver::DiffusionSolver(const BallSpace& space, double window_length)
    : space_(space), length_(window_length), context_(Context::of_one_thread()) {
  const TimeBasis time(Weighting::radau, space.degrees().t, 0, 1, -1.0, 1.0,
                       2.0);  // its integrals are Q
  const ComplexSchur schur = complex_schur(time.values(1).cast<Number>());
  if (!schur.converged) throw ShapeError("no Schur form of the Radau nodes was found");
  unitary_ = schur.unitary;
  triangle_ = schur.triangle;
  const Layout& layout = space.unknowns();
  for (std::size_t part = 0; part < space.parts().size(); ++part)
    for (Index l = space.parts()[part].first_l(); l <= space.degrees().l; ++l) {
      const Index n = layout.n(part), batch = layout.n_orders(l);
      if (batch == 0) continue;
      Block block{layout.place(part, l), n * batch, space.diffusion(part, l), {}};
      const SymmetricBands mass = space.mass(part, l);
      for (Index k = 0; k < space.degrees().t; ++k) {
        const Number factor = length_ / 2.0 * triangle_(k, k);
        std::array<std::vector<Complex>, 3> diagonals;
        for (std::size_t d = 0; d < mass.count; ++d)
          for (std::size_t i = 0; i < mass.n(); ++i) {
            const double diffusion = d < block.diffusion.count ? block.diffusion.entry(d, i) : 0.0;
            diagonals[d].push_back(complex(mass.entry(d, i) + factor * diffusion));
          }
        block.plans.push_back(make_symmetric_plan(context_, {n, batch, BatchLayout::contiguous}, diagonals));
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
    const auto n = static_cast<Index>(block.diffusion.n());
    for (Index k = n_nodes - 1; k >= 0; --k) {
      const Index n_later = n_nodes - 1 - k;
      const Eigen::RowVectorXcd later = triangle_.row(k).tail(n_later) * modes.bottomRows(n_later);
      for (Index place = 0; place < block.size && n_later > 0; place += n)
        add_product(block.diffusion, -length_ / 2.0, later.data() + place, modes.data() + k * block.size + place);
      Complex* const row = complex_numbers(modes.data() + k * block.size);
      block.plans[static_cast<std::size_t>(k)]->solve(row, row);
    }
    Eigen::Map<Matrix, 0, Stride>(d + block.place, n_nodes, block.size, Stride(size)) = (unitary_ * modes).real();
  }
}

}  // namespace gwrm::ball
