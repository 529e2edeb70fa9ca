// The terms of the equation of a part as `gwrm check` prints them.
#pragma once

#include <string>
#include <vector>

#include "problems/ball/ball_model.hpp"

namespace gwrm::ball {

struct TermText {
  std::string text, latex;
};

// Besides diffusion, in the order of the case: "toroidal(curl(u x B))"; toroidal and poloidal are the scalars of what
// stands in them, gradients left out. Sources of forces and reactions among them.
std::vector<TermText> term_texts(const BallModel& model, const Part& part);

}  // namespace gwrm::ball
