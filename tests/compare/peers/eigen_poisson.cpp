// Eigen's solvers on the system that sbp_sat_bench writes: eigen_poisson FILE TOLERANCE [direct]
// A JSON line for each: seconds, iterations, and the solution's residual and error, found by poisson_peers.py from the
// files FILE.cg, FILE.jacobi (FILE.ldlt).
//   g++ -O3 -march=native -fopenmp -I/usr/include/eigen3 eigen_poisson.cpp -o eigen_poisson
#include <Eigen/Sparse>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;  // rows: Eigen's product is parallel for them
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

template <class T>
std::vector<T> read(std::ifstream& file, std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
  return values;
}

void finish(const std::string& path, const char* method, double setup, double solve, long iterations,
            const Eigen::VectorXd& u) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(u.data()), static_cast<std::streamsize>(u.size() * sizeof(double)));
  std::printf("{\"method\": \"%s\", \"setup_s\": %.4g, \"solve_s\": %.4g, \"iterations\": %ld, \"solution\": \"%s\"}\n",
              method, setup, solve, iterations, path.c_str());
  std::fflush(stdout);
}

template <class Solver>
void iterate(const Matrix& a, const Eigen::VectorXd& b, double tolerance, const std::string& path, const char* method) {
  auto begin = Clock::now();
  Solver solver;
  solver.setTolerance(tolerance);
  solver.setMaxIterations(100000);
  solver.compute(a);
  const double setup = seconds_since(begin);
  begin = Clock::now();
  const Eigen::VectorXd u = solver.solve(b);
  finish(path, method, setup, seconds_since(begin), static_cast<long>(solver.iterations()), u);
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
    auto begin = Clock::now();
    const Eigen::SparseMatrix<double> by_columns = a;
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(by_columns);
    const double setup = seconds_since(begin);
    begin = Clock::now();
    const Eigen::VectorXd u = solver.solve(b);
    finish(path + ".ldlt", "Eigen LDLT", setup, seconds_since(begin), 1, u);
  }
  return 0;
}
