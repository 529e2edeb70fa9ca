// The data of a run in the sphere between the points at which it is checked: initial values, sources and given vectors,
// searched by interval arithmetic in t, phi, theta and r (problems/unseen_data.hpp). x, y and z are read as
// r sin(theta) cos(phi), r sin(theta) sin(phi) and r cos(theta).
#pragma once

#include <string>
#include <vector>

#include "output/report.hpp"
#include "problems/ball/ball_march.hpp"

namespace gwrm::ball {

// Independent of the nodes of the space: in each angle more points than the functions of twice the degree need.
SpherePoints data_points(const BallSpace& space);

// Adds a check of kind "data" for each feature that these points do not show (those of sources at the times of the
// windows, a degree's number in each), and a warning for data that could not be decided.
void search_data(const BallModel& model, const BallSpace& space, const BallSolution& solution,
                 std::vector<Check>& checks, std::vector<std::string>& warnings);

}  // namespace gwrm::ball
