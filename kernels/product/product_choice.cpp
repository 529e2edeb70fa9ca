#include "kernels/product/product_choice.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gwrm {
namespace {

// H200: the folded sums are one kernel and win while they take less than the three to five launches of the transforms:
// up to 33 coefficients squared or 10 cubed, and a little more in batches. A single series of one dimension has no
// passes to save up to 2400 coefficients; batches of them are one kernel either way.
constexpr double kDirectTerms = 1.2e6, kDirectTermsOfBatch = 4.0e6;
constexpr double kDirectTermsOfLine = 6.0e6, kDirectTermsOfLines = 5.0e5;

// H200: the matrix products beat the Fourier transforms where they fill the device and its tiles of 32 x 32, at few
// multiply-adds per coefficient (the rest of the last tile included): 32 and 64 coefficients squared, 32 cubed.
constexpr double kMinCoefficientsForMatrices = 3.0e4, kMaxTermsForMatrices = 400.0;
constexpr Index kTileOfMatrices = 32;
// Longer ones go by the library, which has no more than three dimensions.
constexpr Index kLongestOfManyDimensions = 1500;

// CPU: a multiply-add of the folded sums costs four of the transforms, in small matrix products both; the transforms
// besides sort, add and subtract, worth sixty per coefficient. In one dimension the sums always win: no transform here
// costs less than n^2.
constexpr double kDirectTermCpu = 4.0, kTransformOverheadCpu = 60.0;

constexpr std::pair<const char*, ProductVariant> kNames[] = {
    {"auto", ProductVariant::automatic},      {"monolithic", ProductVariant::monolithic},
    {"stride", ProductVariant::stride},       {"direct", ProductVariant::direct},
    {"transform", ProductVariant::transform}, {"matrices", ProductVariant::matrices},
    {"fourier", ProductVariant::fourier}};

double folded_terms(const Shape& shape) {
  const double size = static_cast<double>(element_count(shape));
  return size * size;
}

// Three chains of matrix products, both factors to the points and the result back, each matrix split by parity.
double matrix_terms(const Shape& shape) {
  double terms = 0.0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    double size = static_cast<double>(shape[d]) / 2.0;
    for (std::size_t e = 0; e < shape.size(); ++e)
      size *= static_cast<double>(e <= d ? product_points(shape[e]) : shape[e]);
    terms += size;
  }
  return 3.0 * terms;
}

ProductVariant cheaper_transform(Backend backend, const Shape& shape, Index batch) {
  if (backend == Backend::cpu) return ProductVariant::matrices;
  if (shape.size() == 1) return ProductVariant::fourier;
  if (shape.size() > 3 && *std::max_element(shape.begin(), shape.end()) > kLongestOfManyDimensions)
    return ProductVariant::matrices;
  const double size = static_cast<double>(element_count(shape));
  double in_tiles = 1.0;
  for (Index extent : shape)
    in_tiles *= static_cast<double>((extent + kTileOfMatrices - 1) / kTileOfMatrices * kTileOfMatrices);
  const double terms = matrix_terms(shape) / size * (in_tiles / size);
  const bool fills = size * static_cast<double>(batch) >= kMinCoefficientsForMatrices;
  return fills && terms <= kMaxTermsForMatrices ? ProductVariant::matrices : ProductVariant::fourier;
}

bool direct_is_cheaper(Backend backend, const Shape& shape, Index batch) {
  if (backend == Backend::cuda) {
    const bool line = shape.size() == 1;
    const double most =
        batch > 1 ? (line ? kDirectTermsOfLines : kDirectTermsOfBatch) : (line ? kDirectTermsOfLine : kDirectTerms);
    return shape.size() <= 4 && folded_terms(shape) * static_cast<double>(batch) <= most;
  }
  if (shape.size() == 1) return true;
  const double size = static_cast<double>(element_count(shape));
  return kDirectTermCpu * folded_terms(shape) <= matrix_terms(shape) + kTransformOverheadCpu * size;
}

}  // namespace

ProductVariant chosen_variant(Backend backend, const Shape& shape, Index batch, ProductVariant variant) {
  if (variant == ProductVariant::automatic)
    variant = direct_is_cheaper(backend, shape, batch) ? ProductVariant::direct : ProductVariant::transform;
  return variant == ProductVariant::transform ? cheaper_transform(backend, shape, batch) : variant;
}

const char* variant_name(ProductVariant variant) {
  for (const auto& [name, known] : kNames)
    if (known == variant) return name;
  return "unknown";
}

bool variant_of_name(const std::string& name, ProductVariant& variant) {
  for (const auto& [known, value] : kNames)
    if (name == known) {
      variant = value;
      return true;
    }
  return false;
}

double product_operations(const Shape& shape, ProductVariant variant) {
  switch (variant) {
    case ProductVariant::monolithic:
    case ProductVariant::stride:
      return 2.0 * direct_product_terms(shape);
    case ProductVariant::direct:
      return 2.0 * folded_terms(shape);
    case ProductVariant::fourier: {
      double n_points = 1.0;
      for (Index extent : shape) n_points *= static_cast<double>(product_points(extent));
      return 7.5 * n_points * std::log2(std::max(2.0, n_points));
    }
    default:
      return 2.0 * matrix_terms(shape);
  }
}

}  // namespace gwrm
