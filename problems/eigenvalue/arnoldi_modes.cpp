#include "problems/eigenvalue/arnoldi_modes.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/QR>
#include <algorithm>

namespace gwrm {
namespace {

constexpr Index kFewestVectors = 20, kMostVectors = 400;
constexpr Index kBetweenLooks = 5;        // products between two looks at the Ritz pairs
constexpr double kEqualMagnitude = 1e-8;  // relative: |mu| of equal ones but for rounding
constexpr double kSurelyLess = 1e-3;  // relative residual of a pair whose value is known well enough to be passed over

using Number = std::complex<double>;

bool is_look(const Arnoldi& arnoldi) {
  return arnoldi.n_products() >= kFewestVectors && arnoldi.n_products() % kBetweenLooks == 0;
}

// M without the space of the Ritz vectors that have been found: M' = (1 - Q Q^H) M on its complement, which has the
// other eigenvalues. A vector w of M' belongs to w + Q c of M, (mu - T) c = Q^H M w, T = Q^H M Q.
class Deflation {
 public:
  // vectors: of real matrices, their conjugates are in the space, too. False in `works`: a product could not be made.
  Deflation(const std::vector<Eigen::VectorXcd>& vectors, const ArnoldiProduct& multiply) {
    const auto n = static_cast<Index>(vectors.size());
    Eigen::MatrixXd parts(vectors.front().size(), 2 * n);
    for (Index k = 0; k < n; ++k) {
      const Eigen::VectorXcd v = vectors[static_cast<std::size_t>(k)].normalized();
      parts.col(2 * k) = v.real();
      parts.col(2 * k + 1) = v.imag();
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(parts);
    qr.setThreshold(1e-8);
    q_ = qr.householderQ() * Eigen::MatrixXd::Identity(parts.rows(), qr.rank());
    t_.resize(q_.cols(), q_.cols());
    Eigen::VectorXd product;
    for (Index k = 0; works && k < q_.cols(); ++k) {
      works = multiply(q_.col(k), product);
      if (works) t_.col(k) = q_.transpose() * product;
    }
  }
  bool works = true;

  Eigen::VectorXd without(const Eigen::VectorXd& v) const {
    const Eigen::VectorXd once = v - q_ * (q_.transpose() * v);
    return once - q_ * (q_.transpose() * once);
  }
  // Of w and M w.
  Eigen::VectorXcd vector(Number mu, const Eigen::VectorXcd& w, const Eigen::VectorXcd& product) const {
    const Eigen::MatrixXcd shifted = mu * Eigen::MatrixXcd::Identity(t_.rows(), t_.cols()) - t_.cast<Number>();
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXcd> solver;
    solver.setThreshold(1e-7);  // mu is among them where the eigenvalue is double
    solver.compute(shifted);
    const Eigen::VectorXcd c = solver.solve(Eigen::VectorXcd(q_.transpose().cast<Number>() * product));
    return w + q_.cast<Number>() * c;
  }

 private:
  Eigen::MatrixXd q_, t_;
};

}  // namespace

std::vector<Mode> arnoldi_modes(Index size, const ArnoldiProduct& multiply, const AddMode& add, std::size_t wanted,
                                double tolerance, const std::function<bool()>& interrupted) {
  const auto is_stopped = [&] { return interrupted && interrupted(); };
  Eigen::VectorXd start = Arnoldi::start_without_structure(size), next;
  if (!multiply(start, next) || !multiply(start = next, next)) return {};  // out of the null space of P'
  const Index most = std::min(size, std::max(kMostVectors, static_cast<Index>(8 * wanted)));
  std::vector<Mode> modes;
  std::vector<Eigen::VectorXcd> vectors;
  double least = 0.0;  // |mu| of those found
  {
    Arnoldi arnoldi(next, most);
    while (!arnoldi.is_full() && modes.size() < wanted) {
      if (is_stopped() || !multiply(arnoldi.last(), next)) return {};
      arnoldi.add(next);
      if (!arnoldi.is_full() && !is_look(arnoldi)) continue;
      modes.clear();
      vectors.clear();
      for (const RitzPair& pair : arnoldi.ritz_pairs()) {
        if (modes.size() == wanted || !(arnoldi.is_invariant() || pair.residual <= tolerance)) break;
        vectors.push_back(arnoldi.vector(pair));
        least = std::abs(pair.value);
        add(pair, vectors.back(), modes);
      }
    }
  }
  if (modes.empty()) return modes;
  // Of equal eigenvalues the space of one start holds one vector: what is left beside those found.
  while (static_cast<Index>(vectors.size()) < size / 2) {
    const Deflation deflation(vectors, multiply);
    if (!deflation.works) return {};
    start = deflation.without(
        Eigen::VectorXd::NullaryExpr(size, [](Index i) { return std::cos(7.1357 * static_cast<double>(i + 1)); }));
    for (int step = 0; step < 2; ++step) {
      if (!multiply(start, next)) return {};
      start = deflation.without(next);
    }
    if (!(start.norm() > 0.0)) return modes;
    Arnoldi arnoldi(start, std::min(size, most));
    bool found = false;
    while (!arnoldi.is_full() && !found) {
      if (is_stopped() || !multiply(arnoldi.last(), next)) return {};
      arnoldi.add(deflation.without(next));
      if (!arnoldi.is_full() && !is_look(arnoldi)) continue;
      for (const RitzPair& pair : arnoldi.ritz_pairs()) {
        const bool is_one_more = std::abs(pair.value) >= (1.0 - kEqualMagnitude) * least;
        if (!is_one_more && pair.residual <= kSurelyLess) return modes;
        if (!is_one_more || !(arnoldi.is_invariant() || pair.residual <= tolerance)) break;
        const Eigen::VectorXcd w = arnoldi.vector(pair);
        Eigen::VectorXd re, im;
        if (!multiply(w.real(), re) || !multiply(w.imag(), im)) return {};
        vectors.push_back(deflation.vector(pair.value, w, re + Number(0.0, 1.0) * im));
        add(pair, vectors.back(), modes);
        found = true;
      }
    }
    if (!found) return modes;
  }
  return modes;
}

}  // namespace gwrm
