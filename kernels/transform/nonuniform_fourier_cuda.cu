#include "core/device_handles.cuh"
//
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "kernels/device/fourier_library.cuh"
#include "kernels/transform/nonuniform_device.cuh"
#include "kernels/transform/nonuniform_fourier.hpp"

namespace gwrm::cuda {
namespace {

constexpr int kThreads = 256;

// Modes and grid along an axis: mode m, from the lowest, is at m - N/2 of the grid's transform, modulo its length.
struct ModeAxis {
  int n_modes, n_fine;
  const double* factors;  // 1 / hat(n)
};
struct ModeAxes {
  ModeAxis axes[3];
};

// Of mode number k, the last axis fastest: its place in the grid's transform and its factor.
__device__ double place_of_mode(const ModeAxes& modes, long long k, long long& place) {
  double factor = 1.0;
  long long stride = 1;
  place = 0;
#pragma unroll
  for (int a = 2; a >= 0; --a) {
    const ModeAxis& axis = modes.axes[a];
    const int m = static_cast<int>(k % axis.n_modes), n = m - axis.n_modes / 2;
    k /= axis.n_modes;
    factor *= axis.factors[m];
    place += (n < 0 ? n + axis.n_fine : n) * stride;
    stride *= axis.n_fine;
  }
  return factor;
}

__global__ void __launch_bounds__(kThreads)
    grid_to_modes_kernel(ModeAxes modes, long long n_modes, const double2* __restrict__ grid, double2* F) {
  const long long k = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x;
  if (k >= n_modes) return;
  long long place;
  const double factor = place_of_mode(modes, k, place);
  const double2 value = grid[place];
  F[k] = {factor * value.x, factor * value.y};
}

// To a grid of zeros.
__global__ void __launch_bounds__(kThreads)
    modes_to_grid_kernel(ModeAxes modes, long long n_modes, const double2* __restrict__ F, double2* grid) {
  const long long k = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x;
  if (k >= n_modes) return;
  long long place;
  const double factor = place_of_mode(modes, k, place);
  const double2 value = F[k];
  grid[place] = {factor * value.x, factor * value.y};
}

unsigned blocks_for(long long n) {
  return static_cast<unsigned>((n + kThreads - 1) / kThreads);
}
std::size_t aligned(std::size_t bytes) {
  return (bytes + 255) / 256 * 256;
}

}  // namespace

struct NonuniformPlan::Device {
  Device(DeviceHandles& of_context, const NonuniformGeometry& geometry)
      : handles(of_context), points(of_context, geometry), n_grid(static_cast<std::size_t>(geometry.n_fine())) {
    std::vector<double> all;
    for (const NonuniformAxis& axis : geometry.axes) all.insert(all.end(), axis.factors.begin(), axis.factors.end());
    double* target = factors.reserve<double>(all.size());
    handles.upload(target, all.data(), all.size());
    GWRM_DEVICE(cudaStreamSynchronize(handles.stream));
    int lengths[3];
    for (int a = 0; a < 3; ++a) {
      const NonuniformAxis& axis = geometry.axes[static_cast<std::size_t>(a)];
      modes.axes[a] = {static_cast<int>(axis.n_modes), static_cast<int>(axis.n_fine), target};
      target += axis.n_modes;
      lengths[a] = static_cast<int>(axis.n_fine);
    }
    const int d = geometry.n_dimensions;
    fourier = std::make_unique<FourierLibraryPlan>(CUFFT_Z2Z, d, lengths + 3 - d, 1, handles.stream);
    n_modes = geometry.n_modes();
  }

  // The grid, and what spreading and the transform need one after the other.
  std::size_t piece_bytes() const {
    return sizeof(double2) *
           static_cast<std::size_t>(nonuniform::kMostPieces * nonuniform::points_of_block(points.n_dimensions()));
  }
  std::size_t grid_bytes() const { return aligned(sizeof(double2) * n_grid); }
  std::size_t workspace_bytes() const { return grid_bytes() + std::max(piece_bytes(), fourier->bytes()); }

  void transform(int sign, double2* grid, void* memory) const {
    GWRM_FFT(cufftExecZ2Z(fourier->with_memory(memory), grid, grid, sign > 0 ? CUFFT_INVERSE : CUFFT_FORWARD));
  }

  DeviceHandles& handles;
  nonuniform::DevicePoints points;
  DeviceBuffer factors;
  ModeAxes modes{};
  std::unique_ptr<FourierLibraryPlan> fourier;
  std::size_t n_grid;
  long long n_modes = 1;
};

NonuniformPlan::NonuniformPlan(const Context& context, std::span<const Index> modes, double tolerance)
    : context_(context), geometry_(modes, tolerance) {
  for (const NonuniformAxis& axis : geometry_.axes)
    if (axis.n_fine > std::numeric_limits<int>::max() / 2)
      throw ShapeError("non-uniform Fourier transform: " + std::to_string(axis.n_modes) + " modes along a dimension");
  device_ = std::make_unique<Device>(*context_.device(), geometry_);
  const std::array<const double*, 3> none{};
  set_points(std::span(none).first(modes.size()), 0);
}
NonuniformPlan::~NonuniformPlan() = default;
NonuniformPlan::NonuniformPlan(NonuniformPlan&&) noexcept = default;

void NonuniformPlan::set_points(std::span<const double* const> coordinates, Index n_points) {
  if (static_cast<int>(coordinates.size()) != geometry_.n_dimensions)
    throw ShapeError("non-uniform Fourier transform: " + std::to_string(coordinates.size()) + " lists of coordinates");
  if (n_points < 0 || n_points > std::numeric_limits<int>::max() - nonuniform::kLanes)
    throw ShapeError("non-uniform Fourier transform: " + std::to_string(n_points) + " points");
  device_->points.set(coordinates, static_cast<int>(n_points));
}

void NonuniformPlan::check_points() const {
  if (!device_->points.are_finite()) throw ShapeError("non-uniform Fourier transform: a point is not finite");
}

Index NonuniformPlan::n_points() const {
  return device_->points.sorted().n_points;
}

std::size_t nonuniform_workspace_bytes(const NonuniformPlan& plan) {
  return plan.device().workspace_bytes();
}

void nonuniform_type1(const NonuniformPlan& plan, int sign, const std::complex<double>* c, std::complex<double>* F,
                      void* workspace, NonuniformSpreader spreader) {
  const NonuniformPlan::Device& device = plan.device();
  auto* const grid = static_cast<double2*>(workspace);
  void* const rest = static_cast<char*>(workspace) + device.grid_bytes();
  nonuniform::spread(device.handles.stream, device.points, spreader, reinterpret_cast<const double2*>(c),
                     static_cast<double2*>(rest), grid);
  device.transform(sign, grid, rest);
  grid_to_modes_kernel<<<blocks_for(device.n_modes), kThreads, 0, device.handles.stream>>>(
      device.modes, device.n_modes, grid, reinterpret_cast<double2*>(F));
  GWRM_LAUNCHED(grid_to_modes_kernel);
}

void nonuniform_type2(const NonuniformPlan& plan, int sign, const std::complex<double>* F, std::complex<double>* c,
                      void* workspace) {
  const NonuniformPlan::Device& device = plan.device();
  auto* const grid = static_cast<double2*>(workspace);
  void* const rest = static_cast<char*>(workspace) + device.grid_bytes();
  GWRM_DEVICE(cudaMemsetAsync(grid, 0, sizeof(double2) * device.n_grid, device.handles.stream));
  modes_to_grid_kernel<<<blocks_for(device.n_modes), kThreads, 0, device.handles.stream>>>(
      device.modes, device.n_modes, reinterpret_cast<const double2*>(F), grid);
  GWRM_LAUNCHED(modes_to_grid_kernel);
  device.transform(sign, grid, rest);
  nonuniform::interpolate(device.handles.stream, device.points, grid, reinterpret_cast<double2*>(c));
}

}  // namespace gwrm::cuda
