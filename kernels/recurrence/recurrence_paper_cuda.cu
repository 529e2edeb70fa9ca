#include "kernels/recurrence/recurrence_paper.cuh"
//
#include <vector>

#include "core/device_libraries.cuh"
#include "core/errors.hpp"
#include "kernels/recurrence/recurrence_paper.hpp"

namespace gwrm::cuda {
namespace {

constexpr int kBlock = 128;

__device__ inline long long column() {
  return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}

template <class Value>
__global__ void step_1a_kernel(Value* u, long long s, long long r) {
  const long long m = column();
  if (m >= r) return;
  for (long long k = 1; k < s; ++k) u[m + k * r] += u[m + (k - 1) * r];
}

template <class Value>
__global__ void steps_1c_2a_kernel(Value* u, long long s, long long r) {
  const long long m = column();
  if (m >= r) return;
  if (m > 0) {
    const Value a = u[(s - 1) * r + m - 1];
    for (long long k = 0; k < s - 1; ++k) u[m + k * r] += a;
  }
  for (long long k = s - 2; k >= 0; --k) u[m + k * r] += u[m + (k + 1) * r];
}

template <class Value>
__global__ void step_2c_kernel(Value* u, long long s, long long r) {
  const long long m = column();
  if (m >= r - 1) return;
  const Value a = u[m + 1];
  for (long long k = 1; k < s; ++k) u[m + k * r] += a;
}

}  // namespace

template <class Value, class Carry>
void divide_and_conquer(cudaStream_t stream, Index s, Index r, Value* u, Value* row) {
  const unsigned n_blocks = static_cast<unsigned>((r + kBlock - 1) / kBlock);
  const std::size_t bytes = static_cast<std::size_t>(r) * sizeof(Value);
  Value* const bottom = u + (s - 1) * r;

  step_1a_kernel<<<n_blocks, kBlock, 0, stream>>>(u, s, r);
  GWRM_LAUNCHED(step_1a_kernel);
  GWRM_DEVICE(cudaMemcpyAsync(row, bottom, bytes, cudaMemcpyDeviceToHost, stream));
  GWRM_DEVICE(cudaStreamSynchronize(stream));
  Carry sum = row[0];
  for (Index j = 1; j < r; ++j) {
    sum = static_cast<Carry>(row[j]) + sum;
    row[j] = static_cast<Value>(sum);
  }
  GWRM_DEVICE(cudaMemcpyAsync(bottom, row, bytes, cudaMemcpyHostToDevice, stream));

  steps_1c_2a_kernel<<<n_blocks, kBlock, 0, stream>>>(u, s, r);
  GWRM_LAUNCHED(steps_1c_2a_kernel);
  GWRM_DEVICE(cudaMemcpyAsync(row, u, bytes, cudaMemcpyDeviceToHost, stream));
  GWRM_DEVICE(cudaStreamSynchronize(stream));
  sum = row[r - 1];
  for (Index j = r - 1; j-- > 0;) {
    sum = static_cast<Carry>(row[j]) + sum;
    row[j] = static_cast<Value>(sum);
  }
  GWRM_DEVICE(cudaMemcpyAsync(u, row, bytes, cudaMemcpyHostToDevice, stream));

  step_2c_kernel<<<n_blocks, kBlock, 0, stream>>>(u, s, r);
  GWRM_LAUNCHED(step_2c_kernel);
  GWRM_DEVICE(cudaStreamSynchronize(stream));
}

namespace {

// to[m + k r] = from[k + m s], k < s, m < r: the paper's natural order to that of the device; back with r and s
// changed.
void transpose(const DeviceHandles& handles, Index s, Index r, const double* from, double* to) {
  const double one = 1.0, zero = 0.0;
  const int m = static_cast<int>(r), n = static_cast<int>(s);
  GWRM_DEVICE(cublasDgeam(handles.blas, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &one, from, n, &zero, to, m, to, m));
}
void transpose(const DeviceHandles& handles, Index s, Index r, const float* from, float* to) {
  const float one = 1.0f, zero = 0.0f;
  const int m = static_cast<int>(r), n = static_cast<int>(s);
  GWRM_DEVICE(cublasSgeam(handles.blas, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &one, from, n, &zero, to, m, to, m));
}

template <class Carry, class Value>
void by_device(const Context& context, Index columns, std::span<Value> d) {
  DeviceHandles& handles = *context.device();
  const Index rows = static_cast<Index>(d.size()) / columns;
  DeviceBuffer natural_memory, paper_memory;
  Value* const natural = natural_memory.reserve<Value>(d.size());
  Value* const paper = paper_memory.reserve<Value>(d.size());
  std::vector<Value> row(static_cast<std::size_t>(columns));
  handles.upload(natural, d.data(), d.size());
  transpose(handles, rows, columns, natural, paper);
  divide_and_conquer<Value, Carry>(handles.stream, rows, columns, paper, row.data());
  transpose(handles, columns, rows, paper, natural);
  handles.download(d.data(), natural, d.size());
}

[[noreturn]] void not_of_the_device() {
  throw ShapeError("paper_recurrence: the device has a2s, a2sd (single precision) and a2d (double)");
}

}  // namespace

void paper_recurrence(const Context& context, PaperAlgorithm algorithm, Index columns, std::span<double> d) {
  if (algorithm != PaperAlgorithm::a2d) not_of_the_device();
  by_device<double>(context, columns, d);
}

void paper_recurrence(const Context& context, PaperAlgorithm algorithm, Index columns, std::span<float> d) {
  if (algorithm == PaperAlgorithm::a2s)
    by_device<float>(context, columns, d);
  else if (algorithm == PaperAlgorithm::a2sd)
    by_device<double>(context, columns, d);
  else
    not_of_the_device();
}

template void divide_and_conquer<double, double>(cudaStream_t, Index, Index, double*, double*);
template void divide_and_conquer<float, float>(cudaStream_t, Index, Index, float*, float*);
template void divide_and_conquer<float, double>(cudaStream_t, Index, Index, float*, float*);

}  // namespace gwrm::cuda
