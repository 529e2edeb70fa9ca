// The unknowns of a case in the unit ball or shell: which scalar functions, in which radial functions and harmonics,
// and where each coefficient stands.
//
// Parts      a scalar field is one part, a solenoidal field two: curl(T Y r) + curl curl(P Y r), r the position vector,
//            T toroidal, P poloidal; Y_l^m real and orthonormal on the unit sphere,
//              Pbar_l^0 / sqrt(2 pi),  Pbar_l^m cos(m phi) / sqrt(pi),  Pbar_l^m sin(m phi) / sqrt(pi).
// Order      part, l, column c of the orders m <= l (orders.hpp), radial function, the last fastest: the coefficients
// of
//            one part and l are a batch of contiguous systems with one matrix.
// Unknowns   c_k of the functions that meet the conditions at the walls.  Series  e_n of E_n, n <= N, all parts alike.
// Equations  scalar and toroidal parts, poloidal ones of magnetic fields: mass dc/dt + kappa stiffness c = <phi, f>;
//            poloidal part of a velocity, whose equation is that of its curl: gradients dc/dt + kappa stiffness c =
//            <phi, f>;
//            scalar with hyperdiffusion: mass dc/dt + (kappa gradients + kappa_4 stiffness) c = <phi, f>.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "problems/ball/orders.hpp"
#include "problems/ball/radial_functions.hpp"
#include "problems/ball/symmetric_bands.hpp"

namespace gwrm::ball {

enum class PartKind { scalar, toroidal, poloidal };

struct Part {
  std::size_t field = 0;
  PartKind kind = PartKind::scalar;
  double diffusivity = 1.0;                                               // of the unit ball: kappa / radius^2
  std::function<std::vector<WallCondition>(Index l)> conditions;          // at all walls
  bool of_curl = false;                                                   // the poloidal part of a velocity
  double hyperdiffusion = 0.0;                                            // kappa_4 / radius^4; 0: one condition a wall
  std::shared_ptr<const RadialFunctions> radial = radial_functions(0.0);  // all parts of a space alike

  Index first_l() const { return kind == PartKind::scalar ? 0 : 1; }
  // kappa of a diffusion as fast for the slowest mode of a value that is zero at the surface, Lapl u = -pi^2 u; what
  // hyperdiffusion damps, with two conditions, decays faster.
  double like_diffusivity() const { return diffusivity + 9.869604401089358 * hyperdiffusion; }
};

// m: the highest order. Others are multiples of `fold`, or, where there is a list, those of it.
struct Degrees {
  Index t = 0, r = 0, l = 0, m = 0;
  Index fold = 1;
  std::vector<Index> listed = {};

  Orders orders() const { return listed.empty() ? Orders::multiples(fold, m) : Orders(listed); }
  // The same with all orders up to the highest.
  Degrees with_all_orders() const { return {t, r, l, m}; }
};

class Layout {
 public:
  // n[part]: radial functions of each.
  Layout(const std::vector<Part>& parts, Index degree, Orders orders, std::vector<Index> n);

  Index size() const { return offsets_.back(); }
  Index n_orders(Index l) const { return orders_.n_columns(l); }  // columns
  Index n(std::size_t part) const { return n_[part]; }
  Index degree() const { return degree_; }
  const Orders& orders() const { return orders_; }
  // Of the first coefficient of column c.
  Index place(std::size_t part, Index l, Index c = 0) const {
    return offsets_[part * static_cast<std::size_t>(degree_ + 1) + static_cast<std::size_t>(l)] + c * n_[part];
  }

 private:
  Index degree_;
  Orders orders_;
  std::vector<Index> n_, offsets_;
};

class BallSpace {
 public:
  BallSpace(std::vector<Part> parts, const Degrees& degrees);

  const std::vector<Part>& parts() const { return parts_; }
  const Degrees& degrees() const { return degrees_; }
  const Layout& unknowns() const { return unknowns_; }
  const Layout& series() const { return series_; }
  const RadialFunctions& radial() const { return *parts_.front().radial; }
  const RadialBasis& basis(std::size_t part, Index l) const {
    return *bases_[part][static_cast<std::size_t>(l - parts_[part].first_l())];
  }
  // The matrix before dc/dt, and that of diffusion.
  SymmetricBands mass(std::size_t part, Index l) const;
  SymmetricBands diffusion(std::size_t part, Index l) const;

  void to_series(const double* c, double* e) const;
  // <phi, f> from <E_n, f>.
  void test(const double* e, double* c) const;
  // The nearest function of the space: mass c = <phi, f>.
  std::vector<double> project(const std::vector<double>& e) const;
  // y = mass c.
  void apply_mass(const double* c, double* y) const;
  // y = diffusion c.
  void apply_diffusion(const double* c, double* y) const;

 private:
  template <class Visit>
  void for_each_block(const Visit& visit) const;

  std::vector<Part> parts_;
  Degrees degrees_;
  std::vector<std::vector<std::shared_ptr<const RadialBasis>>> bases_;
  std::vector<std::vector<std::array<std::vector<double>, 2>>> diffusion_;  // by part and l
  Layout unknowns_, series_;
};

}  // namespace gwrm::ball
