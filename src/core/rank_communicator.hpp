// Several ranks as a Communicator, on the functions of gwrm_mpi.so.
//
// Every piece of a message is posted at once, those of a pair of ranks in order, which MPI keeps; own parts are copied.
#pragma once

#include "core/communicator.hpp"
#include "core/rank_functions.hpp"

namespace gwrm {

class RankCommunicator : public Communicator {
 public:
  // piece: the longest message, in bytes. Takes the group, which it frees.
  RankCommunicator(const RankFunctions& functions, int group, std::size_t piece);
  ~RankCommunicator() override;
  RankCommunicator(const RankCommunicator&) = delete;
  RankCommunicator& operator=(const RankCommunicator&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  using Communicator::all_gather;
  using Communicator::all_to_all;
  void all_to_all(const std::byte* send, std::span<const std::size_t> n_sent, std::byte* receive,
                  std::span<const std::size_t> n_received) override;
  void all_gather(const std::byte* own, std::span<const std::size_t> counts, std::byte* all) override;
  void broadcast(std::byte* bytes, std::size_t n, int root) override;
  std::unique_ptr<Communicator> split(int colour) override;

 private:
  void post(bool is_sent, std::byte* bytes, std::size_t n, int other);

  const RankFunctions& functions_;
  const int group_;
  const std::size_t piece_;
  int rank_ = 0, size_ = 1;
};

}  // namespace gwrm
