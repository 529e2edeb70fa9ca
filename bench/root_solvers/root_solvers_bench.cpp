// Prints a markdown table: how many iterations each root solver takes on the cosine systems, and from how many starts.
//
//     root_solvers_bench [LIMIT]     LIMIT: most iterations per start, 200 if not given
//
// The systems are those on which the semi-implicit root solver was presented (Scheffel and Hakansson 2009):
//   n = 1: x = 2 cos x;   n > 1: x_i = cos x_{i+1} for i < n, x_n = 3 cos x_1.
// A start counts as solved if the solver says so and f vanishes there; iterations are those of the solved starts.
// Random starts are uniform in [-5, 5]^n, drawn from the bits of a fixed generator, the same on every machine.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/context.hpp"
#include "core/version.hpp"
#include "solver/dense_solver.hpp"
#include "solver/newton.hpp"

namespace gwrm {
namespace {

constexpr int kDefaultLimit = 200;
constexpr double kTolerance = 1e-12;
constexpr double kRootResidual = 1e-9;  // cond of J up to 1000 here: corrections of 1e-12 leave less

class CosineChain : public NonlinearSystem {
 public:
  explicit CosineChain(std::size_t n) : n_(n), last_factor_(n == 1 ? 2.0 : 3.0) {}
  Index size() const override { return static_cast<Index>(n_); }
  void residual(std::span<const double> x, std::span<double> f) override {
    for (std::size_t i = 0; i < n_; ++i) f[i] = x[i] - factor(i) * std::cos(x[next(i)]);
  }
  void jacobian(std::span<const double> x, std::span<double> matrix) override {
    std::fill(matrix.begin(), matrix.end(), 0.0);
    for (std::size_t i = 0; i < n_; ++i) {
      matrix[i + i * n_] += 1.0;
      matrix[i + next(i) * n_] += factor(i) * std::sin(x[next(i)]);
    }
  }

 private:
  std::size_t next(std::size_t i) const { return (i + 1) % n_; }
  double factor(std::size_t i) const { return i + 1 == n_ ? last_factor_ : 1.0; }

  std::size_t n_;
  double last_factor_;
};

using Start = std::vector<double>;

struct Counts {
  std::size_t solved = 0;
  double mean_iterations = 0.0;
  std::size_t most_iterations = 0;
};

Counts count(const Context& context, Globalisation globalisation, int limit, const std::vector<Start>& starts) {
  Counts counts;
  CosineChain system(starts.front().size());
  std::size_t iterations = 0;
  for (const Start& start : starts) {
    Start x = start, f(start.size());
    const auto lu = make_dense_lu(context);
    DenseSolver corrections(system, *lu);
    const NewtonResult result = newton(system, x, {kTolerance, limit, globalisation}, corrections);
    system.residual(x, f);
    const bool root = std::all_of(f.begin(), f.end(), [](double value) { return std::abs(value) < kRootResidual; });
    if (!succeeded(result.status) || !root) continue;
    ++counts.solved;
    iterations += result.iterations.size();
    counts.most_iterations = std::max(counts.most_iterations, result.iterations.size());
  }
  counts.mean_iterations =
      static_cast<double>(iterations) / static_cast<double>(std::max<std::size_t>(counts.solved, 1));
  return counts;
}

std::vector<Start> square_of_starts() {
  std::vector<Start> starts;
  for (int i = 0; i <= 50; ++i)
    for (int j = 0; j <= 50; ++j) starts.push_back({(i - 25) / 5.0, (j - 25) / 5.0});
  return starts;
}

std::vector<Start> random_starts(std::size_t n, std::size_t how_many) {
  std::mt19937_64 generator(20090401);
  std::vector<Start> starts(how_many, Start(n));
  for (Start& start : starts)
    for (double& value : start) value = std::ldexp(static_cast<double>(generator() >> 11), -53) * 10.0 - 5.0;
  return starts;
}

std::string cell(const Counts& counts, std::size_t n_starts) {
  if (counts.solved == 0) return n_starts == 1 ? "not solved" : "none";
  if (n_starts == 1) return fmt::format("{}", counts.most_iterations);
  return fmt::format("{}: {:.1f} ({})", counts.solved, counts.mean_iterations, counts.most_iterations);
}

void print_table(const Context& context, int limit) {
  struct Row {
    std::string system;
    std::vector<Start> starts;
  };
  const std::array<Row, 4> rows{Row{"1 unknown, from 2", {{2.0}}},
                                Row{"2 unknowns, 51 x 51 starts", square_of_starts()},
                                Row{"3 unknowns, 200 random starts", random_starts(3, 200)},
                                Row{"1000 unknowns, 5 random starts", random_starts(1000, 5)}};
  fmt::print("gwrm {}; solved: mean iterations (most), at most {} iterations, tolerance {:.0e}\n\n", git_revision(),
             limit, kTolerance);
  fmt::print("| system | none | natural | sir | anderson |\n|---|---|---|---|---|\n");
  for (const Row& row : rows) {
    fmt::print("| {} |", row.system);
    for (Globalisation globalisation :
         {Globalisation::none, Globalisation::natural, Globalisation::sir, Globalisation::anderson})
      fmt::print(" {} |", cell(count(context, globalisation, limit, row.starts), row.starts.size()));
    fmt::print("\n");
  }
}

}  // namespace
}  // namespace gwrm

int main(int argc, char** argv) {
  const int limit = argc > 1 ? std::atoi(argv[1]) : gwrm::kDefaultLimit;
  if (argc > 2 || limit < 1) {
    fmt::print(stderr, "usage: root_solvers_bench [LIMIT]\n");
    return 2;
  }
  // One thread: most of the systems are tiny.
  gwrm::print_table(gwrm::Context::create(gwrm::BackendChoice::cpu, 1), limit);
  return 0;
}
