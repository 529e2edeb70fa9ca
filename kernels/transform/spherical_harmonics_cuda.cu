#include "kernels/device/fourier_library.cuh"
//
#include "kernels/transform/spherical_modes.cuh"
//
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "core/errors.hpp"
#include "kernels/transform/spherical_harmonics.hpp"

namespace gwrm::cuda {
namespace {

using spherical::kModes;
using spherical::SphereShape;

constexpr int kThreads = 256;

// A block for kModes modes (blockIdx.x), a group of pairs of rows (blockIdx.y) and a field (blockIdx.z).
__global__ void __launch_bounds__(kThreads)
    set_modes_kernel(SphereShape shape, double factor, const double* values, double* spectrum) {
  __shared__ spherical::Tile tile;
  spherical::set_modes(shape, blockIdx.y, static_cast<long long>(blockIdx.x) * kModes, kThreads, factor,
                       values + blockIdx.z * shape.n_values(),
                       spectrum + blockIdx.z * 2 * shape.n_theta * shape.n_half(), tile);
}

__global__ void __launch_bounds__(kThreads)
    take_modes_kernel(SphereShape shape, double factor, const double* spectrum, double* values) {
  __shared__ spherical::Tile tile;
  spherical::take_modes(shape, blockIdx.y, static_cast<long long>(blockIdx.x) * kModes, kThreads, factor,
                        spectrum + blockIdx.z * 2 * shape.n_theta * shape.n_half(),
                        values + blockIdx.z * shape.n_values(), tile);
}

std::size_t aligned(long long bytes) {
  return (static_cast<std::size_t>(bytes) + 255) / 256 * 256;
}

}  // namespace

struct DeviceSpherical::Memory {
  Memory(const Context& given, const SphericalPlan& plan, Index n_fields)
      : context(given),
        batch(checked(plan, n_fields)),
        shape{plan.degree(), plan.legendre().n_groups(), plan.legendre().n_pairs(), plan.n_theta(), plan.n_phi()},
        legendre(context, plan.legendre()),
        to_rows(CUFFT_Z2D, 1, &length, batch * plan.n_theta(), context.device()->stream),
        to_modes(CUFFT_D2Z, 1, &length, batch * plan.n_theta(), context.device()->stream) {}

  Index checked(const SphericalPlan& plan, Index n_fields) {
    constexpr Index kMost = 65535;  // of a launch
    if (n_fields < 1 || n_fields > kMost)
      throw ShapeError("spherical harmonics: a batch of " + std::to_string(n_fields) + " fields; a device takes 1 to " +
                       std::to_string(kMost));
    if (plan.n_phi() > std::numeric_limits<int>::max() ||
        n_fields * plan.n_theta() > std::numeric_limits<int>::max() / plan.n_phi())
      throw ShapeError("spherical harmonics: more than 2^31 points in a batch on a device");
    length = static_cast<int>(plan.n_phi());
    return n_fields;
  }

  std::size_t spectrum_bytes() const { return aligned(batch * shape.n_theta * shape.n_half() * 16); }
  std::size_t values_bytes() const { return aligned(batch * shape.n_values() * 8); }
  dim3 blocks(long long n_modes) const {
    return {static_cast<unsigned>((n_modes + kModes - 1) / kModes), static_cast<unsigned>(shape.n_groups),
            static_cast<unsigned>(batch)};
  }

  Context context;
  int length = 0;
  Index batch;
  SphereShape shape;
  DeviceLegendre legendre;
  FourierLibraryPlan to_rows, to_modes;
};

DeviceSpherical::DeviceSpherical(const Context& context, const SphericalPlan& plan, Index batch)
    : memory_(std::make_unique<Memory>(context, plan, batch)) {}
DeviceSpherical::~DeviceSpherical() = default;

std::size_t DeviceSpherical::workspace_bytes() const {
  return memory_->spectrum_bytes() + memory_->values_bytes() +
         std::max(memory_->to_rows.bytes(), memory_->to_modes.bytes());
}

void DeviceSpherical::synthesis(const std::complex<double>* a, double* f, void* workspace) const {
  const Memory& memory = *memory_;
  auto* spectrum = static_cast<double*>(workspace);
  double* values = spectrum + memory.spectrum_bytes() / sizeof(double);
  double* rest = values + memory.values_bytes() / sizeof(double);
  memory.legendre.synthesis(memory.batch, a, values);
  set_modes_kernel<<<memory.blocks(memory.shape.n_half()), kThreads, 0, memory.context.device()->stream>>>(
      memory.shape, 1.0 / std::sqrt(2.0 * std::numbers::pi), values, spectrum);
  GWRM_LAUNCHED(set_modes_kernel);
  GWRM_FFT(cufftExecZ2D(memory.to_rows.with_memory(rest), reinterpret_cast<cufftDoubleComplex*>(spectrum), f));
}

void DeviceSpherical::analysis(const double* f, std::complex<double>* a, void* workspace) const {
  const Memory& memory = *memory_;
  auto* spectrum = static_cast<double*>(workspace);
  double* values = spectrum + memory.spectrum_bytes() / sizeof(double);
  double* rest = values + memory.values_bytes() / sizeof(double);
  // cuFFT leaves what it transforms out of place from real to complex numbers as it is
  GWRM_FFT(cufftExecD2Z(memory.to_modes.with_memory(rest), const_cast<double*>(f),
                        reinterpret_cast<cufftDoubleComplex*>(spectrum)));
  take_modes_kernel<<<memory.blocks(memory.shape.degree + 1), kThreads, 0, memory.context.device()->stream>>>(
      memory.shape, std::sqrt(2.0 * std::numbers::pi) / static_cast<double>(memory.shape.n_phi), spectrum, values);
  GWRM_LAUNCHED(take_modes_kernel);
  memory.legendre.analysis(memory.batch, values, a);
}

}  // namespace gwrm::cuda
