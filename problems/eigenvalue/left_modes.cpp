#include "problems/eigenvalue/left_modes.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "expression/lowering.hpp"
#include "kernels/transform/tensor_transform.hpp"

namespace gwrm {
namespace {

constexpr double kEqualEigenvalues = 1e-9;  // relative: eigenvalues that are one but for rounding
constexpr double kMostCondition = 1e8;      // beyond it a mode and its left mode are orthogonal but for rounding

using Number = std::complex<double>;

Index element_count_of(const Shape& extents) {
  Index n = 1;
  for (const Index extent : extents) n *= extent;
  return n;
}

// From the weights of the rows along an axis to the coefficients of w: n_coefficients() x rows.
Matrix functions_from_weights(const Discretisation& discretisation, int axis, const RowBlock& block) {
  const AxisBasis& basis = discretisation.basis(axis);
  const std::vector<Index>& modes = block.modes[axis];
  const auto own = [&](const BlockMatrix& synthesis) -> Matrix { return synthesis.dense()(Eigen::all, modes); };
  const AxisGrid quadrature = basis.grid(basis.n_quadrature(2));
  const Matrix phi = own(basis.synthesis(basis.n_quadrature(2), 0));
  const Matrix mass = phi.transpose() * quadrature.weights.asDiagonal() * phi;
  const Matrix tested =
      block.tests[axis].dense() * own(basis.synthesis(discretisation.n_points(axis) / basis.n_subdomains(), 0));
  const Matrix coefficients = mass.partialPivLu().solve(Matrix(tested.transpose()));
  Matrix result = Matrix::Zero(basis.n_coefficients(), static_cast<Index>(modes.size()));
  result(modes, Eigen::all) = coefficients;
  return result;
}

bool holds(const Model& model, expression::Expr side, int field) {
  const std::vector<expression::FieldOrders> fields =
      expression::field_orders(*model.pool, expression::lower(*model.pool, side));
  return std::any_of(fields.begin(), fields.end(), [&](const auto& of) { return of.field == field; });
}

// +1: the residual is left - right; -1: right - left.
double sign_of(const Model& model, const EquationModel& equation) {
  const int eigenvalue = static_cast<int>(model.fields.size()) - 1;
  return holds(model, equation.right, eigenvalue) && !holds(model, equation.left, eigenvalue) ? -1.0 : 1.0;
}

// The functions of all equations, laid out as the unknowns that these are solved for. weights: per row of the pencil.
class WeightFunctions {
 public:
  explicit WeightFunctions(const Pencil& pencil) : pencil_(pencil) {
    const WindowSystem& system = pencil.system();
    const int eigenvalue = static_cast<int>(system.model().fields.size()) - 1;
    for (const RowBlock& block : system.rows()) {
      if (block.kind != RowBlock::Kind::equation) continue;
      const EquationModel& equation = system.model().equations[block.index];
      if (equation.field == eigenvalue) continue;
      Part part{&block, equation.field, sign_of(system.model(), equation), {}, {}};
      for (int axis : system.model().fields[equation.field].axes)
        part.matrices.emplace_back(axis, functions_from_weights(system.discretisation(), axis, block));
      // A mean stands in place of a mode of its equation: the weight of that row is the mean's.
      for (const RowBlock& mean : system.rows())
        if (mean.kind == RowBlock::Kind::mean && mean.equation == block.equation)
          part.of_means.insert(part.of_means.end(), mean.places.begin(), mean.places.end());
      parts_.push_back(std::move(part));
    }
  }

  Eigen::VectorXcd of(const Eigen::VectorXcd& weights) const {
    Eigen::VectorXcd result(pencil_.size());
    result.real() = of_real(weights.real());
    result.imag() = of_real(weights.imag());
    return result;
  }

 private:
  struct Part {
    const RowBlock* block;
    int field;
    double sign;
    std::vector<std::pair<int, Matrix>> matrices;  // by axis
    std::vector<Index> of_means;
  };

  Eigen::VectorXd of_real(const Eigen::VectorXd& weights) const {
    const WindowSystem& system = pencil_.system();
    Eigen::VectorXd result = Eigen::VectorXd::Zero(pencil_.size());
    for (const Part& part : parts_) {
      Array values(part.block->extents);
      for (Index i = 0; i < element_count_of(part.block->extents); ++i)
        values.data[static_cast<std::size_t>(i)] =
            part.sign * part.block->scale * weights(pencil_.row_of(system.place_of(*part.block, i)));
      for (const Index place : part.of_means) values.data[static_cast<std::size_t>(place)] = 0.0;
      for (const auto& [axis, matrix] : part.matrices)
        values = block_transform(system.context(), values, static_cast<std::size_t>(axis), BlockMatrix(matrix));
      const FieldLayout& layout = system.layouts()[static_cast<std::size_t>(part.field)];
      std::copy(values.data.begin(), values.data.end(), result.begin() + layout.offset);
    }
    return result;
  }

  const Pencil& pencil_;
  std::vector<Part> parts_;
};

bool are_equal(Number a, Number b) {
  return std::abs(a - b) <= kEqualEigenvalues * std::max(std::abs(a), std::abs(b));
}

// y_i^H P'(l) v_k = 1 if i = k, else 0, among those of equal eigenvalues. False: they are orthogonal to their own.
bool make_biorthogonal(const Pencil& pencil, const std::vector<Mode*>& modes) {
  const auto n = static_cast<Index>(modes.size());
  Eigen::MatrixXcd products(n, n), left(pencil.size(), n);
  for (Index k = 0; k < n; ++k) left.col(k) = modes[static_cast<std::size_t>(k)]->left;
  for (Index k = 0; k < n; ++k) {
    const Mode& mode = *modes[static_cast<std::size_t>(k)];
    products.col(k) = left.adjoint() * pencil.apply_derivative(mode.value, mode.vector);
  }
  const Eigen::FullPivLU<Eigen::MatrixXcd> lu(products);
  if (!products.allFinite() || !lu.isInvertible() || lu.rcond() * kMostCondition < 1.0) return false;
  left = (left * lu.inverse().adjoint()).eval();
  for (Index k = 0; k < n; ++k) modes[static_cast<std::size_t>(k)]->left = left.col(k);
  return true;
}

}  // namespace

std::string left_name(const std::string& unknown) {
  return unknown + "_left";
}

bool have_left_functions(const std::vector<Mode>& modes) {
  return std::all_of(modes.begin(), modes.end(), [](const Mode& mode) { return mode.left_functions.size() > 0; });
}

void set_left_functions(const Pencil& pencil, std::vector<Mode>& modes) {
  const auto has_left = [](const Mode& mode) { return mode.left.size() > 0 && !(mode.condition > kMostCondition); };
  if (!std::all_of(modes.begin(), modes.end(), has_left)) return;
  std::vector<bool> done(modes.size(), false);
  for (std::size_t k = 0; k < modes.size(); ++k) {
    if (done[k]) continue;
    std::vector<Mode*> equal;
    for (std::size_t j = k; j < modes.size(); ++j)
      if (!done[j] && are_equal(modes[j].value, modes[k].value)) {
        equal.push_back(&modes[j]);
        done[j] = true;
      }
    if (!make_biorthogonal(pencil, equal)) return;
  }
  const WeightFunctions functions(pencil);
  for (Mode& mode : modes) {
    mode.left_functions = functions.of(mode.left);
    if (mode.value.imag() == 0.0) mode.left_functions.imag().setZero();
  }
}

}  // namespace gwrm
