// Several processes as a Team, on the functions of gwrm_mpi.so.
//
// MPI counts bytes in an int: longer messages go in pieces, whose tags say whether another one follows; those of one
// rank arrive in order, and one thread at a time sends or receives one.
#pragma once

#include <mutex>

#include "core/rank_functions.hpp"
#include "core/team.hpp"

namespace gwrm {

class RankTeam : public Team {
 public:
  static constexpr int kPiece = 1 << 30;  // bytes

  // DeviceError where the functions cannot be had. longest_wait: seconds that ranks which work on one thing wait for
  // one another (Team::of_launcher()); 0: for ever.
  explicit RankTeam(const RankFunctions& functions, int piece = kPiece, double longest_wait = 0.0);
  ~RankTeam() override;

  bool is_of_launcher() const override { return true; }
  int rank() const override { return place_.rank; }
  int size() const override { return place_.size; }
  int local_rank() const override { return place_.local_rank; }
  int n_local() const override { return place_.n_local; }
  int usual_threads() const override;
  void broadcast(Bytes& bytes) override;
  std::vector<std::uint64_t> gather(std::uint64_t own) override;
  std::unique_ptr<Communicator> communicator() override;
  std::unique_ptr<Team> split(int colour) override;
  std::size_t next_task() override;
  void stop() override;
  void send(const Message& message) override;
  std::optional<Message> receive() override;

 private:
  static constexpr int kAll = -1;
  RankTeam(const RankTeam& all, int group);

  const RankFunctions& functions_;
  const std::size_t piece_;
  const int group_;
  RankPlace place_;
  std::mutex calls_;
};

}  // namespace gwrm
