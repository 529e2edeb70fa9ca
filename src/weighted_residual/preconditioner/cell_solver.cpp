#include "weighted_residual/preconditioner/cell_solver.hpp"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <unordered_map>

#include "basis/axis_basis.hpp"

namespace gwrm {
namespace {

constexpr double kTinyCellPivot = 1e-14;  // of the largest entry of its row

double inverse_power_of_two(double size) {
  int exponent = 0;
  std::frexp(size, &exponent);
  return size > 0.0 ? std::ldexp(1.0, -exponent) : 1.0;
}

// All solutions of A x = b, A with no more rows than columns, as kernels/linear_algebra/wide_lu.hpp for real numbers;
// columns are not scaled: high modes, whose entries are the largest, are those that a cell's equations determine.
class RealWideLu {
 public:
  LuStatus factor(Matrix a) {
    n_rows_ = a.rows();
    n_columns_ = a.cols();
    if (n_rows_ > n_columns_) return LuStatus::singular;
    if (!a.allFinite()) return LuStatus::not_finite;
    scale_.resize(at(n_rows_));
    for (Index i = 0; i < n_rows_; ++i) {
      scale_[at(i)] = inverse_power_of_two(n_columns_ > 0 ? a.row(i).cwiseAbs().maxCoeff() : 0.0);
      a.row(i) *= scale_[at(i)];
    }
    lu_ = std::move(a);
    order_.resize(at(n_columns_));
    std::iota(order_.begin(), order_.end(), 0);
    if (n_rows_ == 0) return LuStatus::regular;
    // Row-major n_rows x n_columns is A^T by columns.
    std::vector<lapack_int> pivots(at(n_rows_));
    const auto n = static_cast<lapack_int>(n_columns_), m = static_cast<lapack_int>(n_rows_);
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, m, lu_.data(), n, pivots.data()) != 0) return LuStatus::singular;
    for (std::size_t i = 0; i < pivots.size(); ++i) std::swap(order_[i], order_[at(pivots[i] - 1)]);
    for (Index i = 0; i < n_rows_; ++i)
      if (const double pivot = std::abs(lu_(i, i)); !(pivot > kTinyCellPivot))
        return std::isfinite(pivot) ? LuStatus::singular : LuStatus::not_finite;
    return LuStatus::regular;
  }

  // N, n_columns x (n_columns - n_rows).
  Matrix null_space() const {
    const Index free = n_columns_ - n_rows_;
    Matrix result = Matrix::Zero(n_columns_, free);
    // X^T = -L2 L1^-1, free x n_rows by columns.
    Eigen::MatrixXd x(free, n_rows_);
    for (Index i = 0; i < n_rows_; ++i) x.col(i) = lu_.row(i).tail(free).transpose();
    if (free > 0 && n_rows_ > 0)
      cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasUnit, static_cast<int>(free),
                  static_cast<int>(n_rows_), -1.0, lu_.data(), static_cast<int>(n_columns_), x.data(),
                  static_cast<int>(free));
    for (Index i = 0; i < n_rows_; ++i) result.row(order_[at(i)]) = x.col(i).transpose();
    for (Index c = 0; c < free; ++c) result(order_[at(n_rows_ + c)], c) = 1.0;
    return result;
  }

  // A^+ b, zero in the columns that were not picked.
  Vector solve(const Vector& b) const {
    Vector y(n_rows_), x = Vector::Zero(n_columns_);
    for (Index i = 0; i < n_rows_; ++i) y(i) = scale_[at(i)] * b(i);
    if (n_rows_ > 0) {
      const auto n = static_cast<int>(n_rows_), ld = static_cast<int>(n_columns_);
      cblas_dtrsv(CblasColMajor, CblasUpper, CblasTrans, CblasNonUnit, n, lu_.data(), ld, y.data(), 1);
      cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasUnit, n, lu_.data(), ld, y.data(), 1);
    }
    for (Index i = 0; i < n_rows_; ++i) x(order_[at(i)]) = y(i);
    return x;
  }

 private:
  Index n_rows_ = 0, n_columns_ = 0;
  Matrix lu_;
  std::vector<Index> order_;
  std::vector<double> scale_;
};

// Ranges of cells along each axis.
struct CellBox {
  std::vector<Index> lower, upper;  // lower <= i < upper
  bool holds(const CellBox& other) const {
    for (std::size_t d = 0; d < lower.size(); ++d)
      if (other.lower[d] < lower[d] || other.upper[d] > upper[d]) return false;
    return true;
  }
  void cover(const std::vector<Index>& cell) {
    for (std::size_t d = 0; d < cell.size(); ++d) {
      lower[d] = std::min(lower[d], cell[d]);
      upper[d] = std::max(upper[d], cell[d] + 1);
    }
  }
  // The halves along the longest axis; nothing of a single cell.
  std::vector<CellBox> halves() const {
    std::size_t longest = 0;
    for (std::size_t d = 1; d < lower.size(); ++d)
      if (upper[d] - lower[d] > upper[longest] - lower[longest]) longest = d;
    const Index count = upper[longest] - lower[longest];
    if (count <= 1) return {};
    std::vector<CellBox> both{*this, *this};
    both[0].upper[longest] = both[1].lower[longest] = lower[longest] + count / 2;
    return both;
  }
};

CellBox whole_box(const std::vector<Index>& counts) {
  return {std::vector<Index>(counts.size(), 0), counts};
}

}  // namespace

struct CellTree::Part {
  std::vector<std::unique_ptr<Part>> halves;  // none: a cell
  std::vector<Index> unknowns;                // of a cell
  std::vector<Index> rows, pending;           // eliminated here; of larger parts
  RealWideLu lu;
  Matrix null_space;  // N
  Matrix carried;     // of the pending rows, by the numbers that the halves left free

  Index n_free() const { return null_space.cols(); }
  Matrix pending_values() const { return carried * null_space; }

  // Takes what `is_own` says of these rows.
  LuStatus eliminate(const std::vector<Index>& all, Matrix values, const std::vector<bool>& is_own) {
    std::vector<Index> own, others;
    for (Index i = 0; i < std::ssize(all); ++i) (is_own[at(i)] ? own : others).push_back(i);
    for (Index i : own) rows.push_back(all[at(i)]);
    for (Index i : others) pending.push_back(all[at(i)]);
    carried = values(others, Eigen::all);
    const LuStatus status = lu.factor(values(own, Eigen::all));
    if (status == LuStatus::regular) null_space = lu.null_space();
    return status;
  }

  // v: of the numbers that the halves left free, the particular solution; b of pending rows loses what it makes.
  void forward(std::span<double> b, std::vector<Vector>& particular) const {
    for (const std::unique_ptr<Part>& half : halves) half->forward(b, particular);
    Vector own(std::ssize(rows));
    for (Index i = 0; i < own.size(); ++i) own(i) = b[at(rows[at(i)])];
    particular.push_back(lu.solve(own));
    const Vector share = carried * particular.back();
    for (Index i = 0; i < share.size(); ++i) b[at(pending[at(i)])] -= share(i);
  }

  // From the whole down; particular: as forward() left it, taken from its end.
  void backward(const Vector& c, std::vector<Vector>& particular, std::vector<double>& x) const {
    Vector v = std::move(particular.back());
    particular.pop_back();
    if (c.size() > 0) v.noalias() += null_space * c;
    if (halves.empty())
      for (Index i = 0; i < v.size(); ++i) x[at(unknowns[at(i)])] = v(i);
    Index end = v.size();
    for (auto half = halves.rbegin(); half != halves.rend(); ++half) {
      end -= (*half)->n_free();
      (*half)->backward(v.segment(end, (*half)->n_free()), particular, x);
    }
  }
};

CellTree::CellTree() = default;
CellTree::~CellTree() = default;

LuStatus CellTree::factor(RowsOfCells all, Index n_rows) {
  whole_.reset();
  const CellBox whole = whole_box(all.n_subdomains);
  const auto cell_at = [&](const std::vector<Index>& place) {
    Index cell = 0;
    for (std::size_t d = 0; d < place.size(); ++d) cell = cell * all.n_subdomains[d] + place[d];
    return cell;
  };
  std::vector<CellBox> reach(at(n_rows), {whole.upper, whole.lower});  // of each row
  for (std::size_t c = 0; c < all.cells.size(); ++c) {
    std::vector<Index> place(all.n_subdomains.size());
    Index rest = static_cast<Index>(c);
    for (std::size_t d = place.size(); d-- > 0;) {
      place[d] = rest % all.n_subdomains[d];
      rest /= all.n_subdomains[d];
    }
    for (Index row : all.cells[c].rows) reach[at(row)].cover(place);
  }
  LuStatus status = LuStatus::regular;
  const auto own_rows = [&](const std::vector<Index>& rows, const CellBox& box) {
    std::vector<bool> own;
    for (Index row : rows) own.push_back(box.holds(reach[at(row)]));
    return own;
  };
  const std::function<std::unique_ptr<Part>(const CellBox&)> make = [&](const CellBox& box) -> std::unique_ptr<Part> {
    auto part = std::make_unique<Part>();
    const std::vector<CellBox> halves = box.halves();
    if (halves.empty()) {
      CellRows& cell = all.cells[at(cell_at(box.lower))];
      part->unknowns = std::move(cell.unknowns);
      const std::vector<bool> own = own_rows(cell.rows, box);
      status = part->eliminate(cell.rows, std::move(cell.values), own);
      return part;
    }
    Index n_free = 0;
    std::vector<Index> rows;
    std::unordered_map<Index, Index> place;
    for (const CellBox& half : halves) {
      part->halves.push_back(make(half));
      if (status != LuStatus::regular) return part;
      n_free += part->halves.back()->n_free();
      for (Index row : part->halves.back()->pending)
        if (place.emplace(row, std::ssize(rows)).second) rows.push_back(row);
    }
    Matrix values = Matrix::Zero(std::ssize(rows), n_free);
    Index first = 0;
    for (const std::unique_ptr<Part>& half : part->halves) {
      const Matrix of_half = half->pending_values();
      for (Index i = 0; i < of_half.rows(); ++i)
        values.row(place.at(half->pending[at(i)])).segment(first, of_half.cols()) = of_half.row(i);
      first += half->n_free();
    }
    status = part->eliminate(rows, std::move(values), own_rows(rows, box));
    return part;
  };
  whole_ = make(whole);
  if (status == LuStatus::regular && whole_->n_free() > 0) status = LuStatus::singular;
  if (status != LuStatus::regular) whole_.reset();
  return status;
}

void CellTree::solve(std::span<double> b) const {
  std::vector<Vector> particular;
  whole_->forward(b, particular);
  std::vector<double> x(b.size());
  whole_->backward(Vector(0), particular, x);
  std::copy(x.begin(), x.end(), b.begin());
}

CellCost cell_cost(const Model& model, const std::vector<AxisDescription>& subdomains) {
  std::vector<Index> counts;
  double m = 1.0;  // coefficients of a field in a cell
  std::vector<double> n;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!model.is_modal(axis)) continue;
    counts.push_back(subdomains[at(axis)].n_subdomains());
    n.push_back(static_cast<double>(make_basis(subdomains[at(axis)])->n_per_subdomain()));
    m *= n.back();
  }
  const auto n_fields = static_cast<double>(model.fields.size());
  CellCost cost;
  const auto add = [&](double rows, double columns, double pending) {
    cost.bytes += 8.0 * (rows * columns + (columns + pending) * (columns - rows) + pending * columns);
    cost.operations += rows * rows * (columns - rows / 3.0) + rows * rows * (columns - rows) +
                       2.0 * pending * columns * (columns - rows);
  };
  // Free numbers of a box: two on each of its faces for every mode there.
  const auto free_of = [&](const CellBox& box) {
    double faces = 0.0;
    for (std::size_t d = 0; d < counts.size(); ++d) {
      double face = 2.0 * n_fields;
      for (std::size_t other = 0; other < counts.size(); ++other)
        if (other != d) face *= n[other] * static_cast<double>(box.upper[other] - box.lower[other]);
      faces += face;
    }
    return faces;
  };
  const std::function<void(const CellBox&)> visit = [&](const CellBox& box) {
    const std::vector<CellBox> halves = box.halves();
    const bool is_whole = box.holds(whole_box(counts));
    double columns = halves.empty() ? m * n_fields : 0.0;
    for (const CellBox& half : halves) {
      visit(half);
      columns += free_of(half);
    }
    const double free = is_whole ? 0.0 : std::min(columns, free_of(box));
    add(columns - free, columns, 2.0 * free);
  };
  visit(whole_box(counts));
  return cost;
}

LinearOutcome CellSolver::linearise(std::span<const double> x, bool) {
  if (factored_ && system_.is_linear()) return {};
  ++n_factorisations_;
  factored_ = true;
  system_.linearise(x, at_x_);
  return factorisation_outcome(tree_.factor(rows_of_cells(system_, layout_, at_x_.coefficients), system_.size()), [] {
    return std::string("the Jacobian is singular: some equations or conditions depend on each other");
  });
}

LinearOutcome CellSolver::solve(std::span<double> v, const KrylovTolerance&) {
  tree_.solve(v);
  return {};
}

void CellSolver::apply_preconditioner(std::span<double> v) {
  tree_.solve(v);
}

}  // namespace gwrm
