#include "kernels/staged_copies.cuh"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "kernels/thread_team.hpp"

namespace gwrm::cuda {
namespace {

constexpr std::size_t kPiece = std::size_t{512} << 10;         // 10 us on the link, 50 us for a thread
constexpr int kMostThreads = 8, kPiecesPerThread = 2;          // 8 threads keep up with the link
constexpr std::size_t kBytesPerThread = std::size_t{1} << 20;  // waking more takes longer than they save
constexpr std::size_t kRing = kMostThreads * kPiecesPerThread * kPiece;
constexpr std::size_t kHugePage = std::size_t{2} << 20;  // fewer pages to lock

// The first of what the threads met.
class Status {
 public:
  explicit Status(int n_threads) : seen_(static_cast<std::size_t>(n_threads), cudaSuccess) {}
  bool note(int thread, cudaError_t status) {
    cudaError_t& seen = seen_[static_cast<std::size_t>(thread)];
    if (seen == cudaSuccess) seen = status;
    return seen == cudaSuccess;
  }
  void check() const {
    for (cudaError_t status : seen_) cuda::check(status, "copy between host and device");
  }

 private:
  std::vector<cudaError_t> seen_;
};

// The pieces of one thread: a stretch of the array.
struct Stretch {
  std::size_t first, last, bytes;
  Stretch(std::size_t total, int thread, int n_threads) : bytes(total) {
    const std::size_t n = (total + kPiece - 1) / kPiece, t = static_cast<std::size_t>(thread),
                      n_t = static_cast<std::size_t>(n_threads);
    first = n * t / n_t;
    last = n * (t + 1) / n_t;
  }
  static std::size_t begin(std::size_t piece) { return piece * kPiece; }
  std::size_t size(std::size_t piece) const { return std::min(kPiece, bytes - begin(piece)); }
};

}  // namespace

StagedCopies::StagedCopies(const DeviceHandles& handles) : handles_(handles) {
  memory_ = std::aligned_alloc(kHugePage, kRing);
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

int StagedCopies::threads_for(std::size_t bytes) const {
  const auto wanted = static_cast<int>(std::min<std::size_t>(kMostThreads, bytes / kBytesPerThread));
  return std::max(1, std::min(wanted, loop_threads()));
}

void StagedCopies::upload(void* device, const void* host, std::size_t bytes) {
  if (ring_.empty() || bytes < kWorthStaging) {
    GWRM_DEVICE(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, handles_.stream));
    return;
  }
  const int n_threads = threads_for(bytes);
  Status status(n_threads);
  in_threads(n_threads, [&](int thread) {
    const Stretch stretch(bytes, thread, n_threads);
    for (std::size_t p = stretch.first; p < stretch.last; ++p) {
      const Piece& piece = ring_[static_cast<std::size_t>(thread * kPiecesPerThread) + p % kPiecesPerThread];
      const std::size_t begin = Stretch::begin(p), size = stretch.size(p);
      if (!status.note(thread, cudaEventSynchronize(piece.copied))) return;  // what it held before
      std::memcpy(piece.memory, static_cast<const char*>(host) + begin, size);
      status.note(thread, cudaMemcpyAsync(static_cast<char*>(device) + begin, piece.memory, size,
                                          cudaMemcpyHostToDevice, handles_.stream));
      status.note(thread, cudaEventRecord(piece.copied, handles_.stream));
    }
  });
  status.check();
}

void StagedCopies::download(void* host, const void* device, std::size_t bytes) {
  if (ring_.empty() || bytes < kWorthStaging) {
    handles_.download(static_cast<char*>(host), static_cast<const char*>(device), bytes);
    return;
  }
  const int n_threads = threads_for(bytes);
  Status status(n_threads);
  in_threads(n_threads, [&](int thread) {
    const Stretch stretch(bytes, thread, n_threads);
    const auto piece_of = [&](std::size_t p) -> const Piece& {
      return ring_[static_cast<std::size_t>(thread * kPiecesPerThread) + p % kPiecesPerThread];
    };
    const auto ask = [&](std::size_t p) {
      if (p >= stretch.last) return;
      status.note(thread, cudaMemcpyAsync(piece_of(p).memory, static_cast<const char*>(device) + Stretch::begin(p),
                                          stretch.size(p), cudaMemcpyDeviceToHost, handles_.stream));
      status.note(thread, cudaEventRecord(piece_of(p).copied, handles_.stream));
    };
    for (std::size_t p = stretch.first; p < stretch.first + kPiecesPerThread; ++p) ask(p);
    for (std::size_t p = stretch.first; p < stretch.last; ++p) {
      if (!status.note(thread, cudaEventSynchronize(piece_of(p).copied))) return;
      std::memcpy(static_cast<char*>(host) + Stretch::begin(p), piece_of(p).memory, stretch.size(p));
      ask(p + kPiecesPerThread);
    }
  });
  status.check();
}

}  // namespace gwrm::cuda
