// Cosine transforms of lines of N = 128 m numbers, m a product of a few radices, that stay in registers: of kinds II,
// III and IV; and of kind I, of 64 m + 1 numbers (sine: 64 m - 1).
//
// Contract: kernels/transform/cosine_steps.hpp; signs and factors as in kernels/transform/cosine_steps.cuh.
//
// The Fourier transform of M = N/2 = 64 m numbers has steps of radix 8, the radices of m, and 8 again, by T = M/16
// threads with 16 numbers each. What comes before and after it combines the numbers e and M-1-e, or k and M-k. In the
// first and in the last step J = M/8 transforms of radix 8 take, or leave behind, the numbers j + J r, r < 8: thread t
// has two of them, j = t and J-1-t, or J-t (thread 0: J/2), so that both partners lie in its registers, r and 7-r.
// Between steps numbers go through shared memory, 9/8 M of it a line (fourier_pitch). Memory is read and written once.
#pragma once

#include "kernels/transform/cosine_steps.cuh"

namespace gwrm::cuda {

constexpr int kColumnsSide = 8;  // columns of a block: pieces of 64 bytes of every row

template <bool in_columns, int... middle>
struct RegisterLength {
  static constexpr bool kInColumns = in_columns;
  static constexpr int kShares = 4 * (1 * ... * middle);  // threads of a line
  static constexpr int kPoints = 16 * kShares;            // of its Fourier transform
  static constexpr int kApart = kPoints / 8;              // J
  // double2 of shared memory; those of columns lie in different banks.
  static constexpr int kRoom = kApart * 9 + (in_columns ? 1 : 0);
  static constexpr bool kInWarp = !in_columns && 32 % kShares == 0;

  // Of the groups that a step writes, and that the last one reads: see fourier_pitch.
  template <int done, int R>
  static constexpr int kPitch = fourier_pitch(done, R);
  template <int done, int R, int... rest>
  __host__ __device__ static constexpr int last_pitch() {
    if constexpr (sizeof...(rest) > 0)
      return last_pitch<done * R, rest...>();
    else
      return kPitch<done, R>;
  }

  // Both halves of a thread's numbers, each the input or output of one transform of radix 8.
  struct Numbers {
    double2 near[8], far[8];
  };

  // Between threads of a line, which lies in one warp or has to do with all threads of its block.
  __device__ static void wait() {
    if constexpr (kInWarp)
      __syncwarp();
    else
      __syncthreads();
  }

  // `far_first` and `far_last`: j of the second transform in the first and in the last step.
  __device__ static void transform(Numbers& z, int t, int far_first, int far_last, double2* memory,
                                   const double2* roots) {
    butterfly(z.near);
    butterfly(z.far);
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      memory[t * kPitch<1, 8> + r] = z.near[r];
      memory[far_first * kPitch<1, 8> + r] = z.far[r];
    }
    wait();
    middle_steps<8, kPitch<1, 8>, middle...>(t, memory, roots);
    constexpr int pitch = last_pitch<1, 8, middle...>();
    const double2* factors = roots + kPoints - 8 - 7 * kApart;
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      z.near[r] = memory[t + r * pitch];
      z.far[r] = memory[far_last + r * pitch];
    }
#pragma unroll
    for (int r = 1; r < 8; ++r) {
      z.near[r] = times(z.near[r], factors[(r - 1) * kApart + t]);
      z.far[r] = times(z.far[r], factors[(r - 1) * kApart + far_last]);
    }
    butterfly(z.near);
    butterfly(z.far);
  }

 private:
  template <int done, int pitch_read>
  __device__ static void middle_steps(int, double2*, const double2*) {}

  // As fourier_step, all in the same memory. Where R does not divide 16 some threads have a transform less.
  template <int done, int pitch_read, int R, int... rest>
  __device__ static void middle_steps(int t, double2* memory, const double2* factors) {
    constexpr int kCount = (16 + R - 1) / R, kWritten = kPitch<done, R>;
    const auto is_there = [](int j) { return 16 % R == 0 || j < kPoints / R; };
    double2 x[kCount][R];
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      const int j = t + i * kShares;
      if (!is_there(j)) continue;
      const double2* source = memory + j / done * pitch_read + j % done;
#pragma unroll
      for (int r = 0; r < R; ++r) x[i][r] = source[r * (kPoints / R / done) * pitch_read];
    }
    wait();
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      const int j = t + i * kShares;
      if (!is_there(j)) continue;
      double2* target = memory + j / done * kWritten + j % done;
#pragma unroll
      for (int r = 1; r < R; ++r) x[i][r] = times(x[i][r], factors[(r - 1) * done + j % done]);
      butterfly(x[i]);
#pragma unroll
      for (int r = 0; r < R; ++r) target[r * done] = x[i][r];
    }
    wait();
    middle_steps<done * R, kWritten, rest...>(t, memory, factors + (R - 1) * done);
  }
};

// Numbers of a line, zeros from n_in on. `wide`: a line is contiguous, begins at the address of a pair, and n_in is a
// multiple of 4: then two are read at once, from an even place on.
struct GivenLine {
  const double* x;
  long long stride;
  int n_in;
  bool wide;

  __device__ double one(int n) const { return n < n_in ? __ldcs(x + n * stride) : 0.0; }
  __device__ double2 two(int n) const {
    if (wide) return n < n_in ? __ldcs(reinterpret_cast<const double2*>(x + n)) : double2{0.0, 0.0};
    return {one(n), one(n + 1)};
  }
};
struct FoundLine {
  double* y;
  long long stride;
  int n_out;
  bool wide;  // the same of n_out

  __device__ void one(int n, double value) const {
    if (n < n_out) __stcs(y + n * stride, value);
  }
  __device__ void two(int n, double2 values) const {
    if (!wide) {
      one(n, values.x);
      one(n + 1, values.y);
    } else if (n < n_out) {
      __stcs(reinterpret_cast<double2*>(y + n), values);
    }
  }
};

// Kind I: w_j = x_j (ends doubled), w_(2M-j) = w_j; z_e = w_2e + i w_(2e+1), z_(M-1-e) = w_(2e+2) + i w_(2e+1) for
// e < M/2. Sine: w_j = x_(j-1), w_(2M-j) = -w_j, zero at the ends. All twice as large as they ought to be.
template <class Length>
__device__ void load_first(const CosineShape& s, const GivenLine& x, int t, typename Length::Numbers& z) {
  const auto set = [&](int e, double2& first, double2& last) {
    if (s.sine) {
      const double middle = x.one(2 * e);
      first = {e > 0 ? x.one(2 * e - 1) : 0.0, middle};
      last = {-x.one(2 * e + 1), -middle};
    } else {
      first = x.two(2 * e);
      last = {x.one(2 * e + 2), first.y};
      if (e == 0) first.x *= 2.0;
      if (2 * e + 2 == s.fourier_length) last.x *= 2.0;
    }
  };
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    set(t + Length::kApart * r, z.near[r], z.far[7 - r]);
    set(Length::kApart - 1 - t + Length::kApart * r, z.far[r], z.near[7 - r]);
  }
}

// Kind II: z_e = x_4e + i x_(4e+2), z_(M-1-e) = x_(4e+3) + i x_(4e+1) for e < M/2.
template <class Length>
__device__ void load_second(const CosineShape& s, const GivenLine& x, int t, typename Length::Numbers& z) {
  const double sign = s.sine ? -1.0 : 1.0;
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const int near = t + Length::kApart * r, far = Length::kApart - 1 - t + Length::kApart * r;
    double2 p = x.two(4 * near), q = x.two(4 * near + 2);
    z.near[r] = {p.x, q.x};
    z.far[7 - r] = {sign * q.y, sign * p.y};
    p = x.two(4 * far), q = x.two(4 * far + 2);
    z.far[r] = {p.x, q.x};
    z.near[7 - r] = {sign * q.y, sign * p.y};
  }
}
// Numbers 4n to 4n+3 of a line, n and n^1 by the threads t and t^1. Each thread alone would write halves of sectors of 32
// bytes, and L2 takes every half as a whole one; after an exchange two neighbours write a sector together.
template <class Length>
__device__ void store_four(const FoundLine& y, int n, double2 first, double2 last) {
  if (Length::kInWarp && y.wide) {
    const bool odd = n % 2 != 0;
    const double2 given = odd ? first : last;
    const double2 taken = {__shfl_xor_sync(0xffffffffu, given.x, 1), __shfl_xor_sync(0xffffffffu, given.y, 1)};
    const int even_place = 4 * (odd ? n - 1 : n);
    y.two(even_place + (odd ? 2 : 0), odd ? taken : first);
    y.two(even_place + (odd ? 6 : 4), odd ? last : taken);
  } else {
    y.two(4 * n, first);
    y.two(4 * n + 2, last);
  }
}

// Kind III, the same on the way back.
template <class Length>
__device__ void store_third(const CosineShape& s, const CosineBatch& b, const typename Length::Numbers& z, int t,
                            const FoundLine& y) {
  const double even = b.factor, odd = s.sine ? -even : even;
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const int near = t + Length::kApart * r, far = Length::kApart - 1 - t + Length::kApart * r;
    store_four<Length>(y, near, {even * z.near[r].x, odd * z.far[7 - r].y}, {even * z.near[r].y, odd * z.far[7 - r].x});
    store_four<Length>(y, far, {even * z.far[r].x, odd * z.near[7 - r].y}, {even * z.far[r].y, odd * z.near[7 - r].x});
  }
}

// Kinds I, II and III: partners k and M-k, k = t + J r with near[r] and far[7-r]; thread 0 has J r, partners near[r]
// and near[8-r], and J/2 + J r, partners far[r] and far[7-r]. Pair number r < 8 of thread 0: far[r] for r < 4, then
// near[8-r].
template <class Length>
__device__ int paired_index(int t, int r) {
  constexpr int kApart = Length::kApart;
  return t > 0 ? t + kApart * r : r < 4 ? kApart / 2 + kApart * r : kApart * (8 - r);
}

// The value of the pair number r < 8 at k, and the conjugate of that at M-k.
template <class Length>
__device__ double2 at_paired(const typename Length::Numbers& z, int t, int r) {
  return t > 0 ? z.near[r] : r < 4 ? z.far[r] : z.near[8 - r];
}
template <class Length>
__device__ double2 conjugate_of_partner(const typename Length::Numbers& z, int t, int r) {
  return conjugate(t > 0 || r < 4 ? z.far[7 - r] : z.near[r]);
}

// Kind I: W_k = E_k + exp(i pi k / M) O_k, W_(M-k) = conj(E_k - exp(i pi k / M) O_k): real parts, sine: imaginary ones.
template <class Length>
__device__ void store_first(const CosineShape& s, const CosineBatch& b, const typename Length::Numbers& z, int t,
                            const FoundLine& y) {
  const double quarter = 0.25 * b.factor, half = 0.5 * b.factor;
  const int m = s.fourier_length;
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const int k = paired_index<Length>(t, r);
    const double2 a = at_paired<Length>(z, t, r), c = conjugate_of_partner<Length>(z, t, r);
    const double2 even = a + c, odd = times(s.first[k], times_minus_i(a - c));
    y.one(s.sine ? k - 1 : k, quarter * (s.sine ? even.y + odd.y : even.x + odd.x));
    y.one(s.sine ? m - k - 1 : m - k, quarter * (s.sine ? odd.y - even.y : even.x - odd.x));
  }
  if (t == 0 && !s.sine) {
    const double2 a = z.near[0];
    y.one(0, half * (a.x + a.y));
    y.one(m, half * (a.x - a.y));
  }
}

template <class Length>
__device__ void store_second(const CosineShape& s, const CosineBatch& b, const typename Length::Numbers& z, int t,
                             const FoundLine& y) {
  const int n = s.length, half = n / 2;
  const double factor = b.factor, half_factor = 0.5 * factor;
  const auto store = [&](int k, double value) { y.one(s.sine ? n - 1 - k : k, value); };
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const int k = paired_index<Length>(t, r);
    const double2 a = at_paired<Length>(z, t, r), c = conjugate_of_partner<Length>(z, t, r);
    const double2 even = a + c, odd = times(s.second[k], times_minus_i(a - c));
    const double2 u = times(s.first[k], even + odd), v = times(s.first[half - k], conjugate(even - odd));
    store(k, half_factor * u.x);
    store(n - k, half_factor * u.y);
    store(half - k, half_factor * v.x);
    store(half + k, half_factor * v.y);
  }
  if (t == 0) {
    const double2 a = z.near[0];
    store(0, b.first * (factor * (a.x + a.y)));
    store(half, factor * (s.first[half].x * (a.x - a.y)));
  }
}

template <class Length>
__device__ void load_third(const CosineShape& s, const CosineBatch& b, const GivenLine& x, int t,
                           typename Length::Numbers& z) {
  const int n = s.length, half = n / 2;
  const auto load = [&](int k) { return x.one(s.sine ? n - 1 - k : k); };
  double2 given[8], mirrored[8];  // all on their way at once
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const int k = paired_index<Length>(t, r);
    given[r] = {load(k), -load(n - k)};
    mirrored[r] = {load(half - k), load(half + k)};
  }
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const int k = paired_index<Length>(t, r);
    const double2 a = 0.5 * times(s.first[k], given[r]);
    const double2 c = 0.5 * times(conjugate(s.first[half - k]), mirrored[r]);
    const double2 even = a + c, odd = times(s.second[k], a - c);
    given[r] = even + times_i(odd);
    mirrored[r] = conjugate(even) + times_i(conjugate(odd));
  }
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    z.near[r] = t > 0 ? given[r] : r > 3 ? mirrored[r] : given[8 - (r > 0 ? r : 1)];
    z.far[r] = t > 0 ? mirrored[7 - r] : r < 4 ? given[r] : mirrored[7 - r];
  }
  if (t == 0) {
    const double zeroth = b.first * load(0), middle = s.first[half].x * load(half);
    z.near[0] = {zeroth + middle, zeroth - middle};
  }
}

// Kind IV: z_e of x_2e and x_(N-1-2e), z_(M-1-e) of x_(N-2-2e) and x_(2e+1).
template <class Length>
__device__ void load_fourth(const CosineShape& s, const GivenLine& x, int t, typename Length::Numbers& z) {
  const int n = s.length, last = s.fourier_length - 1;
#pragma unroll
  for (int r = 0; r < 8; ++r) {  // all on their way at once
    const int e = t + Length::kApart * r;
    z.near[r] = x.two(2 * e);
    z.far[7 - r] = x.two(n - 2 - 2 * e);
  }
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const int e = t + Length::kApart * r;
    double2 p = z.near[r], q = z.far[7 - r];
    if (s.sine) {  // the line backwards
      p = {q.y, q.x};
      q = {z.near[r].y, z.near[r].x};
    }
    z.near[r] = times(s.first[e], double2{p.x, -q.y});
    z.far[7 - r] = times(s.first[last - e], double2{q.x, -p.y});
  }
}
template <class Length>
__device__ void store_fourth(const CosineShape& s, const CosineBatch& b, const typename Length::Numbers& z, int t,
                             const FoundLine& y) {
  const int n = s.length, last = s.fourier_length - 1;
  const double even = b.factor, odd = s.sine ? -even : even;
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const int e = t + Length::kApart * r;
    const double2 u = times(s.second[e], z.near[r]), v = times(s.second[last - e], z.far[7 - r]);
    y.two(2 * e, {even * u.x, odd * v.y});
    y.two(n - 2 - 2 * e, {even * v.x, odd * u.y});
  }
}

// A line by the threads of index t < kShares; all of a block's threads call it, also for lines that do not exist.
template <int number, class Length>
__device__ void cosine_in_registers(const CosineShape& s, const double2* roots, const CosineBatch& b, long long line,
                                    int t, double2* memory) {
  constexpr int kMirrored = Length::kApart - 1;
  const bool exists = line < b.n_lines;
  const auto is_wide = [&](const void* address, int count) {
    return !Length::kInColumns && reinterpret_cast<unsigned long long>(address) % sizeof(double2) == 0 &&
           count % 4 == 0;
  };
  const long long stride = Length::kInColumns ? b.inner : 1, place = exists ? line : 0;
  const GivenLine given{b.input(place), stride, exists ? b.n_in : 0, is_wide(b.x, b.n_in)};
  const FoundLine found{b.output(place), stride, exists ? b.n_out : 0, is_wide(b.y, b.n_out)};
  const int shifted = t > 0 ? Length::kApart - t : Length::kApart / 2, mirrored = kMirrored - t;
  typename Length::Numbers z;
  if constexpr (number == 1) {
    load_first<Length>(s, given, t, z);
    Length::transform(z, t, mirrored, shifted, memory, roots);
    store_first<Length>(s, b, z, t, found);
  } else if constexpr (number == 2) {
    load_second<Length>(s, given, t, z);
    Length::transform(z, t, mirrored, shifted, memory, roots);
    store_second<Length>(s, b, z, t, found);
  } else if constexpr (number == 3) {
    load_third<Length>(s, b, given, t, z);
    Length::transform(z, t, shifted, mirrored, memory, roots);
    store_third<Length>(s, b, z, t, found);
  } else {
    load_fourth<Length>(s, given, t, z);
    Length::transform(z, t, mirrored, mirrored, memory, roots);
    store_fourth<Length>(s, b, z, t, found);
  }
}

}  // namespace gwrm::cuda
