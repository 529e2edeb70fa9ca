// Products through the points by the Fourier transforms of cuFFT, in one to three dimensions: for transforms too long
// for our own kernels.
//
// Both factors travel as the real and imaginary part of one complex series z = a + i b. Along each dimension the cosine
// transforms between n coefficients and P points become discrete Fourier transforms of length P (Makhoul, "A fast
// cosine transform in one and two dimensions", 1980), with e_k = exp(i pi k / (2 P)) and z' = z, index 0 doubled:
//   to points         w = DFT^-1 of e_k (z'_k - i z'_{P-k}) / 2, unnormalised; real part a, imaginary part b at the
//   point product           Re w Im w, real; the order of the points, even ones first, does not matter to coefficients
//   c_k = (2 / P) Re(conj(e_k) DFT_k), c_0 half of that; in more dimensions the mean over the signs
//                     of the indices of all dimensions but the last, Re(prod conj(e_{+-k}) DFT_{+-k}).
// Three kernels and two transforms of cuFFT.
#include "kernels/product/fourier.cuh"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "kernels/device/fourier_library.cuh"

namespace gwrm::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kMaxRank = static_cast<int>(kMaxLibraryRank);

struct FourierShape {
  int n[kMaxRank], points[kMaxRank];
  const double2* twiddles[kMaxRank];  // e_k, k = 0..P
  double scale;                       // product of 2 / P, 2^(1 - rank) for the mean
};

__device__ double2 times(double2 p, double2 q) {
  return {p.x * q.x - p.y * q.y, p.x * q.y + p.y * q.x};
}

// One entry of e_k (z'_k - i z'_{P-k}) / 2, along all dimensions; one item of the batch per blockIdx.y.
template <int rank, typename Real>
__global__ void __launch_bounds__(kThreads)
    pack_kernel(const Real* a, const Real* b, double2* spectrum, FourierShape s, int size, int n_points) {
  const int flat = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  if (flat >= n_points) return;
  const long long item = static_cast<long long>(blockIdx.y) * size;
  int rest = flat, k[rank];
  double2 factor{1.0, 0.0};
#pragma unroll
  for (int d = rank - 1; d >= 0; --d) {
    k[d] = d == 0 ? rest : rest % s.points[d];
    rest /= s.points[d];
    factor = times(factor, s.twiddles[d][k[d]]);
  }
  double2 sum{0.0, 0.0};
#pragma unroll
  for (int mirrored = 0; mirrored < 1 << rank; ++mirrored) {
    int at = 0, stride = 1, quarter_turns = 0;
    double weight = 1.0;
    bool inside = true;
#pragma unroll
    for (int d = rank - 1; d >= 0; --d) {
      const bool mirror = (mirrored >> d) & 1;
      const int index = mirror ? s.points[d] - k[d] : k[d];
      inside = inside && index < s.n[d];
      quarter_turns += mirror ? 1 : 0;
      weight *= index == 0 ? 1.0 : 0.5;
      at += index * stride;
      stride *= s.n[d];
    }
    if (!inside) continue;
    const double p = weight * static_cast<double>(a[item + at]), q = weight * static_cast<double>(b[item + at]);
    // times (-i)^quarter_turns
    sum.x += quarter_turns == 0 ? p : quarter_turns == 1 ? q : quarter_turns == 2 ? -p : -q;
    sum.y += quarter_turns == 0 ? q : quarter_turns == 1 ? -p : quarter_turns == 2 ? -q : p;
  }
  spectrum[static_cast<long long>(blockIdx.y) * n_points + flat] = times(factor, sum);
}

__global__ void __launch_bounds__(kThreads) multiply_kernel(const double2* values, double* products, long long total) {
  const long long i = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < total) products[i] = values[i].x * values[i].y;
}

template <int rank, typename Real>
__global__ void __launch_bounds__(kThreads)
    unpack_kernel(const double2* half_spectrum, Real* c, FourierShape s, int size, int n_half) {
  constexpr int last = rank - 1;
  const int flat = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  if (flat >= size) return;
  half_spectrum += static_cast<long long>(blockIdx.y) * n_half;
  int rest = flat, k[rank];
  double scale = s.scale;
#pragma unroll
  for (int d = last; d >= 0; --d) {
    k[d] = d == 0 ? rest : rest % s.n[d];
    rest /= s.n[d];
    if (k[d] == 0) scale *= 0.5;
  }
  // The other half of the spectrum of real values: DFT_{k,l} = conj DFT_{-k,-l}.
  const int P = s.points[last], half = P / 2 + 1;
  const bool conjugate = k[last] >= half;
  const double2 e_last = s.twiddles[last][k[last]];
  double sum = 0.0;
#pragma unroll
  for (int signs = 0; signs < 1 << last; ++signs) {
    double2 factor{e_last.x, -e_last.y};
    int at = conjugate ? P - k[last] : k[last], stride = half;
#pragma unroll
    for (int d = last - 1; d >= 0; --d) {
      const bool minus = (signs >> d) & 1;
      const double2 e = s.twiddles[d][k[d]];
      factor = times(factor, {e.x, minus ? e.y : -e.y});
      const bool mirror = minus != conjugate && k[d] != 0;
      at += (mirror ? s.points[d] - k[d] : k[d]) * stride;
      stride *= s.points[d];
    }
    const double2 entry = half_spectrum[at];
    sum += factor.x * entry.x - factor.y * (conjugate ? -entry.y : entry.y);
  }
  c[static_cast<long long>(blockIdx.y) * size + flat] = static_cast<Real>(scale * sum);
}

// The least even number from `least` on without prime factors above 7: lengths that cuFFT treats best.
int library_length(int least) {
  for (int length = least + least % 2;; length += 2) {
    int rest = length;
    for (int prime : {2, 3, 5, 7})
      while (rest % prime == 0) rest /= prime;
    if (rest == 1) return length;
  }
}

template <int rank, typename Real>
class LibraryProduct final : public ProductPlan<Real> {
 public:
  LibraryProduct(const Context& context, const Shape& shape, Index batch)
      : handles_(*context.device()), shape_(with_points(shape)), size_(element_count(shape)), batch_(batch) {
    for (int d = 0; d < rank; ++d) {
      n_points_ *= shape_.points[d];
      n_half_ *= d + 1 < rank ? shape_.points[d] : shape_.points[d] / 2 + 1;
    }
    upload_twiddles();
    to_points_ = std::make_unique<FourierLibraryPlan>(CUFFT_Z2Z, rank, shape_.points, batch, handles_.stream);
    to_coefficients_ = std::make_unique<FourierLibraryPlan>(CUFFT_D2Z, rank, shape_.points, batch, handles_.stream);
  }

  std::size_t workspace_bytes() const override {
    return aligned(spectrum_bytes()) + aligned(product_bytes()) +
           std::max(to_points_->bytes(), to_coefficients_->bytes());
  }

  void multiply(const Real* a, const Real* b, Real* c, void* workspace) const override {
    char* memory = static_cast<char*>(workspace);
    auto* spectrum = reinterpret_cast<double2*>(memory);
    auto* products = reinterpret_cast<double*>(memory + aligned(spectrum_bytes()));
    void* rest = memory + aligned(spectrum_bytes()) + aligned(product_bytes());
    const long long total = batch_ * n_points_;
    const unsigned n_items = static_cast<unsigned>(batch_);
    const int size = static_cast<int>(size_), n_points = static_cast<int>(n_points_);

    pack_kernel<rank><<<dim3(blocks_for(n_points, kThreads), n_items), kThreads, 0, handles_.stream>>>(
        a, b, spectrum, shape_, size, n_points);
    GWRM_LAUNCHED(pack_kernel);
    GWRM_FFT(cufftExecZ2Z(to_points_->with_memory(rest), spectrum, spectrum, CUFFT_INVERSE));
    multiply_kernel<<<blocks_for(total, kThreads), kThreads, 0, handles_.stream>>>(spectrum, products, total);
    GWRM_LAUNCHED(multiply_kernel);
    GWRM_FFT(cufftExecD2Z(to_coefficients_->with_memory(rest), products, spectrum));
    unpack_kernel<rank><<<dim3(blocks_for(size, kThreads), n_items), kThreads, 0, handles_.stream>>>(
        spectrum, c, shape_, size, static_cast<int>(n_half_));
    GWRM_LAUNCHED(unpack_kernel);
  }

 private:
  static FourierShape with_points(const Shape& shape) {
    const Extents extents = extents_of(shape);
    FourierShape s{{}, {}, {}, std::ldexp(1.0, 1 - rank)};
    for (int d = 0; d < rank; ++d) {
      s.n[d] = extents.n[d];
      s.points[d] = library_length(static_cast<int>(product_points(extents.n[d])));
      s.scale *= 2.0 / s.points[d];
    }
    return s;
  }

  void upload_twiddles() {
    std::vector<double2> table;
    for (int d = 0; d < rank; ++d)
      for (int k = 0; k <= shape_.points[d]; ++k) {
        const long double angle = std::numbers::pi_v<long double> * k / (2.0L * shape_.points[d]);
        table.push_back({static_cast<double>(std::cos(angle)), static_cast<double>(std::sin(angle))});
      }
    double2* target = twiddles_.reserve<double2>(table.size());
    handles_.upload(target, table.data(), table.size());
    GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));
    for (int d = 0; d < rank; target += shape_.points[d++] + 1) shape_.twiddles[d] = target;
  }

  static std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
  std::size_t spectrum_bytes() const { return static_cast<std::size_t>(batch_ * n_points_) * sizeof(double2); }
  std::size_t product_bytes() const { return static_cast<std::size_t>(batch_ * n_points_) * sizeof(double); }

  DeviceHandles& handles_;
  FourierShape shape_;
  long long size_, batch_, n_points_ = 1, n_half_ = 1;
  DeviceBuffer twiddles_;
  std::unique_ptr<FourierLibraryPlan> to_points_, to_coefficients_;
};

}  // namespace

template <typename Real>
ProductPlanPointer<Real> fourier_library_product(const Context& context, const Shape& shape, Index batch) {
  if (batch > 65535) throw ShapeError("chebyshev_product: at most 65535 products at once by Fourier transforms");
  if (shape.size() == 1) return std::make_unique<LibraryProduct<1, Real>>(context, shape, batch);
  if (shape.size() == 2) return std::make_unique<LibraryProduct<2, Real>>(context, shape, batch);
  return std::make_unique<LibraryProduct<3, Real>>(context, shape, batch);
}
template ProductPlanPointer<double> fourier_library_product(const Context&, const Shape&, Index);
template ProductPlanPointer<float> fourier_library_product(const Context&, const Shape&, Index);

}  // namespace gwrm::cuda
