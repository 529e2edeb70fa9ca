#include "kernels/line_modes_device.cuh"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

#include "core/errors.hpp"

namespace gwrm::cuda {
namespace {

constexpr unsigned kThreads = 256;

__global__ void place_entries_kernel(const LinePart::Entry* entries, std::size_t n_entries, int size, double* matrix) {
  const std::size_t k = blockIdx.x * std::size_t{kThreads} + threadIdx.x;
  if (k >= n_entries) return;
  const LinePart::Entry entry = entries[k];
  matrix[static_cast<std::size_t>(entry.row) * size + entry.column] = entry.value;
}

// Rows of `vectors` (width n) from those of y (width size): LinePart.
__global__ void spread_kernel(const double* __restrict__ y, const int* __restrict__ component,
                              const double* __restrict__ factor, int size, int n, double* __restrict__ vectors) {
  const unsigned p = blockIdx.x * kThreads + threadIdx.x;
  if (p >= static_cast<unsigned>(n)) return;
  const int from = component[p];
  const double scale = factor[p];
  for (int k = static_cast<int>(blockIdx.y); k < size; k += static_cast<int>(gridDim.y))
    vectors[static_cast<std::size_t>(k) * n + p] = scale * y[static_cast<std::size_t>(k) * size + from];
}

unsigned blocks_for(std::size_t n) {
  return static_cast<unsigned>((n + kThreads - 1) / kThreads);
}

// What the parts of a line are solved with, one after the other.
class PartSolver {
 public:
  PartSolver(DeviceHandles& handles, EigenSolver by) : handles_(handles), by_(by) {}

  // Eigenvalues; the eigenvectors become `size` rows of `vectors`. The stream waits for nothing of the host's on
  // return.
  std::vector<double> solve(const LinePart& part, double* vectors) {
    const std::size_t n = part.component.size();
    const bool on_device =
        by_ == EigenSolver::device || (by_ == EigenSolver::automatic && part.size >= kDeviceEigenproblem);
    double* y = matrix_.reserve<double>(at(part.size) * at(part.size));
    const std::vector<double> values = on_device ? by_cusolver(part, y) : by_lapack(part, y);
    int* component = component_.reserve<int>(n);
    double* factor = factor_.reserve<double>(n);
    handles_.upload(component, part.component.data(), n);
    handles_.upload(factor, part.factor.data(), n);
    const dim3 grid(blocks_for(n), static_cast<unsigned>(std::min(part.size, 1024)));
    spread_kernel<<<grid, kThreads, 0, handles_.stream>>>(y, component, factor, part.size, static_cast<int>(n),
                                                          vectors);
    GWRM_LAUNCHED(spread_kernel);
    GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));
    return values;
  }

 private:
  std::vector<double> by_lapack(const LinePart& part, double* y) {
    std::vector<double> rows, values = solve_by_lapack(part, rows);
    handles_.upload(y, rows.data(), rows.size());
    GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));  // the host's rows go
    return values;
  }

  // cuSOLVER's columns are our rows.
  std::vector<double> by_cusolver(const LinePart& part, double* y) {
    handles_.open_solver();
    const std::size_t size = at(part.size);
    LinePart::Entry* entries = entries_.reserve<LinePart::Entry>(part.entries.size());
    handles_.upload(entries, part.entries.data(), part.entries.size());
    GWRM_DEVICE(cudaMemsetAsync(y, 0, size * size * sizeof(double), handles_.stream));
    place_entries_kernel<<<blocks_for(part.entries.size()), kThreads, 0, handles_.stream>>>(
        entries, part.entries.size(), part.size, y);
    GWRM_LAUNCHED(place_entries_kernel);

    const std::int64_t n = part.size;
    constexpr cusolverEigMode_t kVectors = CUSOLVER_EIG_MODE_VECTOR;
    constexpr cublasFillMode_t kLower = CUBLAS_FILL_MODE_LOWER;
    double* device_values = values_.reserve<double>(size);
    int* info = info_.reserve<int>(1);
    std::size_t device_bytes = 0, host_bytes = 0;
    GWRM_DEVICE(cusolverDnXsyevd_bufferSize(handles_.solver, handles_.solver_parameters, kVectors, kLower, n,
                                            CUDA_R_64F, y, n, CUDA_R_64F, device_values, CUDA_R_64F, &device_bytes,
                                            &host_bytes));
    std::vector<char> host_work(host_bytes);
    char* device_work = work_.reserve<char>(device_bytes);
    GWRM_DEVICE(cusolverDnXsyevd(handles_.solver, handles_.solver_parameters, kVectors, kLower, n, CUDA_R_64F, y, n,
                                 CUDA_R_64F, device_values, CUDA_R_64F, device_work, device_bytes, host_work.data(),
                                 host_bytes, info));
    int failed = 0;
    handles_.download(&failed, info, 1);
    if (failed < 0) throw DeviceError("cusolverDnXsyevd: argument " + std::to_string(-failed) + " is invalid");
    if (failed > 0)
      throw DeviceError("cusolverDnXsyevd did not find the eigenvalues of a matrix of " + std::to_string(n) +
                        " rows: " + std::to_string(failed) + " off-diagonal values did not converge");
    std::vector<double> values(size);
    handles_.download(values.data(), device_values, size);
    return values;
  }

  DeviceHandles& handles_;
  EigenSolver by_;
  DeviceBuffer matrix_, entries_, component_, factor_, values_, info_, work_;
};

}  // namespace

DeviceLine::DeviceLine(DeviceHandles& handles, const StencilRows& a, const std::vector<double>& weights,
                       LineSplit split, EigenSolver by)
    : n_(static_cast<int>(a.n)) {
  const LineProblem problem = line_problem(a, weights, split);
  const std::size_t n = at(n_);
  vectors_ = memory_.reserve<double>(n * n + n);
  values_ = vectors_ + n * n;
  PartSolver solver(handles, by);
  std::vector<double> values;
  for (const LinePart& part : problem.parts) {
    const std::vector<double> of_part = solver.solve(part, vectors_ + values.size() * n);
    values.insert(values.end(), of_part.begin(), of_part.end());
  }
  finish_values(problem, values);
  handles.upload(values_, values.data(), n);
  GWRM_DEVICE(cudaStreamSynchronize(handles.stream));  // the host's values go
}

LineModes line_modes(const Context& context, const StencilRows& a, const std::vector<double>& weights, LineSplit split,
                     EigenSolver by) {
  DeviceHandles& handles = *context.device();
  const DeviceLine line(handles, a, weights, split, by);
  const std::size_t n = at(line.n());
  LineModes modes{std::vector<double>(n * n), std::vector<double>(n)};
  handles.download(modes.vectors.data(), line.vectors(), n * n);
  handles.download(modes.values.data(), line.values(), n);
  return modes;
}

double line_modes_seconds(const Context& context, const StencilRows& a, const std::vector<double>& weights,
                          EigenSolver by) {
  const auto begin = std::chrono::steady_clock::now();
  const DeviceLine line(*context.device(), a, weights, LineSplit::automatic, by);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace gwrm::cuda
