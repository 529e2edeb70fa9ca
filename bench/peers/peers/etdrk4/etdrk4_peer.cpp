// A periodic problem by Fourier collocation (FFTW) and exponential steps of fourth order: the peer of gwrm's Fourier
// axes.
//
//   etdrk4_peer CASE ANSWER.npy --n NX[,NY] --steps STEPS_PER_OUTPUT_INTERVAL [--dealias] [--plan
//   estimate|measure|patient] etdrk4_peer CASE --points
//
// Writes the fields at the check points, (field, t, y, x) or (field, t, x) of doubles, and prints
//   seconds S  set-up S  last modes M
// where seconds are those of the steps alone and set-up those of plans and coefficients. `--points`: the check points
// as JSON and nothing else. One thread. Compiled by etdrk4_cpp.py:
//   c++ -std=c++20 -O3 -march=native -ffast-math etdrk4_peer.cpp problems.cpp -lfftw3 -o etdrk4_peer
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

#include "problems.hpp"
#include "stepper.hpp"

namespace {

using namespace etdrk4;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct Options {
  std::string name, answer;
  int nx = 0, ny = 0, steps = 0;
  bool dealias = false, points = false;
  unsigned effort = FFTW_MEASURE;
};

Options parse(int argc, char** argv) {
  Options options;
  auto value = [&](int& i) {
    if (++i == argc) throw std::invalid_argument(std::string(argv[i - 1]) + " needs a value");
    return std::string(argv[i]);
  };
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--n") {
      const std::string sizes = value(i);
      const auto comma = sizes.find(',');
      options.nx = std::stoi(sizes);
      options.ny = comma == std::string::npos ? options.nx : std::stoi(sizes.substr(comma + 1));
    } else if (word == "--steps") {
      options.steps = std::stoi(value(i));
    } else if (word == "--plan") {
      const std::string plan = value(i);
      if (plan != "estimate" && plan != "measure" && plan != "patient") throw std::invalid_argument("--plan " + plan);
      options.effort = plan == "estimate" ? FFTW_ESTIMATE : plan == "measure" ? FFTW_MEASURE : FFTW_PATIENT;
    } else if (word == "--dealias") {
      options.dealias = true;
    } else if (word == "--points") {
      options.points = true;
    } else {
      (options.name.empty() ? options.name : options.answer) = word;
    }
  }
  const bool sizes_fit = options.nx >= 4 && options.ny >= 4 && options.nx % 2 == 0 && options.ny % 2 == 0;
  if (!options.points && (options.answer.empty() || options.steps < 1 || !sizes_fit))
    throw std::invalid_argument("etdrk4_peer CASE ANSWER.npy --n NX[,NY] (even, from 4) --steps STEPS");
  return options;
}

// Values at the check points: a transform on a finer grid that contains them; modes beyond the highest are zero, and
// half of a highest mode counts as either sign.
class Sampler {
 public:
  Sampler(const Grid& grid, const CheckPoints& check)
      : grid_(grid), check_(check), fine_(refined(grid, check)), transform_(fine_, 1, FFTW_ESTIMATE) {}

  void append(const Complex* modes, std::vector<double>& answer) {
    Complex* fine = transform_.modes(0);
    std::fill_n(fine, fine_.n_modes(), Complex{});
    for (int j = 0; j < grid_.ny; ++j) {
      const int q = Grid::signed_index(j, grid_.ny);
      const bool top = grid_.ny > 1 && 2 * j == grid_.ny && fine_.ny > grid_.ny;
      for (int i = 0; i < grid_.half(); ++i) {
        const bool right = 2 * i == grid_.nx && fine_.nx > grid_.nx;
        const Complex mode = modes[j * grid_.half() + i] * (right ? 0.5 : 1.0) * (top ? 0.5 : 1.0);
        fine[row(q) * fine_.half() + i] += mode;
        if (top) fine[row(-q) * fine_.half() + i] += mode;
      }
    }
    transform_.backward();
    const double* values = transform_.values(0);
    const int stride_x = fine_.nx / check_.n_intervals, stride_y = fine_.ny / check_.n_intervals;
    for (int q = 0; q < (fine_.ny > 1 ? check_.n_points : 1); ++q)
      for (int p = 0; p < check_.n_points; ++p)
        answer.push_back(values[(q * stride_y) % fine_.ny * fine_.nx + (p * stride_x) % fine_.nx]);
  }

 private:
  static Grid refined(const Grid& grid, const CheckPoints& check) {
    auto multiple = [&](int n) { return (n + check.n_intervals - 1) / check.n_intervals * check.n_intervals; };
    return {multiple(grid.nx), grid.ny > 1 ? multiple(grid.ny) : 1, grid.start, grid.length};
  }
  int row(int q) const { return (q + fine_.ny) % fine_.ny; }

  Grid grid_;
  CheckPoints check_;
  Grid fine_;
  PeriodicTransform transform_;
};

void write_npy(const std::string& path, const std::string& shape, const std::vector<double>& values) {
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  const auto length = static_cast<std::uint16_t>(header.size());
  file.write("\x93NUMPY\x01\x00", 8);
  file.write(reinterpret_cast<const char*>(&length), 2);
  file << header;
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(double)));
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

// Marches through all output intervals and returns the seconds of the steps.
template <class Number>
double march(const std::vector<Complex>& linear, const Case& chosen, int steps, Problem& problem, Buffer<Complex>& u,
             Clock::time_point begin, double& set_up, const std::function<void()>& sample) {
  const double step = chosen.check.end / (chosen.check.n_times - 1) / steps;
  Stepper<Number> stepper(linear, step);
  const typename Stepper<Number>::Nonlinear nonlinear = [&](const Complex* modes, Complex* result) {
    problem.nonlinear(modes, result);
  };
  set_up = seconds_since(begin);
  double seconds = 0;
  sample();
  for (int interval = 1; interval < chosen.check.n_times; ++interval) {
    const auto start = Clock::now();
    for (int i = 0; i < steps; ++i) stepper.step(u.data(), nonlinear);
    seconds += seconds_since(start);
    sample();
  }
  return seconds;
}

void run(const Options& options) {
  const auto begin = Clock::now();
  const Case& chosen = find_case(options.name);
  const CheckPoints& check = chosen.check;
  if (options.points) {
    std::printf(R"({"dimensions": %d, "start": %.17g, "length": %.17g, "end": %.17g, "times": %d, "intervals": %d, )"
                R"("points": %d})"
                "\n",
                chosen.dimensions, chosen.start, chosen.length, check.end, check.n_times, check.n_intervals,
                check.n_points);
    return;
  }
  const Grid grid{options.nx, chosen.dimensions > 1 ? options.ny : 1, chosen.start, chosen.length};
  const auto problem = chosen.make(grid, options.dealias, options.effort);
  const int n_fields = problem->n_fields();
  const std::size_t n_modes = static_cast<std::size_t>(grid.n_modes());
  PeriodicTransform fields(grid, n_fields, FFTW_ESTIMATE);
  Buffer<Complex> u(n_fields * n_modes);
  std::vector<Complex> linear;
  for (int field = 0; field < n_fields; ++field)
    for (int j = 0; j < grid.ny; ++j) {
      for (int i = 0; i < grid.nx; ++i)
        fields.values(field)[j * grid.nx + i] = problem->start(field, grid.x(i), grid.y(j));
      for (int i = 0; i < grid.half(); ++i) linear.push_back(problem->linear(field, grid.kx(i), grid.ky(j)));
    }
  fields.forward();
  for (std::size_t m = 0; m < n_fields * n_modes; ++m) u[m] = grid.scale() * fields.modes(0)[m];

  Sampler sampler(grid, check);
  std::vector<std::vector<double>> answers(n_fields);
  const auto sample = [&] {
    for (int field = 0; field < n_fields; ++field) sampler.append(u.data() + field * n_modes, answers[field]);
  };
  double set_up = 0;
  const double seconds = problem->linear_is_real()
                             ? march<double>(linear, chosen, options.steps, *problem, u, begin, set_up, sample)
                             : march<Complex>(linear, chosen, options.steps, *problem, u, begin, set_up, sample);

  std::vector<double> all;
  for (const auto& answer : answers) all.insert(all.end(), answer.begin(), answer.end());
  std::string shape = std::to_string(n_fields) + ", " + std::to_string(check.n_times);
  for (int axis = 0; axis < chosen.dimensions; ++axis) shape += ", " + std::to_string(check.n_points);
  write_npy(options.answer, shape, all);
  double tail_x = 0, tail_y = 0;  // the last two wavenumbers of each axis, at the end
  for (std::size_t field = 0; field < static_cast<std::size_t>(n_fields); ++field)
    for (int j = 0; j < grid.ny; ++j)
      for (int i = 0; i < grid.half(); ++i) {
        const double size = std::abs(u[field * n_modes + j * grid.half() + i]);
        if (i >= grid.half() - 2) tail_x = std::max(tail_x, size);
        if (grid.ny > 1 && std::abs(Grid::signed_index(j, grid.ny)) >= grid.ny / 2 - 1) tail_y = std::max(tail_y, size);
      }
  std::printf("seconds %.6f  set-up %.6f  last modes x %.1e y %.1e\n", seconds, set_up, tail_x, tail_y);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(parse(argc, argv));
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
