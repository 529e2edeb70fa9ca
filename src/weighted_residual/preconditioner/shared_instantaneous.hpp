// The equations of a short window (instantaneous_factors.hpp) by all ranks: rows of the residual and of J x are formed
// together, and each rank factors and solves for its own wavenumbers. The iteration is rank 0's.
//
// Way       rank 0 has the object and asks; the others answer until it has gone. Of a question only its kind is sent,
//           then the numbers: vectors from rank 0, products and solutions to it.
// Bits      those of one rank on any number of ranks.
// Memory    of a rank: its share of a SharedWindow and of the factors of one z; of rank 0 the vectors of space that
//           GMRES keeps, besides.
// Serves    what has no shared_newton_unsupported_reason() by wavenumbers.
#pragma once

#include <memory>

#include "core/communicator.hpp"
#include "weighted_residual/preconditioner/instantaneous_factors.hpp"

namespace gwrm {

// By rank 0. The arguments, and on all ranks the same system, outlive it.
std::unique_ptr<InstantaneousSystem> shared_instantaneous(const WindowSystem& system, Communicator& ranks);
// By the others.
void serve_instantaneous(const WindowSystem& system, Communicator& ranks);

}  // namespace gwrm
