// The device code of Chebyshev-Legendre connections, run on the host, and the device itself, against those of the CPU,
// which chebyshev_legendre_test.cpp holds to three-term recurrences.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bench/measure/context_memory.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/device_test.hpp"
#include "kernels/host_warps.cuh"
#include "kernels/random_array.hpp"
#include "kernels/transform/chebyshev_legendre.hpp"
//
#include "kernels/transform/chebyshev_legendre_steps.cuh"

namespace gwrm::connection_kernels_test {
namespace {

constexpr ConnectionKind kKinds[] = {ConnectionKind::legendre_to_chebyshev, ConnectionKind::chebyshev_to_legendre};

Array on_cpu(const ChebyshevLegendrePlan& plan, bool transposed, const Array& x) {
  Array y(x.shape);
  std::vector<double> workspace(static_cast<std::size_t>(cpu::connection_workspace(plan, 1)));
  cpu::chebyshev_legendre(plan, transposed, x.data.data(), y.data.data(), x.shape[0], x.shape[2], workspace.data(), 1);
  return y;
}

// Both are within 1e-15 of what is exact.
void expect_equal(const Array& found, const Array& exact, const char* what) {
  double error = 0.0, largest = 0.0;
  for (std::size_t i = 0; i < exact.data.size(); ++i) {
    const double here = std::abs(found.data[i] - exact.data[i]);
    error = here <= error ? error : here;
    largest = std::max(largest, std::abs(exact.data[i]));
  }
  EXPECT_LE(error, 2e-15 * largest) << what << ", " << exact.shape[0] << " x " << exact.shape[1] << " x "
                                    << exact.shape[2];
}

TEST(ConnectionKernels, IsThatOfTheCpu) {
  for (const ConnectionKind kind : kKinds)
    for (const Index n : {1, 2, 3, 31, 63, 64, 65, 130})
      for (const auto& [outer, inner] : {std::pair<Index, Index>{1, 1}, {1, 67}, {66, 1}, {3, 5}})
        for (const bool transposed : {false, true}) {
          const ChebyshevLegendrePlan plan(kind, n, ConnectionMethod::direct);
          const Array x = test::Random(1).array({outer, n, inner});
          Array y(x.shape);
          std::fill(y.data.begin(), y.data.end(), NAN);
          const connection::ConnectionMatrix matrix{plan.toeplitz(),
                                                    plan.hankel(),
                                                    plan.after().data(),
                                                    plan.before().data(),
                                                    plan.first_row().empty() ? nullptr : plan.first_row().data(),
                                                    static_cast<int>(n)};
          const connection::ConnectedColumns columns{x.data.data(), y.data.data(), outer * inner, inner};
          std::vector<double> shared(connection::kSharedNumbers);
          for (const int parity : {0, 1})
            for (int row = 0; row < matrix.half(parity); row += connection::kTile)
              for (Index column = 0; column < outer * inner; column += connection::kColumns)
                test::HostBlocks::run(1, connection::kThreads, [&] {
                  (transposed ? connection::connect_tile<true>
                              : connection::connect_tile<false>)(matrix, columns, parity, row, column, shared.data());
                });
          expect_equal(y, on_cpu(plan, transposed, x), transposed ? "transposed" : "as it is");
        }
}

#if GWRM_HAVE_CUDA
class DeviceConnection : public test::DeviceTest {};

TEST_F(DeviceConnection, IsThatOfTheCpu) {
  for (const ConnectionKind kind : kKinds)
    for (const Index n : {1, 2, 31, 32, 33, 255, 256, 257, 1000, 1025, 2048}) {
      const ChebyshevLegendrePlan plan(kind, n, ConnectionMethod::direct);
      const auto connection = cuda::make_connection(context_, plan);
      for (const auto& [outer, inner] : {std::pair<Index, Index>{1, 1}, {1, 67}, {100, 1}, {3, 5}})
        for (const bool transposed : {false, true}) {
          const Array x = test::Random(2).array({outer, n, inner});
          ContextArray<double> from(context_, std::vector<double>(x.data.begin(), x.data.end()));
          const auto run = [&] {
            ContextArray<double> to(context_, std::vector<double>(x.data.size(), NAN));
            connection->run(transposed, from.data(), to.data(), outer, inner);
            Array y(x.shape);
            const std::vector<double> values = to.values();
            std::copy(values.begin(), values.end(), y.data.begin());
            return y;
          };
          const Array y = run();
          ASSERT_EQ(y.data, run().data) << "two runs differ";
          expect_equal(y, on_cpu(plan, transposed, x), transposed ? "transposed" : "as it is");
        }
    }
  EXPECT_THROW(cuda::make_connection(
                   context_, {ConnectionKind::legendre_to_chebyshev, kDirectUpTo + 1, ConnectionMethod::direct}),
               ShapeError);
}
#endif

}  // namespace
}  // namespace gwrm::connection_kernels_test
