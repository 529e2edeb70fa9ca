// The processes of one command: one alone, or the ranks that mpirun or srun has started (option GWRM_MPI of CMake).
// Tasks are handed out by a counter that all share, and what the ranks find goes to rank 0.
//
// The program does not link MPI. gwrm_mpi.so, which lies beside it and does, is loaded only where a launcher has set
// its variables (rank_team.hpp). All functions may be called in several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/communicator.hpp"

namespace gwrm {

// One alone; RankTeam derives from it.
class Team {
 public:
  using Bytes = std::vector<unsigned char>;
  struct Message {
    int kind = 0;
    Bytes bytes;
  };

  // Once in a process. CaseError under a launcher of several processes that do not find one another, without
  // gwrm_mpi.so or with that of another MPI: each would do all the work. In the environment: GWRM_RANKS=off, each is
  // one alone whatever has started it; GWRM_MESSAGE_BYTES, the longest message between ranks that is not cut into
  // pieces; GWRM_ANSWER_SECONDS, how long ranks that work on one thing wait for one another before they take one of
  // them for lost and end with a message and the status of resources (0: for ever).
  static std::unique_ptr<Team> of_launcher();

  // A launcher has started this process, and it is to find others.
  static bool has_launcher();

  Team() = default;
  virtual ~Team() = default;  // of several: waits for all
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Started by a launcher, be it one alone.
  virtual bool is_of_launcher() const { return false; }
  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }
  // The same among the processes of this machine.
  virtual int local_rank() const { return 0; }
  virtual int n_local() const { return 1; }
  // Threads of a rank that is asked for none: all cores that it may use, shared with the other ranks of its machine
  // unless the launcher has given each its own.
  virtual int usual_threads() const;

  // By all ranks together: the bytes of rank 0 for all; a number of each rank for all, in their order.
  virtual void broadcast(Bytes&) {}
  virtual std::vector<std::uint64_t> gather(std::uint64_t own) { return {own}; }

  // The same ranks for work on one thing, by all together. Its messages are apart from those below.
  virtual std::unique_ptr<Communicator> communicator() { return Communicator::alone(); }
  // The ranks of equal colour, in the order they have here, as a team of their own; by all together. Tasks are handed
  // out by the whole team alone, which outlives it.
  virtual std::unique_ptr<Team> split(int) { return std::make_unique<Team>(); }

  // 0, 1, 2, ..: each number to one caller in all ranks.
  virtual std::size_t next_task() { return next_++; }
  // From here on next_task() gives numbers beyond every task.
  virtual void stop() { next_ = kBeyond; }

  // To rank 0, which asks for them: nothing if there is none.
  virtual void send(const Message&) {}
  virtual std::optional<Message> receive() { return std::nullopt; }

 protected:
  static constexpr std::size_t kBeyond = std::size_t{1} << 62;

 private:
  std::atomic<std::size_t> next_{0};
};

}  // namespace gwrm
