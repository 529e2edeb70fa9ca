#include "bench/banded/measure_banded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "bench/banded/banded_peers.hpp"
#include "bench/measure/bench_numbers.hpp"
#include "bench/measure/ceilings.hpp"
#include "bench/measure/context_memory.hpp"
#include "bench/measure/timing.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/banded/bidiagonal.hpp"
#include "kernels/banded/pentadiagonal.hpp"
#include "kernels/banded/tridiagonal.hpp"

namespace gwrm::bench {
namespace {

using Json = nlohmann::ordered_json;

struct BandedWork {
  std::string operation;
  BandedShape shape;
  bool shared = true;
};

// Diagonals of an operation's matrices and how large their numbers are beside a main diagonal of 2 (bidiagonal: 1).
struct Family {
  std::string operation;
  std::vector<int> offsets;
  double coupling;
};
const Family& family_of(const std::string& operation) {
  static const std::vector<Family> families = {
      {"bidiagonal", {-1}, 0.9}, {"tridiagonal", {-1, 0, 1}, 0.8}, {"pentadiagonal", {-2, -1, 0, 1, 2}, 0.4}};
  for (const Family& family : families)
    if (family.operation == operation) return family;
  throw CaseError("no banded systems are called " + operation);
}

// Variants by their names in the lines: those of the library, `sequential` for the CPU's, and what only the bench has.
const std::vector<std::string> kVariants = {"sequential", "hybrid",        "cyclic_reduction",
                                            "thread",     "shared_memory", "cusparse"};

// Numbers in (-1, 1) without a pattern.
class Sequence {
 public:
  double next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t mixed = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<double>((mixed ^ (mixed >> 31)) >> 11) * 0x1p-52 - 1.0;
  }

 private:
  std::uint64_t state_ = 20240713;
};

template <class Number>
Number next_number(Sequence& sequence, double size) {
  Number a = number<Number>(size * sequence.next());
  if constexpr (std::is_same_v<Number, DoubleDouble>) a.low = 0x1p-54 * a.high * sequence.next();
  if constexpr (std::is_same_v<Number, Complex>) a.imaginary = size * sequence.next();
  return a;
}

// Sums in higher precision, real and imaginary part, with the sum of their moduli.
struct Sum {
  long double real = 0.0L, imaginary = 0.0L, size = 0.0L;
  DoubleDouble wide{};

  void add(double a, double x) {
    real += static_cast<long double>(a) * x;
    size += std::abs(a * x);
  }
  void add(DoubleDouble a, DoubleDouble x) {
    wide = wide + a * x;
    size += std::abs(a.high * x.high);
  }
  void add(Complex a, Complex x) {
    real += static_cast<long double>(a.real) * x.real - static_cast<long double>(a.imaginary) * x.imaginary;
    imaginary += static_cast<long double>(a.real) * x.imaginary + static_cast<long double>(a.imaginary) * x.real;
    size += std::hypot(a.real, a.imaginary) * std::hypot(x.real, x.imaginary);
  }
  double relative() const {
    return static_cast<double>(std::hypot(real + static_cast<long double>(wide.high + wide.low), imaginary) / size);
  }
};

template <class Number>
class BandedBench {
 public:
  BandedBench(const Context& context, const Ceilings& ceilings, const BandedWork& work, std::ostream& lines)
      : context_(context), ceilings_(ceilings), work_(work), lines_(lines), y_(context, 0), x_(context, 0) {
    const std::size_t rows = static_cast<std::size_t>(work.shape.n),
                      all = rows * static_cast<std::size_t>(work.shape.batch), size = work.shared ? rows : all;
    Sequence sequence;
    const Family& family = family_of(work.operation);
    const double off = family.coupling * (std::is_same_v<Number, Complex> ? 0.6 : 1.0);
    for (int offset : family.offsets) {
      std::vector<Number>& band = bands_[static_cast<std::size_t>(offset + 2)];
      band.resize(size);
      for (Number& value : band) value = offset == 0 ? number<Number>(2.0) : next_number<Number>(sequence, off);
    }
    right_.resize(all);
    for (Number& value : right_) value = next_number<Number>(sequence, 1.0);
    y_ = ContextArray<Number>(context, right_);
    x_ = ContextArray<Number>(context, all);
    for (std::size_t k = 0; k < 5; ++k)
      if (!bands_[k].empty()) device_bands_[k].emplace(context, bands_[k]);
  }

  // False if the result is wrong; nothing, and true, where the variant does not serve this batch.
  bool measure(const std::string& variant) {
    if (variant == "cusparse") return measure_cusparse();
    if (variant == "shared_memory") return measure_shared_memory();
    const bool interleaved = work_.shape.layout == BatchLayout::interleaved, cpu = context_.backend() == Backend::cpu;
    if (cpu != (variant == "sequential")) return true;
    if (!cpu && (variant == "thread") != interleaved) return true;
    const BandedVariant chosen = cpu                             ? BandedVariant::automatic
                                 : variant == "thread"           ? BandedVariant::thread
                                 : variant == "cyclic_reduction" ? BandedVariant::cyclic_reduction
                                                                 : BandedVariant::hybrid;
    if (chosen == BandedVariant::cyclic_reduction && !reduction_serves()) return true;
    return work_.shared ? measure_plan(variant, chosen) : measure_own(variant, chosen);
  }

 private:
  const Number* band(int offset) const {
    const std::vector<Number>& values = bands_[static_cast<std::size_t>(offset + 2)];
    return values.empty() ? nullptr : values.data();
  }
  Number* device_band(int offset) {
    auto& values = device_bands_[static_cast<std::size_t>(offset + 2)];
    return values ? values->data() : nullptr;
  }
  bool reduction_serves() const {
    const Index words = BandedNumber<Number>::kWords;
    if (work_.operation == "pentadiagonal") return !work_.shared && work_.shape.n <= 512 / (words * words * words);
    if (work_.shared) return work_.shape.n <= 2048 / words;
    return work_.operation == "tridiagonal" && work_.shape.n <= 512 / words;
  }

  bool measure_plan(const std::string& name, BandedVariant variant) {
    const auto plan = work_.operation == "tridiagonal"
                          ? make_tridiagonal_plan<Number>(context_, work_.shape, {band(-1), band(0), band(1)}, variant)
                      : work_.operation == "pentadiagonal" ? pentadiagonal_plan(variant)
                                                           : bidiagonal_plan(variant);
    return report(name, time_calls(context_, [&] { plan->solve(y_.data(), x_.data()); }));
  }
  std::unique_ptr<BandedPlan<Number>> pentadiagonal_plan(BandedVariant variant) const {
    if constexpr (!std::is_same_v<Number, Complex>)
      return make_pentadiagonal_plan<Number>(context_, work_.shape, {band(-2), band(-1), band(0), band(1), band(2)},
                                             variant);
    throw ShapeError("pentadiagonal systems are real");
  }
  std::unique_ptr<BandedPlan<Number>> bidiagonal_plan(BandedVariant variant) const {
    if constexpr (!std::is_same_v<Number, Complex>)
      return make_bidiagonal_plan<Number>(context_, work_.shape, {band(-1), nullptr, Side::lower, 1}, variant);
    throw ShapeError("bidiagonal systems are real");
  }

  bool measure_own(const std::string& name, BandedVariant variant) {
    if constexpr (!std::is_same_v<Number, Complex>)
      if (work_.operation == "pentadiagonal") {
        ContextArray<char> workspace(context_, pentadiagonal_workspace_bytes<Number>(context_, work_.shape, variant));
        return report(name, time_calls(context_, [&] {
                        solve_pentadiagonal<Number>(
                            context_, work_.shape,
                            {device_band(-2), device_band(-1), device_band(0), device_band(1), device_band(2)},
                            y_.data(), x_.data(), nullptr, workspace.data(), variant);
                      }));
      }
    if (work_.operation == "tridiagonal") {
      ContextArray<char> workspace(context_, tridiagonal_workspace_bytes<Number>(context_, work_.shape, variant));
      return report(name, time_calls(context_, [&] {
                      solve_tridiagonal<Number>(context_, work_.shape,
                                                {device_band(-1), device_band(0), device_band(1)}, y_.data(), x_.data(),
                                                nullptr, workspace.data(), variant);
                    }));
    }
    if constexpr (!std::is_same_v<Number, Complex>)
      return report(name, time_calls(context_, [&] {
                      solve_bidiagonal<Number>(context_, work_.shape, {device_band(-1), nullptr, Side::lower, 1},
                                               y_.data(), x_.data(), nullptr, variant);
                    }));
    return true;
  }

  bool measure_cusparse() {
#if GWRM_HAVE_CUDA
    if constexpr (std::is_same_v<Number, double>) {
      if (context_.backend() != Backend::cuda || work_.operation == "bidiagonal") return true;
      cuda::CusparseSolver solver(context_, work_.shape, work_.shared,
                                  {device_band(-2), device_band(-1), device_band(0), device_band(1), device_band(2)});
      if (solver.name() == nullptr) return true;
      const auto renew = [&] {
        solver.restore();
        gwrm::cuda::copy_on_device(context_, x_.data(), y_.data(), sizeof(double) * y_.size());
      };
      Timing timing = time_calls(context_, [&] {
        renew();
        solver.solve(x_.data());
      });
      const Timing of_renewing = time_calls(context_, renew);
      timing.median -= of_renewing.median;
      timing.minimum -= of_renewing.minimum;
      renew();
      solver.solve(x_.data());
      return report(solver.name(), timing);
    }
#endif
    return true;
  }

  bool measure_shared_memory() {
#if GWRM_HAVE_CUDA
    if constexpr (std::is_same_v<Number, double>) {
      const bool served = work_.operation == "bidiagonal" && work_.shared && work_.shape.n <= 2048 &&
                          work_.shape.layout == BatchLayout::contiguous;
      if (context_.backend() != Backend::cuda || !served) return true;
      return report("shared_memory", time_calls(context_, [&] {
                      cuda::solve_in_shared_memory(context_, work_.shape, device_band(-1), y_.data(), x_.data());
                    }));
    }
#endif
    return true;
  }

  // Backward error of systems spread over the batch.
  double error(Index& n_checked) const {
    const std::vector<Number> x = x_.values();
    const BandedShape& shape = work_.shape;
    const Index n_systems = std::min<Index>(shape.batch, 64);
    double worst = 0.0;
    for (Index k = 0; k < n_systems; ++k) {
      const Index b = n_systems == 1 ? 0 : k * (shape.batch - 1) / (n_systems - 1);
      const auto place = [&](Index i) {
        return static_cast<std::size_t>(i * shape.row_step() + b * shape.system_step());
      };
      for (Index i = 0; i < shape.n; ++i) {
        Sum sum;
        sum.add(-right_[place(i)], number<Number>(1.0));
        if (band(0) == nullptr) sum.add(x[place(i)], number<Number>(1.0));
        for (int offset = -2; offset <= 2; ++offset)
          if (band(offset) != nullptr && i + offset >= 0 && i + offset < shape.n)
            sum.add(band(offset)[work_.shared ? static_cast<std::size_t>(i) : place(i)], x[place(i + offset)]);
        worst = larger_error(worst, sum.relative());
      }
    }
    n_checked = n_systems;
    return worst;
  }

  bool report(const std::string& variant, const Timing& timing) {
    // Each lane or thread has some roundings of its own; dominant rows do not amplify them. Reduction throughout leaves
    // in a row what rows 2^k away, of larger numbers, were rounded by.
    const bool reduced = variant == "cyclic_reduction" || variant == "shared_memory";
    const double allowed = std::is_same_v<Number, DoubleDouble> ? 1e-29 : reduced ? 1e-12 : 1e-14;
    Index n_checked = 0;
    const double largest = error(n_checked);
    const bool right = largest <= allowed;
    int n_bands = 0;
    for (const auto& values : bands_) n_bands += values.empty() ? 0 : 1;
    const double rows = static_cast<double>(right_.size()),
                 bytes = sizeof(Number) * (2.0 + (work_.shared ? 0 : n_bands)), traffic = rows * bytes / timing.median;
    Json line{{"operation", work_.operation},
              {"rows", work_.shape.n},
              {"batch", work_.shape.batch},
              {"matrix", work_.shared ? "shared" : "own"},
              {"layout", work_.shape.layout == BatchLayout::contiguous ? "contiguous" : "interleaved"},
              {"variant", variant},
              {"precision", std::is_same_v<Number, double>    ? "double"
                            : std::is_same_v<Number, Complex> ? "complex"
                                                              : "double_double"}};
    line.update(machine_of(context_));
    line.update(Json{{"median_us", 1e6 * timing.median},
                     {"minimum_us", 1e6 * timing.minimum},
                     {"runs", timing.n_runs},
                     {"rows_per_s", rows / timing.median},
                     {"bytes_per_row", bytes},
                     {"gbytes_per_s", 1e-9 * traffic},
                     {"of_copy_ceiling", traffic / ceilings_.copy},
                     {"error", std::isfinite(largest) ? Json(largest) : Json(nullptr)},
                     {"systems_checked", n_checked},
                     {"right", right}});
    lines_ << line.dump() << std::endl;
    return right;
  }

  const Context& context_;
  const Ceilings& ceilings_;
  BandedWork work_;
  std::ostream& lines_;
  std::array<std::vector<Number>, 5> bands_;  // of offsets -2 .. 2; bidiagonal: unit diagonal
  std::array<std::optional<ContextArray<Number>>, 5> device_bands_;
  std::vector<Number> right_;
  ContextArray<Number> y_, x_;
};

std::vector<BandedShape> shapes_of(const BenchOptions& options, Backend backend) {
  std::vector<std::string> shapes = options.shapes, batches = options.batches;
  if (shapes.empty()) {
    if (!batches.empty()) throw CaseError("--batch needs a --shape");
    shapes = {"64", "256", "512", "1000", "1024", "2048", "4096"};
    batches = {backend == Backend::cuda ? "10000" : "1000"};
  }
  if (batches.empty()) batches = {"1000"};
  std::vector<BandedShape> all;
  for (const std::string& shape : shapes)
    for (const std::string& batch : batches) all.push_back({count_of(shape, "--shape"), count_of(batch, "--batch")});
  return all;
}

template <class Number>
bool measure_all(const Context& context, const Ceilings& ceilings, const std::string& operation,
                 const BenchOptions& options, std::ostream& lines) {
  bool right = true;
  for (BandedShape shape : shapes_of(options, context.backend()))
    for (bool shared : {true, false})
      for (BatchLayout layout : {BatchLayout::contiguous, BatchLayout::interleaved}) {
        shape.layout = layout;
        BandedBench<Number> bench(context, ceilings, {operation, shape, shared}, lines);
        for (const std::string& variant : options.variants.empty() ? kVariants : options.variants)
          right = bench.measure(variant) && right;
      }
  return right;
}

}  // namespace

void check_banded(const std::string& operation, const BenchOptions& options) {
  shapes_of(options, Backend::cpu);
  for (const std::string& name : options.variants)
    if (std::find(kVariants.begin(), kVariants.end(), name) == kVariants.end())
      throw CaseError(fmt::format("--variant: '{}' is unknown; there are {}", name, fmt::join(kVariants, ", ")));
  for (const std::string& precision : options.precisions) {
    if (precision == "single")
      throw CaseError(
          "--precision: banded systems are not solved in single precision: an isolated solve loses n^(1/2) to n^2 "
          "units in the last place, and seven digits do not bear that; there are double, double_double, complex");
    if (precision == "complex" && operation != "tridiagonal")
      throw CaseError(fmt::format("--precision: there are no {} systems of {} numbers", operation, precision));
  }
}

bool bench_banded(const Context& context, const std::string& operation, const BenchOptions& options,
                  std::ostream& lines) {
  const Ceilings ceilings = measure_ceilings(context);
  print_ceilings(context, ceilings, lines);
  bool right = true;
  for (const std::string& precision :
       options.precisions.empty() ? std::vector<std::string>{"double"} : options.precisions) {
    if (precision == "double_double")
      right = measure_all<DoubleDouble>(context, ceilings, operation, options, lines) && right;
    else if (precision == "complex")
      right = measure_all<Complex>(context, ceilings, operation, options, lines) && right;
    else
      right = measure_all<double>(context, ceilings, operation, options, lines) && right;
  }
  return right;
}

}  // namespace gwrm::bench
