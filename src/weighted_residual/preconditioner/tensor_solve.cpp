// Solves with the separable operators (tensor_factors.cpp has the formulas).
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/buffer.hpp"
#include "core/thread_scratch.hpp"
#include "kernels/linear_algebra/kronecker_sum.hpp"
#include "kernels/transform/tensor_transform.hpp"
#include "weighted_residual/preconditioner/complex_planes.hpp"
#include "weighted_residual/preconditioner/tensor_operators.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;

// The free modes along every axis but `except`, where x has them already.
Array on_free(const TensorField& field, Array x, std::size_t except) {
  for (std::size_t d = 0; d < field.axes.size(); ++d)
    if (d != except) x = pick(x, d, field.axes[d].free);
  return x;
}

// Z along a dimension: the free modes as they are, the closed ones from the conditions.
Array lift_along(const TensorAxis& axis, const Array& x, std::size_t dimension) {
  const Array closed = along(axis.closed_from_free, x, dimension);
  const AroundDimension around(x.shape, dimension + 1);
  const auto n_free = static_cast<Index>(axis.free.size()), n_closed = static_cast<Index>(axis.closed.size());
  Shape shape = x.shape;
  shape[dimension + 1] = n_free + n_closed;
  Array y(std::move(shape));
  const auto place = [&](const Array& source, const std::vector<Index>& modes) {
    auto from = source.data.begin();
    for (Index o = 0; o < around.outer; ++o)
      for (Index mode : modes) {
        std::copy_n(from, around.inner, y.data.begin() + (o * (n_free + n_closed) + mode) * around.inner);
        from += around.inner;
      }
  };
  place(x, axis.free);
  if (n_closed > 0) place(closed, axis.closed);
  return y;
}

// closed_from_free with a column for every mode, zero where it is closed; for the last axis once for the real and once
// for the imaginary part, which alternate there.
Matrix closing_matrix(const TensorAxis& axis, bool last) {
  const auto n_closed = static_cast<Index>(axis.closed.size());
  const Index n = n_closed + static_cast<Index>(axis.free.size()), parts = last ? 2 : 1;
  Matrix result = Matrix::Zero(parts * n_closed, parts * n);
  for (Index c = 0; c < n_closed; ++c)
    for (std::size_t j = 0; j < axis.free.size(); ++j)
      for (Index part = 0; part < parts; ++part)
        result(parts * c + part, parts * axis.free[j] + part) = axis.closed_from_free(c, static_cast<Index>(j));
  return result;
}

template <class Real>
class TensorSolver : public SpatialFactors {
 public:
  TensorSolver(std::vector<TensorField> fields, std::vector<Complex> z) : fields_(std::move(fields)), z_(std::move(z)) {
    for (const TensorField& field : fields_) {
      forms_.emplace_back();
      closing_.emplace_back();
      for (std::size_t d = 0; d < field.axes.size(); ++d)
        closing_.back().emplace_back(closing_matrix(field.axes[d], d + 1 == field.axes.size()));
      for (const TensorAxis& axis : field.axes) {
        Forms forms;
        for (const Eigen::MatrixXcd& u : axis.unitary) {
          forms.adjoint.push_back(u.adjoint().template cast<Scalar>());
          forms.unitary.push_back(u.template cast<Scalar>());
        }
        for (std::size_t k = 0; k < z_.size(); ++k)
          forms.triangle.push_back((axis.scale(z_[k]) * axis.triangle[axis.form(k)]).template cast<Scalar>());
        forms_.back().push_back(std::move(forms));
      }
    }
  }

  void solve(std::size_t k, std::span<const Complex> b, std::span<Complex> x) const override {
    for (std::size_t f = 0; f < fields_.size(); ++f) solve_field(f, k, b, x);
  }

  // Every field by itself.
  std::size_t n_parts() const override { return fields_.size(); }
  void solve_part(std::size_t f, std::size_t k, std::span<const Complex> b, std::span<Complex> x) const override {
    solve_field(f, k, b, x);
  }

  void apply(int p, std::span<const Complex> x, std::span<Complex> y) const override {
    for (const TensorField& field : fields_) {
      const Array u = planes(
          x.subspan(static_cast<std::size_t>(field.unknowns), static_cast<std::size_t>(element_count(field.extents))),
          field.extents);
      // m_p u_f + sum_a (A_a^(p) u)_f, then the rows of the conditions, B_a u.
      Array result = on_free(field, u, field.axes.size());
      for (double& value : result.data) value *= field.mass_powers[p];
      for (std::size_t d = 0; d < field.axes.size(); ++d)
        if (field.axes[d].operators[p].size() > 0)
          add(result, 1.0, on_free(field, along(field.axes[d].operators[p], u, d), d));
      from_planes(result, y.subspan(static_cast<std::size_t>(field.rows), result.data.size() / 2));
      for (const TensorConditions& block : field.conditions) {
        const TensorAxis& axis = field.axes[block.d];
        Array values = along(Matrix(axis.conditions.middleRows(block.first, block.count)), u, block.d);
        for (std::size_t d = 0; d < field.axes.size(); ++d)
          if (comes_after(field, d, block.d)) values = pick(values, d, field.axes[d].free);
        if (block.power != p) std::fill(values.data.begin(), values.data.end(), 0.0);
        from_planes(values, y.subspan(static_cast<std::size_t>(block.rows), values.data.size() / 2));
      }
    }
  }

 private:
  using Scalar = std::complex<Real>;
  struct Forms {
    std::vector<ComplexRowMajor<Real>> adjoint, unitary;  // per Schur form
    std::vector<ComplexColumnMajor<Real>> triangle;       // per z
  };

  void solve_field(std::size_t f, std::size_t k, std::span<const Complex> b, std::span<Complex> x) const {
    // S u = r with the conditions B_a u = r_a:  u = w + Z v,  w what the conditions alone determine (lift_conditions),
    //   (m + sum_a A_a Z_a) v = r - (m + sum_a A_a) w    on the free modes.
    const TensorField& field = fields_[f];
    const std::size_t n_axes = field.axes.size();
    const auto own_rows =
        b.subspan(static_cast<std::size_t>(field.rows), static_cast<std::size_t>(element_count(field.free_extents)));
    Array lifted, right;
    const bool any = lift_conditions(field, k, b, lifted);
    double size = 0.0;
    if (any) {
      right = planes(own_rows, field.free_extents);
      add(right, -field.mass[k], on_free(field, lifted, n_axes));
      for (std::size_t d = 0; d < n_axes; ++d) {
        Complex power = 1.0;
        for (const Matrix& op : field.axes[d].operators) {
          if (op.size() > 0) add(right, -power, on_free(field, along(op, lifted, d), d));
          power *= z_[k];
        }
      }
      for (double value : right.data) size = std::max(size, std::abs(value));
    } else {
      for (Complex value : own_rows) size = std::max({size, std::abs(value.real()), std::abs(value.imag())});
    }
    const auto own =
        x.subspan(static_cast<std::size_t>(field.unknowns), static_cast<std::size_t>(element_count(field.extents)));
    std::fill(own.begin(), own.end(), Complex(0.0));
    if (size > 0.0) {
      // Scaled to size 1: single precision must not underflow.
      // v by solve_separable, on the free modes of u; then Z, axis after axis.
      const std::size_t n = own_rows.size();
      Scalar* r = memory().values.reserve(static_cast<Index>(n));
      if (any)
        for (std::size_t i = 0; i < n; ++i)
          r[i] = Scalar(static_cast<Real>(right.data[i] / size), static_cast<Real>(right.data[n + i] / size));
      else
        for (std::size_t i = 0; i < n; ++i)
          r[i] = Scalar(static_cast<Real>(own_rows[i].real() / size), static_cast<Real>(own_rows[i].imag() / size));
      to_interior_modes(field, solve_separable(f, k, r), size, own.data());
      // In double precision: the conditions then hold to round-off, and later right-hand sides have none to lift.
      for (std::size_t d = 0; d < n_axes; ++d) close_along(field, d, closing_[f][d], own.data());
    }
    for (std::size_t i = 0; any && i < own.size(); ++i) own[i] += Complex(lifted.data[i], lifted.data[own.size() + i]);
  }

  // Puts factor * values, which has free modes only, where they belong in u.
  static void to_interior_modes(const TensorField& field, const Scalar* values, double factor, Complex* u) {
    if (field.axes.empty()) {
      *u = factor * Complex(*values);
      return;
    }
    const std::vector<Index>& last = field.axes.back().free;
    const Index n = field.extents.back();
    const Index n_rows = element_count(field.free_extents) / static_cast<Index>(last.size());
    for (Index row = 0; row < n_rows; ++row, values += last.size()) {
      Index rest = row, place = 0, stride = 1;
      for (std::size_t d = field.axes.size() - 1; d-- > 0;) {
        place += field.axes[d].free[static_cast<std::size_t>(rest % field.free_extents[d])] * stride;
        rest /= field.free_extents[d];
        stride *= field.extents[d];
      }
      Complex* target = u + place * n;
      for (std::size_t j = 0; j < last.size(); ++j)
        target[last[j]] = {factor * static_cast<double>(values[j].real()),
                           factor * static_cast<double>(values[j].imag())};
    }
  }

  // The closed modes along an axis by the conditions from the free ones; those of u are zero before.
  static void close_along(const TensorField& field, std::size_t d, const BlockMatrix& closing, Complex* u) {
    const std::vector<Index>& closed = field.axes[d].closed;
    if (closed.empty()) return;
    const AroundDimension around(field.extents, d);
    const Index n = field.extents[d], n_closed = static_cast<Index>(closed.size()), inner = around.inner;
    // Real matrices act on real and imaginary parts as they lie in memory.
    auto* values = memory().closed.reserve(around.outer * n_closed * inner);
    const Shape shape = inner == 1 ? Shape{around.outer, 2 * n, 1} : Shape{around.outer, n, 2 * inner};
    cpu::block_transform(reinterpret_cast<const double*>(u), shape, 1, closing, reinterpret_cast<double*>(values));
    for (Index o = 0; o < around.outer; ++o)
      for (Index mode : closed) {
        std::copy_n(values, inner, u + (o * n + mode) * inner);
        values += inner;
      }
  }

  // The same on the free modes alone, r overwritten; the answer lies in the memory of this thread.
  const Scalar* solve_separable(std::size_t f, std::size_t k, Scalar* r) const {
    // U^H r along every axis, (m + sum_a T_a) y = U^H r from the last entry to the first, v = U y.
    const TensorField& field = fields_[f];
    Scalar* other = memory().transformed.reserve(element_count(field.free_extents));
    std::vector<const ComplexColumnMajor<Real>*> triangles;
    for (std::size_t d = 0; d < field.axes.size(); ++d) {
      transform_along<Real>(forms_[f][d].adjoint[field.axes[d].form(k)], r, field.free_extents, d, other);
      std::swap(r, other);
      triangles.push_back(&forms_[f][d].triangle[k]);
    }
    solve_kronecker_sum<Real>(triangles, field.free_extents, Scalar(field.mass[k]), r);
    for (std::size_t d = 0; d < field.axes.size(); ++d) {
      transform_along<Real>(forms_[f][d].unitary[field.axes[d].form(k)], r, field.free_extents, d, other);
      std::swap(r, other);
    }
    return r;
  }

  // Each thread keeps its own from call to call.
  struct Memory {
    BufferOf<Scalar> values, transformed;
    BufferOf<Complex> closed;
  };
  static Memory& memory() { return thread_scratch<Memory>(); }

  // What the conditions determine: u = Z_x (Z_y (.. ) + M_y r_y) + M_x r_x, the first axis of the order innermost.
  // False if their right-hand sides are too small to matter in this precision: they are left to later iterations.
  bool lift_conditions(const TensorField& field, std::size_t k, std::span<const Complex> b, Array& lifted) const {
    constexpr double kNegligible = std::is_same_v<Real, float> ? 1e-10 : 1e-13;
    double own = 0.0, theirs = 0.0;
    const auto part = [](Complex value) { return std::max(std::abs(value.real()), std::abs(value.imag())); };
    for (Index i = 0; i < element_count(field.free_extents); ++i)
      own = std::max(own, part(b[static_cast<std::size_t>(field.rows + i)]));
    for (const TensorConditions& block : field.conditions)
      for (Index i = 0; i < block_size(field, block); ++i)
        theirs = std::max(theirs, part(b[static_cast<std::size_t>(block.rows + i)]));
    if (theirs <= kNegligible * own) return false;

    Shape shape = field.free_extents;
    shape.insert(shape.begin(), 2);
    lifted = Array(shape);
    for (std::size_t d : field.order) {
      // `lifted` has full extents along the axes before d, free ones along d and the rest.
      Array next = lift_along(field.axes[d], lifted, d);
      if (!field.axes[d].closed.empty()) {
        Shape right_shape = next.shape;
        right_shape[d + 1] = static_cast<Index>(field.axes[d].closed.size());
        Array right(right_shape);
        for (const TensorConditions& block : field.conditions)
          if (block.d == d) place(block, z_[k], b, right);
        add(next, 1.0, along(field.axes[d].particular, right, d));
      }
      lifted = std::move(next);
    }
    return true;
  }

  static Index block_size(const TensorField& field, const TensorConditions& block) {
    Index size = block.count;
    for (std::size_t d = 0; d < field.axes.size(); ++d)
      if (d != block.d) size *= comes_after(field, d, block.d) ? field.free_extents[d] : field.extents[d];
    return size;
  }

  static bool comes_after(const TensorField& field, std::size_t d, std::size_t other) {
    const auto place = [&](std::size_t one) { return std::find(field.order.begin(), field.order.end(), one); };
    return place(d) > place(other);
  }

  // z^-power times the block's right-hand side, to its closed rows.
  static void place(const TensorConditions& block, Complex z, std::span<const Complex> b, Array& right) {
    const Complex factor = block.power == 0 ? Complex(1.0) : 1.0 / std::pow(z, block.power);
    const AroundDimension around(right.shape, block.d + 1);  // outer counts both planes
    const Index n_closed = right.shape[block.d + 1];
    const std::size_t half = right.data.size() / 2;
    const Complex* source = b.data() + block.rows;
    for (Index o = 0; o < around.outer / 2; ++o)
      for (Index c = 0; c < block.count; ++c)
        for (Index i = 0; i < around.inner; ++i, ++source) {
          const std::size_t position = static_cast<std::size_t>((o * n_closed + block.first + c) * around.inner + i);
          const Complex value = factor * *source;
          right.data[position] = value.real();
          right.data[half + position] = value.imag();
        }
  }

  std::vector<TensorField> fields_;
  std::vector<Complex> z_;
  std::vector<std::vector<Forms>> forms_;  // per field and axis
  std::vector<std::vector<BlockMatrix>> closing_;
};

}  // namespace

std::unique_ptr<SpatialFactors> make_tensor_solver(std::vector<TensorField> fields, std::vector<Complex> z,
                                                   Precision precision) {
  if (precision == Precision::single_complex)
    return std::make_unique<TensorSolver<float>>(std::move(fields), std::move(z));
  return std::make_unique<TensorSolver<double>>(std::move(fields), std::move(z));
}

}  // namespace gwrm
