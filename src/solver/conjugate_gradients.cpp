#include "solver/conjugate_gradients.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "kernels/linear_algebra/long_vector.hpp"

namespace gwrm {
namespace {

void scale_into(const std::vector<double>& s, const std::vector<double>& r, std::vector<double>& z) {
  const auto n = static_cast<Index>(r.size());
#pragma omp parallel for schedule(static) if (n > 20000)
  for (Index i = 0; i < n; ++i)
    z[static_cast<std::size_t>(i)] = s[static_cast<std::size_t>(i)] * r[static_cast<std::size_t>(i)];
}

void remove_mean(std::vector<double>& r) {
  double sum = 0.0;
  for (double value : r) sum += value;
  for (double& value : r) value -= sum / static_cast<double>(r.size());
}

// What both variants share: the residual of the start, its history, and when to end.
class Iteration {
 public:
  Iteration(const SymmetricOperator& a, const std::vector<double>& b, std::vector<double>& x, const CgOptions& options)
      : a_(a), options_(options), n_(a.size()), x_(x), r_(b) {
    if (static_cast<Index>(b.size()) != n_ || static_cast<Index>(x.size()) != n_)
      throw ShapeError("conjugate_gradients: vectors that do not fit the operator");
    workspace_.resize(long_vector_workspace(n_));
    std::vector<double> product(b.size());
    a.apply(x.data(), product.data());
    cpu::add_scaled(n_, product.data(), -1.0, r_.data());  // A x - b
    for (double& value : r_) value = -value;
  }

  CgResult run() { return options_.variant == CgVariant::chronopoulos_gear ? chronopoulos_gear() : hestenes_stiefel(); }

 private:
  const double* scaling() const {
    return options_.inverse_diagonal == nullptr ? nullptr : options_.inverse_diagonal->data();
  }
  double dot(const std::vector<double>& u, const std::vector<double>& v) {
    return cpu::dot(n_, u.data(), v.data(), workspace_.data());
  }

  // True if the iteration ends here.
  bool ends(double residual_squared) {
    const double residual = std::sqrt(residual_squared);
    result_.residuals.push_back(residual);
    if (!std::isfinite(residual)) return end_as(CgStatus::not_finite);
    if (residual <= options_.residual) return end_as(CgStatus::converged);
    if (result_.iterations == options_.max_iterations) return end_as(CgStatus::stalled);
    if (options_.watch && !options_.watch(result_.iterations, residual)) return end_as(CgStatus::interrupted);
    return false;
  }
  bool end_as(CgStatus status) {
    result_.status = status;
    return true;
  }
  // The curvature p.Ap of a positive definite A.
  bool is_sound(double curvature) {
    if (curvature > 0.0 && std::isfinite(curvature)) return true;
    end_as(std::isfinite(curvature) ? CgStatus::not_definite : CgStatus::not_finite);
    return false;
  }

  CgResult hestenes_stiefel() {
    const bool general = options_.preconditioner != nullptr;
    std::vector<double> p(r_.size(), 0.0), q(r_.size()), z(general ? r_.size() : 0);
    const auto preconditioned = [&](ResidualSums sums) {
      if (!general) return sums.scaled;
      if (options_.constants_in_kernel) remove_mean(r_);
      options_.preconditioner->apply(r_.data(), z.data());
      return dot(r_, z);
    };
    // A step of length zero: the sums of the start.
    ResidualSums sums = cpu::step(n_, 0.0, p.data(), p.data(), scaling(), x_.data(), r_.data(), workspace_.data());
    double beta = 0.0, rz = 0.0;
    while (!ends(sums.plain)) {
      const double before = rz;
      rz = preconditioned(sums);
      beta = result_.iterations == 0 ? 0.0 : rz / before;
      const double curvature = a_.direction(beta, general ? z.data() : r_.data(), general ? nullptr : scaling(),
                                            p.data(), q.data(), row_sums_);
      if (!is_sound(curvature)) break;
      sums = a_.step(rz / curvature, p.data(), q.data(), scaling(), x_.data(), r_.data(), row_sums_);
      ++result_.iterations;
    }
    return std::move(result_);
  }

  CgResult chronopoulos_gear() {
    if (options_.preconditioner != nullptr) throw ShapeError("chronopoulos_gear takes a diagonal preconditioner only");
    if (a_.has_one_pass()) return in_one_pass();
    std::vector<double> p(r_.size(), 0.0), s(r_.size(), 0.0), z(r_.size()), w(r_.size());
    double gamma = 0.0, alpha = 0.0;
    const auto residual_image = [&]() -> const std::vector<double>& {
      if (options_.inverse_diagonal == nullptr) return r_;
      scale_into(*options_.inverse_diagonal, r_, z);
      return z;
    };
    double residual_squared = dot(r_, r_);
    while (!ends(residual_squared)) {
      const std::vector<double>& image = residual_image();
      a_.apply(image.data(), w.data());
      const double before = gamma;
      gamma = dot(r_, image);
      const double delta = dot(w, image);
      const bool first = result_.iterations == 0;
      const double beta = first ? 0.0 : gamma / before;
      const double curvature = first ? delta : delta - beta * gamma / alpha;
      if (!is_sound(curvature)) break;
      alpha = gamma / curvature;
      cpu::add_scaled(n_, image.data(), beta, p.data());
      cpu::add_scaled(n_, w.data(), beta, s.data());
      residual_squared =
          cpu::step(n_, alpha, p.data(), s.data(), nullptr, x_.data(), r_.data(), workspace_.data()).plain;
      ++result_.iterations;
    }
    return std::move(result_);
  }

  CgResult in_one_pass() {
    std::vector<double> p(r_.size(), 0.0);
    const auto pass = [&](const OnePassStep& step, double* x) {
      return a_.one_pass(step, scaling(), p.data(), x, r_.data(), row_sums_);
    };
    // A step of length zero: the sums of the start.
    OnePassSums sums = pass({}, nullptr);
    OnePassStep step;
    double curvature = sums.curvature;
    bool x_is_behind = false;
    while (!ends(sums.plain)) {
      if (!is_sound(curvature)) break;
      step.alpha_before = x_is_behind ? step.alpha : 0.0;
      step.alpha = sums.scaled / curvature;
      const double before = sums.scaled;
      sums = pass(step, x_is_behind ? x_.data() : nullptr);
      x_is_behind = !x_is_behind;
      ++result_.iterations;
      step.beta = sums.scaled / before;
      curvature = sums.curvature - step.beta * sums.scaled / step.alpha;
    }
    if (x_is_behind) {  // x += alpha p
      cpu::add_scaled(n_, x_.data(), step.alpha, p.data());
      x_.swap(p);
    }
    return std::move(result_);
  }

  const SymmetricOperator& a_;
  const CgOptions& options_;
  Index n_;
  std::vector<double>& x_;
  std::vector<double> r_;
  std::vector<double> workspace_, row_sums_;
  CgResult result_;
};

}  // namespace

double SymmetricOperator::direction(double beta, const double* r, const double* s, double* p, double* q,
                                    std::vector<double>& workspace) const {
  const Index n = size();
  workspace.resize(long_vector_workspace(n));
  if (s == nullptr) {
    cpu::add_scaled(n, r, beta, p);
  } else {
#pragma omp parallel for schedule(static) if (n > 20000)
    for (Index i = 0; i < n; ++i) p[i] = s[i] * r[i] + beta * p[i];
  }
  apply(p, q);
  return cpu::dot(n, p, q, workspace.data());
}

ResidualSums SymmetricOperator::step(double alpha, const double* p, const double* q, const double* s, double* x,
                                     double* r, std::vector<double>& workspace) const {
  workspace.resize(long_vector_workspace(size()));
  return cpu::step(size(), alpha, p, q, s, x, r, workspace.data());
}

OnePassSums SymmetricOperator::one_pass(const OnePassStep&, const double*, double*, double*, double*,
                                        std::vector<double>&) const {
  throw ShapeError("this operator has no iteration in one pass");
}

CgResult conjugate_gradients(const SymmetricOperator& a, const std::vector<double>& b, std::vector<double>& x,
                             const CgOptions& options) {
  return Iteration(a, b, x, options).run();
}

}  // namespace gwrm
