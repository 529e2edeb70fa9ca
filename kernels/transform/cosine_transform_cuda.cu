#include "kernels/transform/cosine_register_kernels.cuh"
//
#include "kernels/device/fourier_library.cuh"
//
#include <algorithm>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "kernels/transform/roots_of_unity.hpp"

namespace gwrm::cuda {
namespace {

constexpr int kMostThreads = 512;
constexpr int kThreadsWanted = 256;  // of blocks with lines that are shorter than that
constexpr int kLibraryThreads = 256;
constexpr int kLibraryFrom = 160;  // contiguous lines of Fourier transforms as long as this: between 96 and 192
constexpr long long kMostBlocks = 1 << 20;

__global__ void __launch_bounds__(kMostThreads)
    cosine_lines_kernel(const __grid_constant__ CosineShape s, const __grid_constant__ FourierLength f, double2* roots,
                        const __grid_constant__ CosineBatch b, CosineBlock block) {
  extern __shared__ double2 cosine_memory[];
  cosine_lines(s, f, roots, b, block, cosine_memory);
}

// Lines to the numbers that cuFFT transforms, one line after the other, and from there to lines.
__global__ void __launch_bounds__(kLibraryThreads)
    before_library_kernel(const __grid_constant__ CosineShape s, const __grid_constant__ CosineBatch b,
                          CosineBlock block, double2* z) {
  const long long line = static_cast<long long>(blockIdx.x) * block.n_side + block.side();
  if (line >= b.n_lines) return;
  const double* x = b.input(line);
  double2* of_line = z + line * s.fourier_length;
  before_fourier(
      s, block.own(), block.n_shares, [&](int n) { return cosine_input(s, b, x, n); },
      [&](int j, double2 value) { of_line[j] = value; });
}
__global__ void __launch_bounds__(kLibraryThreads)
    after_library_kernel(const __grid_constant__ CosineShape s, const __grid_constant__ CosineBatch b,
                         CosineBlock block, const double2* z) {
  const long long line = static_cast<long long>(blockIdx.x) * block.n_side + block.side();
  if (line >= b.n_lines) return;
  double* y = b.output(line);
  const double2* of_line = z + line * s.fourier_length;
  after_fourier(
      s, block.own(), block.n_shares, [&](int k) { return of_line[k]; },
      [&](int n, double value) { cosine_output(s, b, y, n, value); });
}

std::size_t room_of(const FourierLength& f, int n_side) {
  return sizeof(double2) * 2 * static_cast<std::size_t>(n_side * fourier_line(f, n_side));
}

int most_shared_bytes() {
  int device = 0, bytes = 0;
  GWRM_DEVICE(cudaGetDevice(&device));
  GWRM_DEVICE(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return bytes;
}

class DeviceCosine final : public CosineTransform {
 public:
  DeviceCosine(const Context& context, const CosinePlan& plan, Index outer, Index inner, CosineWay way)
      : handles_(*context.device()), plan_(plan.kind(), plan.length()), outer_(outer), inner_(inner) {
    check_cosine_transform(plan, 1, 1, outer, inner);
    shape_ = {plan.number(),
              plan.is_sine(),
              plan.folded(),
              static_cast<int>(plan.length()),
              static_cast<int>(plan.fourier().length()),
              nullptr,
              nullptr,
              nullptr};
    choose(way);
    upload();
  }

  std::size_t workspace_bytes() const override {
    return way_ == CosineWay::library ? numbers_bytes() + library_->bytes() : 0;
  }

  void run(const double* x, Index n_in, double* y, Index n_out, CosineScale scale, void* workspace) const override {
    check_cosine_transform(plan_, n_in, n_out, outer_, inner_);
    const CosineBatch b{
        x, y, static_cast<int>(n_in), static_cast<int>(n_out), outer_ * inner_, inner_, scale.factor, scale.first};
    switch (way_) {
      case CosineWay::registers:
        return plan_.number() == 1   ? cosine_by_registers<1>(handles_.stream, shape_, roots_, b)
               : plan_.number() == 2 ? cosine_by_registers<2>(handles_.stream, shape_, roots_, b)
               : plan_.number() == 3 ? cosine_by_registers<3>(handles_.stream, shape_, roots_, b)
                                     : cosine_by_registers<4>(handles_.stream, shape_, roots_, b);
      case CosineWay::shared_memory:
        cosine_lines_kernel<<<n_blocks(), threads(), room_of(length_, block_.n_side), handles_.stream>>>(
            shape_, length_, roots_, b, block_);
        GWRM_LAUNCHED(cosine_lines_kernel);
        return;
      default:
        return by_library(b, workspace);
    }
  }

 private:
  // The first way that serves, or the one that is asked for.
  void choose(CosineWay wanted) {
    const auto most = static_cast<std::size_t>(most_shared_bytes());
    const auto asked = [&](CosineWay way) { return wanted == CosineWay::automatic || wanted == way; };
    if (asked(CosineWay::registers) && (shape_.folded || shape_.number == 1) &&
        with_register_length<false>(shape_.fourier_length, [&](auto length) { length_ = length_of(length); })) {
      way_ = CosineWay::registers;
      return;
    }
    length_ = factors_of(shape_.fourier_length);
    const bool has_factors = length_.n_steps > 0 || shape_.fourier_length == 1;
    const bool better_by_library =
        wanted == CosineWay::automatic && inner_ == 1 && shape_.fourier_length >= kLibraryFrom;
    if (asked(CosineWay::shared_memory) && has_factors && room_of(length_, 1) <= most && !better_by_library) {
      way_ = CosineWay::shared_memory;
      choose_block(most);
      return;
    }
    if (!asked(CosineWay::library))
      throw ShapeError("cosine transform: there is no kernel of the kind asked for at length " +
                       std::to_string(shape_.length));
    way_ = CosineWay::library;
    block_ = inner_ == 1 ? CosineBlock{1, kLibraryThreads, false} : CosineBlock{32, kLibraryThreads / 32, true};
    int lengths[] = {shape_.fourier_length};
    library_ = std::make_unique<FourierLibraryPlan>(CUFFT_Z2Z, 1, lengths, outer_ * inner_, handles_.stream);
  }

  // A thread for each short transform of the step that has most of them; of columns as many lines as a piece of memory
  // wants, of contiguous ones until the block is large.
  void choose_block(std::size_t most) {
    int least = shape_.fourier_length;
    for (int i = 0; i < length_.n_steps; ++i) least = std::min(least, length_.radix[i]);
    const int shares = std::clamp(shape_.fourier_length / least, 1, kMostThreads);
    const bool in_columns = inner_ > 1;
    int side = in_columns ? kColumnsSide : std::max(1, kThreadsWanted / shares);
    while (side > 1 && room_of(length_, side) > most) side /= 2;
    block_ = {side, std::min(shares, kMostThreads / side), in_columns};
    GWRM_DEVICE(
        cudaFuncSetAttribute(cosine_lines_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(most)));
  }

  void upload() {
    std::vector<std::complex<double>> table;
    if (way_ != CosineWay::library) {
      table = fourier_roots(length_);
      table.resize(static_cast<std::size_t>(length_.n_factors));
    }
    const std::size_t first = table.size();
    for (const auto& factor : plan_.first_factors()) table.push_back(std::conj(factor));
    const std::size_t second = table.size();
    if (shape_.folded && shape_.number < 4)
      for (Index k = 0; k < shape_.fourier_length; ++k) table.push_back(half_turns(2 * k, shape_.length));
    else
      for (const auto& factor : plan_.second_factors()) table.push_back(std::conj(factor));
    const std::vector<int> places(plan_.places().begin(), plan_.places().end());
    roots_ = tables_.reserve<double2>(table.size() + 1);
    static_assert(sizeof(double2) == sizeof(std::complex<double>));
    handles_.upload(reinterpret_cast<std::complex<double>*>(roots_), table.data(), table.size());
    shape_.first = roots_ + first;
    shape_.second = roots_ + second;
    int* const to = places_.reserve<int>(places.size() + 1);
    handles_.upload(to, places.data(), places.size());
    shape_.places = to;
    GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));  // the vectors end here
  }

  std::size_t numbers_bytes() const {
    const auto bytes = sizeof(double2) * static_cast<std::size_t>(shape_.fourier_length * outer_ * inner_);
    return (bytes + 255) / 256 * 256;
  }
  unsigned threads() const { return static_cast<unsigned>(block_.n_side * block_.n_shares); }
  unsigned n_blocks() const {
    const long long all = (outer_ * inner_ + block_.n_side - 1) / block_.n_side;
    return static_cast<unsigned>(way_ == CosineWay::library ? all : std::min(all, kMostBlocks));
  }

  void by_library(const CosineBatch& b, void* workspace) const {
    auto* z = static_cast<double2*>(workspace);
    before_library_kernel<<<n_blocks(), threads(), 0, handles_.stream>>>(shape_, b, block_, z);
    GWRM_LAUNCHED(before_library_kernel);
    const cufftHandle plan = library_->with_memory(static_cast<char*>(workspace) + numbers_bytes());
    GWRM_FFT(cufftExecZ2Z(plan, z, z, CUFFT_INVERSE));
    after_library_kernel<<<n_blocks(), threads(), 0, handles_.stream>>>(shape_, b, block_, z);
    GWRM_LAUNCHED(after_library_kernel);
  }

  const DeviceHandles& handles_;
  CosinePlan plan_;
  Index outer_, inner_;
  CosineShape shape_{};
  FourierLength length_;
  CosineWay way_ = CosineWay::library;
  CosineBlock block_{1, 32, false};
  std::unique_ptr<FourierLibraryPlan> library_;
  DeviceBuffer tables_, places_;
  double2* roots_ = nullptr;
};

}  // namespace

std::unique_ptr<CosineTransform> make_cosine_transform(const Context& context, const CosinePlan& plan, Index outer,
                                                       Index inner, CosineWay way) {
  return std::make_unique<DeviceCosine>(context, plan, outer, inner, way);
}

}  // namespace gwrm::cuda
