// Plans for batches of products: every variant, precision and backend against the definition in extended precision, on
// shapes around the widths of tiles, warps and vectors. The device's tests skip where there is no device.
#include "kernels/product/product_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "bench/products/product_definition.hpp"
#include "core/errors.hpp"
#include "kernels/product/product_choice.hpp"
#include "kernels/product/product_run.hpp"
#include "random_array.hpp"

namespace gwrm::product_plan_test {
namespace {

struct Work {
  Shape shape;
  Index batch;
};

const std::vector<Work> kWorks = {
    {{1}, 1},        {{2}, 3},          {{31}, 1},           {{32}, 2},      {{33}, 5},      {{256}, 2},
    {{257}, 1},      {{400}, 3},        {{1024}, 1},         {{1025}, 2},    {{1, 1}, 2},    {{1, 7}, 1},
    {{6, 1}, 3},     {{5, 9}, 2},       {{16, 16}, 1},       {{17, 20}, 2},  {{33, 31}, 9},  {{50, 50}, 1},
    {{2, 90}, 2},    {{90, 3}, 2},      {{64, 48}, 1},       {{4, 5, 6}, 1}, {{1, 3, 2}, 1}, {{9, 8, 20}, 3},
    {{2, 2, 40}, 2}, {{2, 3, 2, 4}, 2}, {{2, 2, 3, 2, 2}, 1}};

// Series of one and two dimensions for each way of the Fourier variant: one transform in a block, two steps, the
// library.
const std::vector<Work> kLongWorks = {{{1000}, 2},    {{1700}, 1},    {{3001}, 2},
                                      {{2, 1800}, 1}, {{1800, 2}, 1}, {{3, 100}, 70}};

template <typename Real>
std::vector<Real> random_numbers(test::Random& random, Index size) {
  std::vector<Real> numbers(static_cast<std::size_t>(size));
  for (Real& number : numbers) number = static_cast<Real>(random.number());
  return numbers;
}

// The largest error of all items of the batch, relative to the largest coefficient of each.
template <typename Real>
double error_of(const Work& work, const std::vector<Real>& a, const std::vector<Real>& b, const std::vector<Real>& c) {
  const auto size = static_cast<std::size_t>(element_count(work.shape));
  double error = 0.0;
  for (std::size_t start = 0; start < a.size(); start += size) {
    const std::vector<double> of_a(a.data() + start, a.data() + start + size);
    const std::vector<double> of_b(b.data() + start, b.data() + start + size);
    const ProductDefinition definition(work.shape, of_a.data(), of_b.data(), std::numeric_limits<double>::infinity());
    const double of_item = definition.error_of(c.data() + start).maximum;
    if (!(of_item <= error)) error = of_item;
  }
  return error;
}

template <typename Real>
void expect_products(const Context& context, ProductVariant variant, const std::vector<Work>& works = kWorks) {
  test::Random random(29);
  // Rounding to Real, and a few roundings of double precision: figures measured stay below 3e-15 up to degree 1024.
  const double allowed = sizeof(Real) == sizeof(double) ? 1e-14 : 1.2e-7;
  for (const Work& work : works) {
    const Index size = work.batch * element_count(work.shape);
    const auto a = random_numbers<Real>(random, size), b = random_numbers<Real>(random, size);
    const auto plan = make_product_plan<Real>(context, work.shape, work.batch, variant);
    const std::vector<Real> c = run_product(context, *plan, a, b);
    EXPECT_LE(error_of(work, a, b, c), allowed) << ::testing::PrintToString(work.shape) << " x " << work.batch;
    EXPECT_EQ(run_product(context, *plan, a, b), c) << "two runs differ";
  }
}

class ProductPlans : public ::testing::TestWithParam<ProductVariant> {};

class CpuProductPlans : public ProductPlans {};

TEST_P(CpuProductPlans, Multiply) {
  const Context context = Context::create(BackendChoice::cpu, 2);
  expect_products<double>(context, GetParam());
  expect_products<float>(context, GetParam());
}

TEST_P(ProductPlans, MultiplyOnTheDevice) {
  std::string why;
  if (find_device(why).empty()) GTEST_SKIP() << why;
  const Context context = Context::create(BackendChoice::cuda, 2);
  expect_products<double>(context, GetParam());
  expect_products<float>(context, GetParam());
}

TEST(ProductDevice, MultipliesLongSeriesByFourierTransforms) {
  std::string why;
  if (find_device(why).empty()) GTEST_SKIP() << why;
  const Context context = Context::create(BackendChoice::cuda, 2);
  expect_products<double>(context, ProductVariant::fourier, kLongWorks);
  expect_products<float>(context, ProductVariant::fourier, kLongWorks);
}

std::string name_of(const ::testing::TestParamInfo<ProductVariant>& variant) {
  return variant_name(variant.param);
}

INSTANTIATE_TEST_SUITE_P(Variants, CpuProductPlans,
                         ::testing::Values(ProductVariant::automatic, ProductVariant::monolithic,
                                           ProductVariant::stride, ProductVariant::direct, ProductVariant::matrices),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Variants, ProductPlans,
                         ::testing::Values(ProductVariant::automatic, ProductVariant::monolithic,
                                           ProductVariant::stride, ProductVariant::direct, ProductVariant::matrices,
                                           ProductVariant::fourier),
                         name_of);

TEST(ProductDevice, KeepsBothBackendsTogether) {
  std::string why;
  if (find_device(why).empty()) GTEST_SKIP() << why;
  const Context cpu = Context::create(BackendChoice::cpu, 2), device = Context::create(BackendChoice::cuda, 2);
  test::Random random(31);
  for (const Work& work : {Work{{101, 77}, 3}, Work{{200, 100}, 1}, Work{{24, 25, 26}, 1}, Work{{3000}, 2}}) {
    const Index size = work.batch * element_count(work.shape);
    const auto a = random_numbers<double>(random, size), b = random_numbers<double>(random, size);
    const auto expected =
        run_product(cpu, *make_product_plan<double>(cpu, work.shape, work.batch, ProductVariant::matrices), a, b);
    double scale = 0.0;
    for (double value : expected) scale = std::max(scale, std::abs(value));
    for (ProductVariant variant : {ProductVariant::direct, ProductVariant::matrices, ProductVariant::fourier}) {
      const auto c = run_product(device, *make_product_plan<double>(device, work.shape, work.batch, variant), a, b);
      for (std::size_t i = 0; i < c.size(); ++i)
        ASSERT_NEAR(c[i], expected[i], 1e-14 * scale) << variant_name(variant) << " at " << i;
    }
  }
}

// By hand: T_1 T_1 = (1 + T_2) / 2 of which 1 / 2 stays in two coefficients of y, T_1 T_2 = (T_1 + T_3) / 2.
TEST(ProductDefinition, KnowsProductsOfPolynomials) {
  const Shape shape = {3, 2};
  const std::vector<double> a = {0, 0, 0, 1, 0, 0};  // T_1(x) T_1(y)
  const std::vector<double> b = {0, 1, 0, 0, 0, 2};  // T_1(y) + 2 T_2(x) T_1(y)
  const std::vector<double> c = {0, 0, 1, 0, 0, 0};  // (1 + 2 / 2) T_1(x) / 2
  EXPECT_EQ(ProductDefinition(shape, a.data(), b.data(), 1e9).error_of(c.data()).maximum, 0.0);
  const std::vector<double> wrong = {0, 0, 1, 0, 0, 0.5};
  EXPECT_EQ(ProductDefinition(shape, a.data(), b.data(), 1e9).error_of(wrong.data()).maximum, 0.5);
  const std::vector<double> missing(6, std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(std::isnan(ProductDefinition(shape, a.data(), b.data(), 1e9).error_of(missing.data()).maximum));
}

TEST(ProductDefinition, SpreadsItsChecks) {
  test::Random random(3);
  const Array a = random.array({40, 40}), b = random.array({40, 40});
  const ProductDefinition definition(a.shape, a.data.data(), b.data.data(), 1e5);
  const ProductError error = definition.error_of(a.data.data());
  EXPECT_GT(error.n_checked, 20);
  EXPECT_LT(error.n_checked, 200);
  EXPECT_GT(error.maximum, 0.1);
}

TEST(ProductChoice, NamesAndServesEveryVariant) {
  for (const char* name : {"auto", "monolithic", "stride", "direct", "transform", "matrices", "fourier"}) {
    ProductVariant variant;
    ASSERT_TRUE(variant_of_name(name, variant)) << name;
    EXPECT_STREQ(variant_name(variant), name);
  }
  ProductVariant variant;
  EXPECT_FALSE(variant_of_name("fast", variant));
  for (Backend backend : {Backend::cpu, Backend::cuda})
    for (const Shape& shape : {Shape{1}, Shape{5000000}, Shape{8, 8}, Shape{900, 900}, Shape{3, 3, 3, 3, 3}})
      for (Index batch : {Index{1}, Index{100}}) {
        const ProductVariant chosen = chosen_variant(backend, shape, batch, ProductVariant::automatic);
        EXPECT_TRUE(chosen == ProductVariant::direct || chosen == ProductVariant::matrices ||
                    (chosen == ProductVariant::fourier && backend == Backend::cuda));
      }
  EXPECT_EQ(chosen_variant(Backend::cuda, {4, 4}, 1, ProductVariant::automatic), ProductVariant::direct);
  EXPECT_EQ(chosen_variant(Backend::cuda, {64, 64}, 64, ProductVariant::automatic), ProductVariant::matrices);
  EXPECT_EQ(chosen_variant(Backend::cuda, {100, 100}, 64, ProductVariant::automatic), ProductVariant::fourier);
  EXPECT_EQ(chosen_variant(Backend::cuda, {2000}, 1, ProductVariant::automatic), ProductVariant::direct);
  EXPECT_EQ(chosen_variant(Backend::cuda, {16384}, 1, ProductVariant::automatic), ProductVariant::fourier);
  EXPECT_EQ(chosen_variant(Backend::cuda, {2000, 2, 2, 2}, 1, ProductVariant::transform), ProductVariant::matrices);
  EXPECT_EQ(chosen_variant(Backend::cuda, {1000, 1000}, 1, ProductVariant::automatic), ProductVariant::fourier);
}

TEST(ProductPlanArguments, AreChecked) {
  const Context context = Context::create(BackendChoice::cpu, 1);
  EXPECT_THROW(make_product_plan<double>(context, {}, 1, ProductVariant::direct), ShapeError);
  EXPECT_THROW(make_product_plan<double>(context, {3, 0}, 1, ProductVariant::direct), ShapeError);
  EXPECT_THROW(make_product_plan<double>(context, {3}, 0, ProductVariant::direct), ShapeError);
  EXPECT_THROW(make_product_plan<double>(context, {3}, 1, ProductVariant::fourier), ShapeError);
}

}  // namespace
}  // namespace gwrm::product_plan_test
