// Launches of cosine_registers.cuh, one kind in a file of its own because they take long to compile.
//
// Contract: kernels/transform/cosine_transform.hpp
#pragma once

#include "core/device_handles.cuh"
//
#include <type_traits>

#include "kernels/transform/cosine_registers.cuh"

namespace gwrm::cuda {

// launch(RegisterLength) if N has one; whether it has.
template <class Launch>
bool with_register_length(Index n, const Launch& launch) {
  switch (n) {
    case 256:
      return launch(RegisterLength<2>{}), true;
    case 512:
      return launch(RegisterLength<4>{}), true;
    case 1024:
      return launch(RegisterLength<8>{}), true;
    case 2048:
      return launch(RegisterLength<4, 4>{}), true;
    default:
      return false;
  }
}

template <int... middle>
FourierLength length_of(RegisterLength<middle...>) {
  return fourier_length(std::vector<int>{8, middle..., 8});
}

// Threads of a block: whole warps, with as many lines as they hold; four warps for lines of one warp or less.
template <class Length>
constexpr int kRegisterThreads = Length::kInWarp ? 128 : Length::kShares;
constexpr int kRegisterWarps = 16;  // of a multiprocessor, 128 registers each: 64 hold numbers

template <int number, class Length>
__global__ void __launch_bounds__(kRegisterThreads<Length>, kRegisterWarps * 32 / kRegisterThreads<Length>)
    cosine_register_kernel(const __grid_constant__ CosineShape s, const double2* __restrict__ roots,
                           const __grid_constant__ CosineBatch b) {
  constexpr int kLines = kRegisterThreads<Length> / Length::kShares;
  __shared__ double2 memory[kLines * Length::kRoom];
  const int thread = static_cast<int>(threadIdx.x), side = thread / Length::kShares;
  cosine_in_registers<number, Length>(s, roots, b, static_cast<long long>(blockIdx.x) * kLines + side,
                                      thread % Length::kShares, memory + side * Length::kRoom);
}

// b.inner = 1, s.number = number, s.length one of with_register_length.
template <int number>
void cosine_by_registers(cudaStream_t stream, const CosineShape& s, const double2* roots, const CosineBatch& b);

template <int number>
void launch_cosine_by_registers(cudaStream_t stream, const CosineShape& s, const double2* roots, const CosineBatch& b) {
  with_register_length(s.length, [&](auto length) {
    using Length = decltype(length);
    constexpr int kLines = kRegisterThreads<Length> / Length::kShares;
    const auto n_blocks = static_cast<unsigned>((b.n_lines + kLines - 1) / kLines);
    cosine_register_kernel<number, Length><<<n_blocks, kRegisterThreads<Length>, 0, stream>>>(s, roots, b);
    GWRM_LAUNCHED(cosine_register_kernel);
  });
}

}  // namespace gwrm::cuda
