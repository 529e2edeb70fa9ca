// The recurrences on the CPU: the paper's algorithms and the block moments, one JSON object a line.
//
//   recurrence_cpu_bench [largest power of two, default 26 [threads, default all]]
//
// Problem P1 of the paper, as in recurrence_bench.cu, its right-hand side in memory. Medians of five; bytes are those
// each method has to move: A1 and A2 replace their array twice (32 or, in single precision, 16 bytes a point), the
// block moments read the right-hand side twice and write the solution once (24).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <vector>

#include "bench/measure/ceilings.hpp"
#include "bench/measure/timing.hpp"
#include "core/context.hpp"
#include "core/threads.hpp"
#include "kernels/recurrence/recurrence_solver.hpp"

namespace gwrm {
namespace {

using std::numbers::pi;

double source(Index i, Index n) {
  return pi * pi / 4.0 * std::cos(pi / 2.0 * (static_cast<double>(i) / static_cast<double>(n)));
}

class Bench {
 public:
  Bench(const Context& context, int power)
      : context_(context), power_(power), n_(Index{1} << power), f_(static_cast<std::size_t>(n_) + 1) {
#pragma omp parallel for num_threads(context.n_threads())
    for (Index i = 0; i <= n_; ++i) f_[static_cast<std::size_t>(i)] = source(i, n_);
  }

  void moments(double copy) {
    const double h = 1.0 / static_cast<double>(n_);
    const RecurrenceOperator op = poisson_recurrence(two_product(h, h), 0.0);
    const auto solver = make_recurrence_solver(context_, op, {f_.data(), nullptr, {}}, n_ + 1, false);
    const double slope = h * f_.front() / 2.0;  // u'(0) = 0 of order 2
    const Timing time =
        repeated([] {},
                 [&] {
                   const RecurrenceState totals = solver->totals();
                   // w_0 so that u(1) = 0: the state after n steps; totals() makes n + 1 of the zero state.
                   const double n = static_cast<double>(n_);
                   const DoubleDouble last = totals.first - op.scale * totals.second;
                   solver->fill({-(last + op.scale * (two_product(n, slope / h))), {slope / h, 0.0}, {}}, 0.0);
                 });
    report("moments", time.median, 24.0, copy, [&](Index i) {
      double u = 0.0;
      solver->gather({&i, 1}, &u);
      return u;
    });
  }

  template <class Value>
  void paper(const char* name, PaperAlgorithm algorithm, double copy) {
    const double h2 = std::ldexp(1.0, -2 * power_);
    std::vector<Value> u(static_cast<std::size_t>(n_));
    const auto fill = [&] {
#pragma omp parallel for num_threads(context_.n_threads())
      for (Index i = 0; i < n_; ++i)
        u[static_cast<std::size_t>(i)] =
            static_cast<Value>(h2 * f_[static_cast<std::size_t>(i)] * (i == 0 ? 0.5 : 1.0));
    };
    const Timing time =
        repeated(fill, [&] { paper_recurrence(context_, algorithm, square_columns(n_), std::span(u)); });
    report(name, time.median, 4.0 * sizeof(Value), copy,
           [&](Index i) { return static_cast<double>(u[static_cast<std::size_t>(i)]); });
  }

 private:
  static Timing repeated(const std::function<void()>& before, const std::function<void()>& work) {
    std::vector<double> seconds;
    for (int run = 0; run < 6; ++run) {
      before();
      const auto began = std::chrono::steady_clock::now();
      work();
      if (run > 0) seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    }
    return summarised(std::move(seconds));
  }

  // error: relative 2-norm of the difference to the discrete solution, at 65536 points.
  template <class At>
  void report(const char* method, double seconds, double bytes, double copy, At at) const {
    const long double z = std::numbers::pi_v<long double> / 4.0L / static_cast<long double>(n_);
    const long double factor = z / std::sin(z) * (z / std::sin(z));
    long double difference = 0.0L, size = 0.0L;
    for (Index i = 0; i < n_; i += std::max<Index>(1, n_ >> 16)) {
      const long double x = static_cast<long double>(i) / static_cast<long double>(n_);
      const long double exact = factor * std::cos(std::numbers::pi_v<long double> / 2.0L * x);
      difference += (at(i) - exact) * (at(i) - exact);
      size += exact * exact;
    }
    const double rate = bytes * static_cast<double>(n_) / seconds;
    std::printf(
        "{\"method\": \"%s\", \"n\": \"2^%d\", \"threads\": %d, \"milliseconds\": %.3f, \"GB_per_s\": %.2f, "
        "\"of_copy\": %.2f, \"error\": %.2e}\n",
        method, power_, context_.n_threads(), 1e3 * seconds, 1e-9 * rate, rate / copy,
        static_cast<double>(std::sqrt(difference / size)));
    std::fflush(stdout);
  }

  Context context_;
  int power_;
  Index n_;
  std::vector<double> f_;
};

}  // namespace
}  // namespace gwrm

int main(int count, char** arguments) {
  using namespace gwrm;
  const int largest = count > 1 ? std::atoi(arguments[1]) : 26, threads = count > 2 ? std::atoi(arguments[2]) : 0;
  const Context context = Context::create(BackendChoice::cpu, threads);
  set_loop_threads(context.n_threads());
  const double copy = measure_ceilings(context).copy;
  std::printf("{\"copy_GB_per_s\": %.2f}\n", 1e-9 * copy);
  for (int power = 20; power <= largest; power += 2) {
    Bench bench(context, power);
    bench.moments(copy);
    bench.paper<double>("paper A1D", PaperAlgorithm::a1d, copy);
    bench.paper<double>("paper A2D", PaperAlgorithm::a2d, copy);
    bench.paper<float>("paper A2SD", PaperAlgorithm::a2sd, copy);
  }
}
