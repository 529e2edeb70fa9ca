// What an answer in the sphere is held against: its equations at points and times that the solver did not use, initial
// and boundary values, its last coefficients, a finer run, exact and reference values.
#pragma once

#include "output/report.hpp"
#include "problems/ball/ball_march.hpp"

namespace gwrm::ball {

// Of the whole answer; what needs no tolerance where the error is estimated is then told without judgement.
std::vector<Check> check_answer(const BallModel& model, const BallSpace& space, const BallSolution& solution,
                                bool judge_system);

// By a run with higher degrees in t, r, l and m in the same windows.
ErrorEstimate estimate_error(const BallModel& model, const BallSpace& space, const BallSolution& solution,
                             const std::function<bool()>& interrupted);

}  // namespace gwrm::ball
