#include "kernels/blas_warm_up.cuh"

#include "kernels/device_tensor.cuh"

namespace gwrm::cuda {

void BlasWarmUp::run() try {
  const DeviceHandles handles;
  constexpr Index n = 64, count = 4;
  DeviceBuffer memory;
  const std::size_t size = static_cast<std::size_t>(2 * count * n * n);
  double* const x = memory.reserve<double>(3 * size);
  GWRM_DEVICE(cudaMemsetAsync(x, 0, 3 * size * sizeof(double), handles.stream));
  double* const matrix = x + size;
  double* const y = matrix + size;
  const auto complex = [](double* p) { return reinterpret_cast<std::complex<double>*>(p); };
  // The longest to load first; along the last dimension and along one before it.
  for (const Along& along : {Along{n, n, count * n, 1, n, n}, Along{n, n, count, n, n, n}})
    multiply_along(handles, complex(matrix), along, complex(x), complex(y));
  for (Index m : {n, Index{1}})
    for (const Along& along : {Along{m, n, count * n, 1, n, m}, Along{m, n, count, n, n, m}})
      multiply_along(handles, matrix, along, 1.0, x, false, y);
  GWRM_DEVICE(cudaStreamSynchronize(handles.stream));
} catch (const std::exception&) {
}

}  // namespace gwrm::cuda
