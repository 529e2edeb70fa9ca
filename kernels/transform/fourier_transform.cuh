// Discrete Fourier transforms of several sequences at once in the shared memory of a block,
//   X_k = sum_n x_n exp(2 pi i n k / P),   in the steps of kernels/transform/fourier_length.hpp.
//
// Lengths are types: FixedLength knows everything at compile time, which leaves a third of the instructions; AnyLength
// serves the rest.
//
// Device only: the CPU's are eight lines side by side (kernels/transform/fourier_lines.hpp).
#pragma once

#include <algorithm>
#include <type_traits>

#include "kernels/transform/fourier_butterflies.cuh"
#include "kernels/transform/fourier_length.hpp"

namespace gwrm::cuda {

constexpr int kFourierThreads = 640;  // at most, in a block

// Numbers from one sequence of a block to the next: those that neighbouring threads have are 8 / n_sequences banks of
// 16 bytes apart.
__host__ __device__ inline int fourier_line(const FourierLength& f, int n_sequences) {
  const int wanted = n_sequences >= 8 ? 1 : 8 / n_sequences;
  return f.line + (8 + wanted - f.line % 8) % 8;
}

struct FourierMemory {
  double2 *roots, *from, *to;  // roots as in fourier_length.hpp; two buffers that the steps go to and fro between

  static std::size_t bytes(const FourierLength& f, int n_sequences) {
    return sizeof(double2) * static_cast<std::size_t>(f.n_roots + 2 * n_sequences * fourier_line(f, n_sequences));
  }
  __device__ FourierMemory(double2* memory, const FourierLength& f, int n_sequences)
      : FourierMemory(memory, memory + f.n_roots, f, n_sequences) {}
  // Roots that are not copied to shared memory.
  __device__ FourierMemory(double2* roots_elsewhere, double2* memory, const FourierLength& f, int n_sequences)
      : roots(roots_elsewhere), from(memory), to(from + n_sequences * fourier_line(f, n_sequences)) {}

  __device__ void exchange() {
    double2* written = to;
    to = from;
    from = written;
  }
};

// A thread's part of the work: positions first, first + step, ... of the sequence that starts at `start` of a buffer.
struct FourierShare {
  int first, step, start;
};

// body(position) for the positions below `count` that are this thread's; `trips` is at least their number, or 0 where
// the compiler cannot know it.
template <int trips, class Body>
__device__ inline void for_own(const FourierShare& share, int count, Body body) {
  if constexpr (trips > 0) {
#pragma unroll
    for (int trip = 0; trip < trips; ++trip) {
      const int position = share.first + trip * share.step;
      if (position < count) body(position);
    }
  } else {
    for (int position = share.first; position < count; position += share.step) body(position);
  }
}

// A step of radix R of a transform of `length`: `done` is the product of the radices before it, the pitches those of
// the groups read and written.
template <int R, int trips>
__device__ inline void fourier_step(const FourierShare& share, const double2* from, double2* to, int length, int done,
                                    unsigned reciprocal, int pitch_read, int pitch_written, const double2* factors) {
  const int n = length / R, apart = n / done * pitch_read;
  for_own<trips>(share, n, [&](int j) {
    const int group = done == 1 ? j : static_cast<int>(__umulhi(static_cast<unsigned>(j), reciprocal));
    const int m = j - group * done;
    const double2* source = from + share.start + group * pitch_read + m;
    double2* target = to + share.start + group * pitch_written + m;
    double2 x[R];
#pragma unroll
    for (int r = 0; r < R; ++r) x[r] = source[r * apart];
    if (done > 1) {
#pragma unroll
      for (int r = 1; r < R; ++r) x[r] = times(x[r], factors[(r - 1) * done + m]);
    }
    butterfly(x);
#pragma unroll
    for (int r = 0; r < R; ++r) target[r * done] = x[r];
  });
}

// Both kinds of length: F of what is in memory.from, to memory.from, by all threads of the block. What was written
// before is behind a barrier, and so is the result.
struct AnyLength {
  static constexpr int kTrips = 0, kHalfTrips = 0;

  __device__ static int length(const FourierLength& f) { return f.length; }

  __device__ static void transform(FourierMemory& memory, const FourierShare& share, const FourierLength& f) {
    const double2* factors = memory.roots;
    int done = 1;
#pragma unroll 1
    for (int step = 0; step < f.n_steps; ++step) {
      const int radix = f.radix[step];
      const auto run = [&](auto with) {
        fourier_step<decltype(with)::value, 0>(share, memory.from, memory.to, f.length, done, f.reciprocal[step],
                                               step == 0 ? 1 : f.pitch[step - 1], f.pitch[step], factors);
      };
      switch (radix) {
        case 2:
          run(std::integral_constant<int, 2>{});
          break;
        case 3:
          run(std::integral_constant<int, 3>{});
          break;
        case 4:
          run(std::integral_constant<int, 4>{});
          break;
        case 5:
          run(std::integral_constant<int, 5>{});
          break;
        case 6:
          run(std::integral_constant<int, 6>{});
          break;
        case 8:
          run(std::integral_constant<int, 8>{});
          break;
        default:
          run(std::integral_constant<int, 10>{});
      }
      if (done > 1) factors += (radix - 1) * done;
      done *= radix;
      memory.exchange();
      __syncthreads();
    }
  }
};

template <int... radices>
struct FixedLength {
  static constexpr int n_points = (radices * ...);
  static constexpr int n_shares = n_points / std::min({radices...});  // at least so many threads for each sequence
  static_assert(2 * n_shares <= kFourierThreads);
  // How often these take turns at all positions, and at those up to half of the length.
  static constexpr int kTrips = (n_points + n_shares - 1) / n_shares;
  static constexpr int kHalfTrips = (n_points / 2 + n_shares) / n_shares;

  __device__ static constexpr int length(const FourierLength&) { return n_points; }

  __device__ static void transform(FourierMemory& memory, const FourierShare& share, const FourierLength&) {
    steps_from<1, 1, radices...>(memory, share, memory.roots);
  }

 private:
  template <int done, int R>
  static constexpr int kPitch = fourier_pitch(done, R);

  template <int done, int pitch_read, int R, int... rest>
  __device__ static void steps_from(FourierMemory& memory, const FourierShare& share, const double2* factors) {
    constexpr unsigned reciprocal = done == 1 ? 0 : static_cast<unsigned>(((1ULL << 32) + done - 1) / done);
    fourier_step<R, (n_points / R + n_shares - 1) / n_shares>(share, memory.from, memory.to, n_points, done, reciprocal,
                                                              pitch_read, kPitch<done, R>, factors);
    memory.exchange();
    __syncthreads();
    if constexpr (sizeof...(rest) > 0)
      steps_from<done * R, kPitch<done, R>, rest...>(memory, share, done > 1 ? factors + (R - 1) * done : factors);
  }
};

}  // namespace gwrm::cuda
