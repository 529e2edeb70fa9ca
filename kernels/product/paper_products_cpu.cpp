// The CPU versions of the paper's kernels: what one GPU thread, or one warp, makes is one turn of the threads' loop
// here.
#include <cmath>
#include <vector>

#include "core/thread_errors.hpp"
#include "kernels/product/product_cpu.hpp"

namespace gwrm::cpu {
namespace {

// Below this many multiply-adds, half a millisecond, waking the threads costs more than it saves on a busy machine.
constexpr double kParallelFromTerms = 5e5;

double primed(const double* series, Index j) {
  return j == 0 ? 2.0 * series[0] : series[j];
}

// Eq. (9), primed: 2 c_l = sum_{j=0..l} p_j r_{l-j} + sum_{j=1..L-l} (p_j r_{j+l} + p_{j+l} r_j), one term after
// another.
struct OneByOne {
  static double row(const double* p, const double* r, Index l, Index L) {
    double sum = 0.0;
    for (Index j = 0; j <= l; ++j) sum += primed(p, j) * primed(r, l - j);
    for (Index j = 1; j <= L - l; ++j) sum += p[j] * r[j + l] + p[j + l] * r[j];
    return sum;
  }
};

// The same in vector lanes; the doubled first coefficients are added behind the loops.
struct InLanes {
  static double row(const double* p, const double* r, Index l, Index L) {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (Index j = 0; j <= l; ++j) sum += p[j] * r[l - j];
#pragma omp simd reduction(+ : sum)
    for (Index j = 1; j <= L - l; ++j) sum += p[j] * r[j + l] + p[j + l] * r[j];
    return sum + p[0] * r[l] + p[l] * r[0] + (l == 0 ? p[0] * r[0] : 0.0);
  }
};

// Eq. (10) for any number of dimensions: sums over the pairs of dimension d and those behind it, primed.
template <class Row>
double nested_sum(const Shape& shape, const std::vector<Index>& k, std::size_t d, Index block, const double* a,
                  const double* b) {
  const Index K = shape[d] - 1, kd = k[d];
  if (d + 1 == shape.size()) return Row::row(a, b, kd, K);
  const Index inner = block / shape[d];
  const auto term = [&](Index i, Index j) {
    const double weight = (i == 0 ? 2.0 : 1.0) * (j == 0 ? 2.0 : 1.0);
    return weight * nested_sum<Row>(shape, k, d + 1, inner, a + i * inner, b + j * inner);
  };
  double sum = 0.0;
  for (Index i = 0; i <= kd; ++i) sum += term(i, kd - i);
  for (Index i = 1; i <= K - kd; ++i) sum += term(i, i + kd) + term(i + kd, i);
  return sum;
}

template <class Row>
class PaperProduct final : public ProductPlan<double> {
 public:
  PaperProduct(const Shape& shape, Index batch) : shape_(shape), size_(element_count(shape)), batch_(batch) {}

  std::size_t workspace_bytes() const override { return 0; }

  void multiply(const double* a, const double* b, double* c, void*) const override {
    const bool parallel = direct_product_terms(shape_) * static_cast<double>(batch_) >= kParallelFromTerms;
    ThreadErrors errors;
#pragma omp parallel for schedule(static, 16) if (parallel)
    for (Index flat = 0; flat < batch_ * size_; ++flat)
      errors.run([&] {
        std::vector<Index> k(shape_.size());
        const Index item = flat / size_ * size_;
        Index rest = flat - item;
        double scale = 1.0;  // 2^-d, and primed to plain
        for (std::size_t d = shape_.size(); d-- > 0; rest /= shape_[d]) {
          k[d] = rest % shape_[d];
          scale *= k[d] == 0 ? 0.25 : 0.5;
        }
        c[flat] = scale * nested_sum<Row>(shape_, k, 0, size_, a + item, b + item);
      });
    errors.rethrow();
  }

 private:
  Shape shape_;
  Index size_, batch_;
};

}  // namespace

std::unique_ptr<ProductPlan<double>> paper_product(const Shape& shape, Index batch, bool lanes) {
  if (lanes) return std::make_unique<PaperProduct<InLanes>>(shape, batch);
  return std::make_unique<PaperProduct<OneByOne>>(shape, batch);
}

}  // namespace gwrm::cpu
