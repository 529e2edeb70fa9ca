// Direct against transform products over the number of coefficients, in one and two dimensions. Each run first compares
// its product with the other variant's, and fails instead of reporting a time for a wrong one.
#include "kernels/product/chebyshev_product.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

namespace {

using namespace gwrm;

Array random_series(const Shape& shape, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Array series(shape);
  for (double& coefficient : series.data) coefficient = uniform(generator);
  return series;
}

void product(benchmark::State& state, BackendChoice backend, ProductVariant variant, std::size_t n_dimensions) {
  std::string why;
  if (backend == BackendChoice::cuda && find_device(why).empty()) {
    state.SkipWithError(why.c_str());
    return;
  }
  const Context context = Context::create(backend, 1);
  const Shape shape(n_dimensions, state.range(0));
  const Array a = random_series(shape, 1), b = random_series(shape, 2);
  const ProductVariant other = variant == ProductVariant::direct ? ProductVariant::transform : ProductVariant::direct;
  const Array c = chebyshev_product(context, a, b, variant), expected = chebyshev_product(context, a, b, other);
  double difference = 0.0, scale = 0.0;
  for (std::size_t i = 0; i < c.data.size(); ++i) {
    difference = std::max(difference, std::abs(c.data[i] - expected.data[i]));
    scale = std::max(scale, std::abs(expected.data[i]));
  }
  if (!(difference <= 1e-13 * scale)) {
    state.SkipWithError("the two variants disagree");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(chebyshev_product(context, a, b, variant).data.data());
}

const auto cpu = BackendChoice::cpu, cuda = BackendChoice::cuda;
const auto direct = ProductVariant::direct, transform = ProductVariant::transform;

BENCHMARK_CAPTURE(product, cpu_direct_1d, cpu, direct, 1)->RangeMultiplier(4)->Range(4, 1024)->UseRealTime();
BENCHMARK_CAPTURE(product, cpu_transform_1d, cpu, transform, 1)->RangeMultiplier(4)->Range(4, 1024)->UseRealTime();
BENCHMARK_CAPTURE(product, cpu_direct_2d, cpu, direct, 2)->RangeMultiplier(2)->Range(4, 64)->UseRealTime();
BENCHMARK_CAPTURE(product, cpu_transform_2d, cpu, transform, 2)->RangeMultiplier(2)->Range(4, 128)->UseRealTime();
BENCHMARK_CAPTURE(product, cuda_direct_1d, cuda, direct, 1)->RangeMultiplier(4)->Range(4, 1024)->UseRealTime();
BENCHMARK_CAPTURE(product, cuda_transform_1d, cuda, transform, 1)->RangeMultiplier(4)->Range(4, 1024)->UseRealTime();
BENCHMARK_CAPTURE(product, cuda_direct_2d, cuda, direct, 2)->RangeMultiplier(2)->Range(4, 128)->UseRealTime();
BENCHMARK_CAPTURE(product, cuda_transform_2d, cuda, transform, 2)->RangeMultiplier(2)->Range(4, 128)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
