// The linear terms (evolving_terms.hpp: products of fields) that couple harmonics and fields, in their weak form.
//
// Induction    magnetic: curl(u x B), u the given flow. Toroidal equations are tested with curl curl(phi Y r), poloidal
//              ones with curl(phi Y r), divided by l (l+1): boundary terms vanish and products need no derivatives in
//              r.
// Advection    scalar: -div(u Theta), u the given flow; tested with phi Y it is <grad(phi Y), u Theta>, for u does not
//              leave through the surface.
// Inertia      velocity U beside the given flow: (u + U) x curl(u + U) without u x curl u, which what maintains u
//              balances; here u x curl U - (curl u) x U, the product of U with itself in evolving_terms.hpp.
// Buoyancy     velocity: g Theta r; tested with curl curl(phi Y r) it is g <Theta, phi> in the poloidal equation.
// Background   scalar: -U . grad T_0 with grad T_0 = -beta r, beta U . r = beta l (l+1) P; in a shell, which conducts a
//              contrast D of its walls, with grad T_0 = -C e_r/r^2, C = D a R/(R - a): C l (l+1) P/r^3.
// Coriolis     velocity: -rotation e_z x U.
// Grid         Gauss nodes on which all products are integrated exactly.
// Source       method/ball, section 6.
#pragma once

#include <memory>
#include <vector>

#include "problems/ball/given_flow.hpp"
#include "problems/ball/grid_products.hpp"
#include "problems/ball/vector_fields.hpp"

namespace gwrm::ball {

class BallTerms {
 public:
  BallTerms(const BallModel& model, const BallSpace& space);

  bool any() const {
    return !induced_.empty() || !advected_.empty() || !sheared_.empty() || !links_.empty() || !rotating_.empty();
  }
  // y = <phi, terms> of the fields with the coefficients c: no memory is shared, several threads may call.
  void apply(const double* c, double* y) const;
  // <E_n Y, terms> from a series, in the order of the series.
  void moments(const double* e, double* moments) const;
  double largest_speed() const { return speed_; }  // of the given flow
  std::vector<std::size_t> carried() const;        // parts of the fields that it carries

  // moments of part `to` += factor (l (l+1) if weighted) series of part `from`.
  struct Link {
    std::size_t from, to;
    double factor;
    bool weighted;
    bool over_cube = false;  // of the series over r^3
  };
  const std::vector<Link>& links() const { return links_; }
  // What of them is formed on points: a given vector times a field.
  GridProducts products() const;

 private:
  struct Rotating {
    std::size_t part;
    double rotation;
  };

  const BallSpace& space_;
  double radius_;
  std::vector<std::size_t> induced_;   // toroidal parts of magnetic fields
  std::vector<std::size_t> advected_;  // parts of scalars
  std::vector<std::size_t> sheared_;   // toroidal parts of velocities with inertia beside the given flow
  std::vector<Link> links_;
  Matrix over_cube_;  // <E_j, r^-3 E_n> in a shell
  std::vector<Rotating> rotating_;
  Components axis(double rotation) const;  // -rotation e_z on the points
  Components flow_, turning_;              // u and -curl u on the points
  double speed_ = 0.0;
  std::unique_ptr<SphereQuadrature> quadrature_;
  std::unique_ptr<SphereTransform> transform_;
};

}  // namespace gwrm::ball
