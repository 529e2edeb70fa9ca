// Cosine and sine transforms of kinds I to IV along one dimension of a tensor: the products with the matrices
//
//   kind   y_k = factor sum_n C[k,n] x_n,  k, n = 0..N-1                               its transpose   its inverse
//   cosine_1   cos(pi k n / (N-1))                   N >= 2                            itself          (with halved
//   ends) cosine_2   cos(pi k (2n+1) / (2N))                                                 cosine_3        cosine_3
//   cosine_3   cos(pi n (2k+1) / (2N))                                                 cosine_2        cosine_2
//   cosine_4   cos(pi (2n+1) (2k+1) / (4N))                                            itself          2/N itself
//   sine_1     sin(pi (k+1) (n+1) / (N+1))                                             itself          2/(N+1) itself
//   sine_2     sin(pi (k+1) (2n+1) / (2N))                                             sine_3          sine_3
//   sine_3     sin(pi (n+1) (2k+1) / (2N))                                             sine_2          sine_2
//   sine_4     sin(pi (2n+1) (2k+1) / (4N))                                            itself          2/N itself
//
// without any factor of 2 or sqrt(2): forward and backward transforms that are transposes of each other stay so.
//
// Chebyshev series on Gauss points xi_i = cos(pi (2i+1) / (2N)), the grid of this program's bases
// (kernels/transform/chebyshev_matrices.hpp, descending): coefficients from values are cosine_2 with factor 2/N and
// `first` 1/2, values from coefficients are cosine_3. (On the extrema cos(pi i / (N-1)) it would be cosine_1.)
//
// Shapes    x: outer x n_in x inner, y: outer x n_out x inner, row-major; n_in, n_out <= N. Coefficients that are not
//           given count as zero, those not asked for are dropped: padding and truncation for products without aliasing.
//           y may be x itself if n_in = n_out; else they must not overlap.
// First     one more factor of the coefficient number 0, on the way out of cosine_2 or into cosine_3.
// Method    one Fourier transform a line, of N/2 complex numbers for even N in kinds II to IV (Makhoul's permutation,
// the
//           real sequence folded in two), of N for odd N (kind IV by the substitution 2n+1 -> 4a + N, of Chan and Ho)
//           and of N -+ 1 for kind I. Eight lines lie interleaved, so that every operation is one of vectors.
// Cost      about 2.5 N log2 N real operations a line; two copies of x through the cache. Beside the present products
// with
//           dense matrices, halved by parity (block_transform; one thread, AVX-512), in nanoseconds a number:
//           contiguous lines, batches of 16 to 4096, 2.0-3.2 against 2.3-3.3 at N = 24 and 32, 1.7-3.1 against 3.2-5.3
//           at 64, 2.0-3.1 against 9.5-14 at 256; columns 1.4-2.7 against 1.1-2.4 at 24 and 32, 1.3-2.7 against 1.8-3.2
//           at 64, 1.7-3.8 against 5.9-9.1 at 256. So the crossover lies at N = 28 for contiguous lines and at 40 for
//           columns; four lines or fewer take the same time up to N = 96.
// Errors    largest error over largest value below 4e-16 log2 N (docs/spectral-transforms.md). ShapeError for
//           lengths below 1 (cosine_1: 2), extents below 1 and more than N numbers.
// Threads   those of the calling thread's loops, over groups of lines; the same bits for any number of them.
// Scratch   kept by every thread, 5 x 8 N doubles.
// Device    cuda::make_cosine_transform, x and y in device memory. Three ways, by the Fourier transform of M numbers:
//             registers      256, 384, 512, 640, 768, 1024, 1280, 1536 and 2048 numbers, kinds II to IV, and kind I of
//                            half as many and one more (sine: one less): memory is read and written once
//                            (kernels/transform/cosine_registers.cuh)
//             shared memory  M of prime factors 2, 3 and 5 up to about 7000, contiguous lines up to 159: lines whole in
//                            the shared memory of a block, columns next to each other
//                            (kernels/transform/cosine_steps.cuh)
//             library        everything else: cuFFT, in a workspace of workspace_bytes()
// Source    Makhoul (1980) for II and III; the rest follows from the definitions.
#pragma once

#include <cstddef>
#include <memory>

#include "core/context.hpp"
#include "kernels/transform/fourier_plan.hpp"

namespace gwrm {

enum class CosineKind { cosine_1, cosine_2, cosine_3, cosine_4, sine_1, sine_2, sine_3, sine_4 };

// The kind whose matrix is the transpose.
CosineKind transposed(CosineKind kind);

// One kind and length, made once: its factors and its Fourier transform.
class CosinePlan {
 public:
  CosinePlan(CosineKind kind, Index length);

  CosineKind kind() const { return kind_; }
  Index length() const { return length_; }
  const FourierPlan& fourier() const { return fourier_; }

  // Whether a sine transform is that cosine transform with input or output reversed and every other sign changed.
  bool is_sine() const { return kind_ >= CosineKind::sine_1; }
  // The kind of the number I to IV, and whether the transform is of half the length.
  int number() const { return static_cast<int>(kind_) % 4 + 1; }
  bool folded() const { return number() != 1 && length_ % 2 == 0; }

  // Factors of the steps before and after the Fourier transform, see cosine_steps.cpp.
  const std::vector<std::complex<double>>& first_factors() const { return first_factors_; }
  const std::vector<std::complex<double>>& second_factors() const { return second_factors_; }
  // Kind IV of odd length: where each number of the Fourier transform comes from, 2 n + (sign < 0), in both directions.
  const std::vector<Index>& places() const { return places_; }

 private:
  CosineKind kind_;
  Index length_;
  FourierPlan fourier_;
  std::vector<std::complex<double>> first_factors_, second_factors_;
  std::vector<Index> places_;
};

struct CosineScale {
  double factor = 1.0;
  double first = 1.0;
};

namespace cpu {
void cosine_transform(const CosinePlan& plan, const double* x, Index n_in, double* y, Index n_out, Index outer,
                      Index inner, CosineScale scale = {});
}

namespace cuda {

enum class CosineWay { automatic, registers, shared_memory, library };

// A plan's tables on the device, for tensors outer x . x inner.
class CosineTransform {
 public:
  virtual ~CosineTransform() = default;
  virtual std::size_t workspace_bytes() const = 0;
  virtual void run(const double* x, Index n_in, double* y, Index n_out, CosineScale scale, void* workspace) const = 0;
};

// ShapeError for a way that does not serve such lines; automatic chooses as above.
std::unique_ptr<CosineTransform> make_cosine_transform(const Context& context, const CosinePlan& plan, Index outer,
                                                       Index inner, CosineWay way = CosineWay::automatic);

}  // namespace cuda

// ShapeError for tensors that no plan of that length transforms.
void check_cosine_transform(const CosinePlan& plan, Index n_in, Index n_out, Index outer, Index inner);

}  // namespace gwrm
