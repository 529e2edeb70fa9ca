// What an answer in the sphere is held against: its equations at points and times that the solver did not use, initial
// and boundary values, its last coefficients, a finer run, exact and reference values.
#pragma once

#include "output/report.hpp"
#include "problems/ball/ball_march.hpp"
#include "problems/ball/growth.hpp"

namespace gwrm::ball {

// Of the whole answer; what needs no tolerance where the error is estimated is then told without judgement.
std::vector<Check> check_answer(const BallModel& model, const BallSpace& space, const BallSolution& solution,
                                bool judge_system);

// Higher in t, r and l, by what a given flow couples a harmonic with; in m where orders are coupled, or all are there;
// a list of orders by those that the flow couples them with. Products of fields couple all orders that are multiples of
// `stride`.
Degrees finer_degrees(const BallModel& model, const Degrees& degrees, Index stride);

// The distance of each mode's rate and frequency from the nearest in the finer space, relative to it or to the slowest
// decay, pi^2 kappa / R^2, if that is more. That search starts from other random numbers in a window of another length.
// If it finds a faster mode that is not among those of the case, the distance from it. device: as for march_ball().
std::vector<Check> growth_errors(const BallModel& model, const BallSpace& space, const GrowthResult& growth,
                                 const std::function<bool()>& interrupted, WindowDevice* device = nullptr);

// By a run in the finer space with the same windows.
ErrorEstimate estimate_error(const BallModel& model, const BallSpace& space, const BallSolution& solution,
                             const std::function<bool()>& interrupted, WindowDevice* device = nullptr);

}  // namespace gwrm::ball
