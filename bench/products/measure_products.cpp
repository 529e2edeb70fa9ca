#include "bench/products/measure_products.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <random>

#include "bench/measure/bench_numbers.hpp"
#include "bench/measure/ceilings.hpp"
#include "bench/measure/timing.hpp"
#include "bench/products/product_definition.hpp"
#include "core/errors.hpp"
#include "core/version.hpp"
#include "kernels/product/product_choice.hpp"
#include "kernels/product/product_run.hpp"

namespace gwrm::bench {
namespace {

using Json = nlohmann::ordered_json;

struct ProductWork {
  Shape shape;
  Index batch = 1;
};

// Half a second of the definition's extended-precision sums, on one core; all coefficients up to about 100 x 100.
constexpr double kTermsToCheck = 5e8;
constexpr double kAllowedDouble = 1e-14, kAllowedSingle = 1.2e-7;

// The paper's sizes, Tables 1 and 2 and Figure 3, and beyond; batches as an evaluation of many fields has them.
std::vector<ProductWork> standard_works() {
  std::vector<ProductWork> works;
  for (Index n : {20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 300, 400, 16384}) works.push_back({{n}, 1});
  for (Index n : {20, 40, 50, 60, 80, 100, 120, 140, 160, 180, 200, 400, 1000}) works.push_back({{n, n}, 1});
  for (Index n : {32, 50, 64, 100, 200, 400}) works.push_back({{n, n}, 64});
  for (Index n : {16, 32, 64}) works.push_back({{n, n, n}, 1});
  return works;
}

std::vector<ProductWork> works_of(const BenchOptions& options) {
  if (options.shapes.empty()) {
    if (!options.batches.empty()) throw CaseError("--batch needs a --shape");
    return standard_works();
  }
  std::vector<ProductWork> works;
  for (const std::string& shape : options.shapes)
    for (const std::string& batch : options.batches.empty() ? std::vector<std::string>{"1"} : options.batches)
      works.push_back({shape_of(shape), count_of(batch, "--batch")});
  return works;
}

std::vector<ProductVariant> variants_of(const BenchOptions& options) {
  std::vector<ProductVariant> variants;
  for (const std::string& name : options.variants) {
    ProductVariant variant;
    if (!variant_of_name(name, variant))
      throw CaseError(fmt::format(
          "--variant: '{}' is unknown; there are monolithic, stride, direct, transform, matrices, fourier and auto",
          name));
    variants.push_back(variant);
  }
  if (variants.empty())
    variants = {ProductVariant::monolithic, ProductVariant::stride,  ProductVariant::direct,
                ProductVariant::matrices,   ProductVariant::fourier, ProductVariant::automatic};
  return variants;
}

template <typename Real>
class ProductBench {
 public:
  ProductBench(const Context& context, const Ceilings& ceilings, const ProductWork& work, std::ostream& lines)
      : context_(context),
        ceilings_(ceilings),
        lines_(lines),
        work_(work),
        size_(static_cast<std::size_t>(element_count(work.shape))) {
    std::mt19937_64 generator(20190918);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (std::vector<Real>* factor : {&a_, &b_}) {
      factor->resize(size_ * static_cast<std::size_t>(work.batch));
      for (Real& number : *factor) number = static_cast<Real>(uniform(generator));
    }
    definitions_.push_back(definition_of(0));
    if (work.batch > 1) definitions_.push_back(definition_of(work.batch - 1));
  }

  // False if the result is wrong.
  bool measure(ProductVariant asked) const {
    const ProductVariant variant = chosen_variant(context_.backend(), work_.shape, work_.batch, asked);
    const auto plan = make_product_plan<Real>(context_, work_.shape, work_.batch, variant);
    Timing timing;
    const auto time = [&](const std::function<void()>& multiply) { timing = time_calls(context_, multiply); };
    const ProductError error = error_of(run_product(context_, *plan, a_, b_, time));
    const bool right = error.maximum <= (sizeof(Real) == sizeof(double) ? kAllowedDouble : kAllowedSingle);
    print(asked, variant, timing, error, right);
    return right;
  }

 private:
  ProductDefinition definition_of(Index item) const {
    const std::size_t start = static_cast<std::size_t>(item) * size_;
    const std::vector<double> a(a_.data() + start, a_.data() + start + size_),
        b(b_.data() + start, b_.data() + start + size_);
    return ProductDefinition(work_.shape, a.data(), b.data(), kTermsToCheck);
  }

  // Of the first and the last item.
  ProductError error_of(const std::vector<Real>& c) const {
    ProductError worst;
    for (std::size_t i = 0; i < definitions_.size(); ++i) {
      const ProductError error = definitions_[i].error_of(c.data() + (i == 0 ? 0 : c.size() - size_));
      worst.n_checked += error.n_checked;
      worst.maximum = larger_error(worst.maximum, error.maximum);
    }
    return worst;
  }

  void print(ProductVariant asked, ProductVariant variant, const Timing& timing, const ProductError& error,
             bool right) const {
    const double batch = static_cast<double>(work_.batch), seconds = timing.median;
    const double rate = batch * product_operations(work_.shape, variant) / seconds;
    const double traffic =
        3.0 * static_cast<double>(a_.size() * sizeof(Real)) / seconds;  // both factors and the result
    const auto microseconds = [&](double value) { return 1e6 * value / batch; };
    // JSON has no NaN: a result that is none has no error either.
    const Json maximum = std::isfinite(error.maximum) ? Json(error.maximum) : Json(nullptr);
    lines_ << Json{{"operation", "product"},
                   {"shape", shape_text(work_.shape)},
                   {"batch", work_.batch},
                   {"variant", variant_name(asked)},
                   {"runs_as", variant_name(variant)},
                   {"precision", sizeof(Real) == sizeof(double) ? "double" : "single"},
                   {"backend", context_.backend() == Backend::cuda ? "cuda" : "cpu"},
                   {"device", context_.device_name()},
                   {"version", version()},
                   {"revision", git_revision()},
                   {"median_us", microseconds(timing.median)},
                   {"minimum_us", microseconds(timing.minimum)},
                   {"runs", timing.n_runs},
                   {"gflops", 1e-9 * rate},
                   {"of_matrix_ceiling", rate / ceilings_.matrix},
                   {"gbytes_per_s", 1e-9 * traffic},
                   {"of_copy_ceiling", traffic / ceilings_.copy},
                   {"error", maximum},
                   {"coefficients_checked", error.n_checked},
                   {"right", right}}
                  .dump()
           << std::endl;
  }

  const Context& context_;
  const Ceilings& ceilings_;
  std::ostream& lines_;
  ProductWork work_;
  std::size_t size_;
  std::vector<Real> a_, b_;
  std::vector<ProductDefinition> definitions_;
};

// The paper's sums in full take minutes where nobody would use them.
bool worth_measuring(const Context& context, const ProductWork& work, ProductVariant variant) {
  const double batch = static_cast<double>(work.batch);
  switch (chosen_variant(context.backend(), work.shape, work.batch, variant)) {
    case ProductVariant::fourier:
      return context.backend() == Backend::cuda;
    case ProductVariant::monolithic:
    case ProductVariant::stride:
      return batch * direct_product_terms(work.shape) <= (context.backend() == Backend::cuda ? 1e11 : 5e9);
    case ProductVariant::direct:
      return batch * product_operations(work.shape, ProductVariant::direct) <=
             (context.backend() == Backend::cuda ? 5e11 : 5e10);
    default:
      return true;
  }
}

template <typename Real>
bool measure_all(const Context& context, const Ceilings& ceilings, const BenchOptions& options, std::ostream& lines) {
  bool right = true;
  for (const ProductWork& work : works_of(options)) {
    std::optional<ProductBench<Real>> bench;
    for (ProductVariant variant : variants_of(options)) {
      if (!worth_measuring(context, work, variant)) continue;
      if (!bench) bench.emplace(context, ceilings, work, lines);
      right = bench->measure(variant) && right;
    }
  }
  return right;
}

}  // namespace

void check_products(const BenchOptions& options) {
  for (const std::string& precision : options.precisions)
    if (precision != "double" && precision != "single")
      throw CaseError(fmt::format("--precision: products are of double or single numbers, not '{}'", precision));
  works_of(options);
  variants_of(options);
}

bool bench_products(const Context& context, const BenchOptions& options, std::ostream& lines) {
  const Ceilings ceilings = measure_ceilings(context);
  print_ceilings(context, ceilings, lines);
  bool right = true;
  for (const std::string& precision :
       options.precisions.empty() ? std::vector<std::string>{"double"} : options.precisions)
    right = (precision == "single" ? measure_all<float>(context, ceilings, options, lines)
                                   : measure_all<double>(context, ceilings, options, lines)) &&
            right;
  return right;
}

}  // namespace gwrm::bench
