#include "solver/arnoldi.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gwrm {
namespace {

constexpr double kNothingNew = 100 * std::numeric_limits<double>::epsilon();  // of H: rounding of the products

}  // namespace

Arnoldi::Arnoldi(const Eigen::VectorXd& start, Index most)
    : basis_(start.size(), most + 1), h_(Eigen::MatrixXd::Zero(most + 1, most)) {
  basis_.col(0) = start.normalized();
}

Eigen::VectorXd Arnoldi::start_without_structure(Index size) {
  return Eigen::VectorXd::NullaryExpr(size, [](Index i) { return std::sin(12.9898 * static_cast<double>(i + 1)); });
}

void Arnoldi::add(Eigen::VectorXd product) {
  const Index k = n_++;
  const auto basis = basis_.leftCols(n_);
  for (int pass = 0; pass < 2; ++pass) {  // twice is enough
    const Eigen::VectorXd shares = basis.transpose() * product;
    h_.col(k).head(n_) += shares;
    product -= basis * shares;
  }
  h_(n_, k) = product.norm();
  invariant_ = h_(n_, k) <= kNothingNew * h_.topLeftCorner(n_, n_).norm();
  if (!invariant_) basis_.col(n_) = product / h_(n_, k);
}

std::vector<RitzPair> Arnoldi::ritz_pairs() const {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(h_.topLeftCorner(n_, n_));
  std::vector<RitzPair> pairs;
  for (Index i = 0; i < n_; ++i) {
    const std::complex<double> mu = solver.eigenvalues()(i);
    if (mu.imag() < 0.0 || mu == 0.0) continue;
    Eigen::VectorXcd s = solver.eigenvectors().col(i);
    const double residual = h_(n_, n_ - 1) * std::abs(s(n_ - 1)) / (s.norm() * std::abs(mu));
    pairs.push_back({mu, residual, std::move(s)});
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const RitzPair& a, const RitzPair& b) { return std::abs(a.value) > std::abs(b.value); });
  return pairs;
}

}  // namespace gwrm
