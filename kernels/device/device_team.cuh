// The GPUs of several ranks that work on one thing together, one of each rank: messages between them by NCCL, on the
// stream of the handles.
//
// Every function is called by all ranks, in the same order. Nothing waits for the host but wait(). Sums are gathered
// and added in the order of the ranks, so that their bits are the same on every run with the same number of ranks; NCCL
// adds up nothing.
//
// NCCL is opened when the first team is made (libnccl.so.2): the program does not link it. Multicast over NVLink is
// left off (NCCL_NVLS_ENABLE), and so is its virtual memory (NCCL_CUMEM_ENABLE), unless the environment says otherwise.
// What a team leaves open when it has done its work is closed by the end of the process.
//
// Device only: ranks on CPUs exchange by core/communicator.hpp.
#pragma once

#include "core/device_handles.cuh"
//
#include <cstddef>
#include <memory>
#include <span>

#include "core/communicator.hpp"

namespace gwrm::cuda {

class DeviceTeam {
 public:
  // By all ranks, which keep `ranks` for what the hosts exchange. DeviceError on all of them: no NCCL on one. The link
  // is made in a thread of its own, which the first message waits for: DeviceError there where it could not be made, as
  // where two ranks have the same GPU.
  DeviceTeam(Communicator& ranks, DeviceHandles& handles);
  ~DeviceTeam();
  DeviceTeam(const DeviceTeam&) = delete;
  DeviceTeam& operator=(const DeviceTeam&) = delete;

  Communicator& ranks() const { return ranks_; }
  int rank() const { return ranks_.rank(); }
  int size() const { return ranks_.size(); }

  // Until messages can be sent; the first one waits for it, too.
  void wait_for_link();

  // `count` doubles at `data`, from or to a rank that is another one.
  struct Message {
    double* data = nullptr;
    std::size_t count = 0;
    int other = 0;
  };
  // All at once. Messages between two ranks are in the same order, and of the same sizes, on both.
  void exchange(std::span<const Message> sent, std::span<const Message> received);
  // values[i] of all ranks added up, on all of them; of several lists by one message.
  struct Values {
    double* data = nullptr;
    std::size_t count = 0;
  };
  void add_up(std::span<const Values> lists);
  // The largest of the values of all ranks; NaN if one is.
  void take_largest(double* values, std::size_t count);

  // Until the stream is through. DeviceError where NCCL has failed meanwhile, or nothing has come for as long as
  // GWRM_ANSWER_SECONDS says (600): a rank does not answer.
  void wait();

 private:
  struct Library;  // the functions of NCCL
  struct Link;     // the communicator of NCCL
  const double* gathered(std::span<const Values> lists, std::size_t count);

  Communicator& ranks_;
  DeviceHandles& handles_;
  std::shared_ptr<Link> link_;  // with the thread that makes it
  DeviceBuffer packed_, of_all_;
};

}  // namespace gwrm::cuda
