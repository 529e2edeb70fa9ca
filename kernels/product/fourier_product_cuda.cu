// Products through the points by fast Fourier transforms: our own kernels where a transform fits into shared memory,
// one or two steps of it, cuFFT for longer ones.
#include "kernels/product/fourier_fixed.cuh"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "kernels/product/chebyshev_product.hpp"
#include "kernels/product/fourier.cuh"

namespace gwrm::cuda {
namespace {

// Found by trying, for single products of 50 to 400 coefficients squared and for 64 of them: in a kernel over columns
// as many side by side, up to 4 or 8, as leave 25 blocks; and twice as many threads as a step has short transforms, for
// loads and stores, where there are few sequences and they are short.
constexpr int kRows = 2, kMaxRows = 8, kMaxColumns = 4, kMaxShortColumns = 8;
constexpr int kShortForColumns = 160;
constexpr long long kMinBlocks = 25;
constexpr long long kFewSequences = 1024;
constexpr int kShortForThreads = 384;
// A batch is done in parts whose intermediate numbers stay in the cache.
constexpr double kCachedBytes = 24e6;

std::size_t shared_memory() {
  return static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}

// One dimension: its length and the kernels that serve it. A fixed length may be a quarter too long, and by
// kShortLength.
constexpr int kShortLength = 16;
template <typename Real>
struct Dimension {
  FourierLength f;
  FourierKernels<Real> kernels;

  static Dimension of(Index n_coefficients) {
    const int least = static_cast<int>(product_points(n_coefficients));
    for (const auto* some : {&short_fixed_kernels(), &middle_fixed_kernels(), &long_fixed_kernels()})
      for (const FixedKernels& fixed : *some)
        if (fixed.f.length >= least) {
          if (fixed.f.length <= least + least / 4 + kShortLength) return {fixed.f, kernels_of(fixed)};
          break;
        }
    return {fourier_length(least), FourierKernels<Real>::template of<AnyLength>()};
  }

 private:
  // Single precision has them for what is double in between.
  static FourierKernels<Real> kernels_of(const FixedKernels& fixed) {
    if constexpr (sizeof(Real) == sizeof(double)) {
      return fixed.kernels;
    } else {
      auto kernels = FourierKernels<Real>::template of<AnyLength>();
      kernels.forward = fixed.kernels.forward;
      kernels.product = fixed.kernels.product;
      kernels.backward = fixed.kernels.backward;
      return kernels;
    }
  }
};

// A kernel with its grid and block.
template <class Kernel>
struct FourierLaunch {
  FourierLaunch() = default;
  FourierLaunch(Kernel of, dim3 of_threads, const FourierLength& f, int n_sequences)
      : kernel_(of), block_(of_threads), bytes_(FourierMemory::bytes(f, n_sequences)), n_at_once_(n_sequences) {
    GWRM_DEVICE(
        cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_memory())));
    int resident = 0;
    GWRM_DEVICE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel_, static_cast<int>(block_.x * block_.y),
                                                              bytes_));
    most_blocks_ = resident * device_attribute(cudaDevAttrMultiProcessorCount);
  }

  template <typename... Arguments>
  void run(cudaStream_t stream, int n_sequences, Arguments... arguments) const {
    const int n_blocks = std::min((n_sequences + n_at_once_ - 1) / n_at_once_, most_blocks_);
    launch_early(stream, kernel_, dim3(static_cast<unsigned>(n_blocks)), block_, bytes_, 1, arguments...);
  }

 private:
  Kernel kernel_ = nullptr;
  dim3 block_;
  std::size_t bytes_ = 0;
  int n_at_once_ = 1, most_blocks_ = 0;
};

int shares(const FourierLength& f, int n_at_once, long long n_sequences) {
  const int least = fourier_shares(f, n_at_once);
  const bool twice = n_sequences <= kFewSequences && f.length <= kShortForThreads;
  return std::min(twice ? 2 * least : least, kFourierThreads / n_at_once);
}

// Few columns for many blocks, many for long stretches of memory.
int columns_at_once(const FourierLength& f, long long n_sequences) {
  int n = f.length <= kShortForColumns ? kMaxShortColumns : kMaxColumns;
  while (n > 1 && (n_sequences / n < kMinBlocks || FourierMemory::bytes(f, n) > shared_memory() / 2 ||
                   n * fourier_shares(f, 1) > kFourierThreads))
    n /= 2;
  return n;
}

// One row or an even number: a warp or two, as long as there are blocks for all multiprocessors.
int rows_at_once(const FourierLength& f, long long n_sequences) {
  int n = n_sequences > 1 ? kRows : 1;
  while (n > 1 && n < kMaxRows && n * fourier_shares(f, 1) <= 32 && n_sequences / n > kFewSequences / 2) n *= 2;
  return n;
}

template <typename Real>
class FourierPasses final : public ProductPlan<Real> {
 public:
  FourierPasses(const Context& context, const Shape& shape, Index batch)
      : handles_(*context.device()), size_(element_count(shape)), batch_(batch) {
    const Extents extents = extents_of(shape);
    std::vector<std::complex<double>> roots;
    double scale = 1.0;
    for (int d = 0; d < extents.count; ++d) {
      FourierPass pass{};
      dimensions_.push_back(Dimension<Real>::of(extents.n[d]));
      pass.f = dimensions_.back().f;
      pass.n = extents.n[d];
      pass.inner = 1;
      for (int e = d + 1; e < extents.count; ++e) pass.inner *= extents.n[e];
      Index n_points = pass.inner * pass.f.length;
      for (const FourierPass& outer : passes_) n_points *= outer.f.length;
      if (n_points > std::numeric_limits<int>::max())
        throw ShapeError("chebyshev_product: such a series has more than 2^31 points");
      pass.n_sequences = static_cast<int>(n_points / pass.f.length);
      most_points_ = std::max(most_points_, n_points);
      scale /= 4.0 * pass.f.length;
      passes_.push_back(pass);
      const auto own = fourier_roots(pass.f);
      roots.insert(roots.end(), own.begin(), own.end());
    }
    passes_.back().scale = scale;
    double2* target = roots_.reserve<double2>(roots.size());
    handles_.upload(target, reinterpret_cast<const double2*>(roots.data()), roots.size());
    GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));
    for (FourierPass& pass : passes_) {
      pass.roots = target;
      target += pass.f.n_roots;
    }
    n_items_ =
        std::clamp<Index>(static_cast<Index>(kCachedBytes / (16.0 * static_cast<double>(most_points_))), 1, batch);
    prepare_launches();
  }

  std::size_t workspace_bytes() const override {
    return passes_.size() == 1 ? 0 : 2 * sizeof(double2) * static_cast<std::size_t>(n_items_ * most_points_);
  }

  void multiply(const Real* a, const Real* b, Real* c, void* workspace) const override {
    for (Index item = 0; item < batch_; item += n_items_)
      multiply_items(a + item * size_, b + item * size_, c + item * size_, static_cast<double2*>(workspace),
                     std::min(n_items_, batch_ - item));
  }

 private:
  // Blocks of a kernel over columns; the product's are of rows.
  template <class Kernel>
  FourierLaunch<Kernel> over_columns(Kernel kernel, const FourierLength& f, long long n_sequences) const {
    const int n = columns_at_once(f, n_sequences);
    return {kernel, dim3(static_cast<unsigned>(n), static_cast<unsigned>(shares(f, n, n_sequences))), f, n};
  }
  template <class Kernel>
  FourierLaunch<Kernel> over_rows(Kernel kernel, const FourierLength& f, long long n_sequences) const {
    const int n = rows_at_once(f, n_sequences);
    return {kernel, dim3(static_cast<unsigned>(shares(f, n, n_sequences)), static_cast<unsigned>(n)), f, n};
  }

  void prepare_launches() {
    const std::size_t last = passes_.size() - 1;
    for (std::size_t d = 0; d <= last; ++d) {
      const FourierLength& f = passes_[d].f;
      const FourierKernels<Real>& kernels = dimensions_[d].kernels;
      const long long all = static_cast<long long>(n_items_) * passes_[d].n_sequences;
      if (last == 0)
        whole_ = over_rows(kernels.whole, f, all);
      else if (d == last)
        product_ = over_rows(kernels.product, f, all);
      else if (d == 0) {
        first_ = over_columns(kernels.first, f, all);
        last_ = over_columns(kernels.last, f, all / 2);
      } else {
        forward_.push_back(over_columns(kernels.forward, f, all));
        backward_.push_back(over_columns(kernels.backward, f, all / 2));
      }
    }
  }

  void multiply_items(const Real* a, const Real* b, Real* c, double2* workspace, Index n_items) const {
    double2 *from = workspace, *to = workspace + n_items_ * most_points_;
    const std::size_t last = passes_.size() - 1;
    const cudaStream_t stream = handles_.stream;
    const auto pass = [&](std::size_t d) {
      FourierPass p = passes_[d];
      p.n_sequences *= static_cast<int>(n_items);
      p.wide = p.inner % 2 == 0 && (d > 0 || reinterpret_cast<std::uintptr_t>(c) % (2 * sizeof(Real)) == 0);
      return p;
    };
    if (last == 0) return whole_.run(stream, pass(0).n_sequences, FactorPair<Real>{a, b}, c, pass(0));
    first_.run(stream, pass(0).n_sequences, FactorPair<Real>{a, b}, to, pass(0));
    for (std::size_t d = 1; d < last; ++d) {
      std::swap(from, to);
      forward_[d - 1].run(stream, pass(d).n_sequences, ComplexSeries{from}, to, pass(d));
    }
    std::swap(from, to);
    product_.run(stream, pass(last).n_sequences, ComplexSeries{from}, reinterpret_cast<double*>(to), pass(last));
    const auto reals = [](double2* numbers) { return reinterpret_cast<double*>(numbers); };
    for (std::size_t d = last - 1; d > 0; --d) {
      std::swap(from, to);
      backward_[d - 1].run(stream, (pass(d).n_sequences + 1) / 2, reals(from), reals(to), pass(d));
    }
    last_.run(stream, (pass(0).n_sequences + 1) / 2, reals(to), c, pass(0));
  }

  DeviceHandles& handles_;
  Index size_, batch_, n_items_ = 1;  // batch_ products, n_items_ at a time
  Index most_points_ = 0;             // numbers between two passes, of one product
  std::vector<FourierPass> passes_;   // n_sequences for one product
  std::vector<Dimension<Real>> dimensions_;
  using Kernels = FourierKernels<Real>;
  FourierLaunch<decltype(Kernels::whole)> whole_;
  FourierLaunch<decltype(Kernels::first)> first_;
  FourierLaunch<decltype(Kernels::product)> product_;
  FourierLaunch<decltype(Kernels::last)> last_;
  std::vector<FourierLaunch<decltype(Kernels::forward)>> forward_;
  std::vector<FourierLaunch<decltype(Kernels::backward)>> backward_;
  DeviceBuffer roots_;
};

}  // namespace

int fourier_shares(const FourierLength& f, int n_sequences) {
  int least_radix = f.n_steps == 0 ? 1 : f.radix[0];
  for (int step = 1; step < f.n_steps; ++step) least_radix = std::min(least_radix, f.radix[step]);
  return std::min((f.length + least_radix - 1) / least_radix, kFourierThreads / n_sequences);
}

bool fourier_passes_serve(const Shape& shape) {
  return std::all_of(shape.begin(), shape.end(), [](Index extent) {
    const auto n_points = static_cast<std::size_t>(product_points(extent));
    return 5 * n_points * sizeof(double2) <= shared_memory() &&  // at least: a table and two buffers of two rows
           FourierMemory::bytes(Dimension<double>::of(extent).f, kRows) <= shared_memory();
  });
}

template <typename Real>
ProductPlanPointer<Real> fourier_passes_product(const Context& context, const Shape& shape, Index batch) {
  return std::make_unique<FourierPasses<Real>>(context, shape, batch);
}

template <typename Real>
ProductPlanPointer<Real> fourier_product(const Context& context, const Shape& shape, Index batch) {
  if (fourier_passes_serve(shape)) return fourier_passes_product<Real>(context, shape, batch);
  if (shape.size() == 1 && fourier_line_serves(shape[0])) return fourier_line_product<Real>(context, shape, batch);
  if (shape.size() > kMaxLibraryRank) return matrix_product<Real>(context, shape, batch);
  return fourier_library_product<Real>(context, shape, batch);
}
template ProductPlanPointer<double> fourier_product(const Context&, const Shape&, Index);
template ProductPlanPointer<float> fourier_product(const Context&, const Shape&, Index);

}  // namespace gwrm::cuda
