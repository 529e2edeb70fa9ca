#include "kernels/device/device_team.cuh"
//
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/errors.hpp"

#if __has_include(<nccl.h>)
#include <nccl.h>
#define GWRM_HAVE_NCCL 1
#else
#define GWRM_HAVE_NCCL 0
#endif

namespace gwrm::cuda {
namespace {

constexpr int kThreads = 256;

// values[i] = sum_r of_all[r, i], r ascending
__global__ void add_in_order(const double* of_all, std::size_t n, int n_ranks, double* values) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  double sum = of_all[i];
  for (int r = 1; r < n_ranks; ++r) sum += of_all[static_cast<std::size_t>(r) * n + i];
  values[i] = sum;
}

__global__ void largest_in_order(const double* of_all, std::size_t n, int n_ranks, double* values) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  double largest = of_all[i];
  for (int r = 1; r < n_ranks; ++r) {
    const double value = of_all[static_cast<std::size_t>(r) * n + i];
    if (!(value <= largest)) largest = value;
  }
  values[i] = largest;
}

unsigned blocks_for(std::size_t n) {
  return static_cast<unsigned>((n + kThreads - 1) / kThreads);
}

double most_seconds() {
  const char* seconds = std::getenv("GWRM_ANSWER_SECONDS");
  const double value = seconds == nullptr ? 0.0 : std::atof(seconds);
  return value > 0.0 ? value : 600.0;
}

}  // namespace

#if GWRM_HAVE_NCCL

struct DeviceTeam::Library {
  // Null where it cannot be had; `why` says so then.
  static const Library* get(std::string& why) {
    static Library library;
    static const std::string problem = library.open();
    why = problem;
    return problem.empty() ? &library : nullptr;
  }

  decltype(&ncclGetUniqueId) get_unique_id = nullptr;
  decltype(&ncclCommInitRank) init = nullptr;
  decltype(&ncclCommGetAsyncError) async_error = nullptr;
  decltype(&ncclCommAbort) abort = nullptr;
  decltype(&ncclSend) send = nullptr;
  decltype(&ncclRecv) receive = nullptr;
  decltype(&ncclAllGather) all_gather = nullptr;
  decltype(&ncclGroupStart) group_start = nullptr;
  decltype(&ncclGroupEnd) group_end = nullptr;
  decltype(&ncclGetErrorString) error_string = nullptr;
  decltype(&ncclGetLastError) last_error = nullptr;

 private:
  std::string open() {
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    // Buffers of the other GPUs opened by handles of cudaIpc: their mapping as virtual memory, NCCL's own choice, takes
    // a second more among four GPUs, and moves no more a second.
    setenv("NCCL_CUMEM_ENABLE", "0", 0);
    void* library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
      return std::string("several GPUs exchange by NCCL, which is not there (") + dlerror() +
             "): install libnccl2 and let LD_LIBRARY_PATH name its folder";
    bool all = true;
    const auto load = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      all = all && function != nullptr;
    };
    load(get_unique_id, "ncclGetUniqueId");
    load(init, "ncclCommInitRank");
    load(async_error, "ncclCommGetAsyncError");
    load(abort, "ncclCommAbort");
    load(send, "ncclSend");
    load(receive, "ncclRecv");
    load(all_gather, "ncclAllGather");
    load(group_start, "ncclGroupStart");
    load(group_end, "ncclGroupEnd");
    load(error_string, "ncclGetErrorString");
    load(last_error, "ncclGetLastError");
    return all ? "" : "this NCCL is too old: 2.14 is wanted, or newer";
  }
};

struct DeviceTeam::Link {
  explicit Link(const Library& functions) : nccl(functions) {}
  ~Link() {
    // Not ncclCommDestroy, which waits for the others: they may have failed.
    if (communicator != nullptr && !stays_open) nccl.abort(communicator);
  }
  void fail(const std::string& what) {
    if (communicator != nullptr) nccl.abort(communicator);
    communicator = nullptr;
    throw DeviceError(what);
  }
  void check(ncclResult_t status, const char* call) {
    if (status == ncclSuccess || status == ncclInProgress) return;
    const std::string detail = communicator != nullptr ? nccl.last_error(communicator) : "";
    fail(std::string(call) + ": " + nccl.error_string(status) + (detail.empty() ? "" : " (" + detail + ")"));
  }
  // In a thread of its own, so that a rank that never comes is told in time: NCCL's calls wait for one another, and the
  // first messages make the connections. (A communicator whose calls do not wait begins a thread for each: 80 us in
  // place of 13.)
  void make(int device, const ncclUniqueId& id, int rank, int size) {
    std::string what;
    try {
      GWRM_DEVICE(cudaSetDevice(device));
      check(nccl.init(&communicator, size, id, rank), "ncclCommInitRank");
      connect(rank, size);
    } catch (const std::exception& error) {
      what = error.what();
    }
    const std::lock_guard lock(mutex);
    problem = what;
    is_made = true;
    made.notify_all();
  }
  void wait_until_made() {
    std::unique_lock lock(mutex);
    if (!made.wait_for(lock, std::chrono::duration<double>(most_seconds()), [&] { return is_made; }))
      throw DeviceError("the GPUs of the ranks cannot be connected: a rank does not answer");
    if (!problem.empty()) throw DeviceError("the GPUs of the ranks cannot be connected: " + problem);
  }

  const Library& nccl;
  ncclComm_t communicator = nullptr;
  bool stays_open = false;  // until the process ends

 private:
  // The first message between two ranks makes their connection, which takes tenths of a second.
  void connect(int rank, int size) {
    const auto n = static_cast<std::size_t>(size);
    DeviceBuffer room;
    double* numbers = room.reserve<double>(3 * n);
    cudaStream_t stream = nullptr;
    GWRM_DEVICE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    GWRM_DEVICE(cudaMemsetAsync(numbers, 0, 3 * n * sizeof(double), stream));
    check(nccl.group_start(), "ncclGroupStart");
    for (int other = 0; other < size; ++other) {
      if (other == rank) continue;
      check(nccl.send(numbers + other, 1, ncclDouble, other, communicator, stream), "ncclSend");
      check(nccl.receive(numbers + n + other, 1, ncclDouble, other, communicator, stream), "ncclRecv");
    }
    check(nccl.group_end(), "ncclGroupEnd");
    check(nccl.all_gather(numbers, numbers + 2 * n, 1, ncclDouble, communicator, stream), "ncclAllGather");
    GWRM_DEVICE(cudaStreamSynchronize(stream));
    GWRM_DEVICE(cudaStreamDestroy(stream));
  }

  std::mutex mutex;
  std::condition_variable made;
  bool is_made = false;
  std::string problem;
};

#define GWRM_NCCL(call) link_->check((link_->nccl.call), #call)

DeviceTeam::DeviceTeam(Communicator& ranks, DeviceHandles& handles) : ranks_(ranks), handles_(handles) {
  std::string why;
  const Library* library = Library::get(why);
  if (ranks.agree(library == nullptr ? 1 : 0) != 0)
    throw DeviceError(why.empty() ? "a rank has no NCCL, by which several GPUs exchange" : why);
  link_ = std::make_shared<Link>(*library);
  ncclUniqueId id{};
  if (ranks.rank() == 0) GWRM_NCCL(get_unique_id(&id));
  ranks.broadcast(reinterpret_cast<std::byte*>(&id), sizeof(id), 0);
  int device = 0;
  GWRM_DEVICE(cudaGetDevice(&device));
  // It may outlive the team, where a rank never comes.
  std::thread([link = link_, device, id, rank = ranks.rank(), size = ranks.size()] {
    link->make(device, id, rank, size);
  }).detach();
}

// To close a link takes tenths of a second, of which the end of the process takes care; it is closed where a message is
// still awaited, that may never come.
DeviceTeam::~DeviceTeam() {
  link_->stays_open = cudaStreamQuery(handles_.stream) == cudaSuccess;
}

void DeviceTeam::wait_for_link() {
  link_->wait_until_made();
}

void DeviceTeam::exchange(std::span<const Message> sent, std::span<const Message> received) {
  link_->wait_until_made();
  GWRM_NCCL(group_start());
  for (const Message& one : sent)
    if (one.count > 0)
      GWRM_NCCL(send(one.data, one.count, ncclDouble, one.other, link_->communicator, handles_.stream));
  for (const Message& one : received)
    if (one.count > 0)
      GWRM_NCCL(receive(one.data, one.count, ncclDouble, one.other, link_->communicator, handles_.stream));
  GWRM_NCCL(group_end());
}

// What each rank has, one after the other.
const double* DeviceTeam::gathered(std::span<const Values> lists, std::size_t count) {
  link_->wait_until_made();
  double* own = packed_.reserve<double>(count);
  double* all = of_all_.reserve<double>(count * static_cast<std::size_t>(size()));
  double* next = own;
  for (const Values& list : lists) {
    GWRM_DEVICE(
        cudaMemcpyAsync(next, list.data, list.count * sizeof(double), cudaMemcpyDeviceToDevice, handles_.stream));
    next += list.count;
  }
  GWRM_NCCL(all_gather(own, all, count, ncclDouble, link_->communicator, handles_.stream));
  return all;
}

void DeviceTeam::wait() {
  const auto began = std::chrono::steady_clock::now();
  for (int asked = 0;; ++asked) {
    const cudaError_t state = cudaStreamQuery(handles_.stream);
    if (state == cudaSuccess) return;
    if (state != cudaErrorNotReady) check(state, "cudaStreamQuery");
    if (asked % 1024 != 1023) continue;
    ncclResult_t status = ncclSuccess;
    GWRM_NCCL(async_error(link_->communicator, &status));
    link_->check(status, "a message between GPUs");
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() > most_seconds())
      link_->fail("a rank does not answer");
  }
}

#else

struct DeviceTeam::Link {};
DeviceTeam::DeviceTeam(Communicator& ranks, DeviceHandles& handles) : ranks_(ranks), handles_(handles) {
  throw DeviceError("this program was built without nccl.h: its GPUs cannot exchange");
}
DeviceTeam::~DeviceTeam() = default;
void DeviceTeam::wait_for_link() {}
void DeviceTeam::exchange(std::span<const Message>, std::span<const Message>) {}
const double* DeviceTeam::gathered(std::span<const Values>, std::size_t) {
  return nullptr;
}
void DeviceTeam::wait() {}

#endif

void DeviceTeam::add_up(std::span<const Values> lists) {
  std::size_t count = 0, place = 0;
  for (const Values& list : lists) count += list.count;
  const double* all = gathered(lists, count);
  double* sums = packed_.as<double>();
  add_in_order<<<blocks_for(count), kThreads, 0, handles_.stream>>>(all, count, size(), sums);
  GWRM_LAUNCHED(add_in_order);
  for (const Values& list : lists) {
    GWRM_DEVICE(cudaMemcpyAsync(list.data, sums + place, list.count * sizeof(double), cudaMemcpyDeviceToDevice,
                                handles_.stream));
    place += list.count;
  }
}

void DeviceTeam::take_largest(double* values, std::size_t count) {
  const Values own{values, count};
  const double* all = gathered({&own, 1}, count);
  largest_in_order<<<blocks_for(count), kThreads, 0, handles_.stream>>>(all, count, size(), values);
  GWRM_LAUNCHED(largest_in_order);
}

}  // namespace gwrm::cuda
