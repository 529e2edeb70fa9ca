// The sections `ball`, `initial` and `growth` of a case as plain data; docs/case-file.md describes each key.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "case/case.hpp"

namespace gwrm {

namespace ball {
enum class FieldKind { scalar, magnetic, velocity };
enum class BoundaryWord { value, slope, robin, clamped, insulating, conducting, no_slip, stress_free };
enum class TermWord { induction, advection, inertia, lorentz, buoyancy, background, coriolis };
}  // namespace ball

// `"2,-1": expression of r`: P_l^|m|(cos theta) times cos(m phi), for m < 0 sin(|m| phi), unnormalised.
struct HarmonicCase {
  int l = 0, m = 0;
  SourceText key, text;
};

// Components of a given vector, along e_x, e_y, e_z or e_r, e_theta, e_phi; an empty text is zero.
struct VectorCase {
  bool is_cartesian = true;
  std::array<SourceText, 3> components;

  bool is_there() const {
    return std::any_of(components.begin(), components.end(), [](const SourceText& text) { return !text.text.empty(); });
  }
};

struct BallField {
  std::string name;
  ball::FieldKind kind = ball::FieldKind::scalar;
  ball::BoundaryWord boundary = ball::BoundaryWord::value;
  ball::BoundaryWord inner_boundary = ball::BoundaryWord::value;  // of a shell
  double robin = 1.0;
  double diffusivity = 1.0;
  double hyperdiffusion = 0.0;  // of a scalar u: the factor of -lap(lap(u))
  double buoyancy = 0.0;        // g of the force g u r on velocities
  double background = 0.0;      // beta of the gradient -beta r of a background
  double contrast = 0.0;        // in a shell: of a conducting background, its value inside less that outside
  double lorentz = 1.0;         // of a magnetic field: the factor of the force (curl B) x B on velocities
  SourceText source;            // of a scalar: an expression of t and the place; empty: none
  VectorCase vector_source;     // of a velocity a force, of a magnetic field what is added to curl(u x B)
  SourceText reaction;          // of a scalar: an expression of the scalars, t and the place; empty: none
  SourceText where;
  // Initial values; zero where nothing is given.
  SourceText initial;                            // of a scalar: an expression of the place
  std::vector<HarmonicCase> toroidal, poloidal;  // of a vector
  VectorCase initial_vector;                     // of a vector, in their place
  SourceText initial_where;

  bool is_vector() const { return kind != ball::FieldKind::scalar; }
};

struct FlowCase {
  std::vector<HarmonicCase> toroidal, poloidal;
  double factor = 1.0;

  bool is_there() const { return !toroidal.empty() || !poloidal.empty(); }
};

struct GrowthCase {
  int modes = 0;  // 0: not asked for
  double tolerance = 1e-8, window = 0.0;
  SourceText where;
};

// Degrees that the case leaves to the program.
struct ChosenDegrees {
  bool t = false, r = false, l = false, m = false;

  bool any() const { return t || r || l || m; }
};

// The full sphere of radius `radius`, or a shell.
struct BallCase : ModuleCase {
  double radius = 1.0, inner_radius = 0.0;  // 0: the full sphere
  int degree_t = 0, degree_r = 0, degree_l = 0, degree_m = 0;
  std::vector<int> orders;     // those that ball.degree.m lists; empty: all, or multiples
  int azimuthal_symmetry = 1;  // orders are multiples of it
  ChosenDegrees chosen;        // where the degrees are those to begin with
  std::vector<BallField> fields;
  FlowCase flow;
  std::vector<ball::TermWord> terms;

  bool is_shell() const { return inner_radius > 0.0; }
  bool has(ball::TermWord word) const { return std::find(terms.begin(), terms.end(), word) != terms.end(); }
  double rotation = 0.0;
  GrowthCase growth;
  std::vector<double> windows;  // edges; empty: chosen by `tolerance`
  double tolerance = 1e-10;
  SourceText where, degree_where;
};

}  // namespace gwrm
