// The equations as operations on Chebyshev series: sums, multiples and products of the series of the unknowns'
// derivatives and restrictions (atoms) and of data, and their Frechet derivatives sum of coefficient * direction with
// coefficients that are series too.
//
// Products are those of kernels/product. This is how Lindvall (2019) forms them; the pointwise way takes all factors to
// padded points instead (discretisation.hpp). Independent of windows and degrees.
#pragma once

#include <string>
#include <vector>

#include "case/case.hpp"
#include "expression/lowering.hpp"
#include "kernels/product/chebyshev_product.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

struct SystemPlan;

// Steps come after those they read.
struct SeriesStep {
  enum class Kind {
    atom,     // the series of `atom`
    data,     // of `data`, which holds no unknown: its values on the padded points of the axes, as coefficients
    sum,      // first + factor * second
    scaled,   // factor * first
    product,  // first * second
  } kind = Kind::atom;
  int first = -1, second = -1;
  double factor = 1.0;
  expression::Atom atom;
  expression::Expr data = nullptr;
  std::vector<int> data_degrees;  // per axis, in its coordinate; -1: no polynomial
};

// coefficient * direction
struct SeriesTerm {
  expression::Atom direction;
  int coefficient = -1;  // a step; -1: the number `factor`
  double factor = 1.0;
};

// As SystemPlan::rows.
struct SeriesRow {
  int residual = -1;
  std::vector<SeriesTerm> terms;
};

struct SeriesPlan {
  ProductVariant variant = ProductVariant::automatic;
  std::vector<SeriesStep> steps;
  std::vector<SeriesRow> rows;

  // The equations must have no series_unsupported_reason().
  SeriesPlan(const Model& model, ProductVariant products);
};

// Why products of these equations are formed on points; empty if they can be formed of coefficients.
std::string series_unsupported_reason(const Model& model, const SystemPlan& plan);

}  // namespace gwrm
