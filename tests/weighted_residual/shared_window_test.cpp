// A window on the ranks of the launcher: against WindowSystem, which knows nothing of ranks, to rounding, and against
// one rank alone to the bit (weighted_residual.ranks_*).
#include "weighted_residual/window/shared_window.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/ranks_of_launcher.hpp"
#include "weighted_residual/assembled.hpp"
#include "weighted_residual/preconditioner/tensor_operators.hpp"

namespace gwrm::shared_window_test {
namespace {

using test::Assembled;
using test::random_vector;

struct SharedCase {
  const char* name;
  const char* yaml;
};
void PrintTo(const SharedCase& what, std::ostream* out) {
  *out << what.name;
}

// Odd and even numbers of nodes and points, one block of columns and several, conditions along every axis, data along
// every axis, several fields, second derivatives in time, Fourier axes, three dimensions.
const SharedCase kCases[] = {
    {"Burgers", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) + u*dx(u) + v*dy(u) = 0.1*lap(u) + sin(x)*y", "dt(v) + u*dx(v) + v*dy(v) = 0.2*lap(v) + t*x*y"]
initial: {u: "0", v: "0"}
boundary: ["u(x=-1) = t*y", "u(x=2) = 0", "u(y=0) = x^2", "dy(u)(y=1) = u(y=1)^2 + t",
           "v(x=-1) = 0", "dx(v)(x=2) = exp(y)", "v(y=0) = 0", "v(y=1) = x"]
resolution: {degree: {t: 4, x: 9, y: 6}}
)yaml"},
    {"ManyColumns", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = (1 + y)*dx(u,2) + dy(u,2)"]
initial: {u: "0"}
boundary: ["u(x=-1) = t", "u(x=2) = 0", "u(y=0) = x", "u(y=1) = 0"]
resolution: {degree: {t: 3, x: 150, y: 4}}
)yaml"},
    {"Wave", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["dt(u,2) + u^2*dt(u) = lap(u)"]
initial: {u: "0", "dt(u)": "0"}
boundary: ["u(x=-1) = 0", "u(x=2) = 0", "dt(u)(y=0) + u(y=0) = 0", "u(y=1) = 0"]
resolution: {degree: {t: 5, x: 7, y: 8}}
)yaml"},
    {"FourierAndWalls", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 2], basis: fourier}, y: [0, 1]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = 0.1*lap(u) + cos(pi*x)"]
initial: {u: "0"}
boundary: ["u(y=0) = 0", "u(y=1) = sin(pi*x)"]
resolution: {degree: {t: 4, x: 16, y: 7}}
)yaml"},
    {"FourierBox", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 2], basis: fourier}, y: {range: [0, 1], basis: fourier}}
unknowns: [u, v]
equations: ["dt(u) + u*dx(u) + v*dy(u) = 0.1*lap(u)", "dt(v) + u*dx(v) = 0.2*lap(v) + u*v"]
initial: {u: "0", v: "0"}
resolution: {degree: {t: 3, x: 14, y: 16}}
)yaml"},
    {"Steady", R"yaml(schema: 1
domain: {x: [-1, 2], y: [0, 1]}
unknowns: [u, v]
equations: ["u*dx(v) + lap(u) = sin(x)*y", "lap(v) + u*v = x"]
boundary: ["u(x=-1) = y", "u(x=2) = 0", "u(y=0) = x^2", "dy(u)(y=1) = u(y=1)^2",
           "v(x=-1) = 0", "dx(v)(x=2) = exp(y)", "v(y=0) = 0", "v(y=1) = x"]
resolution: {degree: {x: 20, y: 11}}
)yaml"},
    {"SteadyBox", R"yaml(schema: 1
domain: {x: {range: [0, 2], basis: fourier}, y: [0, 1], z: [0, 3]}
unknowns: [u]
equations: ["lap(u) + y*z*dx(u) = u^2 + cos(pi*x)*z"]
boundary: ["u(y=0) = z", "u(y=1) = 0", "u(z=0) = y*cos(pi*x)", "u(z=3) = 0"]
resolution: {degree: {x: 5, y: 6, z: 7}}
)yaml"},
    // A multiplier, whose mean takes a row of the constraint: first block of columns, first line.
    {"PeriodicFlow", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 2], basis: fourier}, y: {range: [0, 1], basis: fourier}}
unknowns: [u, v, p]
equations: ["dt(u) + u*dx(u) + v*dy(u) = -dx(p) + 0.1*lap(u)", "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + 0.2*lap(v)",
            "dx(u) + dy(v) = 0"]
initial: {u: "0", v: "0"}
resolution: {degree: {t: 3, x: 10, y: 6}}
)yaml"},
    // .. a mean that is given, and varies; rows of highest modes along the first axis, ..
    {"ChannelFlow", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 2], basis: fourier}, y: [-1, 1]}
unknowns: [u, v, p]
equations: ["dt(u) + u*dx(u) + v*dy(u) = -dx(p) + 0.1*lap(u) + y", "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + 0.2*lap(v)",
            "dx(u) + dy(v) = 0"]
initial: {u: "0", v: "0"}
boundary: ["u(y=-1) = 0", "u(y=1) = t", "v(y=-1) = 0", "v(y=1) = 0", "integral(integral(p, x), y) = 1 + t"]
resolution: {degree: {t: 4, x: 9, y: 8}}
)yaml"},
    // .. along another, where columns of a mean lie at several ranks: of p at one wall.
    {"ChannelAlongY", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 1], y: {range: [0, 2], basis: fourier}}
unknowns: [u, v, p]
equations: ["dt(u) + u*dx(u) + v*dy(u) = -dx(p) + 0.1*lap(u)", "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + 0.2*lap(v) + x",
            "dx(u) + dy(v) = 0"]
initial: {u: "0", v: "0"}
boundary: ["u(x=-1) = 0", "u(x=1) = 0", "v(x=-1) = t", "v(x=1) = 0", "p(x=-1, y=0) = t"]
resolution: {degree: {t: 3, x: 20, y: 7}}
)yaml"},
    // Means over one of two axes: the last one, the first one; numbers of the latter in all blocks of columns.
    {"MeansAlongX", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 1], basis: fourier}, y: [0, 2]}
unknowns: [w, q]
equations: ["dt(w) + q = 0.1*lap(w)", "dx(q,2) + y*w = 0"]
initial: {w: "0"}
boundary: ["w(y=0) = 0", "w(y=2) = t", "integral(q, x) = y*t"]
resolution: {degree: {t: 3, x: 9, y: 10}}
)yaml"},
    {"MeansAlongTheFirstAxis", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 2], y: {range: [0, 1], basis: fourier}}
unknowns: [w, q]
equations: ["dt(w) + q = 0.1*lap(w)", "dy(q,2) + x*w = 0"]
initial: {w: "0"}
boundary: ["w(x=0) = 0", "w(x=2) = t", "2*integral(q, y) = x*t"]
resolution: {degree: {t: 3, x: 40, y: 6}}
)yaml"},
    {"MeansInABox", R"yaml(schema: 1
domain: {x: {range: [0, 1], basis: fourier}, y: {range: [0, 2], basis: fourier}, z: {range: [0, 3], basis: fourier}}
unknowns: [u, v, w]
equations: ["dx(u,2) + dz(u,2) + v = 1", "dy(v,2) + dz(v,2) - v*u = cos(2*pi*x)", "lap(w) + u = 1"]
boundary: ["integral(integral(u, x), z) = sin(pi*y)", "integral(integral(v, y), z) = 0", "integral(integral(integral(w, x), y), z) = 2"]
resolution: {degree: {x: 6, y: 3, z: 2}}
)yaml"},
    // Integrals along the planes, nonlinear ones, and in a condition along the first axis.
    {"Integrals", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = lap(u) + integral(u^2 + x*u, x) + dy(u)*integral(u*dx(u), x)"]
initial: {u: "0"}
boundary: ["u(x=-1) = t", "dx(u)(x=2) = integral(u, x)", "integral(u + x, y) = x*t - integral(dy(u), y)", "u(y=1) = u(y=0)^2"]
resolution: {degree: {t: 3, x: 14, y: 7}}
)yaml"},
    // Jumps along the first axis and along another, in numbers that are those of its points, of edges and others.
    {"Divided", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) + u*dx(u) = lap(u) + y", "dt(v) + u*dy(v) = lap(v)"]
initial: {u: "0", v: "0"}
boundary: ["u(x=-1) = t", "u(x=2) = 0", "u(y=0) = x", "u(y=1) = 0", "v(x=-1) = 0", "v(x=2) = 0", "dy(v)(y=0) = 0", "v(y=1) = 0"]
resolution: {degree: {t: 3, x: 6, y: 4}, domains: {x: [-1, 0.2, 2], y: [0, 0.2, 0.6, 1]}}
)yaml"},
    {"Layers", R"yaml(schema: 1
domain: {t: [0, 0.5], x: [0, 2], y: [0, 1]}
definitions: {k: "(1 + 3*step(x - 0.7))*(1 + 0.1*u^2) + step(y - 0.4)"}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = div(k*grad(u))"]
initial: {u: "sin(pi*x/2)*y"}
boundary: ["u(x=0) = 0", "u(x=2) = 0", "dy(u)(y=0) = sin(pi*x/2)", "u(y=1) = sin(pi*x/2)",
           "u(x=1.5-) = 3*u(x=1.5+)", "dy(u)(y=0.8+) = u(y=0.8+) - u(y=0.8-)"]
resolution: {degree: {t: 3, x: 4, y: 5}}
)yaml"},
    {"DividedOnce", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 2], basis: fourier}, y: [0, 1]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = 0.1*lap(u) + cos(pi*x)"]
initial: {u: "0"}
boundary: ["u(y=0) = 0", "u(y=1) = sin(pi*x)"]
resolution: {degree: {t: 4, x: 8, y: 7}, domains: {y: [0, 0.4, 1]}}
)yaml"},
    {"ThreeDimensions", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1], z: [0, 3]}
unknowns: [u]
equations: ["dt(u) + u*(dx(u) + dy(u) + dz(u)) = lap(u) + x*y*z*t"]
initial: {u: "0"}
boundary: ["u(x=-1) = y*z", "u(x=2) = 0", "u(y=0) = t*x*z", "dy(u)(y=1) = 0", "u(z=0) = x*y", "dz(u)(z=3) + u(z=3) = t"]
resolution: {degree: {t: 3, x: 11, y: 12, z: 5}}
)yaml"},
};

double largest(const std::vector<double>& v) {
  double size = 0.0;
  for (double value : v) size = std::max(size, std::abs(value));
  return size;
}

// Whole vectors from what the ranks compute together.
struct Evaluated {
  std::vector<double> residual, product, residual_again;
  std::vector<double> sums;
  std::size_t bytes = 0;
};
Evaluated evaluate(Assembled& one, Communicator& ranks, const std::vector<double>& x, const std::vector<double>& v) {
  SharedWindow window(one.system, ranks);
  const auto own_size = [&](const SharedVectors& vectors) {
    return static_cast<std::size_t>(vectors.size_of(ranks.rank()));
  };
  std::vector<double> own_x(own_size(window.unknowns())), own_v(own_x.size());
  std::vector<double> f(own_size(window.rows()), NAN), product(f.size(), NAN);
  window.unknowns().take(ranks.rank(), x, own_x);
  window.unknowns().take(ranks.rank(), v, own_v);
  Evaluated result;
  const auto gathered = [&](std::vector<double>& own) {
    std::vector<double> whole(x.size(), NAN);
    window.rows().gather(ranks, own, whole);
    return whole;
  };
  window.residual(own_x, f);
  result.bytes = window.bytes_off_rank();
  result.residual = gathered(f);
  SharedLinearisation at_x;
  window.linearise(own_x, at_x);
  window.apply_jacobian(at_x, own_v, product);
  result.product = gathered(product);
  const double* both[] = {f.data(), product.data()};
  result.sums = window.rows().dots(ranks, both, f);
  window.residual(own_x, f);
  result.residual_again = gathered(f);
  return result;
}

class SharedWindows : public testing::TestWithParam<SharedCase> {};

TEST_P(SharedWindows, AgreeWithTheWindowOfOneProcess) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  Assembled one(GetParam().yaml);
  ASSERT_EQ(shared_unsupported_reason(one.system), "");
  const std::vector<double> x = random_vector(one.system.size(), 3), v = random_vector(one.system.size(), 4);
  std::vector<double> f(x.size()), product(x.size());
  one.system.residual(x, f);
  one.system.apply_jacobian(one.system.linearise(x), v, product);

  const Evaluated shared = evaluate(one, *ranks, x, v);
  // Rounding of sums of some hundred terms, of the size that derivatives have on the way.
  for (std::size_t i = 0; i < f.size(); ++i) {
    EXPECT_NEAR(shared.residual[i], f[i], 1e-12 * largest(f)) << one.system.describe_row(static_cast<Index>(i));
    EXPECT_NEAR(shared.product[i], product[i], 1e-12 * largest(product))
        << one.system.describe_row(static_cast<Index>(i));
    if (HasFailure()) break;
  }
  EXPECT_NEAR(shared.sums[0], std::inner_product(f.begin(), f.end(), f.begin(), 0.0), 1e-12 * shared.sums[0]);
  EXPECT_NEAR(shared.sums[1], std::inner_product(f.begin(), f.end(), product.begin(), 0.0),
              1e-12 * static_cast<double>(f.size()) * largest(f) * largest(product));
}

TEST_P(SharedWindows, HaveTheBitsOfOneRank) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator(), alone = Communicator::alone();
  Assembled one(GetParam().yaml);
  const std::vector<double> x = random_vector(one.system.size(), 5), v = random_vector(one.system.size(), 6);
  const Evaluated shared = evaluate(one, *ranks, x, v), wanted = evaluate(one, *alone, x, v);
  EXPECT_EQ(shared.residual, wanted.residual);
  EXPECT_EQ(shared.residual_again, wanted.residual);
  EXPECT_EQ(shared.product, wanted.product);
  EXPECT_EQ(shared.sums, wanted.sums);
  EXPECT_EQ(wanted.bytes, 0u);
  EXPECT_EQ(shared.bytes > 0, ranks->size() > 1);
}

INSTANTIATE_TEST_SUITE_P(Of, SharedWindows, testing::ValuesIn(kCases),
                         [](const auto& one) { return std::string(one.param.name); });

// Of J v: u_t, u with u_xx, u_yy and the two edges of y go to the planes, the rows come back; nothing else, and nothing
// twice.
TEST(SharedWindow, SendsWhatTheEquationsReadOnce) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  Assembled one(R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) = lap(u)"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "dx(u)(x=2) = 0", "u(y=0) = 0", "dy(u)(y=1) = 0"]
resolution: {degree: {t: 5, x: 40, y: 9}}
)yaml");
  const Index K = one.discretisation.n_points(0), p = one.discretisation.n_points(1);
  std::vector<SharedTable> tables;
  for (const Index points : {p, p, p, Index{1}, Index{1}})
    tables.push_back(table_of_planes(K, points, one.discretisation.n_unknowns(2), ranks->size()));
  for (const RowBlock& row : one.system.rows()) {
    const bool along_y = row.kind == RowBlock::Kind::condition && one.model.conditions[at(row.index)].axis == 1;
    tables.push_back(table_of_planes(K, along_y ? 1 : p, row.extents[2], ranks->size()));
  }
  SharedWindow window(one.system, *ranks);
  const std::size_t n = static_cast<std::size_t>(window.unknowns().size_of(ranks->rank()));
  std::vector<double> v(n, 1.0), result(static_cast<std::size_t>(window.rows().size_of(ranks->rank())));
  SharedLinearisation at_x;
  window.linearise(v, at_x);
  const std::size_t before = window.bytes_off_rank();
  window.apply_jacobian(at_x, v, result);
  EXPECT_EQ(window.bytes_off_rank() - before,
            sizeof(double) * static_cast<std::size_t>(WindowExchange(tables).n_off_rank()));
}

// Those that the preconditioner of one process has, for every coefficient and axis.
TEST_P(SharedWindows, HaveTheMeansOfCoefficients) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator(), alone = Communicator::alone();
  Assembled one(GetParam().yaml);
  const std::vector<double> x = random_vector(one.system.size(), 7);
  const std::vector<Array> averages = time_averages(one.system, one.system.linearise(x));
  const CoefficientMeans wanted = coefficient_means(one.system, averages);
  SharedWindow shared(one.system, *ranks), of_one_rank(one.system, *alone);
  SharedLinearisation at_x, at_x_alone;
  std::vector<double> own(static_cast<std::size_t>(shared.unknowns().size_of(ranks->rank()))), whole(x.size());
  shared.unknowns().take(ranks->rank(), x, own);
  of_one_rank.unknowns().take(0, x, whole);
  shared.linearise(own, at_x);
  of_one_rank.linearise(whole, at_x_alone);
  EXPECT_TRUE(shared.is_finite(at_x));
  int n_compared = 0;
  for (int c = 0; c < static_cast<int>(averages.size()); ++c)
    for (int axis = -1; axis < static_cast<int>(one.model.axes.size()); ++axis) {
      if (axis == 0) continue;
      const Vector mean = shared.coefficient_mean(at_x, c, axis), known = wanted(c, axis);
      EXPECT_EQ(mean, of_one_rank.coefficient_mean(at_x_alone, c, axis));
      ASSERT_EQ(mean.size(), known.size()) << c << " " << axis;
      const double size = averages[at(c)].data.empty() ? 0.0 : largest(averages[at(c)].data);
      for (Index i = 0; i < mean.size(); ++i, ++n_compared)
        EXPECT_NEAR(mean(i), known(known.size() == 1 ? 0 : i), 1e-12 * size) << c << " along " << axis;
    }
  EXPECT_GT(n_compared, 0);
}

std::string reason(const char* yaml) {
  Assembled one(yaml);
  return shared_unsupported_reason(one.system);
}

TEST(SharedWindow, SaysWhatItDoesNotServe) {
  EXPECT_NE(reason(R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "u(x=2) = 0"]
resolution: {degree: {t: 3, x: 7}}
)yaml"),
            "");
  const std::string plane = R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) = lap(u) + MORE"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "u(x=2) = 0", "u(y=0) = 0", "CONDITION = 0"]
resolution: {degree: {t: 3, x: 7, y: 5}DOMAINS}
)yaml";
  const auto with = [&](const std::string& more, const std::string& domains, const std::string& condition = "u(y=1)") {
    std::string text = plane;
    text.replace(text.find("CONDITION"), 9, condition);
    text.replace(text.find("MORE"), 4, more);
    text.replace(text.find("DOMAINS"), 7, domains);
    return reason(text.c_str());
  };
  EXPECT_EQ(with("0", ""), "");
  EXPECT_EQ(with("u(x=2)", ""), "");
  EXPECT_NE(with("u(y=1)", ""), "");
  EXPECT_EQ(with("integral(u, x)", ""), "");
  EXPECT_NE(with("integral(u, y)", ""), "");
  EXPECT_NE(with("integral(x*y, y)", ""), "");
  EXPECT_NE(with("integral(t*x, t)", ""), "");
  EXPECT_NE(with("0", "", "integral(u^2, y)"), "");
  EXPECT_NE(with("0", "", "integral(y*u, y)"), "");
  EXPECT_NE(with("0", "", "integral(u + y, y)"), "");
  EXPECT_EQ(with("0", "", "integral(u + x, y)"), "");
  EXPECT_EQ(with("0", ", domains: {y: [0, 0.3, 1]}"), "");
  EXPECT_NE(reason(R"yaml(schema: 1
domain: {x: [-1, 2]}
unknowns: [u]
equations: ["dx(u,2) = 1"]
boundary: ["u(x=-1) = 0", "u(x=2) = 0"]
resolution: {degree: {x: 7}}
)yaml"),
            "");
}

}  // namespace
}  // namespace gwrm::shared_window_test
