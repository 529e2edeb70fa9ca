#include "kernels/sbp_sat/line_modes_device.cuh"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

#include "core/device_libraries.cuh"
#include "core/errors.hpp"

namespace gwrm::cuda {
namespace {

constexpr unsigned kThreads = 256;

__global__ void place_entries_kernel(const LinePart::Entry* entries, std::size_t n_entries, int pitch, double* matrix) {
  const std::size_t k = blockIdx.x * std::size_t{kThreads} + threadIdx.x;
  if (k >= n_entries) return;
  const LinePart::Entry entry = entries[k];
  matrix[static_cast<std::size_t>(entry.row) * pitch + entry.column] = entry.value;
}

// The eigenvectors in the rows of y, at the points: LinePart.
__global__ void scale_rows_kernel(const double* __restrict__ factor, int size, int pitch, double* __restrict__ y) {
  const unsigned i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= static_cast<unsigned>(size)) return;
  const double scale = factor[i];
  for (int k = static_cast<int>(blockIdx.y); k < size; k += static_cast<int>(gridDim.y))
    y[static_cast<std::size_t>(k) * pitch + i] *= scale;
}

unsigned blocks_for(std::size_t n) {
  return static_cast<unsigned>((n + kThreads - 1) / kThreads);
}

// What the parts of a line are solved with, one after the other.
class PartSolver {
 public:
  PartSolver(DeviceHandles& handles, EigenSolver by) : handles_(handles), by_(by) {}

  // Eigenvalues; y (pitch x pitch) becomes the part's LineModes::vectors. The stream waits for nothing of the host's on
  // return.
  std::vector<double> solve(const LinePart& part, int pitch, double* y) {
    const bool on_device =
        by_ == EigenSolver::device || (by_ == EigenSolver::automatic && part.size >= kDeviceEigenproblem);
    const std::vector<double> values = on_device ? by_cusolver(part, pitch, y) : by_lapack(part, pitch, y);
    double* factor = factor_.reserve<double>(part.factor.size());
    handles_.upload(factor, part.factor.data(), part.factor.size());
    const dim3 grid(blocks_for(at(part.size)), static_cast<unsigned>(std::min(part.size, 1024)));
    scale_rows_kernel<<<grid, kThreads, 0, handles_.stream>>>(factor, part.size, pitch, y);
    GWRM_LAUNCHED(scale_rows_kernel);
    GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));
    return values;
  }

 private:
  std::vector<double> by_lapack(const LinePart& part, int pitch, double* y) {
    std::vector<double> rows(at(pitch) * at(pitch));
    std::vector<double> values = solve_by_lapack(part, pitch, rows.data());
    handles_.upload(y, rows.data(), rows.size());
    GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));  // the host's rows go
    return values;
  }

  // cuSOLVER's columns are our rows.
  std::vector<double> by_cusolver(const LinePart& part, int pitch, double* y) {
    handles_.open_solver();
    const std::size_t size = at(part.size);
    LinePart::Entry* entries = entries_.reserve<LinePart::Entry>(part.entries.size());
    handles_.upload(entries, part.entries.data(), part.entries.size());
    GWRM_DEVICE(cudaMemsetAsync(y, 0, at(pitch) * at(pitch) * sizeof(double), handles_.stream));
    place_entries_kernel<<<blocks_for(part.entries.size()), kThreads, 0, handles_.stream>>>(
        entries, part.entries.size(), pitch, y);
    GWRM_LAUNCHED(place_entries_kernel);

    const std::int64_t n = part.size;
    constexpr cusolverEigMode_t kVectors = CUSOLVER_EIG_MODE_VECTOR;
    constexpr cublasFillMode_t kLower = CUBLAS_FILL_MODE_LOWER;
    double* device_values = values_.reserve<double>(size);
    int* info = info_.reserve<int>(1);
    std::size_t device_bytes = 0, host_bytes = 0;
    GWRM_DEVICE(cusolverDnXsyevd_bufferSize(handles_.solver, handles_.solver_parameters, kVectors, kLower, n,
                                            CUDA_R_64F, y, pitch, CUDA_R_64F, device_values, CUDA_R_64F, &device_bytes,
                                            &host_bytes));
    std::vector<char> host_work(host_bytes);
    char* device_work = work_.reserve<char>(device_bytes);
    // cuSOLVER's tridiagonalisation reads places of it that it has not written: what was left there must not matter.
    GWRM_DEVICE(cudaMemsetAsync(device_work, 0, device_bytes, handles_.stream));
    GWRM_DEVICE(cusolverDnXsyevd(handles_.solver, handles_.solver_parameters, kVectors, kLower, n, CUDA_R_64F, y, pitch,
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
  DeviceBuffer entries_, factor_, values_, info_, work_;
};

}  // namespace

DeviceLine::DeviceLine(DeviceHandles& handles, const StencilRows& a, const std::vector<double>& weights,
                       LineSplit split, EigenSolver by)
    : fold_(fold_of(a, weights, split)) {
  const LineProblem problem = line_problem(a, weights, split);
  vectors_ = memory_.reserve<double>(n_vectors() + n_values());
  values_ = vectors_ + n_vectors();
  PartSolver solver(handles, by);
  std::vector<double> values;
  double* of_part = vectors_;
  for (const LinePart& part : problem.parts) {
    const std::vector<double> found = solver.solve(part, fold_.pitch, of_part);
    values.insert(values.end(), found.begin(), found.end());
    of_part += at(fold_.pitch) * at(fold_.pitch);
  }
  const std::vector<double> finished = finished_values(problem, values);
  handles.upload(values_, finished.data(), finished.size());
  GWRM_DEVICE(cudaStreamSynchronize(handles.stream));  // the host's values go
}

LineModes line_modes(const Context& context, const StencilRows& a, const std::vector<double>& weights, LineSplit split,
                     EigenSolver by) {
  DeviceHandles& handles = *context.device();
  const DeviceLine line(handles, a, weights, split, by);
  LineModes modes{line.fold(), std::vector<double>(line.n_vectors()), std::vector<double>(line.n_values())};
  handles.download(modes.vectors.data(), line.vectors(), modes.vectors.size());
  handles.download(modes.values.data(), line.values(), modes.values.size());
  return modes;
}

double line_modes_seconds(const Context& context, const StencilRows& a, const std::vector<double>& weights,
                          EigenSolver by) {
  const auto begin = std::chrono::steady_clock::now();
  const DeviceLine line(*context.device(), a, weights, LineSplit::automatic, by);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace gwrm::cuda
