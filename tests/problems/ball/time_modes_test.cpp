// The K time modes of a window by eigenvectors, as a preconditioner or with one refinement, and one dense matrix of all
// nodes, against the Schur form that the program takes.
#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "basis/time_basis.hpp"
#include "problems/ball/axisymmetric_solver.hpp"
#include "problems/ball/ball_terms.hpp"
#include "problems/ball/diffusion_solver.hpp"
#include "run_case.hpp"
#include "solver/gmres.hpp"

namespace gwrm::test::time_modes_test {
namespace {

using namespace ball;
using Number = std::complex<double>;
using Square = Eigen::MatrixXd;
using ComplexSquare = Eigen::MatrixXcd;

// A temperature, one with hyperdiffusion beside diffusion, a velocity and a magnetic field in a flow: matrices of one,
// three and five diagonals.
constexpr const char* kCase = R"yaml(
problem: ball
domain: {{t: [0, 0.1]}}
ball:
  degree: {{t: {}, r: 9, l: 4, m: 1}}
  fields:
    Theta: {{buoyancy: 300, background: 1}}
    C: {{hyperdiffusion: 0.01, diffusivity: 0.5, buoyancy: 50, background: -1}}
    U: {{kind: velocity, diffusivity: 2}}
    B: {{kind: magnetic, diffusivity: 0.7}}
  flow: {{toroidal: {{"1,0": "r^2*(2 - r^2)"}}, poloidal: {{"2,0": "r^3*(1 - r^2)"}}, factor: 6}}
  terms: [buoyancy, background, coriolis, induction, advection]
  rotation: 10
)yaml";

// Radau's nodes and the integrals of their Lagrange polynomials from -1, by sums of Chebyshev's.
Square integrals_of_radau(Index n, const Vector& nodes) {
  Square values(n, n), integrals(n, n);
  for (Index i = 0; i < n; ++i) {
    const double angle = std::acos(std::min(1.0, nodes(i)));
    const auto t = [&](Index k) { return std::cos(static_cast<double>(k) * angle); };
    for (Index k = 0; k < n; ++k) {
      values(i, k) = t(k);
      const auto d = static_cast<double>(k);
      const double sign = k % 2 == 0 ? 1.0 : -1.0;
      // int T_k = T_(k+1)/(2(k+1)) - T_(k-1)/(2(k-1)), from -1 to x
      integrals(i, k) = k == 0   ? nodes(i) + 1.0
                        : k == 1 ? (nodes(i) * nodes(i) - 1.0) / 2.0
                                 : (t(k + 1) + sign) / (2.0 * (d + 1.0)) - (t(k - 1) + sign) / (2.0 * (d - 1.0));
    }
  }
  return values.transpose().partialPivLu().solve(integrals.transpose()).transpose();
}

Square dense(const SymmetricBands& bands, Index n) {
  Square matrix = Square::Zero(n, n);
  for (std::size_t d = 0; d < bands.count; ++d)
    for (Index k = 0; k + static_cast<Index>(d) < n; ++k) {
      const Index j = k + static_cast<Index>(d);
      matrix(k, j) = matrix(j, k) = bands.entry(d, static_cast<std::size_t>(k));
    }
  return matrix;
}

class BallTimeModes : public testing::TestWithParam<int> {
 protected:
  BallTimeModes()
      : case_(read_case_text(fmt::format(kCase, GetParam()), "test.yaml")),
        model_(case_),
        space_(model_.parts(), model_.degrees()),
        terms_(model_, space_),
        n_nodes_(GetParam()),
        size_(space_.unknowns().size()) {
    const TimeBasis time(Weighting::radau, n_nodes_, 0, 1, -1.0, 1.0, 2.0);
    integrals_ = integrals_of_radau(n_nodes_, time.points());
    const Eigen::EigenSolver<Square> modes(integrals_);
    values_ = modes.eigenvalues();
    vectors_ = modes.eigenvectors();
    inverse_ = vectors_.inverse();
    for_each_system([&](Index, const Square& mass, const Square& diffusion) {
      factors_.emplace_back();
      for (Index k = 0; k < n_nodes_; ++k)
        factors_.back().emplace_back(mass.cast<Number>() + kLength / 2.0 * values_(k) * diffusion.cast<Number>());
    });
    right_.resize(n_nodes_, size_);
    for (Index j = 0; j < n_nodes_; ++j)
      for (Index i = 0; i < size_; ++i)
        right_(j, i) = std::sin(12.9898 * static_cast<double>(i + 1) + 0.7 * static_cast<double>(j));
  }

  template <class Visit>
  void for_each_system(const Visit& visit) const {
    for (std::size_t part = 0; part < space_.parts().size(); ++part)
      for (Index l = space_.parts()[part].first_l(); l <= space_.degrees().l; ++l) {
        const Index n = space_.unknowns().n(part);
        const Square mass = dense(space_.mass(part, l), n), diffusion = dense(space_.diffusion(part, l), n);
        for (Index c = 0; c < space_.unknowns().n_orders(l); ++c)
          visit(space_.unknowns().place(part, l, c), mass, diffusion);
      }
  }

  // One matrix of all nodes and functions, mass + (h/2) Q diffusion.
  Matrix by_one_matrix() const {
    Matrix result = Matrix::Zero(n_nodes_, size_);
    for_each_system([&](Index place, const Square& mass, const Square& diffusion) {
      const Index n = mass.rows();
      Square all(n_nodes_ * n, n_nodes_ * n);
      Vector b(n_nodes_ * n);
      for (Index i = 0; i < n_nodes_; ++i) {
        b.segment(i * n, n) = right_.row(i).segment(place, n).transpose();
        for (Index j = 0; j < n_nodes_; ++j) {
          all.block(i * n, j * n, n, n) = kLength / 2.0 * integrals_(i, j) * diffusion;
          if (i == j) all.block(i * n, j * n, n, n) += mass;
        }
      }
      const Vector x = all.partialPivLu().solve(b);
      for (Index i = 0; i < n_nodes_; ++i) result.row(i).segment(place, n) = x.segment(i * n, n).transpose();
    });
    return result;
  }

  // By the eigenvectors of Q: each mode on its own.
  Matrix by_eigenvectors(const Matrix& right) const {
    Matrix result = Matrix::Zero(n_nodes_, size_);
    std::size_t system = 0;
    for_each_system([&](Index place, const Square& mass, const Square&) {
      const Index n = mass.rows();
      ComplexSquare modes = inverse_ * right.middleCols(place, n).cast<Number>();
      for (Index k = 0; k < n_nodes_; ++k) {
        const Eigen::VectorXcd mode = modes.row(k).transpose();
        modes.row(k) = factors_[system][static_cast<std::size_t>(k)].solve(mode).transpose();
      }
      result.middleCols(place, n) = (vectors_ * modes).real();
      ++system;
    });
    return result;
  }

  // mass D + (h/2) Q (diffusion - terms) D.
  Matrix applied(const Matrix& d, bool with_terms) const {
    Matrix masses(n_nodes_, size_), rates(n_nodes_, size_);
    RowVector images(size_);
    for (Index j = 0; j < n_nodes_; ++j) {
      space_.apply_mass(d.row(j).data(), masses.row(j).data());
      space_.apply_diffusion(d.row(j).data(), rates.row(j).data());
      if (!with_terms) continue;
      terms_.apply(d.row(j).data(), images.data());
      rates.row(j) -= images;
    }
    return masses + kLength / 2.0 * (integrals_ * rates);
  }

  static constexpr double kLength = 0.02;
  Case case_;
  BallModel model_;
  BallSpace space_;
  BallTerms terms_;
  Index n_nodes_, size_;
  Square integrals_;
  Eigen::VectorXcd values_;
  ComplexSquare vectors_, inverse_;
  std::vector<std::vector<Eigen::PartialPivLU<ComplexSquare>>> factors_;  // by system and mode
  Matrix right_;
};

TEST_P(BallTimeModes, EigenvectorsWithOneRefinementGiveWhatTheSchurFormGives) {
  const Matrix known = by_one_matrix();
  Matrix schur(n_nodes_, size_);
  DiffusionSolver(space_, kLength).solve(right_.data(), schur.data());
  EXPECT_LE((schur - known).norm(), 1e-11 * known.norm());
  const Matrix first = by_eigenvectors(right_), refined = first + by_eigenvectors(right_ - applied(first, false));
  EXPECT_LE((refined - schur).norm(), 1e-11 * schur.norm());
  RecordProperty("without_refinement", fmt::format("{:.1e}", (first - schur).norm() / schur.norm()));
  RecordProperty("refined", fmt::format("{:.1e}", (refined - schur).norm() / schur.norm()));
  RecordProperty("schur", fmt::format("{:.1e}", (schur - known).norm() / known.norm()));
}

// Coupled: GMRES with the eigenvectors as its preconditioner, and the factors of the Schur form's modes.
TEST_P(BallTimeModes, AsAPreconditionerTheyGiveWhatTheDirectSolveGives) {
  const auto families = axisymmetric_families(space_, terms_, reach_in_degree(model_));
  Matrix direct(n_nodes_, size_);
  ASSERT_TRUE(AxisymmetricSolver(space_, families, kLength).solve(right_.data(), direct.data()));
  const auto rows = [&](std::span<const double> v) -> Matrix {
    return Eigen::Map<const Matrix>(v.data(), n_nodes_, size_);
  };
  const auto all = static_cast<std::size_t>(right_.size());
  Matrix iterative = Matrix::Zero(n_nodes_, size_);
  const GmresResult result =
      gmres([&](std::span<const double> v,
                std::span<double> y) { Eigen::Map<Matrix>(y.data(), n_nodes_, size_) = applied(rows(v), true); },
            [&](std::span<const double> v, std::span<double> y) {
              Eigen::Map<Matrix>(y.data(), n_nodes_, size_) = by_eigenvectors(rows(v));
            },
            {right_.data(), all}, {iterative.data(), all}, 1e-14, 80);
  EXPECT_LE(result.relative_residual, 1e-12);
  EXPECT_LE((iterative - direct).norm(), 1e-11 * direct.norm());
  RecordProperty("iterations", result.iterations);
  RecordProperty("difference", fmt::format("{:.1e}", (iterative - direct).norm() / direct.norm()));
}

INSTANTIATE_TEST_SUITE_P(Nodes, BallTimeModes, testing::Values(8, 12, 16));

}  // namespace
}  // namespace gwrm::test::time_modes_test
