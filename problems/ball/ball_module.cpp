#include "problems/ball/ball_module.hpp"

#include "problems/ball/ball_problem.hpp"

namespace gwrm {

std::unique_ptr<Problem> BallModule::make(const Case& the_case) const {
  return std::make_unique<BallProblem>(the_case);
}

}  // namespace gwrm
