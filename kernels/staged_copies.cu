#include "kernels/staged_copies.cuh"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "kernels/thread_team.hpp"

namespace gwrm::cuda {
namespace {

constexpr std::size_t kPiece = std::size_t{2} << 20;  // also the size of a huge page: fewer pages to lock
constexpr std::size_t kPieces = 4, kRing = kPieces * kPiece;
constexpr int kMostThreads = 4;                                  // keep up with the link
constexpr std::size_t kBytesPerThread = std::size_t{512} << 10;  // waking more takes longer than they save

int threads_for(std::size_t bytes) {
  const auto wanted = static_cast<int>(std::min<std::size_t>(kMostThreads, bytes / kBytesPerThread));
  return std::max(1, std::min(wanted, loop_threads()));
}

// A member's share of a copy within the host's memory.
void copy_share(const TeamMember& member, char* to, const char* from, std::size_t bytes) {
  const auto t = static_cast<std::size_t>(member.thread), n = static_cast<std::size_t>(member.n_threads);
  const std::size_t begin = bytes * t / n, end = bytes * (t + 1) / n;
  std::memcpy(to + begin, from + begin, end - begin);
}

}  // namespace

StagedCopies::StagedCopies(const DeviceHandles& handles) : handles_(handles) {
  memory_ = std::aligned_alloc(kPiece, kRing);
  if (memory_ == nullptr) return;
  static_cast<void>(madvise(memory_, kRing, MADV_HUGEPAGE));
  if (cudaHostRegister(memory_, kRing, cudaHostRegisterDefault) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    std::free(memory_);
    memory_ = nullptr;
    return;
  }
  for (std::size_t at = 0; at < kRing; at += kPiece) {
    ring_.push_back({static_cast<char*>(memory_) + at, nullptr});
    if (cudaEventCreateWithFlags(&ring_.back().copied, cudaEventDisableTiming) == cudaSuccess) continue;
    close();
    return;
  }
}

StagedCopies::~StagedCopies() {
  close();
}

void StagedCopies::close() {
  if (memory_ == nullptr) return;
  static_cast<void>(cudaStreamSynchronize(handles_.stream));
  for (const Piece& piece : ring_)
    if (piece.copied != nullptr) static_cast<void>(cudaEventDestroy(piece.copied));
  ring_.clear();
  static_cast<void>(cudaHostUnregister(memory_));
  std::free(memory_);
  memory_ = nullptr;
}

// The caller's thread talks to the device; all copy. Every thread leaves the loop at the same piece.
void StagedCopies::upload(void* device, const void* host, std::size_t bytes) {
  if (ring_.empty() || bytes < kWorthStaging) {
    GWRM_DEVICE(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, handles_.stream));
    return;
  }
  cudaError_t status = cudaSuccess;
  in_team(threads_for(bytes), [&](const TeamMember& member) {
    for (std::size_t begin = 0; begin < bytes; begin += kPiece) {
      const Piece& piece = ring_[begin / kPiece % kPieces];
      const std::size_t size = std::min(kPiece, bytes - begin);
      if (member.thread == 0 && status == cudaSuccess) status = cudaEventSynchronize(piece.copied);  // held before
      member.wait();
      copy_share(member, piece.memory, static_cast<const char*>(host) + begin, size);
      member.wait();
      if (member.thread != 0 || status != cudaSuccess) continue;
      status = cudaMemcpyAsync(static_cast<char*>(device) + begin, piece.memory, size, cudaMemcpyHostToDevice,
                               handles_.stream);
      if (status == cudaSuccess) status = cudaEventRecord(piece.copied, handles_.stream);
    }
  });
  check(status, "copy to the device");
}

void StagedCopies::download(void* host, const void* device, std::size_t bytes) {
  if (ring_.empty() || bytes < kWorthStaging) {
    handles_.download(static_cast<char*>(host), static_cast<const char*>(device), bytes);
    return;
  }
  cudaError_t status = cudaSuccess;
  const auto ask = [&](std::size_t begin) {
    if (begin >= bytes || status != cudaSuccess) return;
    const Piece& piece = ring_[begin / kPiece % kPieces];
    status = cudaMemcpyAsync(piece.memory, static_cast<const char*>(device) + begin, std::min(kPiece, bytes - begin),
                             cudaMemcpyDeviceToHost, handles_.stream);
    if (status == cudaSuccess) status = cudaEventRecord(piece.copied, handles_.stream);
  };
  for (std::size_t p = 0; p < kPieces; ++p) ask(p * kPiece);
  in_team(threads_for(bytes), [&](const TeamMember& member) {
    for (std::size_t begin = 0; begin < bytes; begin += kPiece) {
      const Piece& piece = ring_[begin / kPiece % kPieces];
      if (member.thread == 0 && status == cudaSuccess) status = cudaEventSynchronize(piece.copied);
      member.wait();
      copy_share(member, static_cast<char*>(host) + begin, piece.memory, std::min(kPiece, bytes - begin));
      member.wait();
      if (member.thread == 0) ask(begin + kRing);
    }
  });
  check(status, "copy from the device");
}

}  // namespace gwrm::cuda
