#include "weighted_residual/preconditioner/wavenumber_operators.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;

bool is_fourier(const Model& model, int axis) {
  return model.is_modal(axis) && model.subdomains[axis].basis == kFourier;
}

std::string unsupported_in(const Model& model, const SystemPlan& plan, const std::vector<DirectionTerm>& terms) {
  for (const DirectionTerm& term : terms) {
    if (term.integral >= 0) {
      const IntegralPlan& integral = plan.integrals[term.integral];
      if (!model.is_modal(integral.axis)) return "it holds an integral over " + model.axes[integral.axis].name;
      if (std::string inside = unsupported_in(model, plan, integral.terms); !inside.empty()) return inside;
      continue;
    }
    for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
      if (is_fourier(model, axis) && term.atom.restricted[axis])
        return "a value at a point of " + model.axes[axis].name + " couples all wavenumbers";
  }
  return {};
}

// A term's values at the points of the bounded axis (one row: the same at all), from the unknowns of a field along it.
struct PointValues {
  Matrix values;
  int field = -1;
  int power = 0;
  std::array<int, kMaxWavenumberAxes> orders{};
  std::uint32_t zero = 0;
};

Matrix scaled_rows(const Vector& g, Matrix values) {
  if (g.size() == 1) return g(0) * values;
  if (values.rows() == 1) return g * values;
  return g.asDiagonal() * values;
}

class WavenumberBuilder {
 public:
  WavenumberBuilder(const WindowSystem& system, const SpatialLayout& layout, const CoefficientMeans& means,
                    WavenumberOperators& result)
      : system_(system),
        model_(system.model()),
        discretisation_(system.discretisation()),
        layout_(layout),
        means_(means),
        result_(result) {}

  LuStatus build() {
    result_.n_powers = highest_power(system_) + 1;
    find_axes();
    for (std::size_t f = 0; f < model_.fields.size(); ++f)
      result_.fields.push_back(place_of(system_.layouts()[f].extents, model_.fields[f], layout_.fields[f], columns_));
    const auto& rows = system_.rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].kind == RowBlock::Kind::mean) continue;
      const FieldModel& field = model_.fields[model_.equations[rows[i].equation].field];
      result_.rows.push_back(place_of(rows[i].extents, field, layout_.rows[i], result_.size));
    }
    std::size_t place = 0;
    for (const RowBlock& row : rows)
      if (row.kind == RowBlock::Kind::mean)
        add_row(row, result_.rows[at(row.equation)], mean_axes(row), {});  // equations come first
      else
        add_row(row, result_.rows[place++], 0, row.kind == RowBlock::Kind::equation ? replaced_in(row) : Replaced());
    if (!finite_) return LuStatus::not_finite;
    if (columns_ != result_.size) return LuStatus::singular;
    drop_round_off();
    for (std::size_t a = 0; a < result_.axes.size(); ++a)
      result_.axes[a].even = std::all_of(result_.terms.begin(), result_.terms.end(),
                                         [&](const WavenumberTerm& term) { return term.orders[a] % 2 == 0; });
    return LuStatus::regular;
  }

 private:
  void find_axes() {
    for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis) {
      if (!model_.is_modal(axis)) continue;
      if (!is_fourier(model_, axis)) {
        bounded_ = axis;
        result_.bounded = true;
        continue;
      }
      const std::vector<double>& edges = discretisation_.subdomains(axis).edges;
      result_.axes.push_back(
          {axis, discretisation_.n_unknowns(axis), 2.0 * std::numbers::pi / (edges.back() - edges.front())});
    }
  }

  // extents: per axis of the model; of one time.
  WavenumberPlace place_of(const Shape& extents, const FieldModel& field, Index offset, Index& size) const {
    WavenumberPlace place;
    place.offset = offset;
    place.first = size;
    Index stride = 1;
    std::vector<Index> strides(extents.size(), 0);
    for (std::size_t axis = extents.size(); axis-- > 0;) {
      if (static_cast<int>(axis) == model_.time_axis()) continue;
      strides[axis] = stride;
      stride *= extents[axis];
    }
    if (bounded_ >= 0) {
      place.count = extents[at(bounded_)];
      place.stride = strides[at(bounded_)];
    }
    for (std::size_t a = 0; a < result_.axes.size(); ++a) {
      const int axis = result_.axes[a].axis;
      if (field.depends_on(axis))
        place.strides[a] = strides[at(axis)];
      else
        place.lacks |= 1u << a;
    }
    size += place.count;
    return place;
  }

  // Mean of a coefficient over all axes but the bounded one.
  Vector profile(const RowTerm& term) {
    if (term.coefficient < 0) return Vector::Ones(1);
    Vector mean = means_(term.coefficient, bounded_);
    finite_ = finite_ && mean.allFinite();
    return mean;
  }

  std::vector<PointValues> values_of(const RowTerm& term) {
    std::vector<PointValues> result;
    if (term.integral < 0) {
      PointValues one;
      one.field = term.atom.field;
      one.power = term.power;
      const FieldModel& field = model_.fields[one.field];
      for (std::size_t a = 0; a < result_.axes.size(); ++a) {
        const int axis = result_.axes[a].axis;
        if (field.depends_on(axis))
          one.orders[a] = term.atom.orders[axis];
        else
          one.zero |= 1u << a;
      }
      if (bounded_ < 0)
        one.values = Matrix::Ones(1, 1);
      else if (term.line_axis == bounded_)
        one.values = term.line.dense();
      else
        one.values = discretisation_.trial(bounded_, term.atom, field).dense();
      result.push_back(std::move(one));
    } else {
      const IntegralPlan& integral = system_.plan().integrals[term.integral];
      const Vector& weights = discretisation_.weights()[at(integral.axis)];
      for (const RowTerm& inner : system_.integral_terms()[at(term.integral)])
        for (PointValues& one : values_of(inner)) {
          if (integral.axis == bounded_)
            one.values =
                one.values.rows() == 1 ? Matrix(weights.sum() * one.values) : Matrix(weights.transpose() * one.values);
          else
            for (std::size_t a = 0; a < result_.axes.size(); ++a)
              if (result_.axes[a].axis == integral.axis) {
                one.values *= weights.sum();
                one.zero |= 1u << a;
              }
          result.push_back(std::move(one));
        }
    }
    const Vector g = profile(term);
    for (PointValues& one : result) one.values = scaled_rows(g, std::move(one.values));
    return result;
  }

  // Which rows of an equation give way to a condition on a mean: those of wavenumber 0 along these axes, all of them
  // along the bounded axis or the first alone.
  struct Replaced {
    std::uint32_t axes = 0;  // 0: none
    bool first_alone = false;
  };

  // The Fourier axes over which a condition fixes a mean, as bits.
  std::uint32_t mean_axes(const RowBlock& row) const {
    const std::vector<int>& means = model_.conditions[row.index].mean_axes;
    std::uint32_t bits = 0;
    for (std::size_t a = 0; a < result_.axes.size(); ++a)
      if (std::find(means.begin(), means.end(), result_.axes[a].axis) != means.end()) bits |= 1u << a;
    return bits;
  }

  // By the condition that stands in place of the equation's own mean.
  Replaced replaced_in(const RowBlock& equation) const {
    for (const RowBlock& row : system_.rows())
      if (row.kind == RowBlock::Kind::mean && row.equation == equation.equation) {
        const std::vector<int>& means = model_.conditions[row.index].mean_axes;
        return {mean_axes(row), std::find(means.begin(), means.end(), bounded_) != means.end()};
      }
    return {};
  }

  void add_row(const RowBlock& row, const WavenumberPlace& place, std::uint32_t zero, const Replaced& replaced) {
    const Matrix test = bounded_ < 0 ? Matrix(Matrix::Ones(1, 1)) : row.tests[at(bounded_)].dense();
    for (const RowTerm& term : row.terms)
      for (PointValues& one : values_of(term)) {
        if (one.values.rows() == 1 && test.cols() > 1) one.values = one.values.replicate(test.cols(), 1).eval();
        WavenumberTerm added;
        added.row = place.first;
        added.column = result_.fields[at(one.field)].first;
        added.values = row.scale * (test * one.values);
        added.power = one.power;
        added.orders = one.orders;
        added.zero = one.zero | place.lacks | zero;
        if (replaced.first_alone) {  // the rows that stay, and the one that gives way
          WavenumberTerm others = added;
          others.values.row(0).setZero();
          add(std::move(others));
          added.values.bottomRows(added.values.rows() - 1).setZero();
        }
        added.replaced = replaced.axes;
        add(std::move(added));
      }
  }

  // Terms that differ in nothing but their values are one.
  void add(WavenumberTerm term) {
    for (WavenumberTerm& known : result_.terms)
      if (known.row == term.row && known.column == term.column && known.power == term.power &&
          known.orders == term.orders && known.zero == term.zero && known.replaced == term.replaced) {
        known.values += term.values;
        return;
      }
    result_.terms.push_back(std::move(term));
  }

  // The mean of a coefficient that has none is round-off. Terms that are at all wavenumbers below that of the largest
  // term of their rows at wavenumber 1 are left out: in a flow without a mean sines and cosines do not couple, nor the
  // fields, and a mean that nothing fixes shows as a singular block.
  void drop_round_off() {
    constexpr double kMeanRoundOff = 1e-15;
    const auto size_at = [&](const WavenumberTerm& term, bool highest) {
      double size = term.values.size() == 0 ? 0.0 : term.values.cwiseAbs().maxCoeff();
      for (std::size_t a = 0; a < result_.axes.size(); ++a) {
        const auto k = static_cast<double>(highest ? result_.axes[a].n / 2 : 1);
        size *= std::pow(result_.axes[a].slope * k, term.orders[a]);
      }
      return size;
    };
    std::map<Index, double> largest;  // per block of rows
    for (const WavenumberTerm& term : result_.terms)
      largest[term.row] = std::max(largest[term.row], size_at(term, false));
    std::erase_if(result_.terms,
                  [&](const WavenumberTerm& term) { return size_at(term, true) <= kMeanRoundOff * largest[term.row]; });
  }

  const WindowSystem& system_;
  const Model& model_;
  const Discretisation& discretisation_;
  const SpatialLayout& layout_;
  const CoefficientMeans& means_;
  WavenumberOperators& result_;
  int bounded_ = -1;
  Index columns_ = 0;
  bool finite_ = true;
};

}  // namespace

std::string wavenumber_unsupported_reason(const Model& model, const SystemPlan& plan) {
  int n_fourier = 0;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) n_fourier += is_fourier(model, axis) ? 1 : 0;
  if (n_fourier == 0) return "no axis has basis: fourier";
  if (n_fourier > static_cast<int>(kMaxWavenumberAxes)) return "more than three axes have basis: fourier";
  if (model.n_modal_axes() - n_fourier > 1) return "more than one axis is not periodic";
  if (plan.banded_axis >= 0) return "equations are written in ultraspherical polynomials";
  for (const RowPlan& row : plan.rows)
    if (std::string reason = unsupported_in(model, plan, row.terms); !reason.empty()) return reason;
  return {};
}

Index WavenumberOperators::n_vectors() const {
  Index count = 1;
  for (const WavenumberAxis& axis : axes) count *= axis.n;
  return count;
}

Wavenumbers WavenumberOperators::wavenumbers(Index vector) const {
  Wavenumbers k{};
  for (std::size_t a = axes.size(); a-- > 0;) {
    k[a] = wavenumber_at(axes[a].first + vector % axes[a].n);
    vector /= axes[a].n;
  }
  return k;
}

Complex WavenumberOperators::symbol(const WavenumberTerm& term, const Wavenumbers& k) const {
  Complex factor = 1.0;
  bool replaced = term.replaced != 0;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if ((term.zero >> a & 1u) != 0 && k[a] != 0) return 0.0;
    if ((term.replaced >> a & 1u) != 0 && k[a] != 0) replaced = false;
    for (int m = 0; m < term.orders[a]; ++m) factor *= Complex(0.0, axes[a].slope * static_cast<double>(k[a]));
  }
  return replaced ? Complex(0.0) : factor;
}

ComplexMatrix WavenumberOperators::block(Complex z, const Wavenumbers& k) const {
  ComplexMatrix s = ComplexMatrix::Zero(size, size);
  for (const WavenumberTerm& term : terms) {
    Complex factor = symbol(term, k);
    if (factor == 0.0) continue;
    for (int p = 0; p < term.power; ++p) factor *= z;
    s.block(term.row, term.column, term.values.rows(), term.values.cols()) += factor * term.values.cast<Complex>();
  }
  return s;
}

std::vector<Index> WavenumberOperators::active(const std::vector<WavenumberPlace>& places, const Wavenumbers& k) const {
  std::vector<Index> result;
  for (const WavenumberPlace& place : places) {
    bool takes_part = true;
    for (std::size_t a = 0; a < axes.size(); ++a) takes_part &= (place.lacks >> a & 1u) == 0 || k[a] == 0;
    for (Index i = 0; takes_part && i < place.count; ++i) result.push_back(place.first + i);
  }
  return result;
}

LuStatus wavenumber_operators(const WindowSystem& system, const SpatialLayout& layout, const CoefficientMeans& means,
                              WavenumberOperators& operators) {
  return WavenumberBuilder(system, layout, means, operators).build();
}

}  // namespace gwrm
