// How a field is expanded along one axis: its functions, their points, matrices between values and coefficients, and
// what boundary conditions, tails and rounding have to know of them. Everything else asks this interface.
//
// Functions   phi_k on each subdomain, u(z) = sum_k a_k phi_k(z) there, sup |phi_k| = 1 (bounds of tails rely on it).
// Order       subdomain after subdomain, in each by ascending level (polynomial degree; wavenumber, which has two
//             functions), so that the coefficients of a lower degree are the first ones of each subdomain.
// Matrices    physical: derivatives and integrals are with respect to z. Equal blocks are shared (block_matrix.hpp).
// Objects are immutable and cheap to make: what is costly is computed once per degree and kept. Several threads may use
// one. Virtual calls are for once a window; inner loops see the matrices.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "basis/axis_description.hpp"
#include "core/matrix.hpp"
#include "kernels/linear_algebra/block_matrix.hpp"

namespace gwrm {

class BandedForm;

// Subdomain after subdomain; sum_i weights_i f(points_i) ~ int f dz.
struct AxisGrid {
  Vector points, weights;
};
AxisGrid ascending(const AxisGrid& grid);

class AxisBasis {
 public:
  virtual ~AxisBasis() = default;
  AxisBasis(const AxisBasis&) = delete;
  AxisBasis& operator=(const AxisBasis&) = delete;

  const AxisDescription& description() const { return description_; }
  int degree() const { return description_.degree; }

  // Coefficients of one subdomain with a level below `level`.
  virtual Index n_below(int level) const = 0;
  Index n_subdomains() const { return description_.n_subdomains(); }
  Index n_per_subdomain() const { return n_below(degree() + 1); }
  Index n_coefficients() const { return n_subdomains() * n_per_subdomain(); }

  // Points on each subdomain ...
  virtual Index n_points(int n_factors) const = 0;  // that make products of so many factors exact in all coefficients
  virtual Index n_quadrature(int n_factors) const = 0;  // on which integrals of such products are exact
  virtual AxisGrid grid(Index n) const = 0;             // n on each subdomain
  // Whether these are the points of grid(n), in its order, and synthesis on them the cheaper way. False is never wrong.
  virtual bool is_grid(std::span<const double>) const { return false; }
  // ... and the weights on them of the mean over the axis in its mapped coordinate (z, or log z): sum 1.
  virtual Vector mean_weights(Index n) const = 0;

  // Values of the order-th derivative on grid(n), from the coefficients: points x coefficients.
  virtual BlockMatrix synthesis(Index n, int order) const = 0;
  // Coefficients from the values on grid(n): the left inverse of synthesis(n, 0) for n >= n_per_subdomain().
  virtual BlockMatrix analysis(Index n) const = 0;
  // Coefficients of the order-th derivative in the same functions, from those of a series on an undivided axis:
  // n_coefficients() x n_coefficients(). ShapeError on a divided axis or where derivatives leave the functions' span.
  virtual Matrix derivative(int order) const = 0;
  // The order-th derivative at any points, those of one subdomain ...
  virtual Matrix rows_at(Index subdomain, std::span<const double> points, int order) const = 0;
  // ... or of all: points x coefficients, a block for each run of points in one subdomain; an inner edge takes the one
  // on its left. Where is_grid(points): synthesis(n, order).
  BlockMatrix at(std::span<const double> points, int order = 0) const;
  // Values at the same relative positions xi in [-1, 1] (of the mapped coordinate) of any subdomain: positions x
  // n_per_subdomain().
  virtual Matrix at_positions(std::span<const double> xi) const = 0;
  // int u dz over the axis.
  virtual RowVector integral_row() const = 0;
  // u^(order) from the left minus from the right at every inner edge: (n_subdomains() - 1) x coefficients.
  virtual BlockMatrix jump(int order) const = 0;
  // Coefficients in this basis of a function given in another of the same kind. Where a subdomain lies within one of
  // the other's this is exact, or the truncated series if the degree is lower; else the interpolant at grid points.
  // ShapeError for another kind.
  BlockMatrix conversion_from(const AxisBasis& other) const;
  // Shares of the squared coefficients in the mean square over the axis, in the basis's own weight.
  virtual std::vector<double> mean_square() const = 0;
  // A form in which linear operators are banded; null if there is none.
  virtual const BandedForm* banded_form() const { return nullptr; }

  // How many conditions an equation takes whose highest derivative along the axis is this one.
  virtual int n_conditions(int order) const = 0;
  bool is_periodic() const { return n_conditions(1) == 0; }  // it takes none; coefficient 0 is the mean

  virtual bool can_be_divided() const = 0;  // into subdomains
  virtual double slope_bound() const = 0;   // of the derivative of a function of size 1, anywhere on the axis

  virtual std::string mode_name() const = 0;      // "k of T_k": what the index of a coefficient means
  virtual std::string normalisation() const = 0;  // "u = sum a_k T_k, ..."

 protected:
  explicit AxisBasis(AxisDescription description);

 private:
  AxisDescription description_;
};

using BasisFactory = std::function<std::shared_ptr<const AxisBasis>(const AxisDescription&)>;

// The registry: bases by name. kChebyshev and kFourier are there from the start; a name that is there already is a ShapeError.
void register_basis(const std::string& name, BasisFactory make);
bool is_basis(const std::string& name);
std::string basis_names();  // "chebyshev, ..."

// ShapeError for a name that is not there, a negative degree, or fewer than two edges.
std::shared_ptr<const AxisBasis> make_basis(const AxisDescription& description);

// conversion_from() of the bases of two descriptions.
BlockMatrix conversion(const AxisDescription& from, const AxisDescription& to);

}  // namespace gwrm
