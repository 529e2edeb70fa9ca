#include "bench/transforms/measure_jones_worland.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>
#include <tuple>

#include "bench/measure/bench_numbers.hpp"
#include "bench/measure/context_memory.hpp"
#include "bench/measure/timing.hpp"
#include "bench/transforms/jones_worland_definition.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/transform/jones_worland.hpp"

namespace gwrm::bench {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> kJonesWorlandVariants = {"rotations", "pairs", "quadrature"};
constexpr double kAllowedJonesWorlandError = 1e-13;  // far above the errors of all variants, far below a mistake

JonesWorlandVariant variant_of(const std::string& name) {
  return name == "pairs"        ? JonesWorlandVariant::pairs
         : name == "quadrature" ? JonesWorlandVariant::quadrature
                                : JonesWorlandVariant::rotations;
}

struct JonesWorlandShape {
  Index n, l;
};

class JonesWorlandBench {
 public:
  JonesWorlandBench(const Context& context, const Ceilings& ceilings, JonesWorlandShape shape, Index batch,
                    std::ostream& lines)
      : context_(context),
        ceilings_(ceilings),
        shape_(shape),
        batch_(batch),
        lines_(lines),
        grid_(std::make_shared<const JonesWorlandGrid>(smooth_length(jones_worland_points(shape.l, shape.n)))),
        f_(sequence_of_numbers(static_cast<std::size_t>(grid_->n_points() * batch))),
        c_(f_.begin(), f_.begin() + shape.n * batch) {
    for (const Index column : {Index{0}, batch - 1})
      definitions_.emplace_back(shape.l, column_of(f_, grid_->n_points(), column), column_of(c_, shape.n, column));
  }

  // Seconds of both directions.
  bool measure(const std::string& variant, std::map<std::string, double>& seconds) {
    const JonesWorlandPlan plan(grid_, shape_.l, shape_.n, variant_of(variant));
    bool right = true;
    for (const bool forward : {true, false}) {
      std::vector<double> result(forward ? c_.size() : f_.size());
      const Timing timing = context_.backend() == Backend::cuda ? time_on_device(plan, forward, result)
                                                                : time_on_cpu(plan, forward, result);
      seconds[forward ? "forward" : "backward"] = timing.minimum;
      right = report(variant, plan, forward, timing, error(forward, result)) && right;
    }
    return right;
  }

 private:
  Timing time_on_cpu(const JonesWorlandPlan& plan, bool forward, std::vector<double>& result) {
    const int n_threads = context_.n_threads();
    std::vector<double> workspace(static_cast<std::size_t>(gwrm::cpu::jones_worland_workspace(plan, n_threads)));
    return time_calls(context_, [&] {
      if (forward)
        gwrm::cpu::jones_worland_forward(plan, f_.data(), result.data(), 1, batch_, workspace.data(), n_threads);
      else
        gwrm::cpu::jones_worland_backward(plan, c_.data(), result.data(), 1, batch_, workspace.data(), n_threads);
    });
  }

#if GWRM_HAVE_CUDA
  Timing time_on_device(const JonesWorlandPlan& plan, bool forward, std::vector<double>& result) {
    const auto columns = gwrm::cuda::make_jones_worland_columns(context_, grid_, 1, batch_);
    const auto transform = gwrm::cuda::make_jones_worland_transform(columns, plan);
    ContextArray<char> workspace(context_, std::max<std::size_t>(1, transform->workspace_bytes()));
    ContextArray<double> from(context_, forward ? f_ : c_), to(context_, result.size());
    const Timing timing = time_calls(context_, [&] {
      forward ? transform->forward(from.data(), to.data(), workspace.data())
              : transform->backward(from.data(), to.data(), workspace.data());
    });
    result = to.values();
    return timing;
  }
#else
  Timing time_on_device(const JonesWorlandPlan&, bool, std::vector<double>&) {
    return {};
  }  // there is no such context
#endif

  std::vector<double> column_of(const std::vector<double>& a, Index n, Index column) const {
    std::vector<double> result;
    for (Index i = 0; i < n; ++i) result.push_back(a[static_cast<std::size_t>(i * batch_ + column)]);
    return result;
  }

  double error(bool forward, const std::vector<double>& result) const {
    double error = 0.0, largest = 0.0;
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
      const std::vector<double>& exact = forward ? definitions_[k].coefficients_of_f : definitions_[k].values_of_c;
      const std::vector<double> found = column_of(result, static_cast<Index>(exact.size()), k == 0 ? 0 : batch_ - 1);
      for (std::size_t i = 0; i < exact.size(); ++i) {
        const double here = std::abs(exact[i] - found[i]);
        error = larger_error(error, here);
        largest = std::max(largest, std::abs(exact[i]));
      }
    }
    return error / largest;
  }

  bool report(const std::string& variant, const JonesWorlandPlan& plan, bool forward, const Timing& timing,
              double largest) {
    const bool right = largest <= kAllowedJonesWorlandError;
    const double n_points = static_cast<double>(grid_->n_points()), columns = static_cast<double>(batch_);
    Json line{
        {"operation", "jones_worland"}, {"coefficients", shape_.n}, {"l", shape_.l},
        {"points", grid_->n_points()},  {"batch", batch_},          {"direction", forward ? "forward" : "backward"},
        {"variant", variant},           {"precision", "double"}};
    line.update(machine_of(context_));
    line.update(Json{{"median_us", 1e6 * timing.median},
                     {"minimum_us", 1e6 * timing.minimum},
                     {"runs", timing.n_runs},
                     {"columns_per_s", columns / timing.median}});
    if (variant == "quadrature") {
      const double flops = 2.0 * static_cast<double>(shape_.n) * n_points * columns / timing.median;
      line["gflops"] = 1e-9 * flops;
      line["of_matrix_ceiling"] = flops / ceilings_.matrix;
      line["matrix_bytes"] = plan.matrix().size() * sizeof(double);
    } else {  // the least that any chain takes: 8 operations an entry and pair, N_T + N numbers in and out
      const double n = static_cast<double>(shape_.n), pairs = static_cast<double>(shape_.l / 2);
      const double flops = 8.0 * (n + 0.5 * (pairs - 1.0)) * pairs * columns / timing.median,
                   traffic = sizeof(double) * (2.0 * n + pairs) * columns / timing.median;
      line["chain_gflops"] = 1e-9 * flops;
      line["gbytes_per_s"] = 1e-9 * traffic;
      line["of_copy_ceiling"] = traffic / ceilings_.copy;
    }
    line.update(Json{{"error", std::isfinite(largest) ? Json(largest) : Json(nullptr)},
                     {"columns_checked", std::min<Index>(2, batch_)},
                     {"right", right}});
    lines_ << line.dump() << std::endl;
    return right;
  }

  const Context& context_;
  const Ceilings& ceilings_;
  JonesWorlandShape shape_;
  Index batch_;
  std::ostream& lines_;
  std::shared_ptr<const JonesWorlandGrid> grid_;
  std::vector<double> f_, c_;
  std::vector<JonesWorlandDefinition> definitions_;
};

std::vector<JonesWorlandShape> jones_worland_shapes(const BenchOptions& options) {
  std::vector<JonesWorlandShape> shapes;
  for (const std::string& text : options.shapes.empty()
                                     ? std::vector<std::string>{"256x2", "256x16", "256x32", "256x64", "256x256",
                                                                "1024x2", "1024x64", "1024x256", "1024x512"}
                                     : options.shapes) {
    const std::size_t sign = text.find('x');
    const std::string l = sign == std::string::npos ? "" : text.substr(sign + 1);
    if (l.empty()) throw CaseError(fmt::format("--shape: '{}' is no pair NxL of coefficients and degree l", text));
    shapes.push_back({count_of(text.substr(0, sign), "--shape"), l == "0" ? 0 : count_of(l, "--shape")});
    if (shapes.back().n > kHighestOrder || shapes.back().l > kHighestOrder)
      throw CaseError(fmt::format("--shape: '{}' is beyond {}", text, kHighestOrder));
  }
  std::sort(shapes.begin(), shapes.end(), [](const JonesWorlandShape& a, const JonesWorlandShape& b) {
    return std::tie(a.n, a.l) < std::tie(b.n, b.l);
  });
  return shapes;
}
// The highest degree up to which one variant was the faster; degrees come in ascending order.
struct Crossover {
  Index l = 0;
  bool found = false, ended = false;

  void add(Index degree, bool faster) {
    if (!faster) ended = true;
    if (ended) return;
    l = degree;
    found = true;
  }
};

std::vector<Index> jones_worland_batches(const BenchOptions& options, Backend backend) {
  return counts_of(options.batches, {backend == Backend::cuda ? "4096" : "256"}, "--batch");
}

}  // namespace

void check_jones_worland(const BenchOptions& options) {
  jones_worland_shapes(options);
  jones_worland_batches(options, Backend::cpu);
  variants_of(options, kJonesWorlandVariants);
  check_double_only(options, "Jones-Worland transforms are");
}

bool bench_jones_worland(const Context& context, const BenchOptions& options, std::ostream& lines) {
  const Ceilings ceilings = measure_ceilings(context);
  print_ceilings(context, ceilings, lines);
  std::vector<std::string> variants = variants_of(options, kJonesWorlandVariants);
  if (context.backend() == Backend::cuda) std::erase(variants, "pairs");  // on the CPU only
  bool right = true;
  for (const Index batch : jones_worland_batches(options, context.backend())) {
    std::map<Index, std::map<std::string, Crossover>> crossovers;  // [n][direction]
    for (const JonesWorlandShape& shape : jones_worland_shapes(options)) {
      JonesWorlandBench bench(context, ceilings, shape, batch, lines);
      std::map<std::string, std::map<std::string, double>> seconds;  // [variant][direction]
      for (const std::string& variant : variants) right = bench.measure(variant, seconds[variant]) && right;
      if (seconds.count("rotations") != 0 && seconds.count("quadrature") != 0)
        for (const char* direction : {"forward", "backward"})
          crossovers[shape.n][direction].add(shape.l,
                                             seconds["rotations"][direction] < seconds["quadrature"][direction]);
    }
    for (const auto& [n, directions] : crossovers)
      for (const auto& [direction, crossover] : directions) {
        Json line{{"operation", "jones_worland_crossover"},
                  {"coefficients", n},
                  {"batch", batch},
                  {"direction", direction},
                  {"rotations_up_to_l", crossover.found ? Json(crossover.l) : Json(nullptr)}};
        line.update(machine_of(context));
        lines << line.dump() << std::endl;
      }
  }
  return right;
}

}  // namespace gwrm::bench
