// Solves with the block factorisation of saddle_operators.hpp: two of the tensor solver for the unknowns that hold the
// multiplier, one for the others, and one for each multiplier.
#include <algorithm>
#include <cmath>

#include "weighted_residual/preconditioner/complex_planes.hpp"
#include "weighted_residual/preconditioner/lost_wind.hpp"
#include "weighted_residual/preconditioner/saddle_operators.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;

class SaddleFactors : public SpatialFactors {
 public:
  SaddleFactors(std::vector<SaddlePair> pairs, std::unique_ptr<SpatialFactors> others, std::vector<Complex> z,
                Precision precision)
      : pairs_(std::move(pairs)), others_(std::move(others)), z_(std::move(z)) {
    for (const SaddlePair& pair : pairs_) laplacians_.push_back(make_tensor_solver({pair.laplacian}, z_, precision));
  }

  void solve(std::size_t k, std::span<const Complex> b, std::span<Complex> x) const override {
    std::vector<Complex> right(b.size()), schur(b.size());
    others_->solve(k, b, x);
    for (std::size_t i = 0; i < pairs_.size(); ++i) solve_multiplier(i, k, b, x, schur);
    // w = w* - A^-1 G p
    std::vector<bool> driven(others_->n_parts(), false);
    for (const SaddlePair& pair : pairs_) {
      for (const SeparableTerm& term : pair.gradient) term.add_to(-power(k, term.power), x, right);
      for (std::size_t part : pair.driven) driven[part] = true;
    }
    std::vector<Complex>& correction = schur;
    std::fill(correction.begin(), correction.end(), 0.0);
    for (std::size_t part = 0; part < driven.size(); ++part)
      if (driven[part]) others_->solve_part(part, k, right, correction);
    for (const SaddlePair& pair : pairs_)
      std::fill_n(correction.begin() + pair.laplacian.unknowns, element_count(pair.laplacian.extents), 0.0);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] += correction[j];
  }

  void apply(int p, std::span<const Complex> x, std::span<Complex> y) const override {
    std::fill(y.begin(), y.end(), 0.0);
    others_->apply(p, x, y);
    for (const SaddlePair& pair : pairs_) {
      for (const auto* terms : {&pair.gradient, &pair.divergence, &pair.own, &pair.degrees})
        for (const SeparableTerm& term : *terms)
          if (term.power == p) term.add_to(1.0, x, y);
      if (pair.has_kernel) y[static_cast<std::size_t>(pair.laplacian.rows)] = p == 0 ? pair.gauge(of(pair, x)) : 0.0;
    }
  }

 private:
  Complex power(std::size_t k, int p) const { return p == 0 ? Complex(1.0) : std::pow(z_[k], p); }

  static std::span<const Complex> of(const SaddlePair& pair, std::span<const Complex> x) {
    return x.subspan(static_cast<std::size_t>(pair.laplacian.unknowns),
                     static_cast<std::size_t>(element_count(pair.laplacian.extents)));
  }

  // p from D w* - c; schur: as long as all rows.
  void solve_multiplier(std::size_t i, std::size_t k, std::span<const Complex> b, std::span<Complex> x,
                        std::vector<Complex>& schur) const {
    const SaddlePair& pair = pairs_[i];
    const TensorField& field = pair.laplacian;
    const auto first = static_cast<std::size_t>(field.rows),
               n = static_cast<std::size_t>(element_count(field.free_extents));
    for (std::size_t j = 0; j < n; ++j) schur[first + j] = -b[first + j];
    for (const SeparableTerm& term : pair.divergence) term.add_to(power(k, term.power), x, schur);
    const std::span<Complex> right(schur.data() + first, n);
    if (pair.has_kernel) make_solvable(pair, right);
    laplacians_[i]->solve(k, schur, x);  // E^-1, on the modes of p

    Array inverse = planes(of(pair, x), field.extents);
    for (std::size_t d = 0; d < field.axes.size(); ++d) inverse = pick(inverse, d, field.axes[d].free);
    Array p = planes(right, field.free_extents);
    Array sum(p.shape);
    add(sum, pair.identity[k], p);
    add(sum, pair.inverse[k], inverse);
    for (std::size_t d = 0; d < pair.wind.size(); ++d)
      if (pair.wind[d].size() > 0)
        add(sum, pair.wind_factor[k] * power(k, pair.wind_power), along(pair.wind[d], inverse, d));
    const std::span<Complex> own =
        x.subspan(static_cast<std::size_t>(field.unknowns), static_cast<std::size_t>(element_count(field.extents)));
    std::fill(own.begin(), own.end(), 0.0);
    from_planes(sum, right);
    place(field, right, own);
    for (const SeparableTerm& term : pair.degrees) set_picked(term, b, x);
    if (pair.has_kernel) {
      // The row of the mean: + constant.
      const Complex constant = (b[first] - pair.gauge(own)) / pair.gauge_of_one;
      std::fill(right.begin(), right.end(), 0.0);
      add_product(pair.constant, constant, field.free_extents, right);
      std::vector<Complex> whole(own.size(), 0.0);
      place(field, right, whole);
      for (std::size_t j = 0; j < own.size(); ++j) own[j] += whole[j];
    }
  }

  // The entry for the row in place of which the mean stands: what makes l^T r vanish.
  static void make_solvable(const SaddlePair& pair, std::span<Complex> right) {
    right[0] = 0.0;
    std::vector<Complex> rest(right.begin(), right.end());
    double first = 1.0;
    for (std::size_t d = pair.left_null.size(); d-- > 0;) {
      const Vector& l = pair.left_null[d];
      const auto n = static_cast<std::size_t>(l.size());
      for (std::size_t i = 0; i < rest.size() / n; ++i) {
        Complex one = 0.0;
        for (std::size_t j = 0; j < n; ++j) one += l(static_cast<Index>(j)) * rest[i * n + j];
        rest[i] = one;
      }
      rest.resize(rest.size() / n);
      first *= l(0);
    }
    right[0] = -rest.front() / first;
  }

  static void add_product(const std::vector<Vector>& vectors, Complex factor, const Shape& extents,
                          std::span<Complex> target) {
    for (std::size_t j = 0; j < target.size(); ++j) {
      Complex value = factor;
      auto rest = static_cast<Index>(j);
      for (std::size_t d = extents.size(); d-- > 0;) {
        value *= vectors[d](rest % extents[d]);
        rest /= extents[d];
      }
      target[j] += value;
    }
  }

  // From the modes of p to all.
  static void place(const TensorField& field, std::span<const Complex> values, std::span<Complex> all) {
    for (std::size_t j = 0; j < values.size(); ++j) {
      auto rest = static_cast<Index>(j);
      Index position = 0, stride = 1;
      for (std::size_t d = field.axes.size(); d-- > 0;) {
        position += field.axes[d].free[static_cast<std::size_t>(rest % field.free_extents[d])] * stride;
        rest /= field.free_extents[d];
        stride *= field.extents[d];
      }
      all[static_cast<std::size_t>(position)] = values[j];
    }
  }

  // Rows that each hold one number: x = b/factor there.
  static void set_picked(const SeparableTerm& term, std::span<const Complex> b, std::span<Complex> x) {
    const Index n = element_count(term.row_extents);
    for (Index j = 0; j < n; ++j) {
      Index rest = j, position = 0, stride = 1;
      for (std::size_t axis = term.row_extents.size(); axis-- > 0;) {
        position += term.actions[axis].picked[static_cast<std::size_t>(rest % term.row_extents[axis])] * stride;
        rest /= term.row_extents[axis];
        stride *= term.column_extents[axis];
      }
      x[static_cast<std::size_t>(term.column + position)] = b[static_cast<std::size_t>(term.row + j)] / term.factor;
    }
  }

  std::vector<SaddlePair> pairs_;
  std::unique_ptr<SpatialFactors> others_;
  std::vector<std::unique_ptr<SpatialFactors>> laplacians_;
  std::vector<Complex> z_;
};

}  // namespace

FactorResult saddle_factors(const WindowSystem& system, const SpatialLayout& layout, const std::vector<Array>& averages,
                            const std::vector<Complex>& z, Precision precision) {
  for (const Array& average : averages)
    for (double value : average.data)
      if (!std::isfinite(value)) return {nullptr, LuStatus::not_finite};
  const CoefficientMeans means = coefficient_means(system, averages);
  std::vector<TensorField> others;
  if (const LuStatus status = tensor_operators(system, layout, means, z, others); status != LuStatus::regular)
    return {nullptr, status};
  if (system.model().time_axis() < 0) add_lost_wind({system, layout, means, z, others}, averages, others);
  std::vector<SaddlePair> pairs;
  if (const LuStatus status = saddle_pairs(system, layout, means, z, others, pairs); status != LuStatus::regular)
    return {nullptr, status};
  return {std::make_unique<SaddleFactors>(std::move(pairs), make_tensor_solver(std::move(others), z, precision), z,
                                          precision),
          LuStatus::regular};
}

}  // namespace gwrm
