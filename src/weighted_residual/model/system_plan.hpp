// The residuals and their Frechet derivatives compiled once per run: two tapes, and which of their outputs goes where.
//
// The derivative of every residual is a sum of coefficient * leaf (expression/frechet.hpp). A leaf is an atom of the
// direction, or an integral that holds directions; the inside of an integral is again such a sum.
#pragma once

#include <optional>
#include <vector>

#include "expression/lowering.hpp"
#include "expression/tape.hpp"
#include "weighted_residual/model/model.hpp"
#include "weighted_residual/model/series_plan.hpp"
#include "weighted_residual/model/size_coupling.hpp"

namespace gwrm {

// Up to this degree equations are written in T, above in C^(m). T reaches round-off there for orders up to 4 and cuts
// series off better: a KdV soliton has 1.4e-6 with 64 modes in T, 2.5e-5 in C^(3), and 6e-14 against 1e-11 with 128.
// From degree 1024 a fourth-order system in T is singular to round-off.
inline constexpr int kMaxTauDegree = 256;

struct DirectionTerm {
  int coefficient = 0;    // output of jacobian_tape
  double constant = 1.0;  // the coefficient where it is a number
  expression::Atom atom;  // unless integral >= 0
  int integral = -1;      // index into SystemPlan::integrals
};

struct IntegralPlan {
  int axis = -1;
  std::uint32_t axes = 0;  // along which the integral's value varies
  std::vector<DirectionTerm> terms;
};

// A term coefficient * atom of an equation whose coefficient varies neither with the unknowns nor along certain axes:
// it acts on the coefficients of the unknown there, without a way through the points. Along `banded_axis` by a banded
// matrix, along the axes of a periodic box by a factor for each wavenumber.
struct BandedTerm {
  int coefficient = 0;  // output of jacobian_tape
  int value = 0;        // which of the coefficients behind the rows in the outputs of the residual's tape
  expression::Atom atom;
};

// The rows of one equation or condition.
struct RowPlan {
  bool is_condition = false;
  int index = 0;  // into Model::equations or Model::conditions
  std::vector<DirectionTerm> terms;
  std::vector<BandedTerm> banded;  // beside `terms`
};

// The rows of a system all of whose modal axes are Fourier's, taken apart: terms with a coefficient that is constant in
// space act on each wavenumber by a factor (their symbol), the rest is formed on the points.
struct SymbolPlan {
  struct Row {
    std::vector<BandedTerm> symbols;
    std::vector<DirectionTerm> rest;  // linearised
  };
  std::vector<Row> rows;           // as SystemPlan::rows
  expression::Tape residual_tape;  // one output per row, the rest, then the coefficients of the symbols
};

struct SystemPlan {
  explicit SystemPlan(const Model& model);
  // With products of series by this variant; the equations have no series_unsupported_reason().
  SystemPlan(const Model& model, ProductVariant products);

  // The axis along which equations are written in the banded form of its basis (ultraspherical C^(m)), m their highest
  // derivative: where it is the only one and its degree on a subdomain is above kMaxTauDegree. -1: nowhere.
  int banded_axis = -1;
  std::vector<RowPlan> rows;  // equations first, then conditions
  std::vector<IntegralPlan> integrals;
  expression::Tape residual_tape;     // one output per row plan (without its banded terms), then their coefficients
  expression::Tape jacobian_tape;     // the coefficients
  std::optional<SymbolPlan> symbols;  // the same rows once more; nothing where another basis occurs
  std::optional<SeriesPlan>
      series;  // products are formed of coefficients (weighted_residual/model/series_plan.hpp), not on points
  SizeCoupling coupling;

 private:
  struct Builder;
  explicit SystemPlan(Builder&& builder);
};

}  // namespace gwrm
