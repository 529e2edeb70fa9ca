#include "core/device_handles.cuh"
//
#define GWRM_BOTH_SIDES __host__ __device__
#include "kernels/transform/vector_formulas.hpp"
//
#include <string>

#include "core/errors.hpp"
#include "kernels/banded/device_tables.cuh"
#include "kernels/transform/spherical_harmonics.hpp"

namespace gwrm::cuda {
namespace {

using banded::DeviceTables;
using vector_harmonics::Angles;
using vector_harmonics::Coefficients;

constexpr int kThreads = 128;

long long n_coefficients(long long degree) {
  return (degree + 1) * (degree + 2) / 2;
}

// A thread for l (blockIdx.x), a block for m (blockIdx.y) and a field (blockIdx.z).
__global__ void __launch_bounds__(kThreads) components_kernel(long long degree, const double* s, const double* t,
                                                              long long n_parts, double* components, long long n) {
  const long long m = blockIdx.y, l = m + static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x;
  if (l > degree + 1) return;
  const long long from = 2 * n_parts * blockIdx.z;
  vector_harmonics::components_at(Coefficients{s + from, degree}, Coefficients{t + from, degree}, degree + 1, l, m,
                                  components + 6 * n * blockIdx.z, n);
}

__global__ void __launch_bounds__(kThreads)
    parts_kernel(long long degree, const double* components, long long n, double* s, double* t, long long n_parts) {
  const long long m = blockIdx.y, l = m + static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x;
  if (l > degree) return;
  const double* from = components + 6 * n * blockIdx.z;
  const long long to = 2 * n_parts * blockIdx.z;
  vector_harmonics::parts_at(Coefficients{from, degree + 1}, Coefficients{from + 2 * n, degree + 1},
                             Coefficients{from + 4 * n, degree + 1}, degree, l, m, s + to, t + to);
}

struct GridAngles {
  const double *cosine_theta, *sine_theta, *cosine_phi, *sine_phi;
  long long n_theta, n_phi;
  __device__ Angles at(long long row, long long column) const {
    return {cosine_theta[row], sine_theta[row], cosine_phi[column], sine_phi[column]};
  }
  __host__ __device__ long long n_points() const { return n_theta * n_phi; }
};

// A thread for a column (blockIdx.x), a block for a row (blockIdx.y) and a field (blockIdx.z).
__global__ void __launch_bounds__(kThreads)
    tangential_kernel(GridAngles grid, const double* fields, double* u_theta, double* u_phi) {
  const long long column = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x, n = grid.n_points();
  if (column >= grid.n_phi) return;
  const Angles angles = grid.at(blockIdx.y, column);
  const long long point = blockIdx.y * grid.n_phi + column;
  const double* f = fields + 3 * n * blockIdx.z + point;
  u_theta[n * blockIdx.z + point] = angles.theta_part(f[0], f[n], f[2 * n]);
  u_phi[n * blockIdx.z + point] = angles.phi_part(f[0], f[n]);
}

__global__ void __launch_bounds__(kThreads)
    cartesian_kernel(GridAngles grid, const double* u_theta, const double* u_phi, double* fields) {
  const long long column = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x, n = grid.n_points();
  if (column >= grid.n_phi) return;
  const Angles angles = grid.at(blockIdx.y, column);
  const long long point = blockIdx.y * grid.n_phi + column;
  const double theta = u_theta[n * blockIdx.z + point], phi = u_phi[n * blockIdx.z + point];
  double* f = fields + 3 * n * blockIdx.z + point;
  f[0] = angles.x(theta, phi);
  f[n] = angles.y(theta, phi);
  f[2 * n] = angles.z(theta);
}

dim3 blocks(long long n, long long rows, Index batch) {
  return {static_cast<unsigned>((n + kThreads - 1) / kThreads), static_cast<unsigned>(rows),
          static_cast<unsigned>(batch)};
}

Index three_times(Index batch) {
  if (batch < 1) throw ShapeError("vector harmonics: a batch of " + std::to_string(batch) + " fields");
  return 3 * batch;
}

}  // namespace

struct DeviceVectorHarmonics::Memory {
  Memory(const Context& given, const VectorSphericalPlan& plan, Index n_fields)
      : context(given),
        batch(n_fields),
        degree(plan.degree()),
        scalars(context, plan.components(), three_times(n_fields)) {
    if (plan.n_theta() > 65535)
      throw ShapeError("vector harmonics: " + std::to_string(plan.n_theta()) +
                       " points in theta; a device takes up to 65535");
    const DeviceHandles& handles = *context.device();
    grid = {tables.add(handles, plan.cosine_theta()),
            tables.add(handles, plan.sine_theta()),
            tables.add(handles, plan.cosine_phi()),
            tables.add(handles, plan.sine_phi()),
            plan.n_theta(),
            plan.n_phi()};
    GWRM_DEVICE(cudaStreamSynchronize(handles.stream));
  }
  // Of the components' coefficients, then of their values.
  std::size_t coefficient_bytes() const { return aligned(3 * batch * n_coefficients(degree + 1) * 16); }
  std::size_t field_bytes() const { return aligned(3 * batch * grid.n_points() * 8); }
  static std::size_t aligned(long long bytes) { return (static_cast<std::size_t>(bytes) + 255) / 256 * 256; }

  Context context;
  Index batch;
  long long degree;
  DeviceSpherical scalars;
  DeviceTables<double> tables;
  GridAngles grid{};
};

DeviceVectorHarmonics::DeviceVectorHarmonics(const Context& context, const VectorSphericalPlan& plan, Index batch)
    : memory_(std::make_unique<Memory>(context, plan, batch)) {}
DeviceVectorHarmonics::~DeviceVectorHarmonics() = default;

std::size_t DeviceVectorHarmonics::workspace_bytes() const {
  return memory_->coefficient_bytes() + memory_->field_bytes() + memory_->scalars.workspace_bytes();
}

void DeviceVectorHarmonics::synthesis(const std::complex<double>* s, const std::complex<double>* t, double* u_theta,
                                      double* u_phi, void* workspace) const {
  const Memory& memory = *memory_;
  cudaStream_t stream = memory.context.device()->stream;
  char* room = static_cast<char*>(workspace);
  auto* components = reinterpret_cast<double*>(room);
  auto* fields = reinterpret_cast<double*>(room + memory.coefficient_bytes());
  components_kernel<<<blocks(memory.degree + 2, memory.degree + 2, memory.batch), kThreads, 0, stream>>>(
      memory.degree, reinterpret_cast<const double*>(s), reinterpret_cast<const double*>(t),
      n_coefficients(memory.degree), components, n_coefficients(memory.degree + 1));
  GWRM_LAUNCHED(components_kernel);
  memory.scalars.synthesis(reinterpret_cast<const std::complex<double>*>(components), fields,
                           room + memory.coefficient_bytes() + memory.field_bytes());
  tangential_kernel<<<blocks(memory.grid.n_phi, memory.grid.n_theta, memory.batch), kThreads, 0, stream>>>(
      memory.grid, fields, u_theta, u_phi);
  GWRM_LAUNCHED(tangential_kernel);
}

void DeviceVectorHarmonics::analysis(const double* u_theta, const double* u_phi, std::complex<double>* s,
                                     std::complex<double>* t, void* workspace) const {
  const Memory& memory = *memory_;
  cudaStream_t stream = memory.context.device()->stream;
  char* room = static_cast<char*>(workspace);
  auto* components = reinterpret_cast<double*>(room);
  auto* fields = reinterpret_cast<double*>(room + memory.coefficient_bytes());
  cartesian_kernel<<<blocks(memory.grid.n_phi, memory.grid.n_theta, memory.batch), kThreads, 0, stream>>>(
      memory.grid, u_theta, u_phi, fields);
  GWRM_LAUNCHED(cartesian_kernel);
  memory.scalars.analysis(fields, reinterpret_cast<std::complex<double>*>(components),
                          room + memory.coefficient_bytes() + memory.field_bytes());
  parts_kernel<<<blocks(memory.degree + 1, memory.degree + 1, memory.batch), kThreads, 0, stream>>>(
      memory.degree, components, n_coefficients(memory.degree + 1), reinterpret_cast<double*>(s),
      reinterpret_cast<double*>(t), n_coefficients(memory.degree));
  GWRM_LAUNCHED(parts_kernel);
}

}  // namespace gwrm::cuda
