#include "kernels/recurrence_program.hpp"

#include <fmt/format.h>

#include <cctype>

#include "kernels/recurrence_text.hpp"

namespace gwrm {
namespace {

// Upper-case words are replaced. Affine calls are evaluated at the first of 16 points and follow at the others by the
// addition theorem, with the values of the steps between from a table.
constexpr const char* kBeforeStatements = R"code(
namespace gwrm {
namespace recurrence {
struct ExpressionValues {
  static constexpr int kUnrolled = UNROLLED;
  double lower, step, upper, shift, offset;
  long long until_last;
  struct Near {
    long long i;
    double index, first[CALLS + 1], second[CALLS + 1];
  };
  static __device__ double* table() {
    __shared__ double steps[2 * CALLS + 1][kItems];
    return steps[0];
  }
  __device__ void prepare() const {
    if (CALLS == 0) return;
    if (threadIdx.x < kItems) {
      const int m = threadIdx.x;
      const double distance = step * (m * kLanes);
      double* const steps = table() + m;
TABLES    }
    __syncthreads();
  }
  __device__ Near near(long long i) const {
    Near result;
    result.i = i;
    result.index = static_cast<double>(i) + offset;
    const double x = lower + step * result.index;
FIRSTS    return result;
  }
  __device__ double operator()(const Near& near, int m) const {
    const double x = near.i + m * kLanes == until_last ? upper : lower + step * (near.index + m * kLanes);
    return value(x, near, table() + m) + shift;
  }
  static __device__ double value(double COORDINATE_, const Near& near, const double* steps) {
CALLED)code";

constexpr const char* kBehindStatements = R"code(
  }
};
}
}
using namespace gwrm;
using namespace gwrm::recurrence;
extern "C" __global__ void __launch_bounds__(kThreads, kResident) moments_kernel(ExpressionValues f, long long n,
    long long tiles, Moments* of_warps, Moments* of_blocks) {
  moments_of_block(f, n, tiles, of_warps, of_blocks);
}
#define GWRM_FILL(NAME, CORRECTED, VALUE) \
extern "C" __global__ void __launch_bounds__(kThreads, kResident) NAME(ExpressionValues f, long long n, long long tiles, \
    const Moments* of_warps, const Moments* of_blocks, int n_blocks, DeviceClosure closure, FillConstants constants, \
    VALUE* u) { \
  fill_block<CORRECTED>(f, n, tiles, of_warps, of_blocks, n_blocks, closure, constants, u); \
}
extern "C" __global__ void __launch_bounds__(kThreads, kResident) solve_kernel(ExpressionValues f, long long n,
    Moments* of_blocks, unsigned* barrier, DeviceClosure closure, FillConstants constants, double* u) {
  solve_on_chip<false>(f, n, of_blocks, barrier, closure, constants, u);
}
GWRM_FILL(fill_double, false, double)
GWRM_FILL(fill_double_corrected, true, double)
GWRM_FILL(fill_single, false, float)
GWRM_FILL(fill_single_corrected, true, float)
)code";

// What affine call k adds to prepare(), near() and value().
struct CallText {
  std::string tables, firsts, called;
};

CallText call_text(const AffineCall& call, std::size_t k) {
  const auto slope = fmt::format("({:a})", call.slope), angle = fmt::format("{} * x + ({:a})", slope, call.offset);
  const auto first = fmt::format("steps[{} * kItems]", 2 * k), second = fmt::format("steps[{} * kItems]", 2 * k + 1);
  const auto near_first = fmt::format("near.first[{}]", k), near_second = fmt::format("near.second[{}]", k);
  CallText text;
  if (call.function == AffineCall::Function::exponential) {
    text.tables = fmt::format("{} = exp({} * distance);\n", first, slope);
    text.firsts = fmt::format("result.first[{}] = exp({});\n", k, angle);
    text.called = fmt::format("const double a{} = {} * {};\n", k, near_first, first);
    return text;
  }
  // first: cosines, second: sines
  text.tables = fmt::format("sincos({} * distance, &{}, &{});\n", slope, second, first);
  text.firsts = fmt::format("sincos({}, &result.second[{}], &result.first[{}]);\n", angle, k, k);
  const bool sine = call.function == AffineCall::Function::sine;
  text.called = fmt::format("const double a{} = {} * {} {} {} * {};\n", k, sine ? near_second : near_first, first,
                            sine ? "+" : "-", sine ? near_first : near_second, second);
  return text;
}

// Of which sixteen would not fit into the instruction cache.
bool calls_functions(const std::string& statements) {
  for (std::size_t i = 1; i < statements.size(); ++i)
    if (statements[i] == '(' && std::isalnum(static_cast<unsigned char>(statements[i - 1]))) return true;
  return false;
}

}  // namespace

std::string recurrence_program(const DeviceExpression& expression) {
  CallText all;
  for (std::size_t k = 0; k < expression.calls.size(); ++k) {
    const CallText text = call_text(expression.calls[k], k);
    all.tables += text.tables;
    all.firsts += text.firsts;
    all.called += text.called;
  }
  std::string before = kBeforeStatements;
  const auto put = [&](const std::string& mark, const std::string& text) {
    for (std::size_t at = before.find(mark); at != std::string::npos; at = before.find(mark, at + text.size()))
      before.replace(at, mark.size(), text);
  };
  // Nor would the table into the registers, where the compiler takes it if all 16 places in it are known.
  const bool is_short = expression.calls.empty() && !calls_functions(expression.statements);
  put("UNROLLED", is_short ? "kItems" : "4");
  put("CALLS", std::to_string(expression.calls.size()));
  put("TABLES", all.tables);
  put("FIRSTS", all.firsts);
  put("CALLED", all.called);
  put("COORDINATE", expression.coordinate);
  return std::string("#define GWRM_BOTH_SIDES __device__\n") + kDoubleDoubleText + kRecurrenceKernelsText + before +
         expression.statements + kBehindStatements;
}

}  // namespace gwrm
