// Modes near a shift by Arnoldi's method, for real and complex shifts: products with M of modes.hpp until as many Ritz
// pairs as are wanted have converged. Then once more beside the space of these, and again while that brings one that is
// as near: the Krylov space of one vector holds one vector of each eigenvalue, however many are equal (Saad, 4.2.2).
#pragma once

#include <functional>
#include <vector>

#include "problems/eigenvalue/modes.hpp"
#include "solver/arnoldi.hpp"

namespace gwrm {

// w = M v; false: it could not.
using ArnoldiProduct = std::function<bool(const Eigen::VectorXd& v, Eigen::VectorXd& w)>;
// Adds the mode of a pair and its vector, unless it is among the modes.
using AddMode = std::function<void(const RitzPair& pair, const Eigen::VectorXcd& vector, std::vector<Mode>& modes)>;

// size: of v. `wanted`, to a relative residual of `tolerance` in mu; fewer where there are no more or they do not
// converge, none where a product could not be made or `interrupted` (may be empty) says so.
std::vector<Mode> arnoldi_modes(Index size, const ArnoldiProduct& multiply, const AddMode& add, std::size_t wanted,
                                double tolerance, const std::function<bool()>& interrupted);

}  // namespace gwrm
