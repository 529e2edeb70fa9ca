// Eigenvalues near a complex number of a pencil that is too large for dense factors.
//
// Solver     P(s)^{-1} of complex vectors: with u = u_re + i u_im the equations P(s) u = f are twice as many real ones,
//            which are written down as a case and solved by whatever solver that has.
// Arnoldi    for M = -P(s)^{-1} (P1 + 2 s P2) as a real matrix of pairs (Re v, Im v). Its eigenvalues are those mu of
// M,
//            with the vectors (v, -i v), and their conjugates, with (conj v, i conj v): of a Ritz vector (a, b) a + i b
//            is 2 v for the former and 0 for the latter.
// Result     in the upper half plane; l = s + 1/mu.
// Source     Parlett and Saad, Linear Algebra and its Applications 88/89, 1987, for the choices there are.
#pragma once

#include "problems/eigenvalue/modes.hpp"

namespace gwrm {

// The steady case of the pairs at l = shift. CaseError where a name of the case means something for complex numbers.
Case case_of_pairs(const Case& the_case, std::complex<double> shift);

// Whether a character may be part of a name in an expression.
bool is_name_character(char c);

// Overwrites v with P(s)^{-1} v; false: it could not.
using ComplexShiftInverse = std::function<bool(Eigen::VectorXcd& v)>;

// As modes_near() of a real shift (modes.hpp).
std::vector<Mode> modes_near(const Pencil& pencil, std::complex<double> shift, const ComplexShiftInverse& inverse,
                             std::size_t wanted, double tolerance, const std::function<bool()>& interrupted);

// Where rows and unknowns of one system are among those of the pairs: [row] -> rows of the real and the imaginary part.
struct PairPlaces {
  std::vector<Index> row[2], unknown[2];
};
// single: of the model at a real shift. ShapeError where they do not correspond.
PairPlaces pair_places(const WindowSystem& single, const WindowSystem& pairs);

// The same with the solver that the pairs have, or dense factors where it does not converge. single_model: of the case
// at a real shift.
std::vector<Mode> modes_near_by_pairs(const Context& context, const Case& the_case, const Model& single_model,
                                      const SystemPlan& single_plan, const Pencil& pencil, std::complex<double> shift,
                                      std::size_t wanted, double tolerance, const std::function<bool()>& interrupted);

}  // namespace gwrm
