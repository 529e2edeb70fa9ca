// The recurrences on the device beside what else one would use: times, bytes, errors, one JSON object a line.
//
//   recurrence_bench [largest power of two, default 28 [smallest, default 20 [anything: our own passes only]]]
//
// Problem P1 of the paper, -u'' = pi^2/4 cos(pi/2 x), u'(0) = 0, u(1) = 0, whose discrete solution is known:
// u_i = (z / sin z)^2 cos(pi/2 x_i), z = pi h/4; and the same with reaction, f = (pi^2/4 + k^2) cos(pi/2 x), whose
// discrete solution is a cos(pi/2 x_i) with a = f(0) / (k^2 + pi^2/4 (sin z / z)^2). Work below a millisecond is timed
// as the replay of a graph of 20 repeats, the rest by events; the median of 9. Bytes are those each method has to move
// (not those it moves).
#include "bench/recurrence/bench_solutions.cuh"
#include "kernels/recurrence/recurrence_device.cuh"
//
#include <cusparse.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_scan.cuh>
#include <numbers>
#include <string>
#include <type_traits>
#include <vector>

#include "core/context.hpp"
#include "core/errors.hpp"
#include "kernels/recurrence/recurrence_paper.cuh"

// Inside gwrm, since with its names at the top the libraries' own namespace `cuda` would be ambiguous.
namespace gwrm {
namespace {

using namespace gwrm::cuda;
using recurrence::DeviceClosure;
using recurrence::FillConstants;
using recurrence::Moments;
using std::numbers::pi;

constexpr int kRepeats = 20, kSamples = 9;

template <class Work>
double median_seconds(cudaStream_t stream, bool as_graph, Work work) {
  cudaEvent_t begin, end;
  GWRM_DEVICE(cudaEventCreate(&begin));
  GWRM_DEVICE(cudaEventCreate(&end));
  cudaGraphExec_t graph = nullptr;
  work();
  GWRM_DEVICE(cudaStreamSynchronize(stream));
  if (as_graph) {
    cudaGraph_t recorded;
    GWRM_DEVICE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < kRepeats; ++i) work();
    GWRM_DEVICE(cudaStreamEndCapture(stream, &recorded));
    GWRM_DEVICE(cudaGraphInstantiate(&graph, recorded, 0));
    GWRM_DEVICE(cudaGraphDestroy(recorded));
  }
  std::vector<double> seconds;
  for (int sample = 0; sample < kSamples; ++sample) {
    float milliseconds = 0.0f;
    GWRM_DEVICE(cudaEventRecord(begin, stream));
    if (as_graph)
      GWRM_DEVICE(cudaGraphLaunch(graph, stream));
    else
      work();
    GWRM_DEVICE(cudaEventRecord(end, stream));
    GWRM_DEVICE(cudaStreamSynchronize(stream));
    GWRM_DEVICE(cudaEventElapsedTime(&milliseconds, begin, end));
    seconds.push_back(1e-3 * milliseconds / (as_graph ? kRepeats : 1));
  }
  if (graph != nullptr) GWRM_DEVICE(cudaGraphExecDestroy(graph));
  GWRM_DEVICE(cudaEventDestroy(begin));
  GWRM_DEVICE(cudaEventDestroy(end));
  std::nth_element(seconds.begin(), seconds.begin() + kSamples / 2, seconds.end());
  return seconds[kSamples / 2];
}

double copy_ceiling = 0.0;  // bytes a second, read and written

void report(const char* method, int power, double seconds, double bytes_per_point, double error) {
  const double bytes = bytes_per_point * std::ldexp(1.0, power);
  std::printf(
      "{\"method\": \"%s\", \"n\": \"2^%d\", \"microseconds\": %.2f, \"bytes_per_point\": %g, \"TB_per_s\": %.3f, "
      "\"of_copy\": %.3f, \"error\": %.3e}\n",
      method, power, 1e6 * seconds, bytes_per_point, 1e-12 * bytes / seconds, bytes / seconds / copy_ceiling, error);
  std::fflush(stdout);
}

struct P1 {
  double h, h2;
  __host__ __device__ double operator()(long long i) const {
    return h2 *
           ((std::numbers::pi * std::numbers::pi / 4.0) *
            std::cos(std::numbers::pi / 2.0 * (h * static_cast<double>(i)))) *
           (i == 0 ? 0.5 : 1.0);
  }
};

__global__ void p1_kernel(P1 d, long long n, double* values) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) values[i] = d(i) * (i == 0 ? 2.0 : 1.0);
}

template <class Value>
__global__ void cosine_kernel(double amplitude, double h, long long n, Value* values) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = static_cast<Value>(amplitude * std::cos(std::numbers::pi / 2.0 * (h * static_cast<double>(i))));
}

// The paper's Fig. 4.
template <class Value>
__global__ void paper_set_kernel(Value* u, long long s, long long r) {
  const long long m = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (m >= r) return;
  const Value h = Value(1) / static_cast<Value>(s * r), h2 = h * h;
  for (long long k = 0; k < s; ++k) {
    const Value x = h * static_cast<Value>(m * s + k);
    const Value f = static_cast<Value>(std::numbers::pi * std::numbers::pi / 4.0) *
                    cos(static_cast<Value>(std::numbers::pi / 2.0) * x);
    u[m + k * r] = h2 * f * (m + k == 0 ? Value(0.5) : Value(1));
  }
}

constexpr double kP1Amplitude = pi * pi / 4.0;  // of its source

double reaction_amplitude(double rate) {
  return kP1Amplitude + rate * rate;
}

DoubleDouble rounded(long double a) {
  const double high = static_cast<double>(a);
  return {high, static_cast<double>(a - high)};
}

// Order 2 (boundary_closure.hpp): shooting for k <= 1, else two_sided. The state of a cos(pi/2 x) on the whole line:
// (w, s) before point 0, or P_{-1} = sum_{m >= 0} r^m f_{-1-m} and Q_n = sum_{m > 0} r^m f_{n+m}, geometric sums.
RecurrenceState reaction_start(Index n, double rate, long double amplitude, RecurrenceOperator& op) {
  const double h = 1.0 / static_cast<double>(n);
  const DoubleDouble scale = two_product(h, h), one{1.0, 0.0};
  const long double f = reaction_amplitude(rate), k2 = static_cast<long double>(rate) * rate;
  if (rate <= 1.0) {
    op = shooting_recurrence(scale, two_product(rate, rate), 0.0);
    return {rounded(amplitude), rounded((f - k2 * amplitude) / 2.0L), {}};
  }
  const DoubleDouble q = scale * two_product(rate, rate), half = q * 0.5;
  const DoubleDouble decay = q / (sqrt(q + half * half) + half), root = one - decay;
  op = two_sided_recurrence(scale * root / (decay * (one + root)), decay, decay, 0.0);
  const long double t = static_cast<long double>(decay.high) + decay.low, r = 1.0L - t;
  const long double angle = 2.0L * quarter_turn(n);  // pi/2 h; 1 - r e^(i angle) = real - i imaginary
  const long double real = t + 2.0L * r * std::sin(angle / 2.0L) * std::sin(angle / 2.0L);
  const long double imaginary = r * std::sin(angle), square = real * real + imaginary * imaginary;
  const long double cosine = std::cos(angle), sine = std::sin(angle);
  // The real parts of e^(i angle) / (1 - r e^(i angle)) and, a quarter turn further, of r times i this.
  return {rounded(f * (cosine * real - sine * imaginary) / square),
          rounded(-f * r * (cosine * imaginary + sine * real) / square),
          {}};
}

struct Bench {
  cudaStream_t stream = nullptr;
  DeviceBuffer u, f, moments, scratch, barrier;

  // w_0 and s_0 for u'(0) = 0, u(1) = 0 (docs/recurrence-bvp.md): s_0 = f_0/2, w_0 = F (n Z0 - Z1) - F n s_0.
  DeviceClosure closure(Index n, double s) const {
    const double h = 1.0 / static_cast<double>(n);
    const DoubleDouble scale = two_product(h, h);
    DeviceClosure closure{};
    closure.constant[1] = {s, 0.0};
    closure.constant[0] = -(scale * two_product(static_cast<double>(n), s));
    closure.by_zero[0] = scale * static_cast<double>(n);
    closure.by_one[0] = -scale;
    return closure;
  }

  template <class Value>
  void block_moments(const char* name, int power, const DeviceSource& source, double bytes, const Known& known = kP1) {
    const Index n = Index{1} << power;
    const double h = 1.0 / static_cast<double>(n);
    const RecurrenceGrid grid = recurrence_grid(n + 1);
    Value* const values = u.reserve<Value>(static_cast<std::size_t>(n) + 1);
    Moments* const sums = moments.reserve<Moments>(recurrence_moments(grid));
    const DeviceClosure start = closure(n, known.half_at_zero);
    const FillConstants constants{two_product(h, h), 0.0};
    const double seconds = median_seconds(stream, power <= 24, [&] {
      source.launch_moments(stream, grid, 0, 0.0, sums);
      source.launch_fill(stream, grid, 0, 0.0, sums, start, constants, values);
    });
    const auto exact = [&](long double x) { return known.solution(n, x); };
    report(name, power, seconds, bytes, error_against(values, n, exact, kNatural));
    if constexpr (std::is_same_v<Value, double>) {
      if (source.fits_on_chip(grid, constants.correction != 0.0))
        on_chip(name, power, source, grid, start, constants, exact);
    }
    if (power < 26) return;
    const double first = median_seconds(stream, false, [&] { source.launch_moments(stream, grid, 0, 0.0, sums); });
    std::printf("{\"pass\": \"moments of %s\", \"n\": \"2^%d\", \"microseconds\": %.2f}\n", name, power, 1e6 * first);
  }

  template <class Exact>
  void on_chip(const char* name, int power, const DeviceSource& source, const RecurrenceGrid& grid,
               const DeviceClosure& start, const FillConstants& constants, Exact exact) {
    unsigned* const arrived = barrier.reserve<unsigned>(1);
    GWRM_DEVICE(cudaMemset(arrived, 0, sizeof(unsigned)));
    double* const values = u.as<double>();
    GWRM_DEVICE(cudaMemset(values, 0, 8 * static_cast<std::size_t>(grid.n_points)));
    const double seconds = median_seconds(stream, true, [&] {
      source.launch_solve(stream, grid, moments.as<Moments>(), arrived, start, constants, values);
    });
    report((std::string(name) + ", one launch").c_str(), power, seconds, 8.0,
           error_against(values, Index{1} << power, exact, kNatural));
  }

  // k = `rate`: both passes of -u'' + k^2 u = f, from the state of the known solution at the ends.
  void reaction(const char* name, int power, double rate, const DeviceSource& source, double bytes) {
    const Index n = Index{1} << power;
    const long double k2 = static_cast<long double>(rate) * rate, z = quarter_turn(n);
    const long double f = reaction_amplitude(rate), lowest = std::numbers::pi_v<long double> / 2.0L * std::sin(z) / z;
    const long double amplitude = f / (k2 + lowest * lowest);
    RecurrenceOperator op;
    const RecurrenceState start = reaction_start(n, rate, amplitude, op);
    double* const values = u.reserve<double>(static_cast<std::size_t>(n) + 1);
    const auto passes = make_device_passes(op);
    const auto totals = [&] { passes->launch_totals(stream, source, 0, n + 1); };
    totals();  // makes the tables
    const double seconds = median_seconds(stream, power <= 24, [&] {
      totals();
      passes->launch_fill(stream, source, start, 0.0, values);
    });
    char title[100];
    std::snprintf(title, sizeof title, "%s, k = %g, %s", op.kind == RecurrenceKind::shooting ? "shooting" : "two-sided",
                  rate, name);
    report(title, power, seconds, bytes, error_of(values, n, amplitude, kNatural));
    if (power < 26) return;
    const double first = median_seconds(stream, false, totals);
    std::printf("{\"pass\": \"totals of %s\", \"n\": \"2^%d\", \"microseconds\": %.2f}\n", title, power, 1e6 * first);
  }

  template <class Value>
  Value* store_source(int power, double amplitude) {
    const Index n = Index{1} << power;
    const double h = 1.0 / static_cast<double>(n);
    Value* const values = f.reserve<Value>(static_cast<std::size_t>(n) + 1);
    cosine_kernel<<<static_cast<unsigned>(n / 256 + 1), 256, 0, stream>>>(amplitude, h, n + 1, values);
    GWRM_LAUNCHED(cosine_kernel);
    GWRM_DEVICE(cudaStreamSynchronize(stream));
    return values;
  }

  // y = running sums of d, u = running sums of y from behind: the paper's L and R by the library's scans.
  void two_scans(int power) {
    const Index n = Index{1} << power;
    const double h = 1.0 / static_cast<double>(n);
    double* const y = f.reserve<double>(static_cast<std::size_t>(n));
    double* const values = u.reserve<double>(static_cast<std::size_t>(n));
    const auto d = thrust::make_transform_iterator(thrust::make_counting_iterator<long long>(0), P1{h, h * h});
    const auto back = thrust::make_reverse_iterator(y + n);
    const auto to = thrust::make_reverse_iterator(values + n);
    std::size_t bytes = 0, more = 0;
    GWRM_DEVICE(cub::DeviceScan::InclusiveSum(nullptr, bytes, d, y, n, stream));
    GWRM_DEVICE(cub::DeviceScan::InclusiveSum(nullptr, more, back, to, n, stream));
    bytes = std::max(bytes, more);
    void* const work = scratch.reserve<char>(bytes);
    const double seconds = median_seconds(stream, power <= 24, [&] {
      GWRM_DEVICE(cub::DeviceScan::InclusiveSum(work, bytes, d, y, n, stream));
      GWRM_DEVICE(cub::DeviceScan::InclusiveSum(work, bytes, back, to, n, stream));
    });
    report("two cub::DeviceScan, evaluated", power, seconds, 24.0,
           error_of(values, n, discrete_amplitude(n), kNatural));
  }

  void tridiagonal_solver(int power) {
    const int n = 1 << power;
    const double h = 1.0 / n;
    cusparseHandle_t handle = nullptr;
    if (cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS ||
        cusparseSetStream(handle, stream) != CUSPARSE_STATUS_SUCCESS)
      throw DeviceError("cuSPARSE does not start");
    std::vector<double> lower(n, -1.0), diagonal(n, 2.0), upper(n, -1.0);
    lower[0] = 0.0;
    diagonal[0] = 1.0;
    upper[n - 1] = 0.0;
    double* const matrix = f.reserve<double>(4 * static_cast<std::size_t>(n));
    for (int i = 0; i < 3; ++i)
      GWRM_DEVICE(cudaMemcpy(matrix + static_cast<Index>(i) * n,
                             (i == 0   ? lower
                              : i == 1 ? diagonal
                                       : upper)
                                 .data(),
                             8 * static_cast<std::size_t>(n), cudaMemcpyHostToDevice));
    double* const d = matrix + 3 * static_cast<Index>(n);
    double* const values = u.reserve<double>(static_cast<std::size_t>(n));
    p1_kernel<<<static_cast<unsigned>(n / 256), 256, 0, stream>>>(P1{h, h * h}, n, d);
    GWRM_LAUNCHED(p1_kernel);
    std::size_t bytes = 0;
    cusparseStatus_t status = cusparseDgtsv2_nopivot_bufferSizeExt(
        handle, n, 1, matrix, matrix + n, matrix + 2 * static_cast<Index>(n), values, n, &bytes);
    void* const work = scratch.reserve<char>(bytes);
    const double half = P1{h, h * h}(0);
    const double seconds = median_seconds(stream, false, [&] {
      GWRM_DEVICE(cudaMemcpyAsync(values, d, 8 * static_cast<std::size_t>(n), cudaMemcpyDeviceToDevice, stream));
      GWRM_DEVICE(cudaMemcpyAsync(values, &half, 8, cudaMemcpyHostToDevice, stream));
      if (status == CUSPARSE_STATUS_SUCCESS)
        status = cusparseDgtsv2_nopivot(handle, n, 1, matrix, matrix + n, matrix + 2 * static_cast<Index>(n), values, n,
                                        work);
    });
    if (status != CUSPARSE_STATUS_SUCCESS) throw DeviceError("cusparseDgtsv2_nopivot failed");
    report("cusparseDgtsv2_nopivot, stored", power, seconds, 40.0,
           error_of(values, n, discrete_amplitude(n), kNatural));
    static_cast<void>(cusparseDestroy(handle));
  }

  template <class Value, class Carry>
  void paper(const char* name, int power) {
    const Index r = Index{1} << (power / 2), n = r * r;
    Value* const values = u.reserve<Value>(static_cast<std::size_t>(n));
    Value* row = nullptr;
    GWRM_DEVICE(cudaMallocHost(&row, static_cast<std::size_t>(r) * sizeof(Value)));
    const double seconds = median_seconds(stream, false, [&] {
      paper_set_kernel<<<static_cast<unsigned>((r + 127) / 128), 128, 0, stream>>>(values, r, r);
      GWRM_LAUNCHED(paper_set_kernel);
      divide_and_conquer<Value, Carry>(stream, r, r, values, row);
    });
    GWRM_DEVICE(cudaFreeHost(row));
    report(name, power, seconds, 9.0 * sizeof(Value),
           error_of(values, n, 1.0L, [r](Index k) { return k % r * r + k / r; }));
  }
};

// As gwrm writes it.
DeviceExpression cosine_expression(int power, double amplitude) {
  char statements[200];
  std::snprintf(statements, sizeof statements, "const double v0 = %a * a0;\nreturn v0;\n", amplitude);
  return {statements,
          "x",
          0.0,
          std::ldexp(1.0, -power),
          1.0,
          Index{1} << power,
          {{AffineCall::Function::cosine, pi / 2.0, 0.0}},
          {amplitude}};
}

// As it would be if the cosine's argument were not affine.
DeviceExpression p1_by_calls(int power) {
  char statements[200];
  std::snprintf(statements, sizeof statements, "const double v0 = %a * x_;\nreturn %a * cos(v0);\n", pi / 2.0,
                kP1Amplitude);
  return {statements, "x", 0.0, std::ldexp(1.0, -power), 1.0, Index{1} << power};
}

// Costs next to nothing: what the passes themselves take.
DeviceExpression polynomial(int power) {
  return {"return x_ * (1.0 - x_);\n", "x", 0.0, std::ldexp(1.0, -power), 1.0, Index{1} << power};
}

void measure(int smallest, int largest, bool passes_only) {
  const Context context = Context::create(BackendChoice::cuda);
  Bench bench;
  bench.stream = context.device()->stream;
  const std::size_t bytes = std::size_t{1} << 31;
  char* const from = bench.f.reserve<char>(bytes);
  char* const to = bench.u.reserve<char>(bytes);
  const double copy = median_seconds(bench.stream, false, [&] {
    GWRM_DEVICE(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, bench.stream));
  });
  copy_ceiling = 2.0 * static_cast<double>(bytes) / copy;
  std::printf("{\"device\": \"%s\", \"copy_TB_per_s\": %.3f}\n", context.device_name().c_str(), 1e-12 * copy_ceiling);
  for (int power = smallest; power <= largest; power += 2) {
    const auto evaluated = expression_source(cosine_expression(power, kP1Amplitude));
    bench.block_moments<double>("moments, evaluated", power, *evaluated, 8.0);
    bench.block_moments<double>("moments, evaluated, a call each", power, *expression_source(p1_by_calls(power)), 8.0);
    bench.block_moments<double>("moments, evaluated polynomial", power, *expression_source(polynomial(power)), 8.0,
                                kPolynomial);
    bench.block_moments<float>("moments, evaluated, stored single", power, *evaluated, 4.0);
    bench.block_moments<double>("moments, stored", power,
                                *stored_source(bench.store_source<double>(power, kP1Amplitude)), 24.0);
    bench.block_moments<float>("moments, stored, all single", power,
                               *stored_source(bench.store_source<float>(power, kP1Amplitude)), 12.0);
    for (const double rate : {1.0, 100.0}) {
      const RecurrenceKind kind = rate <= 1.0 ? RecurrenceKind::shooting : RecurrenceKind::two_sided;
      const double amplitude = reaction_amplitude(rate);
      const double* const stored = bench.store_source<double>(power, amplitude);
      bench.reaction("evaluated", power, rate, *expression_source(cosine_expression(power, amplitude), kind), 8.0);
      bench.reaction("stored", power, rate, *stored_source(stored, kind), 24.0);
    }
    if (passes_only) continue;
    bench.two_scans(power);
    if (power <= 24) bench.tridiagonal_solver(power);
    bench.paper<double, double>("paper A2D", power);
    bench.paper<float, float>("paper A2S", power);
    bench.paper<float, double>("paper A2SD", power);
  }
}

}  // namespace
}  // namespace gwrm

int main(int argc, char** argv) {
  try {
    const int largest = argc > 1 ? std::atoi(argv[1]) : 28;
    gwrm::measure(argc > 2 ? std::atoi(argv[2]) : 20, largest, argc > 3);
  } catch (const gwrm::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.status());
  }
  return 0;
}
