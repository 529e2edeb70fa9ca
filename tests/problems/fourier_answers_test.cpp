// Answers along periodic axes against solutions that share nothing with the program.
#include <complex>
#include <numbers>

#include "problems/convergence/manufactured.hpp"
#include "problems/run_case.hpp"

namespace gwrm::fourier_answers_test {
namespace {

using test::replaced;
using test::value_at;
using Complex = std::complex<double>;

constexpr double kPi = std::numbers::pi;

// --- Kuramoto-Sivashinsky against exponential time differencing ---

// u_t + u u_x + u_xx + u_xxxx = 0 on a circle of length l by ETDRK4 (Cox and Matthews 2002, eqs. 26 to 29, with the
// contour integrals of Kassam and Trefethen 2005): modes exp(2 pi i k x/l) of k = 0 .. n/2 - 1, products on n points
// with the modes above n/3 left out, transforms by the sums that define them.
class ExponentialKuramotoSivashinsky {
 public:
  ExponentialKuramotoSivashinsky(int n, double length, double step) : n_(n), length_(length), step_(step) {
    constexpr int kContour = 32;
    for (int k = 0; k < n / 2; ++k) {
      const double q = 2 * kPi * k / length, linear = q * q - q * q * q * q;
      whole_.push_back(std::exp(step * linear));
      half_.push_back(std::exp(step * linear / 2));
      Complex a, f1, f2, f3;
      for (int j = 0; j < kContour; ++j) {
        const Complex z = step * linear + std::polar(1.0, kPi * (2 * j + 1) / kContour);
        a += (std::exp(z / 2.0) - 1.0) / z;
        f1 += (-4.0 - z + std::exp(z) * (4.0 - 3.0 * z + z * z)) / (z * z * z);
        f2 += (2.0 + z + std::exp(z) * (-2.0 + z)) / (z * z * z);
        f3 += (-4.0 - 3.0 * z - z * z + std::exp(z) * (4.0 - z)) / (z * z * z);
      }
      a_.push_back(step * a.real() / kContour);
      f1_.push_back(step * f1.real() / kContour);
      f2_.push_back(step * f2.real() / kContour);
      f3_.push_back(step * f3.real() / kContour);
    }
    for (int j = 0; j < n; ++j) roots_.push_back(std::polar(1.0, 2 * kPi * j / n));
  }

  std::vector<Complex> modes(const std::vector<double>& values) const {
    std::vector<Complex> v(static_cast<std::size_t>(n_ / 2));
    for (int k = 0; k < n_ / 2; ++k)
      for (int i = 0; i < n_; ++i) v[at(k)] += values[at(i)] * std::conj(root(k * i)) / static_cast<double>(n_);
    return v;
  }

  double value(const std::vector<Complex>& v, double x) const {
    double sum = v[0].real();
    for (int k = 1; k < n_ / 2; ++k) sum += 2 * (v[at(k)] * std::polar(1.0, 2 * kPi * k * x / length_)).real();
    return sum;
  }

  void advance(std::vector<Complex>& v) const {
    const std::vector<Complex> nv = rate(v);
    std::vector<Complex> a(v.size()), b(v.size()), c(v.size());
    for (std::size_t k = 0; k < v.size(); ++k) a[k] = half_[k] * v[k] + a_[k] * nv[k];
    const std::vector<Complex> na = rate(a);
    for (std::size_t k = 0; k < v.size(); ++k) b[k] = half_[k] * v[k] + a_[k] * na[k];
    const std::vector<Complex> nb = rate(b);
    for (std::size_t k = 0; k < v.size(); ++k) c[k] = half_[k] * a[k] + a_[k] * (2.0 * nb[k] - nv[k]);
    const std::vector<Complex> nc = rate(c);
    for (std::size_t k = 0; k < v.size(); ++k)
      v[k] = whole_[k] * v[k] + f1_[k] * nv[k] + 2 * f2_[k] * (na[k] + nb[k]) + f3_[k] * nc[k];
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  const Complex& root(int j) const { return roots_[at(j % n_)]; }

  // -(u^2)_x/2
  std::vector<Complex> rate(const std::vector<Complex>& v) const {
    std::vector<double> squares(at(n_));
    for (int i = 0; i < n_; ++i) {
      double u = v[0].real();
      for (int k = 1; 3 * k < n_; ++k) u += 2 * (v[at(k)] * root(k * i)).real();
      squares[at(i)] = u * u;
    }
    std::vector<Complex> result = modes(squares);
    for (int k = 0; k < n_ / 2; ++k) result[at(k)] *= 3 * k < n_ ? Complex(0, -kPi * k / length_) : Complex();
    return result;
  }

  int n_;
  double length_, step_;
  std::vector<double> whole_, half_, a_, f1_, f2_, f3_;
  std::vector<Complex> roots_;
};

// Waves on a circle of 22 at t = 4 fall by a factor of about 3 each: 28 of them here and 31 there leave out less than
// 1e-11. The error of ETDRK4 falls with the fourth power of its step.
TEST(FourierAnswers, KuramotoSivashinskyByExponentialTimeDifferencing) {
  constexpr double kLength = 22, kEnd = 4;
  constexpr int kSteps = 800, kPoints = 96;
  const ExponentialKuramotoSivashinsky peer(kPoints, kLength, kEnd / kSteps);
  const auto start = [](double x) { return std::cos(2 * kPi * x / kLength) + 0.5 * std::sin(4 * kPi * x / kLength); };
  std::vector<double> values;
  for (int i = 0; i < kPoints; ++i) values.push_back(start(kLength * i / kPoints));
  std::vector<Complex> v = peer.modes(values);
  for (int i = 0; i < kSteps; ++i) peer.advance(v);

  const RunOutcome outcome = test::run_case(R"yaml(
domain: {t: [0, 4], x: {range: [0, 22], basis: fourier}}
unknowns: [u]
equations: ["dt(u) + u*dx(u) + dx(u,2) + dx(u,4) = 0"]
initial: {u: "cos(2*pi*x/22) + 0.5*sin(4*pi*x/22)"}
resolution: {degree: {t: 12, x: 28}, domains: {t: 8}}
verification: {tolerance: 1.0e-9}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  for (double x : {0.0, 3.3, 9.1, 15.7, 21.9})
    EXPECT_NEAR(value_at(outcome.solution, "u", {{"t", kEnd}, {"x", x}}), peer.value(v, x), 1e-9) << x;
}

// --- Cole and Hopf ---

// Modes of u = 2 nu pi e sin(pi x)/(2 + e cos(pi x)), e = exp(-nu pi^2 t), fall by 2 - sqrt(3) at t = 0: the errors do.
TEST(FourierAnswers, ErrorsFallAsTheModesOfTheSolution) {
  const std::string burgers = R"yaml(
domain: {t: [0, 0.5], x: {range: [0, 2], basis: fourier}}
constants: {nu: 0.1}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = nu*dx(u,2)"]
initial: {u: "2*nu*pi*sin(pi*x)/(2 + cos(pi*x))"}
exact: {u: "2*nu*pi*exp(-nu*pi^2*t)*sin(pi*x)/(2 + exp(-nu*pi^2*t)*cos(pi*x))"}
resolution: {degree: {t: 14, x: M}}
verification: {estimate: off, tolerance: 1, tail: 1, residual: 1}
)yaml";
  double previous = 0.0;
  for (int highest : {4, 8, 12, 16}) {
    const double error = test::worst_error(test::run_case(replaced(burgers, "x: M", "x: " + std::to_string(highest))));
    if (previous > 0.0) {
      const double rate = std::pow(error / previous, 0.25);
      EXPECT_NEAR(rate, 2 - std::sqrt(3.0), 0.04) << highest;  // aliasing and the last mode's own error
    }
    previous = error;
  }
  EXPECT_LT(previous, 3e-9);  // 0.27^17 of 0.6 is 1e-10, the sum of the modes left out and their products
}

// --- integrals of what is not periodic ---

// int_0^2 x sin(pi x) dx = -2/pi: by equal weights it would be wrong by the square of their distance.
TEST(FourierAnswers, IntegralsOfAnswersNeedNotBePeriodic) {
  const RunOutcome outcome = test::run_case(R"yaml(
domain: {t: [0, 1], x: {range: [0, 2], basis: fourier}}
unknowns: [u]
equations: ["dt(u) = 0.1*dx(u,2)"]
initial: {u: "sin(pi*x) + 0.3*cos(3*pi*x)"}
resolution: {degree: {t: 16, x: 4}}
verification: {tail: 2}
)yaml");
  const double decay = std::exp(-0.1 * kPi * kPi * 0.4);
  EXPECT_NEAR(value_at(outcome.solution, "integral(x*u, x)", {{"t", 0.4}}), -2 / kPi * decay, 1e-11);
  const double of_squares = decay * decay + 0.09 * std::pow(decay, 18);
  EXPECT_NEAR(value_at(outcome.solution, "integral(u^2, x)", {{"t", 0.4}}), of_squares, 1e-11);
}

// --- the shortest series ---

TEST(FourierAnswers, ASingleMeanAndASingleWave) {
  const std::string decay = R"yaml(
domain: {t: [0, 1], x: {range: [0, 3], basis: fourier}}
unknowns: [u]
equations: ["dt(u) = -u + u*dx(u)"]
initial: {u: "2"}
exact: {u: "2*exp(-t)"}
resolution: {degree: {t: 12, x: 0}}
output: {grid: {x: 4}}
)yaml";
  const RunOutcome mean = test::run_case(decay);
  EXPECT_LT(test::worst_error(mean), 1e-12);
  EXPECT_EQ(mean.solution.fields[0].windows[0].shape, (Shape{13, 1}));
  const RunOutcome wave = test::run_case(R"yaml(
domain: {t: [0, 1], x: {range: [0, 3], basis: fourier}}
unknowns: [u]
equations: ["dt(u) + dx(u) = 0"]
initial: {u: "sin(2*pi*x/3)"}
exact: {u: "sin(2*pi*(x - t)/3)"}
resolution: {degree: {t: 12, x: 1}}
verification: {tail: 2}
output: {grid: {x: 5}}
)yaml");
  EXPECT_LT(test::worst_error(wave), 1e-10);
}

// --- manufactured solutions ---

double error_of_manufactured(const std::string& yaml) {
  const Case the_case = manufactured(problem_modules(), read_case_text(yaml, "test.yaml"));
  const RunOutcome outcome = make_problem(the_case)->run(Context::create(BackendChoice::cpu, 1), {});
  EXPECT_TRUE(outcome.complete) << outcome.report.reason;
  return test::worst_error(outcome);
}

TEST(FourierAnswers, ManufacturedInOneDimension) {
  EXPECT_LT(error_of_manufactured(R"yaml(
domain: {t: [0, 1], x: {range: [0, 2], basis: fourier}}
unknowns: [u, v]
equations: ["dt(u,2) = dx(u,2) - sin(u) + dx(v)", "v = dx(u) + u^2"]
exact: {u: "cos(t)*sin(pi*x)", v: "exp(cos(pi*x))"}
resolution: {degree: {t: 12, x: 14}}
)yaml"),
            1e-9);
}

TEST(FourierAnswers, ManufacturedInTwoDimensions) {
  EXPECT_LT(error_of_manufactured(R"yaml(
domain: {t: [0, 0.5], x: {range: [0, 2], basis: fourier}, y: {range: [-1, 1], basis: fourier}}
unknowns: [u, v]
equations: ["dt(u) + u*dx(u) + v*dy(u) = lap(u)", "dt(v) + u*dx(v) + v*dy(v) = lap(v)"]
exact: {u: "sin(pi*(x + 2*y))*exp(-t)", v: "cos(pi*(x - y))*(1 + t)"}
resolution: {degree: {t: 8, x: 3, y: 4}}
)yaml"),
            1e-8);
}

TEST(FourierAnswers, ManufacturedInThreeDimensionsOfBothKinds) {
  EXPECT_LT(error_of_manufactured(R"yaml(
domain: {t: [0, 0.5], x: {range: [0, 1], basis: fourier}, y: {range: [0, 2], basis: fourier}, z: [0, 1]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = 0.1*lap(u)"]
boundary: ["u(z=0) = 0", "u(z=1) = 0"]
exact: {u: "exp(-t)*sin(2*pi*x)*cos(pi*y)*z*(1 - z)"}
resolution: {degree: {t: 6, x: 2, y: 2, z: 4}}
)yaml"),
            1e-6);
}

}  // namespace
}  // namespace gwrm::fourier_answers_test
