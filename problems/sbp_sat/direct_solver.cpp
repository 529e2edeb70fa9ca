#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "core/errors.hpp"
#include "core/matrix.hpp"
#include "problems/sbp_sat/multigrid.hpp"

namespace gwrm::sbp {

struct DirectSolver::Factors {
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ldlt;
  bool has_kernel;  // the constants
};

DirectSolver::DirectSolver(const Grid& grid) : factors_(std::make_unique<Factors>()), n_(grid.size()) {
  const CsrMatrix a = GridOperator(grid).assemble();
  std::vector<Eigen::Triplet<double>> entries;
  double largest = 0.0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n_); ++i)
    for (auto k = static_cast<std::size_t>(a.row_start[i]); k < static_cast<std::size_t>(a.row_start[i + 1]); ++k) {
      entries.emplace_back(static_cast<int>(i), a.columns[k], a.values[k]);
      largest = std::max(largest, std::abs(a.values[k]));
    }
  // A right-hand side orthogonal to the constants keeps this point at zero.
  factors_->has_kernel = grid.all_flux();
  if (factors_->has_kernel) entries.emplace_back(0, 0, largest);
  Eigen::SparseMatrix<double> matrix(n_, n_);
  matrix.setFromTriplets(entries.begin(), entries.end());
  factors_->ldlt.compute(matrix);
  if (factors_->ldlt.info() != Eigen::Success) throw ShapeError("the coarsest grid's system is singular");
}

DirectSolver::~DirectSolver() = default;

void DirectSolver::solve(const double* b, double* u) const {
  // What rounding has left of the constants in b would be the whole of u near the end of an iteration.
  Vector right = Eigen::Map<const Vector>(b, n_);
  if (factors_->has_kernel) right.array() -= right.mean();
  Vector solution = factors_->ldlt.solve(right);
  if (factors_->has_kernel) solution.array() -= solution.mean();
  std::copy(solution.data(), solution.data() + n_, u);
}

Grid coarsest(const Grid& grid) {
  if (!can_coarsen(grid)) return grid;
  Grid coarse = coarsened(grid);
  while (can_coarsen(coarse)) coarse = coarsened(coarse);
  return coarse;
}

bool multigrid_applies(const Grid& grid) {
  return coarsest_size(grid) <= kMaxCoarsestPoints;
}

namespace {

double estimate_from_extents(const Grid& grid) {
  double longest = 0.0, least = std::numeric_limits<double>::infinity();
  for (const Block& block : grid.blocks) {
    longest = std::max({longest, static_cast<double>(block.n_slow - 1) * block.h_slow,
                        static_cast<double>(block.n_fast - 1) * block.h_fast});
    for (const std::vector<double>* c : {&block.c.slow, &block.c.fast})
      least = std::min(least, *std::min_element(c->begin(), c->end()));
  }
  return least * std::numbers::pi * std::numbers::pi / (longest * longest * static_cast<double>(grid.blocks.size()));
}

}  // namespace

double smallest_eigenvalue(const Grid& grid) {
  constexpr int n_steps = 25;
  // A finer grid than the coarsest, where there is one, is nearer to the differential operator.
  Grid coarse = grid.size() > 3000 && can_coarsen(grid) ? coarsened(grid) : grid;
  while (coarse.size() > 3000 && can_coarsen(coarse)) coarse = coarsened(coarse);
  if (coarse.size() > kMaxCoarsestPoints) return estimate_from_extents(grid);
  const DirectSolver solver(coarse);
  const std::vector<double> weights = norm_weights(coarse);
  const auto n = static_cast<std::size_t>(coarse.size());
  const Eigen::Map<const Vector> h(weights.data(), coarse.size());
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(0.5, 1.0);
  Vector v(coarse.size()), image(coarse.size());
  for (std::size_t i = 0; i < n; ++i) v[static_cast<Index>(i)] = uniform(generator);
  double mu = 0.0;
  for (int step = 0; step < n_steps; ++step) {
    if (coarse.all_flux()) v.array() -= h.dot(v) / h.sum();
    v /= std::sqrt(v.cwiseAbs2().dot(h));
    const Vector weighted = h.cwiseProduct(v);
    solver.solve(weighted.data(), image.data());
    if (coarse.all_flux()) image.array() -= h.dot(image) / h.sum();
    mu = 1.0 / weighted.dot(image);
    v = image;
  }
  return mu;
}

}  // namespace gwrm::sbp
