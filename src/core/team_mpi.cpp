// The ranks of MPI. This file alone includes mpi.h; CMake compiles it with GWRM_MPI.
//
// Open MPI and MPICH differ in what several threads may call at once, so one lock serves all calls; none of them waits
// for another rank but broadcast(), the beginning and the end.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <mutex>

#include "core/errors.hpp"
#include "core/team.hpp"
#include "core/threads.hpp"

namespace gwrm {
namespace {

class MpiTeam : public Team {
 public:
  MpiTeam() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED)
      throw DeviceError("this MPI library is not made for several threads: take another one, or start one process");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &n_on_machine_);
    MPI_Comm_free(&machine);
    MPI_Win_allocate(rank_ == 0 ? sizeof(std::int64_t) : 0, sizeof(std::int64_t), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &counter_, &window_);
    if (rank_ == 0) *counter_ = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window_);
  }

  ~MpiTeam() override {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
    MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  int usual_threads() const override {
    const int cores = available_cores();
    const bool has_its_own = cores < static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    return has_its_own ? cores : std::max(1, cores / n_on_machine_);
  }

  void broadcast(Bytes& bytes) override {
    std::uint64_t n = bytes.size();
    MPI_Bcast(&n, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    bytes.resize(n);
    constexpr std::uint64_t kPiece = std::uint64_t{1} << 30;  // counts are int
    for (std::uint64_t first = 0; first < n; first += kPiece)
      MPI_Bcast(bytes.data() + first, static_cast<int>(std::min(kPiece, n - first)), MPI_BYTE, 0, MPI_COMM_WORLD);
  }

  std::size_t next_task() override {
    const std::int64_t one = 1;
    return static_cast<std::size_t>(exchange(one, MPI_SUM));
  }

  void stop() override { exchange(static_cast<std::int64_t>(kBeyond), MPI_REPLACE); }

  void send(const Message& message) override {
    const std::scoped_lock lock(calls_);
    MPI_Send(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE, 0, message.kind, MPI_COMM_WORLD);
  }

  std::optional<Message> receive() override {
    const std::scoped_lock lock(calls_);
    int is_there = 0, count = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &status);
    if (is_there == 0) return std::nullopt;
    MPI_Get_count(&status, MPI_BYTE, &count);
    Message message{status.MPI_TAG, Bytes(static_cast<std::size_t>(count))};
    MPI_Recv(message.bytes.data(), count, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return message;
  }

 private:
  // The counter before.
  std::int64_t exchange(std::int64_t value, MPI_Op operation) {
    const std::scoped_lock lock(calls_);
    std::int64_t before = 0;
    MPI_Fetch_and_op(&value, &before, MPI_INT64_T, 0, 0, operation, window_);
    MPI_Win_flush(0, window_);
    return before;
  }

  std::mutex calls_;
  MPI_Win window_ = MPI_WIN_NULL;
  std::int64_t* counter_ = nullptr;
  int rank_ = 0, size_ = 1, n_on_machine_ = 1;
};

}  // namespace

std::unique_ptr<Team> open_team();
std::unique_ptr<Team> open_team() {
  return std::make_unique<MpiTeam>();
}

}  // namespace gwrm
