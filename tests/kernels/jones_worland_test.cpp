// Jones-Worland transforms against their definition in quadruple precision: Jacobi polynomials in the usual
// normalisation by DLMF 18.9.1, powers of r, norms from their ratio recurrence, sums over points. No cosine transform,
// no orthonormal recurrence, no rotation is in them.
#include "kernels/transform/jones_worland.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/blas.hpp"
#include "core/errors.hpp"
#include "quadruple.hpp"
#include "quadruple_angles.hpp"
#include "random_array.hpp"

namespace gwrm::jones_worland_test {
namespace {

using test::Quadruple;
using Numbers = std::vector<Quadruple>;

constexpr JonesWorlandVariant kVariants[] = {JonesWorlandVariant::rotations, JonesWorlandVariant::pairs,
                                             JonesWorlandVariant::quadrature};

// W_n^l(r), n < N, at any point: P_n = (u_n x + v_n) P_(n-1) - w_n P_(n-2), a = -1/2, b = l - 1/2, times
// r^l / sqrt(h_n).
class Definition {
 public:
  Definition(Index l, Index n) : l_(l), n_(n) {
    const Quadruple a = Quadruple(-0.5), b = l - Quadruple(0.5);
    // h_0 = pi/2 prod (k - 1/2)/k; h_n = G(n+1/2) G(n+l+1/2) / (2 (2n+l) G(n+l) n!), whose ratios are simple.
    Quadruple h = test::quadruple_pi() / 2;
    for (Index k = 1; k <= l; ++k) h *= (k - Quadruple(0.5)) / k;
    for (Index i = 0; i < n; ++i) {
      const Quadruple m = i, s = 2 * m + a + b;
      if (i == 1) {
        h *= (l + Quadruple(0.5)) / (2 * (l + Quadruple(2)));
      } else if (i > 1) {
        h *= (m - Quadruple(0.5)) * (m + l - Quadruple(0.5)) * (2 * m + l - 2) / (m * (m + l - 1) * (2 * m + l));
      }
      inverse_norms_.push_back(1 / test::square_root(h));
      if (i < 2) {
        u_.push_back((a + b + 2) / 2);
        v_.push_back((a - b) / 2);
        w_.push_back(0);
        continue;
      }
      const Quadruple below = 2 * m * (m + a + b) * (s - 2);
      u_.push_back((s - 1) * s * (s - 2) / below);
      v_.push_back((s - 1) * (a * a - b * b) / below);
      w_.push_back(2 * (m + a - 1) * (m + b - 1) * s / below);
    }
  }

  // At r = cos(pi (2k+1) / (4 n_points)); row(i, W_i).
  template <class Row>
  void at_point(Index k, Index n_points, Row&& row) const {
    const Quadruple r = test::exact_cosine(2 * k + 1, 4 * n_points), x = test::exact_cosine(2 * k + 1, 2 * n_points);
    Quadruple power = 1;
    for (Index i = 0; i < l_; ++i) power *= r;
    Quadruple before = 0, p = power;
    for (Index i = 0; i < n_; ++i) {
      row(i, p * inverse_norms_[at(i)]);
      if (i + 1 == n_) break;
      const Quadruple next = (u_[at(i + 1)] * x + v_[at(i + 1)]) * p - w_[at(i + 1)] * before;
      before = p;
      p = next;
    }
  }

 private:
  Index l_, n_;
  Numbers inverse_norms_, u_, v_, w_;
};

struct Errors {
  double forward = 0.0, backward = 0.0;
};

// Largest error over largest value of some columns together, one pass over the points for both directions.
Errors errors_of(const JonesWorlandPlan& plan, Index outer, Index inner, const std::vector<Index>& tested) {
  const Index n = plan.n(), n_points = plan.grid().n_points();
  test::Random random(3);
  const Array f = random.array({outer, n_points, inner}), c = random.array({outer, n, inner});
  Array f_of_c(f.shape), c_of_f(c.shape);
  std::vector<double> workspace(at(cpu::jones_worland_workspace(plan, 1)), NAN);
  const SingleThreadedBlas single;  // its threads wait in loops, for seconds where other tests want the cores
  cpu::jones_worland_forward(plan, f.data.data(), c_of_f.data.data(), outer, inner, workspace.data(), 1);
  cpu::jones_worland_backward(plan, c.data.data(), f_of_c.data.data(), outer, inner, workspace.data(), 1);
  const auto value = [&](const Array& a, Index length, Index t, Index i) {
    return static_cast<Quadruple>(a.data[at(t / inner * length * inner + i * inner + t % inner)]);
  };
  const Definition definition(plan.l(), n);
  const Quadruple weight = test::quadruple_pi() / (2 * n_points);
  Errors error, largest;
  const auto compare = [](Quadruple exact, Quadruple found, double& worst, double& value_of_largest) {
    const double here = std::abs(static_cast<double>(exact - found));
    if (!(here <= worst)) worst = here;
    value_of_largest = std::max(value_of_largest, std::abs(static_cast<double>(exact)));
  };
  for (const Index t : tested) {
    Numbers forward(at(n), 0);
    for (Index k = 0; k < n_points; ++k) {
      const Quadruple given = weight * value(f, n_points, t, k);
      Quadruple sum = 0;
      definition.at_point(k, n_points, [&](Index i, Quadruple w) {
        sum += w * value(c, n, t, i);
        forward[at(i)] += w * given;
      });
      compare(sum, value(f_of_c, n_points, t, k), error.backward, largest.backward);
    }
    for (Index i = 0; i < n; ++i) compare(forward[at(i)], value(c_of_f, n, t, i), error.forward, largest.forward);
  }
  return {error.forward / largest.forward, error.backward / largest.backward};
}

// Rotations: a random walk of the roundings of l / 2 rotations, and the cosine transform, whose own bound is 4e-16 log2
// N and which takes more where the number of points has large prime factors. At N = 512 and 2048 the chain's bound
// holds for both. Pairs: the solves with M lose up to a digit. Quadrature: a sum of N_r products, entries with one
// rounding.
double allowed(JonesWorlandVariant variant, Index l, Index n, Index n_points) {
  const double chain = 2.5e-16 * (1.0 + std::sqrt(static_cast<double>(l)));
  switch (variant) {
    case JonesWorlandVariant::rotations:
      return n == 512 || n == 2048 ? chain : chain + 1e-16 * std::log2(static_cast<double>(n_points));
    case JonesWorlandVariant::pairs:
      return 5e-15;
    default:
      return 2e-15;
  }
}

void expect_exact(Index l, Index n, JonesWorlandVariant variant, Index outer = 1, Index inner = 1,
                  const std::vector<Index>& tested = {0}, Index more_points = 0) {
  const Index n_points = jones_worland_points(l, n) + more_points;
  const auto grid = std::make_shared<const JonesWorlandGrid>(n_points);
  const Errors errors = errors_of({grid, l, n, variant}, outer, inner, tested);
  const std::string text = "variant " + std::to_string(static_cast<int>(variant)) + ", N " + std::to_string(n) +
                           ", l " + std::to_string(l) + ", batch " + std::to_string(outer) + " x " +
                           std::to_string(inner);
  EXPECT_LE(errors.forward, allowed(variant, l, n, n_points)) << text;
  EXPECT_LE(errors.backward, allowed(variant, l, n, n_points)) << text << ", backward";
}

TEST(JonesWorland, IsItsDefinition) {
  for (const JonesWorlandVariant variant : kVariants)
    for (const Index n : {1, 2, 31, 32, 33})
      for (const Index l : {0, 1, 2, 3, 16, 17, 64, 125})
        if (n > 2)
          expect_exact(l, n, variant);
        else  // one coefficient may be next to nothing; eight of them are not
          expect_exact(l, n, variant, 8, 1, {0, 1, 2, 3, 4, 5, 6, 7});
}

TEST(JonesWorland, TakesMorePointsThanItNeeds) {
  for (const JonesWorlandVariant variant : kVariants)
    for (const Index more : {1, 7, 40}) {
      expect_exact(4, 30, variant, 1, 1, {0}, more);
      expect_exact(7, 31, variant, 1, 1, {0}, more);
    }
}

TEST(JonesWorland, StaysExactAtMiddleLengths) {
  for (const JonesWorlandVariant variant : kVariants)
    for (const auto& [n, l] : {std::pair<Index, Index>{255, 64}, {256, 125}, {257, 2}, {256, 250}})
      expect_exact(l, n, variant);
}

TEST(JonesWorland, StaysExactAtHighOrder) {
  // r^l underflows and p_n overflows in double precision from l = 519 on at N = 512.
  for (const Index l : {2, 3, 16, 101, 500, 1000}) expect_exact(l, 512, JonesWorlandVariant::rotations);
  expect_exact(1000, 512, JonesWorlandVariant::quadrature);
  expect_exact(1000, 512, JonesWorlandVariant::pairs);
  expect_exact(101, 1000, JonesWorlandVariant::rotations);
  expect_exact(16, 1025, JonesWorlandVariant::rotations);
}

TEST(JonesWorland, StaysExactAt2048) {
  for (const Index l : {2, 101, 1000}) expect_exact(l, 2048, JonesWorlandVariant::rotations);
}

TEST(JonesWorland, TakesBatchesOfAnyLayout) {
  for (const JonesWorlandVariant variant : kVariants)
    for (const auto& [outer, inner] : {std::pair<Index, Index>{3, 1}, {1, 3}, {1000, 1}, {1, 1000}, {5, 70}, {33, 17}})
      for (const Index l : {6, 7})
        expect_exact(l, 20, variant, outer, inner, {0, 1, outer * inner / 2, outer * inner - 1});
}

TEST(JonesWorland, BackwardIsTheTransposeOfForward) {
  for (const JonesWorlandVariant variant : kVariants)
    for (const Index l : {0, 40, 41}) {
      const Index n = 60;
      const auto grid = std::make_shared<const JonesWorlandGrid>(96);
      const JonesWorlandPlan plan(grid, l, n, variant);
      std::vector<double> workspace(at(cpu::jones_worland_workspace(plan, 1)));
      test::Random random(2);
      const Array f = random.array({96}), c = random.array({n});
      Array f_of_c({96}), c_of_f({n});
      cpu::jones_worland_forward(plan, f.data.data(), c_of_f.data.data(), 1, 1, workspace.data(), 1);
      cpu::jones_worland_backward(plan, c.data.data(), f_of_c.data.data(), 1, 1, workspace.data(), 1);
      long double left = 0.0L, right = 0.0L, size = 0.0L;
      for (Index i = 0; i < n; ++i) {
        left += static_cast<long double>(c_of_f.data[at(i)]) * c.data[at(i)];
        size += std::abs(static_cast<long double>(c_of_f.data[at(i)]) * c.data[at(i)]);
      }
      for (Index k = 0; k < 96; ++k) right += static_cast<long double>(f.data[at(k)]) * f_of_c.data[at(k)];
      EXPECT_LE(std::abs(left - right * static_cast<long double>(grid->weight())), 1e-15L * size)
          << static_cast<int>(variant) << ", l " << l;
    }
}

TEST(JonesWorland, ProductsAreFreeOfAliases) {
  // 3/2 of the points: the product of two functions has the coefficients that it has on many points; two points less
  // do not do.
  const Index n = 12;
  for (const Index l : {4, 8}) {
    const auto coefficients = [&](Index n_points) {
      const auto grid = std::make_shared<const JonesWorlandGrid>(n_points);
      const JonesWorlandPlan half(grid, l / 2 - l / 2 % 2, n + (l / 2 + l / 2 % 2) / 2), whole(grid, l, n);
      Array c({half.n()}, 1.0), f({n_points}), product({n});
      std::vector<double> workspace(
          at(std::max(cpu::jones_worland_workspace(half, 1), cpu::jones_worland_workspace(whole, 1))));
      cpu::jones_worland_backward(half, c.data.data(), f.data.data(), 1, 1, workspace.data(), 1);
      for (double& value : f.data) value *= value;
      cpu::jones_worland_forward(whole, f.data.data(), product.data.data(), 1, 1, workspace.data(), 1);
      return product;
    };
    EXPECT_EQ(jones_worland_points(l, n, 2), 3 * (n + l / 2) / 2);
    const Array right = coefficients(200), enough = coefficients(jones_worland_points(l, n, 2)),
                few = coefficients(jones_worland_points(l, n, 2) - 2);
    double largest = 0.0, difference = 0.0;
    for (Index i = 0; i < n; ++i) {
      largest = std::max(largest, std::abs(right.data[at(i)]));
      difference = std::max(difference, std::abs(right.data[at(i)] - few.data[at(i)]));
    }
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(right.data[at(i)], enough.data[at(i)], 1e-14 * largest);
    EXPECT_GT(difference, 1e-6 * largest);
  }
}

TEST(JonesWorland, ThreadsAndRunsDoNotChangeABit) {
  for (const JonesWorlandVariant variant : kVariants) {
    const Index n = 40, inner = 300;
    const auto grid = std::make_shared<const JonesWorlandGrid>(64);
    const JonesWorlandPlan plan(grid, 33, n, variant), again(grid, 33, n, variant);
    std::vector<double> workspace(at(cpu::jones_worland_workspace(plan, 3)), NAN);
    const Array f = test::Random(8).array({64, inner});
    Array c({n, inner}), d({n, inner});
    cpu::jones_worland_forward(plan, f.data.data(), c.data.data(), 1, inner, workspace.data(), 1);
    cpu::jones_worland_forward(again, f.data.data(), d.data.data(), 1, inner, workspace.data(), 3);
    EXPECT_EQ(c.data, d.data);
  }
}

TEST(JonesWorland, RefusesWhatItCannotDo) {
  const auto grid = std::make_shared<const JonesWorlandGrid>(20);
  EXPECT_THROW(JonesWorlandGrid(0), ShapeError);
  EXPECT_THROW(JonesWorlandPlan(grid, 0, 0), ShapeError);
  EXPECT_THROW(JonesWorlandPlan(grid, -1, 4), ShapeError);
  EXPECT_THROW(JonesWorlandPlan(grid, kHighestOrder + 1, 4), ShapeError);
  EXPECT_THROW(jones_worland_points(2, 3, 0), ShapeError);
  try {
    JonesWorlandPlan(grid, 10, 16);
    FAIL();
  } catch (const ShapeError& error) {
    EXPECT_NE(std::string(error.what()).find("at least 21 points, there are 20"), std::string::npos) << error.what();
  }
  const auto wide = std::make_shared<const JonesWorlandGrid>(20000);
  EXPECT_THROW(JonesWorlandPlan(wide, 0, 20000, JonesWorlandVariant::quadrature), ShapeError);
  const JonesWorlandPlan plan(grid, 4, 8);
  EXPECT_THROW(cpu::jones_worland_forward(plan, nullptr, nullptr, 1, -1, nullptr, 1), ShapeError);
  cpu::jones_worland_forward(plan, nullptr, nullptr, 0, 1, nullptr, 1);  // a batch of none
}

}  // namespace
}  // namespace gwrm::jones_worland_test
