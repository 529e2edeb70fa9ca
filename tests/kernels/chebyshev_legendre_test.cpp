// Chebyshev-Legendre connection against three-term recurrences in quadruple precision: of P_n in Chebyshev polynomials,
// of T_n in Legendre polynomials. No gamma function is in them.
#include "kernels/transform/chebyshev_legendre.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "kernels/transform/gamma_ratio.hpp"
#include "quadruple.hpp"
#include "random_array.hpp"

namespace gwrm::chebyshev_legendre_test {
namespace {

using test::Quadruple;
using Numbers = std::vector<Quadruple>;

constexpr ConnectionKind kKinds[] = {ConnectionKind::legendre_to_chebyshev, ConnectionKind::chebyshev_to_legendre};
constexpr ConnectionMethod kMethods[] = {ConnectionMethod::direct, ConnectionMethod::toeplitz_hankel};

// column(j, c) for every j < n: the polynomial j of the kind's first basis in its second one, entries i = j, j-2, ..
//   P_(j+1) = ((2j+1) x P_j - j P_(j-1)) / (j+1),   T_(j+1) = 2 x T_j - T_(j-1), T_1 = x T_0;
//   x T_0 = T_1, x T_i = (T_(i-1) + T_(i+1)) / 2;   x P_i = (i P_(i-1) + (i+1) P_(i+1)) / (2i+1).
template <class Column>
void all_columns(ConnectionKind kind, Index n, Column&& column) {
  const bool from_legendre = kind == ConnectionKind::legendre_to_chebyshev;
  Numbers before(at(n + 1), 0), c(at(n + 1), 0), up;  // up_i: the part of x times the polynomial i that goes up
  for (Quadruple i = 0; i < n; i += 1)
    up.push_back(!from_legendre ? (i + 1) / (2 * i + 1) : i == 0 ? Quadruple(1) : Quadruple(0.5));
  c[0] = 1;
  for (Index j = 0; j < n; ++j) {
    column(j, c);
    const Quadruple a = j, f = from_legendre ? (2 * a + 1) / (a + 1) : Quadruple(j == 0 ? 1 : 2),
                    g = from_legendre ? a / (a + 1) : Quadruple(j == 0 ? 0 : 1);
    // f x c - g before, into `before`, whose parity is that of j + 1.
    for (Index i = (j + 1) % 2; i <= j + 1; i += 2) {
      Quadruple product = 0;
      if (i > 0) product += up[at(i - 1)] * c[at(i - 1)];
      if (i < j) product += (1 - up[at(i + 1)]) * c[at(i + 1)];
      before[at(i)] = f * product - g * before[at(i)];
    }
    std::swap(before, c);
  }
}

// Roundings of an entry (four) and of its product, 1e-16 each, and of sums that add at random: 1e-15 direct.
// Toeplitz-Hankel: rank() terms more, each with the errors of two Fourier transforms.
double allowed(ConnectionMethod method) {
  return method == ConnectionMethod::direct ? 1e-15 : 2e-15;
}

// Columns `tested` of a batch, forward and transposed: largest error over largest value.
void expect_exact(const std::vector<ChebyshevLegendrePlan>& plans, Index outer, Index inner,
                  const std::vector<Index>& tested) {
  const ConnectionKind kind = plans.front().kind();
  const Index n = plans.front().length();
  const Array x = test::Random(7).array({outer, n, inner});
  std::vector<Array> forward, transposed;
  for (const ChebyshevLegendrePlan& plan : plans) {
    std::vector<double> workspace(at(cpu::connection_workspace(plan, 1)), NAN);
    Array y(x.shape);
    cpu::chebyshev_legendre(plan, false, x.data.data(), y.data.data(), outer, inner, workspace.data(), 1);
    forward.push_back(y);
    cpu::chebyshev_legendre(plan, true, x.data.data(), y.data.data(), outer, inner, workspace.data(), 1);
    transposed.push_back(y);
  }
  for (const Index t : tested) {
    const Index begin = t / inner * n * inner + t % inner;
    const auto value = [&](const Array& a, Index i) { return static_cast<Quadruple>(a.data[at(begin + i * inner)]); };
    Numbers exact(at(n), 0), exact_transposed(at(n), 0);
    all_columns(kind, n, [&](Index j, const Numbers& c) {
      for (Index i = j % 2; i <= j; i += 2) {
        exact[at(i)] += c[at(i)] * value(x, j);
        exact_transposed[at(j)] += c[at(i)] * value(x, i);
      }
    });
    const auto error = [&](const Numbers& right, const Array& found) {
      double worst = 0.0, largest = 0.0;
      for (Index i = 0; i < n; ++i) {
        const double here = std::abs(static_cast<double>(right[at(i)] - value(found, i)));
        if (!(here <= worst)) worst = here;
        largest = std::max(largest, std::abs(static_cast<double>(right[at(i)])));
      }
      return worst / largest;
    };
    for (std::size_t k = 0; k < plans.size(); ++k) {
      const double there = error(exact, forward[k]), back = error(exact_transposed, transposed[k]);
      const std::string text = "n " + std::to_string(n) + ", kind " + std::to_string(static_cast<int>(kind)) +
                               ", method " + std::to_string(static_cast<int>(plans[k].method(outer * inner))) +
                               ", column " + std::to_string(t);
      EXPECT_LE(there, allowed(plans[k].method(outer * inner))) << text;
      EXPECT_LE(back, allowed(plans[k].method(outer * inner))) << text << ", transposed";
    }
  }
}
void expect_exact(Index n, Index outer, Index inner, const std::vector<Index>& tested) {
  for (const ConnectionKind kind : kKinds) {
    std::vector<ChebyshevLegendrePlan> plans;
    for (const ConnectionMethod method : kMethods) plans.emplace_back(kind, n, method);
    expect_exact(plans, outer, inner, tested);
  }
}

TEST(ChebyshevLegendre, IsTheRecurrence) {
  for (const Index n : {1, 2, 3, 4, 5, 8, 31, 32, 33, 255, 256, 257}) expect_exact(n, 1, 1, {0});
}

TEST(ChebyshevLegendre, StaysExactAtLongLengths) {
  for (const Index n : {1000, 1025, 2048}) expect_exact(n, 1, 1, {0});
}

TEST(ChebyshevLegendre, ToeplitzHankelStaysExactAt4096) {
  for (const ConnectionKind kind : kKinds) {
    std::vector<ChebyshevLegendrePlan> plans;
    plans.emplace_back(kind, 4096, ConnectionMethod::toeplitz_hankel);
    expect_exact(plans, 1, 1, {0});
  }
}

TEST(ChebyshevLegendre, TakesBatchesOfAnyLayout) {
  for (const auto& [outer, inner] : {std::pair<Index, Index>{3, 1}, {1, 3}, {1000, 1}, {1, 1000}, {5, 70}, {33, 17}})
    expect_exact(33, outer, inner, {0, 1, outer * inner / 2, outer * inner - 1});
}

TEST(ChebyshevLegendre, TransposeIsTheAdjoint) {
  for (const ConnectionKind kind : kKinds)
    for (const ConnectionMethod method : kMethods) {
      const Index n = 500;
      const ChebyshevLegendrePlan plan(kind, n, method);
      std::vector<double> workspace(at(cpu::connection_workspace(plan, 1)));
      test::Random random(5);
      const Array x = random.array({n}), y = random.array({n});
      Array fx({n}), fy({n});
      cpu::chebyshev_legendre(plan, false, x.data.data(), fx.data.data(), 1, 1, workspace.data(), 1);
      cpu::chebyshev_legendre(plan, true, y.data.data(), fy.data.data(), 1, 1, workspace.data(), 1);
      long double left = 0.0L, right = 0.0L, size = 0.0L;
      for (Index i = 0; i < n; ++i) {
        left += static_cast<long double>(fx.data[at(i)]) * y.data[at(i)];
        right += static_cast<long double>(x.data[at(i)]) * fy.data[at(i)];
        size += std::abs(static_cast<long double>(fx.data[at(i)]) * y.data[at(i)]);
      }
      EXPECT_LE(std::abs(left - right), 1e-15L * size) << static_cast<int>(kind) << static_cast<int>(method);
    }
}

TEST(ChebyshevLegendre, EachKindUndoesTheOther) {
  // The product of both has condition numbers of about n^(1/2).
  const Index n = 300;
  for (const ConnectionMethod method : kMethods) {
    const ChebyshevLegendrePlan there(kKinds[0], n, method), back(kKinds[1], n, method);
    std::vector<double> workspace(
        at(std::max(cpu::connection_workspace(there, 1), cpu::connection_workspace(back, 1))));
    const Array x = test::Random(6).array({n, 5});
    Array y = x;
    cpu::chebyshev_legendre(there, false, y.data.data(), y.data.data(), 1, 5, workspace.data(), 1);  // in place
    cpu::chebyshev_legendre(back, false, y.data.data(), y.data.data(), 1, 5, workspace.data(), 1);
    for (std::size_t i = 0; i < x.data.size(); ++i) ASSERT_NEAR(x.data[i], y.data[i], 2e-14);
  }
}

TEST(ChebyshevLegendre, ThreadsAndRunsDoNotChangeABit) {
  for (const ConnectionKind kind : kKinds)
    for (const ConnectionMethod method : kMethods) {
      const Index n = 100, inner = 300;
      const ChebyshevLegendrePlan plan(kind, n, method), again(kind, n, method);
      std::vector<double> workspace(at(cpu::connection_workspace(plan, 3)), NAN);
      const Array x = test::Random(8).array({n, inner});
      Array y(x.shape), z(x.shape);
      cpu::chebyshev_legendre(plan, true, x.data.data(), y.data.data(), 1, inner, workspace.data(), 1);
      cpu::chebyshev_legendre(again, true, x.data.data(), z.data.data(), 1, inner, workspace.data(), 3);
      EXPECT_EQ(y.data, z.data);
    }
}

TEST(ChebyshevLegendre, TakesTheMethodThatIsFaster) {
  // As measured; whichever it takes, the answer and the workspace are right.
  for (const ConnectionKind kind : kKinds) {
    EXPECT_EQ(ChebyshevLegendrePlan(kind, 1000).method(1), ConnectionMethod::direct);
    std::vector<ChebyshevLegendrePlan> plans;
    plans.emplace_back(kind, 2050);
    EXPECT_EQ(plans[0].method(1), ConnectionMethod::toeplitz_hankel);
    EXPECT_EQ(plans[0].method(kDirectColumns), ConnectionMethod::direct);
    expect_exact(plans, 1, 1, {0});
    expect_exact(plans, 1, 5, {4});
  }
}

TEST(ChebyshevLegendre, RefusesWhatItCannotDo) {
  EXPECT_THROW(ChebyshevLegendrePlan(kKinds[0], 0), ShapeError);
  EXPECT_THROW(ChebyshevLegendrePlan(kKinds[1], -1), ShapeError);
  EXPECT_THROW(ChebyshevLegendrePlan(kKinds[0], kMostConnected + 1), ShapeError);
  const ChebyshevLegendrePlan plan(kKinds[0], 4);
  EXPECT_THROW(cpu::chebyshev_legendre(plan, false, nullptr, nullptr, -1, 1, nullptr, 1), ShapeError);
  cpu::chebyshev_legendre(plan, false, nullptr, nullptr, 0, 1, nullptr, 1);  // a batch of none
}

TEST(GammaRatio, HasItsValuesAndRecurrence) {
  const long double root_of_pi = 1.77245385090551602729816748334L;
  EXPECT_NEAR(static_cast<double>(gamma_ratio(0.0L) / root_of_pi), 1.0, 1e-16);
  EXPECT_NEAR(static_cast<double>(gamma_ratio(0.5L) * root_of_pi / 2.0L), 1.0, 1e-16);
  // Across the place where the series takes over from the recurrence, and far beyond.
  for (const long double z : {3.0L, 38.5L, 39.0L, 39.5L, 40.0L, 41.0L, 1000.5L, 1e6L})
    EXPECT_LE(std::abs(gamma_ratio(z + 1.0L) / gamma_ratio(z) * (z + 1.0L) / (z + 0.5L) - 1.0L), 1e-17L)
        << static_cast<double>(z);
}

}  // namespace
}  // namespace gwrm::chebyshev_legendre_test
