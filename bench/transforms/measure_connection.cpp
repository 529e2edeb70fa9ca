#include "bench/transforms/measure_connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

#include "bench/measure/bench_numbers.hpp"
#include "bench/measure/context_memory.hpp"
#include "bench/measure/timing.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/transform/chebyshev_legendre.hpp"

namespace gwrm::bench {
namespace {

using Json = nlohmann::ordered_json;
using ExtendedVector = std::vector<long double>;

const std::vector<std::string> kConnectionVariants = {"direct", "toeplitz_hankel"};
// Sums of n terms and, of the second method, Fourier transforms: far above what they are, far below a mistake.
constexpr double kAllowedConnectionError = 1e-13;

// y = R x and R^T x of one column by the recurrences
//   P_(j+1) = ((2j+1) x P_j - j P_(j-1)) / (j+1),  x T_i = (T_(i-1) + T_(i+1)) / 2,
//   T_(j+1) = 2 x T_j - T_(j-1),                   x P_i = (i P_(i-1) + (i+1) P_(i+1)) / (2i+1).
struct Definition {
  ExtendedVector product, transposed;

  Definition(ConnectionKind kind, const std::vector<double>& x) : product(x.size()), transposed(x.size()) {
    const bool from_legendre = kind == ConnectionKind::legendre_to_chebyshev;
    const std::size_t n = x.size();
    ExtendedVector before(n + 1), c(n + 1), up(n + 1);
    for (std::size_t i = 0; i <= n; ++i) {
      const long double a = static_cast<long double>(i);
      up[i] = !from_legendre ? (a + 1.0L) / (2.0L * a + 1.0L) : i == 0 ? 1.0L : 0.5L;
    }
    c[0] = 1.0L;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = j % 2; i <= j; i += 2) {
        product[i] += c[i] * x[j];
        transposed[j] += c[i] * x[i];
      }
      const long double a = static_cast<long double>(j);
      const long double f = from_legendre ? (2.0L * a + 1.0L) / (a + 1.0L) : j == 0 ? 1.0L : 2.0L;
      const long double g = from_legendre ? a / (a + 1.0L) : j == 0 ? 0.0L : 1.0L;
      for (std::size_t i = (j + 1) % 2; i <= j + 1; i += 2) {
        const long double left = i > 0 ? up[i - 1] * c[i - 1] : 0.0L;
        const long double right = i < j ? (1.0L - up[i + 1]) * c[i + 1] : 0.0L;
        before[i] = f * (left + right) - g * before[i];
      }
      std::swap(before, c);
    }
  }
};

class ConnectionBench {
 public:
  ConnectionBench(const Context& context, Index n, Index batch, std::ostream& lines)
      : context_(context),
        n_(n),
        batch_(batch),
        lines_(lines),
        x_(sequence_of_numbers(static_cast<std::size_t>(n * batch))),
        y_(x_.size()) {
    for (const ConnectionKind kind : {ConnectionKind::legendre_to_chebyshev, ConnectionKind::chebyshev_to_legendre})
      for (const Index c : {Index{0}, batch - 1}) definitions_[kind].emplace_back(kind, column(x_, c));
  }

  // Seconds of a run both ways are added to `seconds`.
  bool measure(ConnectionKind kind, ConnectionMethod method, double& seconds) {
    const ChebyshevLegendrePlan plan(kind, n_, method);
    bool right = true;
    for (const bool transposed : {false, true}) {
      const Timing timing =
          context_.backend() == Backend::cuda ? time_on_device(plan, transposed) : time_on_cpu(plan, transposed);
      seconds += timing.minimum;
      right = report(plan, transposed, timing) && right;
    }
    return right;
  }

 private:
  Timing time_on_cpu(const ChebyshevLegendrePlan& plan, bool transposed) {
    const int n_threads = context_.n_threads();
    std::vector<double> workspace(static_cast<std::size_t>(gwrm::cpu::connection_workspace(plan, n_threads)));
    return time_calls(context_, [&] {
      gwrm::cpu::chebyshev_legendre(plan, transposed, x_.data(), y_.data(), 1, batch_, workspace.data(), n_threads);
    });
  }

#if GWRM_HAVE_CUDA
  Timing time_on_device(const ChebyshevLegendrePlan& plan, bool transposed) {
    const auto connection = gwrm::cuda::make_connection(context_, plan);
    ContextArray<double> x(context_, x_), y(context_, x_.size());
    const Timing timing = time_calls(context_, [&] { connection->run(transposed, x.data(), y.data(), 1, batch_); });
    y_ = y.values();
    return timing;
  }
#else
  Timing time_on_device(const ChebyshevLegendrePlan&, bool) {
    return {};
  }  // there is no such context
#endif

  std::vector<double> column(const std::vector<double>& a, Index c) const {
    std::vector<double> result;
    for (Index i = 0; i < n_; ++i) result.push_back(a[static_cast<std::size_t>(i * batch_ + c)]);
    return result;
  }

  double error(ConnectionKind kind, bool transposed) const {
    long double error = 0.0L, largest = 0.0L;
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
      const Definition& definition = definitions_.at(kind)[k];
      const ExtendedVector& exact = transposed ? definition.transposed : definition.product;
      const std::vector<double> found = column(y_, k == 0 ? 0 : batch_ - 1);
      for (std::size_t i = 0; i < found.size(); ++i) {
        const long double here = std::abs(exact[i] - found[i]);
        error = larger_error(error, here);
        largest = std::max(largest, std::abs(exact[i]));
      }
    }
    return static_cast<double>(error / largest);
  }

  bool report(const ChebyshevLegendrePlan& plan, bool transposed, const Timing& timing) {
    const double largest = error(plan.kind(), transposed);
    const bool right = largest <= kAllowedConnectionError, direct = plan.method(batch_) == ConnectionMethod::direct;
    Json line{{"operation", "connection"},
              {"kind", plan.kind() == ConnectionKind::legendre_to_chebyshev ? "legendre_to_chebyshev"
                                                                            : "chebyshev_to_legendre"},
              {"transposed", transposed},
              {"coefficients", n_},
              {"batch", batch_},
              {"variant", direct ? kConnectionVariants[0] : kConnectionVariants[1]},
              {"precision", "double"}};
    if (!direct) line["rank"] = plan.rank();
    line.update(machine_of(context_));
    line.update(times_of(timing));
    if (direct)  // a product with n^2 / 4 entries
      line["gflops"] = 0.5e-9 * static_cast<double>(n_ * n_) * static_cast<double>(batch_) / timing.median;
    line.update(Json{{"columns_per_s", static_cast<double>(batch_) / timing.median},
                     {"error", error_number(largest)},
                     {"columns_checked", std::min<Index>(2, batch_)},
                     {"right", right}});
    lines_ << line.dump() << std::endl;
    return right;
  }

  const Context& context_;
  Index n_, batch_;
  std::ostream& lines_;
  std::vector<double> x_, y_;
  std::map<ConnectionKind, std::vector<Definition>> definitions_;
};

std::vector<Index> connection_lengths(const BenchOptions& options) {
  std::vector<Index> lengths = counts_of(options.shapes, {"256", "1024", "2048", "4096", "8192"}, "--shape");
  std::sort(lengths.begin(), lengths.end());
  return lengths;
}

}  // namespace

void check_connection(const BenchOptions& options) {
  for (Index n : connection_lengths(options))
    if (n > kMostConnected)
      throw CaseError(fmt::format("--shape: at most {} coefficients are connected", kMostConnected));
  counts_of(options.batches, {}, "--batch");
  variants_of(options, kConnectionVariants);
  check_double_only(options, "coefficients are connected");
}

bool bench_connection(const Context& context, const BenchOptions& options, std::ostream& lines) {
  print_ceilings(context, measure_ceilings(context), lines);
  const bool on_device = context.backend() == Backend::cuda;
  bool right = true;
  for (Index batch : counts_of(options.batches, {on_device ? "4096" : "1", "64"}, "--batch")) {
    Index crossover = 0;  // 0: not yet
    for (Index n : connection_lengths(options)) {
      ConnectionBench bench(context, n, batch, lines);
      std::map<std::string, double> seconds;
      for (const std::string& variant : variants_of(options, kConnectionVariants)) {
        if (on_device && (variant != "direct" || n > kDirectUpTo)) continue;  // what a device has
        for (const ConnectionKind kind : {ConnectionKind::legendre_to_chebyshev, ConnectionKind::chebyshev_to_legendre})
          right =
              bench.measure(kind, variant == "direct" ? ConnectionMethod::direct : ConnectionMethod::toeplitz_hankel,
                            seconds[variant]) &&
              right;
      }
      if (seconds.size() < 2) continue;
      if (seconds["toeplitz_hankel"] >= seconds["direct"])
        crossover = 0;
      else if (crossover == 0)
        crossover = n;
    }
    if (on_device || (!options.variants.empty() && options.variants.size() < 2)) continue;
    Json line{{"operation", "connection_crossover"}, {"batch", batch}};
    line["toeplitz_hankel_from"] = crossover == 0 ? Json(nullptr) : Json(crossover);
    line.update(machine_of(context));
    lines << line.dump() << std::endl;
  }
  return right;
}

}  // namespace gwrm::bench
