#include "kernels/device/staging_buffer.cuh"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "core/threads.hpp"
#include "kernels/device/thread_team.hpp"

namespace gwrm::cuda {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr std::size_t kSlots = 16, kRing = kSlots * kPiece;
constexpr std::size_t kShares = 8;                               // of a piece
constexpr int kMaxThreads = 12;                                 // keep up with the link
constexpr std::size_t kBytesPerThread = std::size_t{512} << 10;  // waking more takes longer than they save

int threads_for(std::size_t bytes) {
  const auto wanted = static_cast<int>(std::min<std::size_t>(kMaxThreads, bytes / kBytesPerThread));
  return std::max(1, std::min(wanted, loop_threads()));
}

std::size_t n_pieces(std::size_t bytes) {
  return (bytes + kPiece - 1) / kPiece;
}

std::size_t size_of(std::size_t piece, std::size_t bytes) {
  return std::min(kPiece, bytes - piece * kPiece);
}

// Thread 0 does what concerns the device, open and close, in the order of the pieces. The shares of a piece are copied
// by whoever asks for the next one, so that nobody waits for a thread that sleeps or has lost its core. They spin,
// because a piece takes 20 us and waking a thread longer.
template <typename Open, typename Copy, typename Close>
void in_shares(std::size_t bytes, const char* what, Open open, Copy copy, Close close) {
  const std::size_t n = n_pieces(bytes);
  std::atomic<std::size_t> n_open{0}, next_share{0};
  std::vector<std::atomic<std::size_t>> n_copied(n);
  const auto copy_share = [&](std::size_t share) {
    const std::size_t piece = share / kShares, which = share % kShares, size = size_of(piece, bytes);
    copy(piece, size * which / kShares, size * (which + 1) / kShares);
    n_copied[piece].fetch_add(1, std::memory_order_release);
  };
  cudaError_t status = cudaSuccess;  // thread 0's; after a failure too all pieces are opened and copied
  in_team(threads_for(bytes), [&](const TeamMember& member) {
    if (member.thread != 0) {
      for (std::size_t share = next_share++; share < n * kShares; share = next_share++) {
        while (n_open.load(std::memory_order_acquire) <= share / kShares) std::this_thread::yield();
        copy_share(share);
      }
      return;
    }
    for (std::size_t n_opened = 0, n_closed = 0; n_closed < n;) {
      if (n_opened < std::min(n, n_closed + kSlots)) {
        if (status == cudaSuccess) status = open(n_opened);
        n_open.store(++n_opened, std::memory_order_release);
      }
      std::size_t share = next_share;
      while (share < n_opened * kShares && !next_share.compare_exchange_weak(share, share + 1)) {
      }
      if (share < n_opened * kShares)
        copy_share(share);
      else
        std::this_thread::yield();
      for (; n_closed < n_opened && n_copied[n_closed].load(std::memory_order_acquire) == kShares; ++n_closed)
        if (status == cudaSuccess) status = close(n_closed);
    }
  });
  check(status, what);
}

}  // namespace

StagingBuffer::StagingBuffer(const DeviceHandles& handles) : handles_(handles), memory_(kRing) {
  if (memory_.data() == nullptr) return;
  for (std::size_t at = 0; at < kRing; at += kPiece) {
    ring_.push_back({memory_.data() + at, nullptr});
    GWRM_DEVICE(cudaEventCreateWithFlags(&ring_.back().copied, cudaEventDisableTiming));
  }
}

StagingBuffer::~StagingBuffer() {
  static_cast<void>(cudaStreamSynchronize(handles_.stream));
  for (const Slot& slot : ring_) static_cast<void>(cudaEventDestroy(slot.copied));
}

void StagingBuffer::upload(void* device, const void* host, std::size_t bytes) {
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

void StagingBuffer::download(void* host, const void* device, std::size_t bytes) {
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
