#include "kernels/transform/blas_warm_up.cuh"

#include "kernels/transform/device_tensor.cuh"

namespace gwrm::cuda {

void BlasWarmUp::run(Numbers numbers, int device) try {
  GWRM_DEVICE(cudaSetDevice(device));  // a new thread begins with the first one
  const DeviceHandles handles;
  constexpr Index n = 64, count = 4;
  DeviceBuffer memory;
  const std::size_t size = static_cast<std::size_t>(2 * count * n * n);
  double* const x = memory.reserve<double>(3 * size);
  GWRM_DEVICE(cudaMemsetAsync(x, 0, 3 * size * sizeof(double), handles.stream));
  double* const matrix = x + size;
  double* const y = matrix + size;
  const auto complex = [](double* p) { return reinterpret_cast<std::complex<double>*>(p); };
  // Along the last dimension and along one before it; real products also of a single row.
  for (Index m : {n, Index{1}}) {
    for (const Along& along : {Along{m, n, count * n, 1, n, m}, Along{m, n, count, n, n, m}}) {
      if (numbers == Numbers::real)
        multiply_along(handles, matrix, along, 1.0, x, false, y);
      else if (m == n)
        multiply_along(handles, complex(matrix), along, complex(x), complex(y));
    }
  }
  GWRM_DEVICE(cudaStreamSynchronize(handles.stream));
} catch (const std::exception&) {
}

}  // namespace gwrm::cuda
