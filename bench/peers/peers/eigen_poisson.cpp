// Eigen's solvers on the system that sbp_sat_bench writes: eigen_poisson FILE TOLERANCE [direct]
// A JSON line for each: seconds, iterations, and the solution's residual and error, found by poisson_peers.py from the
// files FILE.cg, FILE.jacobi (FILE.ldlt).
//   g++ -O3 -march=native -fopenmp -I/usr/include/eigen3 eigen_poisson.cpp -o eigen_poisson
#include <Eigen/Sparse>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;  // rows: Eigen's product is parallel for them
using Clock = std::chrono::steady_clock;

struct Spent {
  double seconds, cpu_seconds;
};

class Watch {
 public:
  Spent spent() const {
    return {std::chrono::duration<double>(Clock::now() - begin_).count(),
            static_cast<double>(std::clock() - cpu_begin_) / CLOCKS_PER_SEC};
  }

 private:
  Clock::time_point begin_ = Clock::now();
  std::clock_t cpu_begin_ = std::clock();
};

template <class T>
std::vector<T> read(std::ifstream& file, std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
  return values;
}

void finish(const std::string& path, const char* method, Spent setup, Spent solve, long iterations,
            const Eigen::VectorXd& u) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(u.data()), static_cast<std::streamsize>(u.size() * sizeof(double)));
  std::printf(
      "{\"method\": \"%s\", \"setup_s\": %.4g, \"solve_s\": %.4g, \"setup_cpu_s\": %.4g, "
      "\"solve_cpu_s\": %.4g, \"iterations\": %ld, \"solution\": \"%s\"}\n",
      method, setup.seconds, solve.seconds, setup.cpu_seconds, solve.cpu_seconds, iterations, path.c_str());
  std::fflush(stdout);
}

template <class Solver>
void iterate(const Matrix& a, const Eigen::VectorXd& b, double tolerance, const std::string& path, const char* method) {
  Watch begin;
  Solver solver;
  solver.setTolerance(tolerance);
  solver.setMaxIterations(100000);
  solver.compute(a);
  const Spent setup = begin.spent();
  begin = Watch();
  const Eigen::VectorXd u = solver.solve(b);
  finish(path, method, setup, begin.spent(), static_cast<long>(solver.iterations()), u);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string path = argv[1];
  const double tolerance = std::stod(argv[2]);
  std::ifstream file(path, std::ios::binary);
  const auto sizes = read<std::int64_t>(file, 2);
  const std::int64_t n = sizes.at(0), entries = sizes.at(1);
  const auto starts = read<std::int64_t>(file, n + 1);
  const auto columns = read<std::int32_t>(file, entries);
  const auto values = read<double>(file, entries);
  const auto b_values = read<double>(file, n);
  if (!file) return 1;
  const std::vector<int> narrow(starts.begin(), starts.end());
  const Eigen::Map<const Matrix> mapped(n, n, entries, narrow.data(), columns.data(), values.data());
  const Matrix a = mapped;
  const Eigen::VectorXd b = Eigen::Map<const Eigen::VectorXd>(b_values.data(), n);
  using Eigen::ConjugateGradient;
  constexpr int both = Eigen::Lower | Eigen::Upper;
  iterate<ConjugateGradient<Matrix, both, Eigen::IdentityPreconditioner>>(a, b, tolerance, path + ".cg", "Eigen CG");
  iterate<ConjugateGradient<Matrix, both, Eigen::DiagonalPreconditioner<double>>>(a, b, tolerance, path + ".jacobi",
                                                                                  "Eigen CG + Jacobi");
  if (argc > 3) {
    Watch begin;
    const Eigen::SparseMatrix<double> by_columns = a;
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(by_columns);
    const Spent setup = begin.spent();
    begin = Watch();
    const Eigen::VectorXd u = solver.solve(b);
    finish(path + ".ldlt", "Eigen LDLT", setup, begin.spent(), 1, u);
  }
  return 0;
}
