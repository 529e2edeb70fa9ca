// Arnoldi's method for the eigenvalues of largest modulus of a real matrix M that is known by its products alone.
//
// Basis         orthonormal v_1 .. v_m of the Krylov space, M V = V H + h v_{m+1} e_m^T, by Gram and Schmidt twice.
// Ritz pairs    H s = mu s, x = V s:  |M x - mu x| = |h| |s_m| for |x| = |s|.
// Source        Saad, Numerical Methods for Large Eigenvalue Problems, 6.2; "twice is enough": Parlett, The Symmetric
//               Eigenvalue Problem, 6.9.
#pragma once

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/Dense>
#include <complex>
#include <vector>

#include "core/matrix.hpp"

namespace gwrm {

struct RitzPair {
  std::complex<double> value;     // of a complex pair the one with positive imaginary part
  double residual;                // |M x - mu x| / (|mu| |x|)
  Eigen::VectorXcd coefficients;  // of x in the basis
};

class Arnoldi {
 public:
  // start, not zero; at most `most` products. Stores (most + 1) vectors.
  Arnoldi(const Eigen::VectorXd& start, Index most);
  // A vector that has a part of every mode, for want of a better start.
  static Eigen::VectorXd start_without_structure(Index size);

  auto last() const { return basis_.col(n_); }  // whose product with M is wanted next
  void add(Eigen::VectorXd product);            // M last()
  Index n_products() const { return n_; }
  // Nothing more to find: the space is invariant under M, or has its largest size.
  bool is_invariant() const { return invariant_; }
  bool is_full() const { return invariant_ || n_ == h_.cols(); }

  // Those of mu other than 0, the largest |mu| first.
  std::vector<RitzPair> ritz_pairs() const;
  Eigen::VectorXcd vector(const RitzPair& pair) const { return basis_.leftCols(n_) * pair.coefficients; }

 private:
  Eigen::MatrixXd basis_, h_;
  Index n_ = 0;
  bool invariant_ = false;
};

}  // namespace gwrm
