#include "kernels/device/staged_copies.cuh"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "kernels/device/thread_team.hpp"

namespace gwrm::cuda {
namespace {

constexpr std::size_t kPiece = LockedMemory::kHugePage;
constexpr std::size_t kSlots = 8, kRing = kSlots * kPiece;
constexpr int kMostThreads = 12;                                 // keep up with the link
constexpr std::size_t kBytesPerThread = std::size_t{512} << 10;  // waking more takes longer than they save

int threads_for(std::size_t bytes) {
  const auto wanted = static_cast<int>(std::min<std::size_t>(kMostThreads, bytes / kBytesPerThread));
  return std::max(1, std::min(wanted, loop_threads()));
}

std::size_t n_pieces(std::size_t bytes) {
  return (bytes + kPiece - 1) / kPiece;
}

std::size_t size_of(std::size_t piece, std::size_t bytes) {
  return std::min(kPiece, bytes - piece * kPiece);
}

// Of every piece thread 0 does what concerns the device, open and close, and all copy a share. It closes a piece when
// it has copied its share of the next, so that nobody waits for a thread that is a little late. They spin, because a
// piece takes 40 us and so does waking a thread.
template <typename Open, typename Copy, typename Close>
void in_shares(std::size_t bytes, const char* what, Open open, Copy copy, Close close) {
  std::atomic<std::size_t> n_open{0};
  std::vector<std::atomic<int>> n_copied(n_pieces(bytes));
  cudaError_t status = cudaSuccess;  // thread 0's
  in_team(threads_for(bytes), [&](const TeamMember& member) {
    const auto t = static_cast<std::size_t>(member.thread), n = static_cast<std::size_t>(member.n_threads);
    const auto finish = [&](std::size_t piece) {
      while (n_copied[piece].load(std::memory_order_acquire) < member.n_threads) std::this_thread::yield();
      if (status == cudaSuccess) status = close(piece);
    };
    for (std::size_t piece = 0; piece < n_copied.size(); ++piece) {
      if (t == 0) {
        if (status == cudaSuccess) status = open(piece);
        n_open.store(piece + 1, std::memory_order_release);  // after a failure too: all leave the loop
      } else {
        while (n_open.load(std::memory_order_acquire) <= piece) std::this_thread::yield();
      }
      const std::size_t size = size_of(piece, bytes);
      copy(piece, size * t / n, size * (t + 1) / n);
      n_copied[piece].fetch_add(1, std::memory_order_release);
      if (t == 0 && piece > 0) finish(piece - 1);
    }
    if (t == 0) finish(n_copied.size() - 1);
  });
  check(status, what);
}

}  // namespace

StagedCopies::StagedCopies(const DeviceHandles& handles) : handles_(handles), memory_(kRing) {
  if (memory_.data() == nullptr) return;
  for (std::size_t at = 0; at < kRing; at += kPiece) {
    ring_.push_back({memory_.data() + at, nullptr});
    GWRM_DEVICE(cudaEventCreateWithFlags(&ring_.back().copied, cudaEventDisableTiming));
  }
}

StagedCopies::~StagedCopies() {
  static_cast<void>(cudaStreamSynchronize(handles_.stream));
  for (const Slot& slot : ring_) static_cast<void>(cudaEventDestroy(slot.copied));
}

void StagedCopies::upload(void* device, const void* host, std::size_t bytes) {
  if (ring_.empty() || bytes < kWorthStaging) {
    GWRM_DEVICE(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, handles_.stream));
    return;
  }
  in_shares(
      bytes, "copy to the device",
      [&](std::size_t piece) { return cudaEventSynchronize(ring_[piece % kSlots].copied); },  // what it held before
      [&](std::size_t piece, std::size_t begin, std::size_t end) {
        std::memcpy(ring_[piece % kSlots].memory + begin, static_cast<const char*>(host) + piece * kPiece + begin,
                    end - begin);
      },
      [&](std::size_t piece) {
        const Slot& slot = ring_[piece % kSlots];
        const cudaError_t status = cudaMemcpyAsync(static_cast<char*>(device) + piece * kPiece, slot.memory,
                                                   size_of(piece, bytes), cudaMemcpyHostToDevice, handles_.stream);
        return status == cudaSuccess ? cudaEventRecord(slot.copied, handles_.stream) : status;
      });
}

void StagedCopies::download(void* host, const void* device, std::size_t bytes) {
  if (ring_.empty() || bytes < kWorthStaging) {
    handles_.download(static_cast<char*>(host), static_cast<const char*>(device), bytes);
    return;
  }
  const auto ask = [&](std::size_t piece) {
    if (piece >= n_pieces(bytes)) return cudaSuccess;
    const Slot& slot = ring_[piece % kSlots];
    const cudaError_t status = cudaMemcpyAsync(slot.memory, static_cast<const char*>(device) + piece * kPiece,
                                               size_of(piece, bytes), cudaMemcpyDeviceToHost, handles_.stream);
    return status == cudaSuccess ? cudaEventRecord(slot.copied, handles_.stream) : status;
  };
  for (std::size_t piece = 0; piece < kSlots; ++piece) check(ask(piece), "copy from the device");
  in_shares(
      bytes, "copy from the device",
      [&](std::size_t piece) { return cudaEventSynchronize(ring_[piece % kSlots].copied); },
      [&](std::size_t piece, std::size_t begin, std::size_t end) {
        std::memcpy(static_cast<char*>(host) + piece * kPiece + begin, ring_[piece % kSlots].memory + begin,
                    end - begin);
      },
      [&](std::size_t piece) { return ask(piece + kSlots); });
}

}  // namespace gwrm::cuda
