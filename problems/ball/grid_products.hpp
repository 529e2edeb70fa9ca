// The products on the points of a grid that terms are made of, as plain data: what BallTerms and EvolvingTerms do one
// after the other, for a device that does them all at once.
//
// Product   of a vector (given, or a field) with a field: the cross product with a vector, the flux with a scalar.
// Targets   the equations that are tested with the sum of products: of a scalar with gradients (1/R), of a magnetic
//           field its toroidal part with curl curl (1/R) and its poloidal part with curl, of a velocity with curl and
//           curl curl (R); sphere_transform.hpp.
#pragma once

#include <vector>

#include "problems/ball/ball_case.hpp"
#include "problems/ball/vector_fields.hpp"

namespace gwrm::ball {

// Points, and weights of r^2 dr and d(cos theta).
struct Grid {
  SpherePoints points;
  std::vector<double> radial_weights, polar_weights;

  Grid() = default;
  explicit Grid(const SphereQuadrature& quadrature)
      : points(quadrature.points()),
        radial_weights(quadrature.radial_weights()),
        polar_weights(quadrature.polar_weights()) {}
};

// A field on the points: a scalar, a vector of the parts `part` and `part` + 1, or the curl of one.
struct GridField {
  enum class Kind { scalar, vector, curl };
  Kind kind = Kind::scalar;
  std::size_t part = 0;

  int n_components() const { return kind == Kind::scalar ? 1 : 3; }
};

struct GridProduct {
  enum class Left { given, field };
  Left from = Left::given;
  std::size_t left = 0, right = 0;  // places in `given` or `fields`; in `fields`
  double factor = 1.0;
  std::size_t target = 0;
};

struct GridTarget {
  FieldKind kind = FieldKind::scalar;
  std::size_t part = 0;  // the first of the field
};

struct GridProducts {
  Grid grid;
  std::vector<GridField> fields;
  std::vector<Components> given;
  std::vector<GridProduct> products;
  std::vector<GridTarget> targets;

  bool any() const { return !products.empty(); }
  int n_components() const {
    int n = 0;
    for (const GridField& field : fields) n += field.n_components();
    return n;
  }
  // Of the targets.
  int n_results() const { return 3 * static_cast<int>(targets.size()); }
};

}  // namespace gwrm::ball
