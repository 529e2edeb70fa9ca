// One window of a run on all ranks of a team together (weighted_residual/window/shared_window.hpp).
//
// Rank 0 makes the run, as with points of parameters (point_places.hpp): it sets the window up, gives its start to the
// others as plain data, and has the whole answer in the end; verification, sampling and the file are its own. Newton's
// iteration is what they share: each has its part of the unknowns, and of every value at the points.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "case/case.hpp"
#include "core/communicator.hpp"
#include "core/errors.hpp"
#include "problems/time_spectral/window.hpp"

namespace gwrm {

// The linear solver of windows that ranks are to share: that of one process where they share it, else, where the case
// leaves the choice open, tensor products, or wavenumber by wavenumber. reason: why they share none; empty if they do.
struct SharedChoice {
  LinearChoice choice;
  std::string reason;
};
// Asked of a window with few coefficients in space, which takes no time to set up.
SharedChoice choose_shared_method(const Case& the_case, const Model& model, const SystemPlan& plan,
                                  const std::vector<AxisDescription>& subdomains, const LinearChoice& of_one_process,
                                  const NewtonOptions& options);

// Whether ranks can share the factors of the method, for some windows.
bool has_shared_factors(LinearMethod method);

// Why the ranks do not share the window in this method; empty if they do.
std::string sharing_unsupported_reason(const Window& window, LinearMethod method, const NewtonOptions& options,
                                       const SolverMemory& memory, int n_ranks);

// By all ranks, before the windows of a single point. device: as below.
void prepare_together(Communicator& ranks, DeviceSolver* device);

// By all ranks, from the unknowns of rank 0's window, which become those of the answer; windows of others have none.
// window: null on a rank that could not set it up; nothing is then solved, and nothing returned to any. device: the
// rank's own, where GPUs solve it; memory: the rank's of such windows, which all of them have since the first.
// MemoryError, DeviceError on all ranks where one has none or no room. Once all have begun, an error on one of them, as
// of its memory, ends the process with a message and the status of that error, and the launcher ends the others.
std::optional<NewtonResult> solve_together(Communicator& ranks, Window* window, LinearMethod method,
                                           const NewtonOptions& options, const std::function<bool()>& interrupted,
                                           DeviceSolver* device, SolverMemory& memory);

// For an error of one rank while the others wait for what it was to send: only the launcher can end them.
[[noreturn]] void end_all_ranks(int rank, const std::string& what, ExitStatus status);

}  // namespace gwrm
