// What follows the solve of a run whose ranks have its windows together: they sample and verify the answer together,
// and make the chunks of the file.
//
// Rank 0 makes the run: it gives every part of the answer (window_store.hpp) to the others, which then do with it what
// rank 0 does, in step: values that go into a field go to rank 0, what the verification finds goes to all, so that all
// decide alike (sampling.hpp, checked_values.hpp). Every rank has room for a part beside its windows; where one has
// not, rank 0 goes on by itself, to the same bits. All make the expressions anew from the case, in the same order: what
// stands first in a sum follows from what its pool has seen.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "core/team.hpp"
#include "problems/time_spectral/sampling.hpp"
#include "problems/time_spectral/verification.hpp"

namespace gwrm {

// Rank 0's side, for one pass through the windows.
class SharedAnswer {
 public:
  // ranks: of the whole team, called by all.
  SharedAnswer(const Case& the_case, Team& team, const std::function<std::shared_ptr<Communicator>()>& ranks);

  const Model& model() const { return model_; }  // that the answer is sampled and verified by
  // Gives the part to the others; with whom it is to be sampled, and verified if it is `verified`.
  Communicator& give(const Solution& part, bool is_last, bool verified);

 private:
  void tell(int what, const Team::Bytes& bytes);

  const Model model_;
  Team& team_;
  std::shared_ptr<Communicator> ranks_;
  const std::unique_ptr<Communicator> alone_ = Communicator::alone();
};

// The side of the others.
class AnswerHelper {
 public:
  explicit AnswerHelper(const Case& the_case) : case_(the_case) {}

  // Whether the command (point_commands.hpp) was one of the above, and is carried out.
  bool serve(int what, const Team::Bytes& bytes, const std::function<Communicator&()>& ranks);

 private:
  void take(Communicator& ranks, const Team::Bytes& bytes);

  const Case& case_;
  std::optional<Model> model_;
  std::optional<Sampler> sampler_;
  std::optional<RunVerification> verification_;
};

}  // namespace gwrm
