// What rank 0 tells the others of the points that they solve (point_places.hpp): which command, of which of its
// solvers, and its bytes (point_task.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/team.hpp"

namespace gwrm {

inline constexpr int kOpenSolver = 1, kSolveWindow = 2, kCloseSolver = 3, kShareWindow = 4, kPrepareTogether = 5;
inline constexpr int kBeginAnswer = 11, kTakeAnswer = 12;  // shared_answer.hpp
inline constexpr const char* kOtherPrograms = "points: the ranks are of different programs";

Team::Bytes command_bytes(int what, std::uint64_t solver, const Team::Bytes& bytes);

// The device of each point of this rank among the n_places that it has, 0 the first; dealt out in turn.
std::vector<std::size_t> devices_of_points(const std::vector<int>& rank_of, int rank, std::size_t n_places);

}  // namespace gwrm
