// The device code of cosine and sine transforms, run on the host, against the matrices in quadruple precision.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cosine_oracle.hpp"
#include "kernels/host_warps.cuh"
#include "kernels/transform/roots_of_unity.hpp"
//
#include "kernels/transform/cosine_registers.cuh"
#include "kernels/transform/cosine_steps.cuh"

namespace gwrm::cosine_kernels_test {
namespace {

using test::HostBlocks;

std::vector<double2> numbers_of(const std::vector<std::complex<double>>& values, bool conjugate) {
  std::vector<double2> numbers;
  for (const auto& z : values) numbers.push_back({z.real(), conjugate ? -z.imag() : z.imag()});
  return numbers;
}

// A plan's tables as the device has them.
struct Tables {
  std::vector<double2> first, second, roots;
  std::vector<int> places;
  cuda::CosineShape shape;

  Tables(const CosinePlan& plan, const FourierLength& f)
      : first(numbers_of(plan.first_factors(), true)),
        second(numbers_of(plan.second_factors(), true)),
        roots(numbers_of(fourier_roots(f), false)),
        places(plan.places().begin(), plan.places().end()) {
    if (plan.folded() && plan.number() < 4) {
      second.clear();
      for (Index k = 0; k < plan.fourier().length(); ++k) {
        const std::complex<double> root = half_turns(2 * k, plan.length());
        second.push_back({root.real(), root.imag()});
      }
    }
    shape = {plan.number(),
             plan.is_sine(),
             plan.folded(),
             static_cast<int>(plan.length()),
             static_cast<int>(plan.fourier().length()),
             first.data(),
             second.data(),
             places.data()};
  }
};

cuda::CosineBatch batch_of(const Array& x, Array& y, CosineScale scale) {
  return {x.data.data(),
          y.data.data(),
          static_cast<int>(x.shape[1]),
          static_cast<int>(y.shape[1]),
          x.shape[0] * x.shape[2],
          x.shape[2],
          scale.factor,
          scale.first};
}

// Bounds as in cosine_transform_test.cpp.
double allowed(Index n) {
  return 4e-16 * std::max(1.0, std::log2(static_cast<double>(n)));
}

void expect_lines(CosineKind kind, Index n, Index outer, Index inner, Index n_in, Index n_out, int n_side,
                  int n_shares) {
  const CosinePlan plan(kind, n);
  const FourierLength f = factors_of(static_cast<int>(plan.fourier().length()));
  if (f.n_steps == 0 && f.length > 1) return;  // no kernel takes it
  Tables tables(plan, f);
  const Array x = test::Random(1).array({outer, n_in, inner});
  Array y({outer, n_out, inner});
  std::fill(y.data.begin(), y.data.end(), NAN);
  const cuda::CosineBatch batch = batch_of(x, y, {});
  const cuda::CosineBlock block{n_side, n_shares, inner > 1};
  std::vector<double2> shared(static_cast<std::size_t>(2 * n_side * cuda::fourier_line(f, n_side)));
  HostBlocks::run(2, static_cast<unsigned>(n_side * n_shares),
                  [&] { cuda::cosine_lines(tables.shape, f, tables.roots.data(), batch, block, shared.data()); });
  EXPECT_LE(test::cosine_error(kind, n, outer, inner, x, y), allowed(n))
      << static_cast<int>(kind) << ", length " << n << ", " << n_in << " to " << n_out << ", " << outer << " x "
      << inner;
}

TEST(CosineKernels, LinesInSharedMemoryAreTheirMatrices) {
  for (const CosineKind kind : test::kCosineKinds)
    for (const Index n : {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 24, 26, 31, 32, 33, 48, 65, 81, 96, 101, 128, 255}) {
      if (n < test::least_length(kind)) continue;
      expect_lines(kind, n, 5, 1, n, n, 2, 16);
      expect_lines(kind, n, 1, 11, n, n, 8, 4);
    }
}

TEST(CosineKernels, LinesInSharedMemoryArePaddedAndTruncated) {
  for (const CosineKind kind : test::kCosineKinds) {
    expect_lines(kind, 24, 3, 1, 17, 5, 1, 32);
    expect_lines(kind, 24, 2, 5, 1, 24, 4, 8);
    expect_lines(kind, 15, 2, 5, 14, 1, 4, 8);
  }
}

// The length whose Fourier transform has kPoints.
template <class Length>
Index length_of(CosineKind kind) {
  return kind == CosineKind::cosine_1 ? Length::kPoints + 1
         : kind == CosineKind::sine_1 ? Length::kPoints - 1
                                      : 2 * Length::kPoints;
}

template <int number, class Length>
void expect_registers(CosineKind kind, const std::vector<int>& radices, Index n_in, Index n_out) {
  const Index n = length_of<Length>(kind);
  const CosinePlan plan(kind, n);
  Tables tables(plan, fourier_length(radices));
  const Index n_lines = Length::kInColumns ? 10 : 3, outer = Length::kInColumns ? 2 : 3, inner = n_lines / outer;
  const Array x = test::Random(2).array({outer, n_in, inner});
  Array y({outer, n_out, inner}), scaled = y;
  std::fill(y.data.begin(), y.data.end(), NAN);
  constexpr int kLines = Length::kInColumns ? cuda::kColumnsSide : Length::kShares < 32 ? 32 / Length::kShares : 1;
  std::vector<double2> memory(static_cast<std::size_t>(kLines * Length::kRoom));
  const auto run = [&](Array& to, CosineScale scale) {
    const cuda::CosineBatch batch = batch_of(x, to, scale);
    HostBlocks::run(static_cast<unsigned>((n_lines + kLines - 1) / kLines),
                    static_cast<unsigned>(kLines * Length::kShares), [&] {
                      const int thread = static_cast<int>(threadIdx.x);
                      const int side = Length::kInColumns ? thread % kLines : thread / Length::kShares;
                      const int t = Length::kInColumns ? thread / kLines : thread % Length::kShares;
                      cuda::cosine_in_registers<number, Length>(tables.shape, tables.roots.data(), batch,
                                                                static_cast<long long>(blockIdx.x) * kLines + side, t,
                                                                memory.data() + side * Length::kRoom);
                    });
  };
  run(y, {});
  EXPECT_LE(test::cosine_error(kind, n, outer, inner, x, y), allowed(n))
      << static_cast<int>(kind) << ", length " << n << ", " << n_in << " to " << n_out;
  run(scaled, {2.0, 1.0});  // a power of two changes no digit
  for (double& value : y.data) value *= 2.0;
  EXPECT_EQ(scaled.data, y.data);
}

template <class Length>
void expect_all_kinds(const std::vector<int>& radices) {
  const Index n = 2 * Length::kPoints;
  for (const auto& [n_in, n_out] : {std::pair<Index, Index>{n, n}, {n - 4, 12}, {n - 3, n - 1}, {1, n}}) {
    expect_registers<2, Length>(CosineKind::cosine_2, radices, n_in, n_out);
    expect_registers<2, Length>(CosineKind::sine_2, radices, n_in, n_out);
    expect_registers<3, Length>(CosineKind::cosine_3, radices, n_in, n_out);
    expect_registers<3, Length>(CosineKind::sine_3, radices, n_in, n_out);
    expect_registers<4, Length>(CosineKind::cosine_4, radices, n_in, n_out);
    expect_registers<4, Length>(CosineKind::sine_4, radices, n_in, n_out);
  }
  for (const CosineKind kind : {CosineKind::cosine_1, CosineKind::sine_1}) {
    const Index of_first = length_of<Length>(kind);
    for (const auto& [n_in, n_out] : {std::pair{of_first, of_first},
                                      {of_first / 4 * 4, of_first - 1},
                                      {of_first - 3, of_first / 8 * 4},
                                      {1, of_first}})
      expect_registers<1, Length>(kind, radices, n_in, n_out);
  }
}

TEST(CosineKernels, LinesInRegistersAreTheirMatrices) {
  expect_all_kinds<cuda::RegisterLength<false>>({8, 8});
  expect_all_kinds<cuda::RegisterLength<false, 2>>({8, 2, 8});
  expect_all_kinds<cuda::RegisterLength<false, 8>>({8, 8, 8});
  expect_all_kinds<cuda::RegisterLength<false, 4, 4>>({8, 4, 4, 8});
  expect_all_kinds<cuda::RegisterLength<false, 3>>({8, 3, 8});
  expect_all_kinds<cuda::RegisterLength<false, 5>>({8, 5, 8});
  expect_all_kinds<cuda::RegisterLength<false, 6>>({8, 6, 8});
  expect_all_kinds<cuda::RegisterLength<false, 10>>({8, 10, 8});
  expect_all_kinds<cuda::RegisterLength<false, 4, 3>>({8, 4, 3, 8});
  expect_all_kinds<cuda::RegisterLength<true, 3>>({8, 3, 8});
  expect_all_kinds<cuda::RegisterLength<true, 10>>({8, 10, 8});
  expect_all_kinds<cuda::RegisterLength<true, 2>>({8, 2, 8});
  expect_all_kinds<cuda::RegisterLength<true, 8>>({8, 8, 8});
}

}  // namespace
}  // namespace gwrm::cosine_kernels_test
