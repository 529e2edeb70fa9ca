// The answer of a result file of `problem: ball`, evaluated anywhere in the sphere.
#pragma once

#include <memory>

#include "problems/ball/ball_file.hpp"
#include "problems/stored_answer.hpp"

namespace gwrm::ball {

// In the coordinates t, r, theta, phi or t, x, y, z.
class BallAnswer : public StoredAnswer {
 public:
  BallAnswer(const Case& the_case, const ArrayGroup& group);

  const BallSolution& solution() const { return solution_; }
  const BallSpace& space() const { return space_; }
  const BallModel& model() const { return model_; }

  std::vector<std::vector<Axis>> coordinates() const override;
  std::string outside(std::size_t system, const std::vector<double>& point) const override;
  std::vector<std::vector<double>> values(std::size_t system, const std::vector<SourceText>& texts,
                                          const ScatteredPoints& points) const override;
  std::vector<FieldDifference> differences(const StoredAnswer& other) const override;

 private:
  Case case_;
  BallModel model_;
  BallSpace space_;
  BallSolution solution_;
};

// Null where the file has no group `ball`.
std::unique_ptr<BallAnswer> read_answer(const Case& the_case, const std::string& file);

}  // namespace gwrm::ball
