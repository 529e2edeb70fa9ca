// Chains of rotations against the connection coefficients V and M in quadruple precision, pair by pair: a product with
// V, then a solve with M, which the rotations never form.
#include "kernels/transform/rotation_chain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/errors.hpp"
#include "core/threads.hpp"
#include "quadruple.hpp"
#include "random_array.hpp"

namespace gwrm::rotation_chain_test {
namespace {

using test::Quadruple;
using Numbers = std::vector<Quadruple>;

// (V c)_n = g_n c_n + z_(n+d) c_(n+d) raises the order by one, M is the transpose of the next V: solving with it raises
// the order once more.
struct Connection {
  RotationFamily family;
  Quadruple order;

  Connection(RotationFamily of, Index l) : family(of), order(static_cast<Quadruple>(l)) {}

  Quadruple g(Index i) const {
    const Quadruple n = i;
    if (family == RotationFamily::legendre) {
      const Quadruple m = order;
      return test::square_root((n + 2 * m + 1) * (n + 2 * m + 2) / ((2 * n + 2 * m + 1) * (2 * n + 2 * m + 3)));
    }
    const Quadruple a = alpha(), b = beta();
    if (i == 0) return test::square_root(2 * (b + 1) / (a + b + 2));
    return test::square_root(2 * (n + b + 1) * (n + a + b + 1) / ((2 * n + a + b + 1) * (2 * n + a + b + 2)));
  }
  Quadruple z(Index i) const {
    const Quadruple n = i;
    if (family == RotationFamily::legendre) {
      if (i < 2) return 0;
      const Quadruple m = order;
      return -test::square_root(n * (n - 1) / ((2 * n + 2 * m + 1) * (2 * n + 2 * m - 1)));
    }
    if (i == 0) return 0;
    const Quadruple a = alpha(), b = beta();
    return test::square_root(2 * n * (n + a) / ((2 * n + a + b) * (2 * n + a + b + 1)));
  }
  Quadruple alpha() const { return family == RotationFamily::energy ? Quadruple(0) : Quadruple(-0.5); }
  Quadruple beta() const { return order + (family == RotationFamily::energy ? Quadruple(0.5) : Quadruple(-0.5)); }
};

Numbers forward(const RotationChain& chain, Numbers c) {
  const Index d = chain.distance();
  for (Index i = 0; i < chain.n_pairs; ++i) {
    const Connection v(chain.family, chain.first_order + 2 * i), m(chain.family, chain.first_order + 2 * i + 1);
    const Index n = static_cast<Index>(c.size()) - d;
    for (Index k = 0; k < n; ++k) c[at(k)] = v.g(k) * c[at(k)] + v.z(k + d) * c[at(k + d)];
    c.resize(at(n));
    for (Index k = 0; k < n; ++k) c[at(k)] = (c[at(k)] - (k < d ? Quadruple(0) : m.z(k) * c[at(k - d)])) / m.g(k);
  }
  return c;
}
Numbers backward(const RotationChain& chain, Numbers c) {
  const Index d = chain.distance();
  for (Index i = chain.n_pairs - 1; i >= 0; --i) {
    const Connection v(chain.family, chain.first_order + 2 * i), m(chain.family, chain.first_order + 2 * i + 1);
    const Index n = static_cast<Index>(c.size());
    for (Index k = n - 1; k >= 0; --k)
      c[at(k)] = (c[at(k)] - (k + d < n ? m.z(k + d) * c[at(k + d)] : Quadruple(0))) / m.g(k);
    c.resize(at(n + d));
    for (Index k = n + d - 1; k >= 0; --k)
      c[at(k)] = (k < n ? v.g(k) * c[at(k)] : Quadruple(0)) + (k < d ? Quadruple(0) : v.z(k) * c[at(k - d)]);
  }
  return c;
}

// Largest error over largest value of the first and last column.
double error_of(const RotationChain& chain, Index n, Index width, bool is_forward) {
  const Index n_rows = chain.n_rows(n), n_in = is_forward ? n_rows : n, n_out = is_forward ? n : n_rows;
  const Array x = test::Random(1).array({n_rows, width});
  Array y = x;
  (is_forward ? cpu::rotate_forward : cpu::rotate_backward)(chain, n, width, y.data.data());
  double error = 0.0, largest = 0.0;
  for (const Index column : {Index{0}, width - 1}) {
    Numbers c;
    for (Index k = 0; k < n_in; ++k) c.push_back(x.data[at(k * width + column)]);
    c = is_forward ? forward(chain, c) : backward(chain, c);
    for (Index k = 0; k < n_out; ++k) {
      error = std::max(error, std::abs(static_cast<double>(c[at(k)] - y.data[at(k * width + column)])));
      largest = std::max(largest, std::abs(static_cast<double>(c[at(k)])));
    }
  }
  return error / largest;
}

constexpr RotationFamily kFamilies[] = {RotationFamily::jones_worland, RotationFamily::energy,
                                        RotationFamily::legendre};

TEST(RotationChain, IsTheConnectionOfItsFamily) {
  // Rotations keep lengths: l / 2 of them add their roundings as a random walk.
  for (const RotationFamily family : kFamilies)
    for (const bool is_forward : {true, false})
      for (const Index n : {1, 2, 31, 32, 33, 255})
        for (const Index l : {2, 3, 16, 101})
          EXPECT_LE(error_of({family, l % 2, l / 2}, n, 1, is_forward),
                    2.5e-16 * (1.0 + std::sqrt(static_cast<double>(l))))
              << "family " << static_cast<int>(family) << ", n " << n << ", l " << l << ", forward " << is_forward;
}

TEST(RotationChain, StaysExactAtHighOrder) {
  for (const RotationFamily family : kFamilies)
    for (const bool is_forward : {true, false})
      for (const Index n : {64, 512})
        EXPECT_LE(error_of({family, 0, n > 64 ? 50 : 500}, n, 1, is_forward),
                  2.5e-16 * (1.0 + std::sqrt(n > 64 ? 100.0 : 1000.0)))
            << static_cast<int>(family) << ", n " << n << ", forward " << is_forward;
}

TEST(RotationChain, TakesColumns) {
  for (const RotationFamily family : kFamilies)
    for (const Index width : {1, 3, 8, 63, 64, 65, 200})
      for (const bool is_forward : {true, false})
        EXPECT_LE(error_of({family, 1, 10}, 33, width, is_forward), 2.5e-16 * (1.0 + std::sqrt(21.0))) << width;
}

TEST(RotationChain, BackwardIsTheTransposeOfForward) {
  for (const RotationFamily family : kFamilies) {
    const RotationChain chain{family, 0, 60};
    const Index n = 100, n_rows = chain.n_rows(n);
    test::Random random(2);
    const Array x = random.array({n_rows}), y = random.array({n});
    Array fx = x, fy = y;
    fy.data.resize(at(n_rows));
    cpu::rotate_forward(chain, n, 1, fx.data.data());
    cpu::rotate_backward(chain, n, 1, fy.data.data());
    long double left = 0.0L, right = 0.0L, scale = 0.0L;
    for (Index i = 0; i < n; ++i) {
      left += static_cast<long double>(fx.data[at(i)]) * y.data[at(i)];
      scale += std::abs(static_cast<long double>(fx.data[at(i)]) * y.data[at(i)]);
    }
    for (Index i = 0; i < n_rows; ++i) right += static_cast<long double>(x.data[at(i)]) * fy.data[at(i)];
    EXPECT_LE(std::abs(left - right), 1e-15L * scale) << static_cast<int>(family);
  }
}

TEST(RotationChain, ThreadsDoNotChangeABit) {
  const RotationChain chain{RotationFamily::jones_worland, 0, 30};
  Array x = test::Random(3).array({chain.n_rows(100), 500}), y = x;
  const int before = loop_threads();
  set_loop_threads(1);
  cpu::rotate_forward(chain, 100, 500, x.data.data());
  set_loop_threads(3);
  cpu::rotate_forward(chain, 100, 500, y.data.data());
  set_loop_threads(before);
  EXPECT_EQ(x.data, y.data);
}

TEST(RotationChain, RefusesShapesThatDoNotFit) {
  double x[4] = {};
  EXPECT_THROW(cpu::rotate_forward({RotationFamily::energy, 0, 1}, 0, 1, x), ShapeError);
  EXPECT_THROW(cpu::rotate_forward({RotationFamily::energy, 0, 1}, 1, 0, x), ShapeError);
  EXPECT_THROW(cpu::rotate_backward({RotationFamily::energy, -1, 1}, 1, 1, x), ShapeError);
  EXPECT_THROW(cpu::rotate_backward({RotationFamily::energy, 0, -1}, 1, 1, x), ShapeError);
}

}  // namespace
}  // namespace gwrm::rotation_chain_test
