// Cosine transforms of lines of any length by the threads of a block: what comes before and after a Fourier transform.
//
// Contract: kernels/transform/cosine_steps.hpp; Fourier transforms have positive sign both ways here, so that the
// factors of kinds I, II and IV are the conjugates of the CPU's (a real sequence has the conjugate spectrum), those of
// kind III the same. A line lies in memory as it is given, in shared memory in the order of the cosine transform,
// reversals and signs of sine transforms undone.
#pragma once

#include "kernels/transform/cosine_transform.hpp"
#include "kernels/transform/fourier_transform.cuh"

namespace gwrm::cuda {

struct CosineShape {
  int number;  // of the kind, I to IV
  bool sine, folded;
  int length, fourier_length;
  // exp(i a) where CosinePlan::first_factors and second_factors have exp(-i a); of kinds II and III the second ones go
  // on to N/2.
  const double2 *first, *second;
  const int* places;  // CosinePlan::places
};

// Lines outer x inner, each with n_in numbers `inner` apart, n_out on the way out.
struct CosineBatch {
  const double* x;
  double* y;
  int n_in, n_out;
  long long n_lines, inner;
  double factor, first;  // CosineScale

  __device__ const double* input(long long line) const {
    return x + (inner == 1 ? line * n_in : line / inner * n_in * inner + line % inner);
  }
  __device__ double* output(long long line) const {
    return y + (inner == 1 ? line * n_out : line / inner * n_out * inner + line % inner);
  }
};

// Sine transforms are cosine transforms of the same number, see cosine_transform_cpu.cpp: number n of the cosine
// transform's line from the memory of a line, and into it.
__device__ inline double cosine_input(const CosineShape& s, const CosineBatch& b, const double* line, int n) {
  const int place = s.sine && s.number > 2 ? s.length - 1 - n : n;
  double value = place < b.n_in ? line[place * b.inner] : 0.0;
  if (s.number == 3 && n == 0) value *= b.first;
  return s.sine && s.number == 2 && n % 2 == 1 ? -value : value;
}
__device__ inline void cosine_output(const CosineShape& s, const CosineBatch& b, double* line, int n, double value) {
  const int place = s.sine && s.number == 2 ? s.length - 1 - n : n;
  if (place >= b.n_out) return;
  if (s.number == 2 && n == 0) value *= b.first;
  line[place * b.inner] = b.factor * (s.sine && s.number > 2 && n % 2 == 1 ? -value : value);
}

// Makhoul's order: v_j = x_2j, then the odd ones backwards.
__device__ inline int makhoul_place(int j, int n) {
  return 2 * j < n ? 2 * j : 2 * (n - 1 - j) + 1;
}

__device__ inline double2 times_minus_i(double2 p) {
  return {p.y, -p.x};
}

// The work items first, first + step, .. of a line: z_j from x(n), put(j, z_j).
template <class Input, class Put>
__device__ void before_fourier(const CosineShape& s, int first, int step, Input x, Put put) {
  const int n = s.length, m = s.fourier_length, half = n / 2;
  if (s.number == 1) {  // w_j = x_j / 2, ends whole; odd for the sine
    const auto w = [&](int j) {
      const int place = j < 2 * m - j ? j : 2 * m - j;
      const bool end = place == 0 || place == m;
      if (!s.sine) return (end ? 1.0 : 0.5) * x(place);
      return end ? 0.0 : (j > m ? -0.5 : 0.5) * x(place - 1);
    };
    for (int j = first; j < m; j += step) put(j, double2{w(2 * j), w(2 * j + 1)});
  } else if (s.number == 2) {  // z_j = v_2j + i v_(2j+1)
    for (int j = first; j < m; j += step)
      put(j, s.folded ? double2{x(makhoul_place(2 * j, n)), x(makhoul_place(2 * j + 1, n))}
                      : double2{x(makhoul_place(j, n)), 0.0});
  } else if (s.number == 3 && s.folded) {  // V_k and V*_(h-k), Z = E + i O
    for (int k = first; 2 * k <= half; k += step) {
      if (k == 0) {
        const double middle = s.first[half].x * x(half);
        put(0, double2{x(0) + middle, x(0) - middle});
        continue;
      }
      const double2 a = 0.5 * times(s.first[k], double2{x(k), -x(n - k)});
      const double2 b = 0.5 * times(conjugate(s.first[half - k]), double2{x(half - k), x(half + k)});
      const double2 even = a + b, odd = times(s.second[k], a - b);
      put(half - k, conjugate(even) + times_i(conjugate(odd)));
      put(k, even + times_i(odd));
    }
  } else if (s.number == 3) {
    for (int k = first; k < n; k += step)
      put(k, k == 0 ? double2{x(0), 0.0} : 0.5 * times(s.first[k], double2{x(k), -x(n - k)}));
  } else if (s.folded) {
    for (int j = first; j < m; j += step) put(j, times(s.first[j], double2{x(2 * j), -x(n - 1 - 2 * j)}));
  } else {
    for (int a = first; a < n; a += step) {
      const double value = x(s.places[a] / 2);
      put(a, double2{(s.places[a] + a) % 2 == 0 ? value : -value, 0.0});
    }
  }
}

// y_n from z(k), the transform of what came before: store(n, y_n).
template <class Transform, class Store>
__device__ void after_fourier(const CosineShape& s, int first, int step, Transform z, Store store) {
  const int n = s.length, m = s.fourier_length, half = n / 2;
  if (s.number == 1) {  // W_k = E_k + exp(i pi k / M) O_k
    for (int k = first + (s.sine ? 1 : 0); k < (s.sine ? m : m + 1); k += step) {
      const double2 a = z(k % m), b = conjugate(z((m - k) % m));
      const double2 w = 0.5 * (a + b) + times(s.first[k], 0.5 * times_minus_i(a - b));
      s.sine ? store(k - 1, w.y) : store(k, w.x);
    }
  } else if (s.number == 2 && s.folded) {  // V_k = E_k + exp(2 pi i k / N) O_k
    for (int k = first; 2 * k <= half; k += step) {
      const double2 a = z(k);
      if (k == 0) {
        store(0, a.x + a.y);
        store(half, s.first[half].x * (a.x - a.y));
        continue;
      }
      const double2 b = conjugate(z(half - k));
      const double2 even = 0.5 * (a + b), odd = times(s.second[k], 0.5 * times_minus_i(a - b));
      const double2 u = times(s.first[k], even + odd), v = times(s.first[half - k], conjugate(even - odd));
      store(k, u.x);
      store(n - k, u.y);
      if (2 * k == half) continue;
      store(half - k, v.x);
      store(half + k, v.y);
    }
  } else if (s.number == 2) {
    for (int k = first; k < n; k += step) store(k, times(s.first[k], z(k)).x);
  } else if (s.number == 3) {
    for (int j = first; j < m; j += step) {
      const double2 v = z(j);
      store(makhoul_place(s.folded ? 2 * j : j, n), v.x);
      if (s.folded) store(makhoul_place(2 * j + 1, n), v.y);
    }
  } else if (s.folded) {
    for (int k = first; k < m; k += step) {
      const double2 u = times(s.second[k], z(k));
      store(2 * k, u.x);
      store(n - 1 - 2 * k, u.y);
    }
  } else {  // y = +-(cos(pi N / 4) Re F - sin(pi N / 4) Im F) at the frequency 2b
    constexpr double kHalfRoot = 0.70710678118654752440;
    const double cosine = n % 8 == 1 || n % 8 == 7 ? kHalfRoot : -kHalfRoot, sine = n % 8 < 4 ? kHalfRoot : -kHalfRoot;
    for (int b = first; b < n; b += step) {
      const double2 f = z(2 * b % n);
      const double value = cosine * f.x - sine * f.y;
      store(s.places[b] / 2, (s.places[b] + b) % 2 == 0 ? value : -value);
    }
  }
}

// Threads of a block: n_shares of each of n_side lines. Neighbouring threads take neighbouring numbers in memory: of a
// line, or of neighbouring columns.
struct CosineBlock {
  int n_side, n_shares;
  bool in_columns;
  __device__ int side() const {
    const int thread = static_cast<int>(threadIdx.x);
    return in_columns ? thread % n_side : thread / n_shares;
  }
  __device__ int own() const {
    const int thread = static_cast<int>(threadIdx.x);
    return in_columns ? thread / n_side : thread % n_shares;
  }
};

// Lines from memory to memory, n_side at a time; `roots` in memory, two buffers of n_side lines in `shared`. The line
// as it was and as it is to be stands in the buffer that is free then, as N numbers: memory is touched in its own
// order.
__device__ inline void cosine_lines(const CosineShape& s, const FourierLength& f, double2* roots, const CosineBatch& b,
                                    const CosineBlock& block, double2* shared) {
  const int side = block.side();
  const FourierShare share{block.own(), block.n_shares, side * fourier_line(f, block.n_side)};
  const long long stride = static_cast<long long>(gridDim.x) * block.n_side;
  for (long long start = static_cast<long long>(blockIdx.x) * block.n_side; start < b.n_lines; start += stride) {
    const bool exists = start + side < b.n_lines;
    FourierMemory memory(roots, shared, f, block.n_side);
    double* given = reinterpret_cast<double*>(memory.to + share.start);
    if (exists) {
      const double* line = b.input(start + side);
      for (int n = share.first; n < s.length; n += share.step) given[n] = cosine_input(s, b, line, n);
    }
    __syncthreads();
    if (exists)
      before_fourier(
          s, share.first, share.step, [&](int n) { return given[n]; },
          [&](int j, double2 z) { memory.from[share.start + j] = z; });
    __syncthreads();
    AnyLength::transform(memory, share, f);
    double* found = reinterpret_cast<double*>(memory.to + share.start);
    if (exists)
      after_fourier(
          s, share.first, share.step, [&](int k) { return memory.from[share.start + k]; },
          [&](int n, double value) { found[n] = value; });
    __syncthreads();
    if (exists) {
      double* line = b.output(start + side);
      for (int n = share.first; n < s.length; n += share.step) cosine_output(s, b, line, n, found[n]);
    }
    if (start + stride < b.n_lines) __syncthreads();
  }
}

}  // namespace gwrm::cuda
