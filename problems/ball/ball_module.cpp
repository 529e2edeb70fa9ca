#include "problems/ball/ball_module.hpp"

#include <fmt/format.h>

#include "problems/ball/ball_answer.hpp"
#include "problems/ball/ball_problem.hpp"
#include "problems/ball/manufactured_ball.hpp"

namespace gwrm {

std::unique_ptr<Problem> BallModule::make(const Case& the_case) const {
  return std::make_unique<BallProblem>(the_case);
}

// All components of vectors.
std::vector<Override> BallModule::changes_of_study(const Case& base) const {
  std::string fields;
  for (const UnknownCase& unknown : base.unknowns)
    fields += fmt::format("{0}{1}: {1}", fields.empty() ? "" : ", ", unknown.name);
  return {{"output.fields", "{" + fields + "}"}};
}

Case BallModule::manufactured(const Case& the_case) const {
  return ball::manufactured_ball(the_case);
}

std::unique_ptr<StoredAnswer> BallModule::stored_answer(const Case& the_case, const std::string& file) const {
  return ball::read_answer(the_case, file);
}

}  // namespace gwrm
