// Associated Legendre transforms on Chebyshev nodes against their definition in quadruple precision: functions by the
// recurrence in l from the closed form of Pbar_m^m, interpolation by sums of cosines or sines, integrals by Fejer's
// rule on twice the points, which is exact for them. No connection and no rotation is in them.
#include "kernels/transform/legendre_rotations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "quadruple.hpp"
#include "quadruple_angles.hpp"
#include "random_array.hpp"

namespace gwrm::legendre_rotations_test {
namespace {

using test::Quadruple;
using Numbers = std::vector<Quadruple>;

// Pbar_l^m(x), l = m .. m + n - 1: Pbar_m^m = sqrt(1/2 prod_i (2i+1)/(2i)) sin^m,
// e_l Pbar_l = x Pbar_(l-1) - e_(l-1) Pbar_(l-2), e_l = sqrt((l^2 - m^2) / (4 l^2 - 1)).
class Definition {
 public:
  Definition(Index m, Index n) : m_(m), n_(n) {
    Quadruple square = Quadruple(0.5);
    for (Index i = 1; i <= m; ++i) square *= Quadruple(2 * i + 1) / (2 * i);
    first_ = test::square_root(square);
    for (Index l = m; l < m + n; ++l) {
      e_.push_back(l == m ? Quadruple(0) : test::square_root(Quadruple(l * l - m * m) / (4 * l * l - 1)));
      inverse_e_.push_back(l == m ? Quadruple(0) : 1 / e_.back());
    }
  }

  // At theta = pi (2k+1) / (2 n_points); row(i, Pbar_(m+i)).
  template <class Row>
  void at_node(Index k, Index n_points, Row&& row) const {
    const Quadruple x = test::exact_cosine(2 * k + 1, 2 * n_points), sine = test::exact_sine(2 * k + 1, 2 * n_points);
    Quadruple before = 0, value = first_, power = sine;
    for (Index i = m_; i > 0; i /= 2) {
      if (i % 2 == 1) value *= power;
      if (i > 1) power *= power;
    }
    for (Index i = 0; i < n_; ++i) {
      row(i, value);
      if (i + 1 == n_) break;
      const Quadruple next = (x * value - e_[at(i)] * before) * inverse_e_[at(i + 1)];
      before = value;
      value = next;
    }
  }

 private:
  Index m_, n_;
  Quadruple first_;
  Numbers e_, inverse_e_;
};

// A function at theta_k plus and minus its value at pi - theta_k, k below half the nodes.
struct Halves {
  Numbers sum, difference;
};

// I f on twice the nodes: coefficients of cos(i theta), i < N, or sin(i theta), 1 <= i <= N, then their sums.
Halves interpolated(bool odd, const Numbers& f) {
  const Index n = static_cast<Index>(f.size());
  const auto wave = [odd](Index i, Index k, Index n_points) {  // at theta = pi (2k+1) / (2 n_points)
    return odd ? test::exact_sine(i * (2 * k + 1), 2 * n_points) : test::exact_cosine(i * (2 * k + 1), 2 * n_points);
  };
  Halves g{Numbers(at(n), 0), Numbers(at(n), 0)};
  for (Index j = 0; j < n; ++j) {
    const Index i = odd ? j + 1 : j;
    Quadruple a = 0;
    for (Index k = 0; k < n; ++k) a += f[at(k)] * wave(i, k, n);
    a *= Quadruple(i == 0 || i == n ? 2 : 4) / n;  // twice: the two nodes of a pair
    Numbers& half = j % 2 == 0 ? g.sum : g.difference;
    for (Index k = 0; k < n; ++k) half[at(k)] += a * wave(i, k, 2 * n);
  }
  return g;
}

// Fejer's weights at the first half of so many nodes (an even number).
Numbers weights(Index n_points) {
  Numbers factor, w;
  for (Index j = 1; j < n_points / 2; ++j) factor.push_back(Quadruple(2) / (4 * j * j - 1));
  for (Index k = 0; k < n_points / 2; ++k) {
    Quadruple sum = 1;
    for (Index j = 1; j < n_points / 2; ++j)
      sum -= factor[at(j - 1)] * test::exact_cosine(2 * j * (2 * k + 1), 2 * n_points);
    w.push_back(2 * sum / n_points);
  }
  return w;
}

struct Transformed {
  Array f, c, f_of_c, c_of_f;
};
Transformed transformed(const LegendreRotationPlan& plan, Index outer, Index inner, unsigned seed) {
  const Index n = plan.n(), n_points = plan.grid().n_points();
  test::Random random(seed);
  Transformed t{random.array({outer, n_points, inner}), random.array({outer, n, inner}),
                Array({outer, n_points, inner}), Array({outer, n, inner})};
  std::vector<double> workspace(at(cpu::legendre_rotations_workspace(plan, 1)), NAN);
  cpu::legendre_rotations_forward(plan, t.f.data.data(), t.c_of_f.data.data(), outer, inner, workspace.data(), 1);
  cpu::legendre_rotations_backward(plan, t.c.data.data(), t.f_of_c.data.data(), outer, inner, workspace.data(), 1);
  return t;
}

Numbers column(const Array& a, Index length, Index inner, Index t) {
  Numbers x;
  for (Index i = 0; i < length; ++i)
    x.push_back(static_cast<Quadruple>(a.data[at(t / inner * length * inner + i * inner + t % inner)]));
  return x;
}

struct Errors {
  double forward = 0.0, backward = 0.0;
};

// Largest error over largest value of some columns together.
Errors errors_of(const LegendreRotationPlan& plan, Index outer, Index inner, const std::vector<Index>& tested) {
  const Index n = plan.n(), n_points = plan.grid().n_points();
  const bool odd = plan.m() % 2 == 1;
  const Transformed all = transformed(plan, outer, inner, 3);
  const Definition definition(plan.m(), n);
  const Numbers weight = weights(2 * n_points);
  Errors error, largest;
  const auto compare = [](Quadruple exact, Quadruple found, double& worst, double& value_of_largest) {
    const double here = std::abs(static_cast<double>(exact - found));
    if (!(here <= worst)) worst = here;
    value_of_largest = std::max(value_of_largest, std::abs(static_cast<double>(exact)));
  };
  for (const Index t : tested) {
    const Halves g = interpolated(odd, column(all.f, n_points, inner, t));
    Numbers integral(at(n), 0);
    for (Index k = 0; k < n_points; ++k) {
      const Quadruple sum = weight[at(k)] * g.sum[at(k)], difference = weight[at(k)] * g.difference[at(k)];
      definition.at_node(k, 2 * n_points,
                         [&](Index i, Quadruple p) { integral[at(i)] += p * (i % 2 == 0 ? sum : difference); });
    }
    const Numbers found = column(all.c_of_f, n, inner, t);
    for (Index i = 0; i < n; ++i) compare(integral[at(i)], found[at(i)], error.forward, largest.forward);

    const Numbers c = column(all.c, n, inner, t), values = column(all.f_of_c, n_points, inner, t);
    for (Index k = 0; 2 * k < n_points; ++k) {
      Quadruple even_part = 0, odd_part = 0;  // in x
      definition.at_node(k, n_points,
                         [&](Index i, Quadruple p) { (i % 2 == 0 ? even_part : odd_part) += p * c[at(i)]; });
      compare(even_part + odd_part, values[at(k)], error.backward, largest.backward);
      compare(even_part - odd_part, values[at(n_points - 1 - k)], error.backward, largest.backward);
    }
  }
  return {error.forward / largest.forward, error.backward / largest.backward};
}

// A random walk of the roundings of m / 2 rotations, and the connection with the cosine transform and two scalings, of
// which the measured share is 7.3e-16 (m = 0, 512 coefficients).
double allowed(Index m) {
  return 2.5e-16 * (1.0 + std::sqrt(static_cast<double>(m))) + 7.5e-16;
}

void expect_exact(Index m, Index n, Index outer = 1, Index inner = 1, const std::vector<Index>& tested = {0},
                  Index more_points = 0, Index higher_degree = 0) {
  const Index degree = m + n - 1 + higher_degree, n_points = legendre_rotation_points(degree) + more_points;
  const auto grid = std::make_shared<const LegendreRotationGrid>(degree, n_points);
  const Errors errors = errors_of({grid, m, n}, outer, inner, tested);
  const std::string text = "N " + std::to_string(n) + ", m " + std::to_string(m) + ", " + std::to_string(n_points) +
                           " points, batch " + std::to_string(outer) + " x " + std::to_string(inner);
  EXPECT_LE(errors.forward, allowed(m)) << text;
  EXPECT_LE(errors.backward, allowed(m)) << text << ", backward";
}

TEST(LegendreRotations, AreTheirDefinition) {
  for (const Index n : {1, 2, 31, 32, 33})
    for (const Index m : {0, 1, 2, 3, 16, 17, 64})
      if (n > 2)
        expect_exact(m, n);
      else  // one coefficient may be next to nothing; eight of them are not
        expect_exact(m, n, 8, 1, {0, 1, 2, 3, 4, 5, 6, 7});
}

TEST(LegendreRotations, TakeMorePointsAndHigherGridsThanTheyNeed) {
  for (const Index m : {0, 1, 4, 7})
    for (const Index more : {1, 7, 40}) {
      expect_exact(m, 30, 1, 1, {0}, more);
      expect_exact(m, 31, 1, 1, {0}, more, 5);
    }
}

TEST(LegendreRotations, StayExactAtHighOrder) {
  // sin^m underflows in double precision next to the poles from m = 119 on.
  for (const Index m : {0, 1, 2, 3, 16, 101, 500, 1000}) expect_exact(m, 512);
  expect_exact(125, 257);
  expect_exact(2, 257);
}

TEST(LegendreRotations, TakeBatchesOfAnyLayout) {
  for (const auto& [outer, inner] : {std::pair<Index, Index>{3, 1}, {1, 3}, {1000, 1}, {1, 1000}, {5, 70}, {33, 17}})
    for (const Index m : {6, 7}) expect_exact(m, 20, outer, inner, {0, 1, outer * inner / 2, outer * inner - 1});
}

TEST(LegendreRotations, BackwardIsTheAdjointOfForward) {
  // <F f, d> = int (I f) (I B d) dx, the integral in quadruple precision.
  for (const Index m : {0, 1, 40, 41})
    for (const Index n_points : {m + 60, m + 99}) {
      const Index n = 60;
      const auto grid = std::make_shared<const LegendreRotationGrid>(m + n - 1, n_points);
      const Transformed t = transformed({grid, m, n}, 1, 1, 2);
      const Halves f = interpolated(m % 2 == 1, column(t.f, n_points, 1, 0)),
                   g = interpolated(m % 2 == 1, column(t.f_of_c, n_points, 1, 0));
      const Numbers weight = weights(2 * n_points);
      Quadruple left = 0, right = 0;
      double size = 0.0;
      for (Index i = 0; i < n; ++i) {
        left += static_cast<Quadruple>(t.c_of_f.data[at(i)]) * t.c.data[at(i)];
        size += std::abs(t.c_of_f.data[at(i)] * t.c.data[at(i)]);
      }
      for (std::size_t k = 0; k < weight.size(); ++k)
        right += weight[k] * (f.sum[k] * g.sum[k] + f.difference[k] * g.difference[k]) / 2;
      const double difference = std::abs(static_cast<double>(left - right));
      EXPECT_LE(difference, 1e-15 * size) << "m " << m << ", " << n_points << " points";
    }
}

TEST(LegendreRotations, ForwardUndoesBackward) {
  for (const Index m : {0, 1, 30, 31}) {
    const Index n = 50, inner = 3;
    const auto grid = std::make_shared<const LegendreRotationGrid>(m + n - 1, m + n);
    const LegendreRotationPlan plan(grid, m, n);
    const Transformed t = transformed(plan, 1, inner, 5);
    std::vector<double> workspace(at(cpu::legendre_rotations_workspace(plan, 1)), NAN);
    Array c(t.c.shape);
    cpu::legendre_rotations_forward(plan, t.f_of_c.data.data(), c.data.data(), 1, inner, workspace.data(), 1);
    // Values of size sqrt(N) and more, largest at the poles, with two transforms' errors.
    for (std::size_t i = 0; i < c.data.size(); ++i) EXPECT_NEAR(c.data[i], t.c.data[i], 2e-14) << "m " << m;
  }
}

TEST(LegendreRotations, ProductsAreFreeOfAliases) {
  // A product of two functions has on 2 L + 1 points the coefficients that it has on many; two points less do not do,
  // even where sin^m leaves little of the highest frequency.
  const Index degree = 15;
  for (const auto& [m, k] : {std::pair<Index, Index>{2, 2}, {3, 3}, {3, 4}}) {
    const Index order = m + k, n = degree - order + 1;
    const auto coefficients = [&, m = m, k = k](Index n_points) {
      const auto grid = std::make_shared<const LegendreRotationGrid>(degree, n_points);
      const LegendreRotationPlan a(grid, m, degree - m + 1), b(grid, k, degree - k + 1), whole(grid, order, n);
      const Array ones({degree + 1}, 1.0);
      Array f({n_points}), g({n_points}), product({n});
      std::vector<double> workspace(at(cpu::legendre_rotations_workspace(whole, 1)));
      cpu::legendre_rotations_backward(a, ones.data.data(), f.data.data(), 1, 1, workspace.data(), 1);
      cpu::legendre_rotations_backward(b, ones.data.data(), g.data.data(), 1, 1, workspace.data(), 1);
      for (std::size_t i = 0; i < f.data.size(); ++i) f.data[i] *= g.data[i];
      cpu::legendre_rotations_forward(whole, f.data.data(), product.data.data(), 1, 1, workspace.data(), 1);
      return product;
    };
    const Index least = legendre_rotation_points(degree, 2);
    EXPECT_EQ(least, 2 * degree + 1);
    const Array right = coefficients(200), enough = coefficients(least), few = coefficients(least - 2);
    double largest = 0.0, difference = 0.0;
    for (Index i = 0; i < n; ++i) {
      largest = std::max(largest, std::abs(right.data[at(i)]));
      difference = std::max(difference, std::abs(right.data[at(i)] - few.data[at(i)]));
    }
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(right.data[at(i)], enough.data[at(i)], 1e-14 * largest);
    EXPECT_GT(difference, 1e-8 * largest) << "orders " << m << ", " << k;
  }
}

TEST(LegendreRotations, ThreadsAndRunsDoNotChangeABit) {
  const Index n = 40, inner = 300, n_points = 80;
  for (const Index m : {32, 33}) {
    const auto grid = std::make_shared<const LegendreRotationGrid>(m + n - 1, n_points);
    const LegendreRotationPlan plan(grid, m, n), again(grid, m, n);
    std::vector<double> workspace(at(cpu::legendre_rotations_workspace(plan, 3)), NAN);
    test::Random random(8);
    const Array f = random.array({n_points, inner});
    Array c({n, inner}), d(c.shape), g(f.shape), h(f.shape);
    cpu::legendre_rotations_forward(plan, f.data.data(), c.data.data(), 1, inner, workspace.data(), 1);
    cpu::legendre_rotations_forward(again, f.data.data(), d.data.data(), 1, inner, workspace.data(), 3);
    EXPECT_EQ(c.data, d.data);
    cpu::legendre_rotations_backward(plan, c.data.data(), g.data.data(), 1, inner, workspace.data(), 1);
    cpu::legendre_rotations_backward(again, c.data.data(), h.data.data(), 1, inner, workspace.data(), 3);
    EXPECT_EQ(g.data, h.data);
  }
}

template <class Call>
std::string refusal(Call&& call) {
  try {
    call();
  } catch (const ShapeError& error) {
    return error.what();
  }
  return "none";
}

TEST(LegendreRotations, RefuseWhatTheyCannotDo) {
  const auto grid = std::make_shared<const LegendreRotationGrid>(20, 25);
  EXPECT_EQ(grid->theta().size(), 25u);
  EXPECT_DOUBLE_EQ(grid->theta()[12], 1.5707963267948966);
  EXPECT_THROW(LegendreRotationGrid(-1, 4), ShapeError);
  EXPECT_THROW(LegendreRotationGrid(0, 0), ShapeError);
  EXPECT_THROW(LegendreRotationGrid(4, kMostConnected), ShapeError);
  EXPECT_THROW(LegendreRotationPlan(grid, 0, 0), ShapeError);
  EXPECT_THROW(LegendreRotationPlan(grid, -1, 4), ShapeError);
  EXPECT_THROW(legendre_rotation_points(2, 0), ShapeError);
  EXPECT_NE(refusal([] { LegendreRotationGrid(20, 20); }).find("at least 21 points, there are 20"), std::string::npos);
  EXPECT_NE(refusal([&] { LegendreRotationPlan(grid, 10, 12); }).find("reach degree 21 and take at least 22 points"),
            std::string::npos);
  EXPECT_THROW(LegendreRotationPlan(grid, 21, 1), ShapeError);
  const LegendreRotationPlan plan(grid, 4, 8);
  EXPECT_THROW(cpu::legendre_rotations_forward(plan, nullptr, nullptr, 1, -1, nullptr, 1), ShapeError);
  EXPECT_THROW(cpu::legendre_rotations_backward(plan, nullptr, nullptr, -1, 1, nullptr, 1), ShapeError);
  cpu::legendre_rotations_forward(plan, nullptr, nullptr, 0, 1, nullptr, 1);  // a batch of none
  cpu::legendre_rotations_backward(plan, nullptr, nullptr, 1, 0, nullptr, 1);
}

}  // namespace
}  // namespace gwrm::legendre_rotations_test
