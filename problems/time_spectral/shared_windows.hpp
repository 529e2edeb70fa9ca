// One window of a run on all ranks of a team together (weighted_residual/window/shared_window.hpp).
//
// Rank 0 makes the run, as with points of parameters (point_places.hpp): it sets the window up, gives its start to the
// others as plain data, and has the whole answer in the end; verification, sampling and the file are its own. Every
// rank sets up the window whole; Newton's iteration is what they share.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/communicator.hpp"
#include "core/errors.hpp"
#include "problems/time_spectral/window.hpp"

namespace gwrm {

// Why the ranks do not share the window in this method; empty if they do.
std::string sharing_unsupported_reason(const Window& window, LinearMethod method, const NewtonOptions& options,
                                       const SolverMemory& memory);

// By all ranks, from the same unknowns, which become those of the answer. window: null on a rank that could not set it
// up; nothing is then solved, and nothing returned to any. Once all have begun, an error on one of them, as of its
// memory, ends the process with a message and the status of that error, and the launcher ends the others.
std::optional<NewtonResult> solve_together(Communicator& ranks, Window* window, const NewtonOptions& options,
                                           const std::function<bool()>& interrupted);

// For an error of one rank while the others wait for what it was to send: only the launcher can end them.
[[noreturn]] void end_all_ranks(int rank, const std::string& what, ExitStatus status);

}  // namespace gwrm
