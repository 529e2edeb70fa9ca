#include "kernels/recurrence/recurrence_paper.cuh"

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

template void divide_and_conquer<double, double>(cudaStream_t, Index, Index, double*, double*);
template void divide_and_conquer<float, float>(cudaStream_t, Index, Index, float*, float*);
template void divide_and_conquer<float, double>(cudaStream_t, Index, Index, float*, float*);

}  // namespace gwrm::cuda
