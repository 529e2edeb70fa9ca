// What the parts of a case mean: the scalar functions of its fields, their conditions, initial values and sources.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "problems/ball/ball_case.hpp"
#include "problems/ball/ball_expressions.hpp"
#include "problems/ball/ball_space.hpp"
#include "problems/ball/sphere_transform.hpp"

namespace gwrm::ball {

// P_l^m cos(m phi) (or sin) in orthonormal harmonics: its only coefficient.
double harmonic_factor(Index l, Index m);

class BallModel {
 public:
  // CaseError for expressions and initial fields that do not fit.
  explicit BallModel(const Case& the_case);

  const Case& of_case() const { return case_; }
  const BallCase& section() const { return section_of<BallCase>(case_); }
  const BallExpressions& expressions() const { return expressions_; }
  const RadialFunctions& radial() const { return *radial_; }
  std::vector<Part> parts() const;
  Degrees degrees() const;
  // Of a field: its scalar or toroidal part; the poloidal one is the next.
  std::size_t first_part(std::size_t field) const;
  std::string part_name(std::size_t part) const;

  // <E_n, f(r) r^power> of the factor of a harmonic; misfit: what the E_n, n <= highest, leave of it, where asked for.
  std::vector<double> radial_series(const HarmonicCase& harmonic, Index highest, double* misfit, int power = 0) const;

  // The initial values in the functions E_n, conditions at the surface or not; in the order of space.series().
  std::vector<double> initial_series(const BallSpace& space) const;
  bool has_source() const;
  bool source_depends_on_time() const;
  // <phi, source> at a time, in the order of the unknowns.
  std::vector<double> source(const BallSpace& space, double time) const;
  // <E_n, source>, of a scalar and a magnetic field what the functions E_n hold of it; of a force F on a velocity
  // <curl(E_n Y r), F> and <curl curl(E_n Y r), F> over l (l+1). In the order of space.series().
  std::vector<double> source_series(const BallSpace& space, double time) const;

  // The unknowns of the case (components of vectors) at times and points; e[i]: the series at times[i]. In the order of
  // BallExpressions.
  std::vector<double> unknown_values(const BallSpace& space, std::size_t unknown,
                                     const std::vector<std::vector<double>>& e, const FieldValues& at) const;

 private:
  // Adds what the functions E_n hold of the parts of a vector; more_r: of its degree in r beyond that of the space.
  void add_parts(const BallSpace& space, std::size_t field, const VectorCase& vector, double time, Index more_r,
                 std::vector<double>& e) const;
  void check_harmonics(const BallField& field, const std::vector<HarmonicCase>& harmonics, PartKind kind) const;

  const Case& case_;
  BallExpressions expressions_;
  std::shared_ptr<const RadialFunctions> radial_;
};

}  // namespace gwrm::ball
