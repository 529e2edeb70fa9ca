// The processes of one command: one alone, or the ranks that mpirun or srun has started (option GWRM_MPI of CMake).
// Tasks are handed out by a counter that all share, and what the ranks find goes to rank 0.
//
// MPI is opened only where a launcher has set its variables: as a single process it takes half a second. All functions
// may be called in several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace gwrm {

// One alone; the ranks of MPI derive from it (team_mpi.cpp).
class Team {
 public:
  using Bytes = std::vector<unsigned char>;
  struct Message {
    int kind = 0;
    Bytes bytes;
  };

  // Once in a process. CaseError under a launcher of several processes in a program that was built without MPI: each
  // would do all the work.
  static std::unique_ptr<Team> of_launcher();

  Team() = default;
  virtual ~Team() = default;  // of several: waits for all
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }
  // Threads of a rank that is asked for none: all cores that it may use, shared with the other ranks of its machine
  // unless the launcher has given each its own.
  virtual int usual_threads() const;

  // By all ranks together: those of rank 0 for all.
  virtual void broadcast(Bytes&) {}

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
