// Several processes as a Team, on the functions of gwrm_mpi.so.
//
// Open MPI and MPICH differ in what several threads may call at once, so one lock serves all calls; none of them waits
// for another rank but broadcast(), the beginning, the end, the later pieces of a message, and those of communicator().
// MPI counts bytes in an int: longer messages go in pieces, whose tags say whether another one follows; those of one
// rank arrive in order.
#pragma once

#include <mutex>

#include "core/rank_functions.hpp"
#include "core/team.hpp"

namespace gwrm {

class RankTeam : public Team {
 public:
  static constexpr int kPiece = 1 << 30;  // bytes

  // DeviceError where the functions cannot be had.
  explicit RankTeam(const RankFunctions& functions, int piece = kPiece);
  ~RankTeam() override;

  int rank() const override { return place_.rank; }
  int size() const override { return place_.size; }
  int local_rank() const override { return place_.local_rank; }
  int n_local() const override { return place_.n_local; }
  int usual_threads() const override;
  void broadcast(Bytes& bytes) override;
  std::vector<std::uint64_t> gather(std::uint64_t own) override;
  std::unique_ptr<Communicator> communicator() override;
  std::size_t next_task() override;
  void stop() override;
  void send(const Message& message) override;
  std::optional<Message> receive() override;

 private:
  const RankFunctions& functions_;
  const std::size_t piece_;
  RankPlace place_;
  std::mutex calls_;
};

}  // namespace gwrm
