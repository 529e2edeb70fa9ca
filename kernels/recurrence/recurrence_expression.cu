// Right-hand sides that are compiled into the kernels at run time.
#include "kernels/recurrence/recurrence_device.cuh"
//
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "kernels/device/run_time_compiler.cuh"
#include "kernels/recurrence/recurrence_program.hpp"

namespace gwrm::cuda {
namespace {

// What the compiled kernels take by value, as ExpressionValues below.
struct ExpressionParameters {
  double lower, step, upper, shift, offset;
  long long until_last;  // index of the last point of all
  recurrence::CallSums sums[kMaxAffineCalls];
};

// with_source() replaces the upper-case words. Affine calls are evaluated at the first of 16 points and follow at the
// others by the addition theorem, with the values of the steps between from a table. A sum of nothing but such calls is
// added up in closed form in the first pass.
constexpr const char* kProgram = R"code(
namespace gwrm {
namespace recurrence {
struct ExpressionValues {
  static constexpr int kUnrolled = UNROLLED;
  static constexpr bool kSummed = SUMMED;
  double lower, step, upper, shift, offset;
  long long until_last;
  CallSums sums[MOST_CALLS];
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
  __device__ LaneSums flush_sums(long long i) const {
    const Near near = this->near(i);
    constexpr double n = kFlush * kItems;
    const double same = (CONSTANT) + shift;
    LaneSums result{n * same, 0.5 * n * (n + 1.0) * same};
SUMS    return result;
  }
  static __device__ double value(double COORDINATE_, const Near& near, const double* steps) {
STATEMENTS
  }
};
}
}
using namespace gwrm;
using namespace gwrm::recurrence;
)code";

constexpr const char* kPoissonKernels = R"code(
#define GWRM_MOMENTS(NAME, SQUARES) \
extern "C" __global__ void __launch_bounds__(kThreads, kResident) NAME(ExpressionValues f, long long n, \
    long long tiles, Moments* of_warps, Moments* of_blocks, DoubleDouble* squares) { \
  moments_of_block<SQUARES>(f, n, tiles, of_warps, of_blocks, squares); \
}
#define GWRM_FILL(NAME, CORRECTED, VALUE) \
extern "C" __global__ void __launch_bounds__(kThreads, kResident) NAME(ExpressionValues f, long long n, long long tiles, \
    const Moments* of_warps, const Moments* of_blocks, int n_blocks, DeviceClosure closure, FillConstants constants, \
    VALUE* u) { \
  fill_block<CORRECTED>(f, n, tiles, of_warps, of_blocks, n_blocks, closure, constants, u); \
}
#define GWRM_SOLVE(NAME, CORRECTED) \
extern "C" __global__ void __launch_bounds__(kThreads, kResident) NAME(ExpressionValues f, long long n, \
    Moments* of_blocks, unsigned* barrier, DeviceClosure closure, FillConstants constants, double* u) { \
  solve_on_chip<CORRECTED>(f, n, of_blocks, barrier, closure, constants, u); \
}
)code";

// A kernel by its name, and the line that makes it.
using NamedLine = std::pair<std::string, std::string>;
const std::vector<NamedLine> kPoissonLines = {
    {"moments", "GWRM_MOMENTS(moments, false)"},
    {"moments_squares", "GWRM_MOMENTS(moments_squares, true)"},
    {"fill_double", "GWRM_FILL(fill_double, false, double)"},
    {"fill_double_corrected", "GWRM_FILL(fill_double_corrected, true, double)"},
    {"fill_single", "GWRM_FILL(fill_single, false, float)"},
    {"fill_single_corrected", "GWRM_FILL(fill_single_corrected, true, float)"},
    {"solve", "GWRM_SOLVE(solve, false)"},
    {"solve_corrected", "GWRM_SOLVE(solve_corrected, true)"},
};

// Behind the definition of kTwoSided.
constexpr const char* kReactionKernels = R"code(
#define GWRM_FILL(NAME, VALUE) \
extern "C" __global__ void __launch_bounds__(kThreads, kReactionResident) NAME(ExpressionValues f, \
    ReactionLayout layout, const Pair* of_warps, const Pair* of_blocks, const DoubleDouble* behind_tiles, Pair start, \
    ReactionConstants constants, VALUE* u) { \
  reaction_fill<kTwoSided>(f, layout, of_warps, of_blocks, behind_tiles, start, constants, u); \
}
#define GWRM_TOTALS(NAME) \
extern "C" __global__ void __launch_bounds__(kThreads, kReactionResident) NAME(ExpressionValues f, \
    ReactionLayout layout, Pair* of_warps, Pair* of_blocks, DoubleDouble* behind_tiles) { \
  gwrm::recurrence::reaction_totals<kTwoSided>(f, layout, of_warps, of_blocks, behind_tiles); \
}
)code";
const std::vector<NamedLine> kReactionLines = {
    {"reaction_totals", "GWRM_TOTALS(reaction_totals)"},
    {"reaction_fill_double", "GWRM_FILL(reaction_fill_double, double)"},
    {"reaction_fill_single", "GWRM_FILL(reaction_fill_single, float)"},
};

std::string lines_of(const std::vector<NamedLine>& all, const std::vector<std::string>& wanted) {
  std::string text;
  for (const auto& [name, line] : all)
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end()) text += line + "\n";
  return text;
}

std::string program_text(const DeviceExpression& expression, RecurrenceKind kind,
                         const std::vector<std::string>& kernels) {
  std::string text = R"(#define GWRM_BOTH_SIDES __device__
#include "kernels/linear_algebra/double_double.hpp"
#include "kernels/recurrence/recurrence_layout.hpp"
#include "kernels/recurrence/recurrence_kernels.cuh"
)";
  if (kind != RecurrenceKind::poisson) text += "#include \"kernels/recurrence/reaction_kernels.cuh\"\n";
  text += with_source(kProgram, expression);
  if (kind == RecurrenceKind::poisson) return text + kPoissonKernels + lines_of(kPoissonLines, kernels);
  const std::string is_two_sided = kind == RecurrenceKind::two_sided ? "true" : "false";
  return text + "constexpr bool kTwoSided = " + is_two_sided + ";\n" + kReactionKernels +
         lines_of(kReactionLines, kernels);
}

class ExpressionSource : public DeviceSource {
 public:
  ExpressionSource(const DeviceExpression& expression, RecurrenceKind kind, const std::vector<std::string>& kernels)
      : expression_(expression),
        sums_(call_sums(expression)),
        program_(program_text(expression, kind, kernels), "the source") {}

 private:
  Argument argument(Index first, double shift) const override {
    ExpressionParameters parameters{expression_.lower,
                                    expression_.step,
                                    expression_.upper,
                                    shift,
                                    static_cast<double>(first),
                                    expression_.last - first,
                                    {}};
    std::copy(sums_.begin(), sums_.end(), parameters.sums);
    Argument result{};
    static_assert(sizeof parameters <= sizeof result.bytes);
    std::memcpy(result.bytes.data(), &parameters, sizeof parameters);
    return result;
  }
  const void* kernel(const std::string& name) const override { return program_.kernel(name); }

  DeviceExpression expression_;
  std::vector<recurrence::CallSums> sums_;
  DeviceProgram program_;
};

}  // namespace

std::unique_ptr<DeviceSource> expression_source(const DeviceExpression& expression, RecurrenceKind kind,
                                                const std::vector<std::string>& kernels) {
  return std::make_unique<ExpressionSource>(expression, kind, kernels);
}

}  // namespace gwrm::cuda
