// Launches of cosine_registers.cuh, one kind in a file of its own because they take long to compile.
//
// Contract: kernels/transform/cosine_transform.hpp
#pragma once

#include "core/device_handles.cuh"
//
#include <type_traits>

#include "kernels/transform/cosine_registers.cuh"

namespace gwrm::cuda {

// launch(RegisterLength) if a Fourier transform of m numbers has one; whether it has.
template <bool in_columns, class Launch>
bool with_register_length(Index m, const Launch& launch) {
  switch (m) {
    case 128:
      return launch(RegisterLength<in_columns, 2>{}), true;
    case 192:
      return launch(RegisterLength<in_columns, 3>{}), true;
    case 256:
      return launch(RegisterLength<in_columns, 4>{}), true;
    case 320:
      return launch(RegisterLength<in_columns, 5>{}), true;
    case 384:
      return launch(RegisterLength<in_columns, 6>{}), true;
    case 512:
      return launch(RegisterLength<in_columns, 8>{}), true;
    case 640:
      return launch(RegisterLength<in_columns, 10>{}), true;
    case 768:
      return launch(RegisterLength<in_columns, 4, 3>{}), true;
    case 1024:
      return launch(RegisterLength<in_columns, 4, 4>{}), true;
    default:
      return false;
  }
}

template <bool in_columns, int... middle>
FourierLength length_of(RegisterLength<in_columns, middle...>) {
  return fourier_length(std::vector<int>{8, middle..., 8});
}

// Lines of a block: neighbouring columns, or as many contiguous ones as fit into four warps; one that takes whole
// warps, and waits for others in vain.
template <class Length>
constexpr int kRegisterLines = Length::kInColumns                             ? kColumnsSide
                               : Length::kInWarp || Length::kShares % 32 != 0 ? 128 / Length::kShares
                                                                              : 1;
template <class Length>
constexpr int kRegisterThreads = kRegisterLines<Length>* Length::kShares;
constexpr int kRegisterWarps = 16;  // of a multiprocessor, 128 registers each: 64 hold numbers

template <int number, class Length>
__global__ void __launch_bounds__(kRegisterThreads<Length>, kRegisterWarps * 32 / kRegisterThreads<Length>)
    cosine_register_kernel(const __grid_constant__ CosineShape s, const double2* __restrict__ roots,
                           const __grid_constant__ CosineBatch b) {
  extern __shared__ double2 register_memory[];
  constexpr int kLines = kRegisterLines<Length>;
  const int thread = static_cast<int>(threadIdx.x),
            side = Length::kInColumns ? thread % kLines : thread / Length::kShares,
            t = Length::kInColumns ? thread / kLines : thread % Length::kShares;
  cosine_in_registers<number, Length>(s, roots, b, static_cast<long long>(blockIdx.x) * kLines + side, t,
                                      register_memory + side * Length::kRoom);
}

// s.number = number, s.fourier_length one of with_register_length, s.length even or the kind I.
template <int number>
void cosine_by_registers(cudaStream_t stream, const CosineShape& s, const double2* roots, const CosineBatch& b);

template <int number>
void launch_cosine_by_registers(cudaStream_t stream, const CosineShape& s, const double2* roots, const CosineBatch& b) {
  const auto launch = [&](auto length) {
    using Length = decltype(length);
    constexpr int kLines = kRegisterLines<Length>, kBytes = static_cast<int>(sizeof(double2)) * kLines * Length::kRoom;
    const auto n_blocks = static_cast<unsigned>((b.n_lines + kLines - 1) / kLines);
    GWRM_DEVICE(cudaFuncSetAttribute(cosine_register_kernel<number, Length>,
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
    cosine_register_kernel<number, Length><<<n_blocks, kRegisterThreads<Length>, kBytes, stream>>>(s, roots, b);
    GWRM_LAUNCHED(cosine_register_kernel);
  };
  b.inner == 1 ? with_register_length<false>(s.fourier_length, launch)
               : with_register_length<true>(s.fourier_length, launch);
}

}  // namespace gwrm::cuda
