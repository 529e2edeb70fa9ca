// Any expression of the solution on a tensor grid of points: used for the sampled fields, the verification, `gwrm
// eval`.
#pragma once

#include <span>
#include <vector>

#include "expression/expression.hpp"
#include "output/solution.hpp"

namespace gwrm {

class Communicator;
class TrialMatrices;

// Physical coordinates per axis of the solution, in its order.
using GridPoints = std::vector<std::vector<double>>;

// `e` is lowered (expression/lowering.hpp) over a pool whose symbols have the solution's axes and fields.
// Derivatives are those of the polynomials, at an inner edge those of the subdomain it ends; integrals run over the
// whole dimension: all its subdomains, and all windows for time. Returns an array with one extent per axis; extent 1
// along axes on which the value does not depend... unless `full` is set, then always grid.size() extents of the grid's
// own sizes. Cost: per axis, atom and window one small matrix product for each subdomain that holds points. ShapeError
// if grid, symbols and solution do not have the same axes, or the coefficients not the degrees of the subdomains.
Array evaluate(expression::Pool& pool, const Solution& solution, expression::Expr e, const GridPoints& points,
               bool full = true);

// Several expressions at once: what they share of the solution is evaluated once. known: matrices along the axes, kept
// from call to call by callers that come with the same points again (output/evaluate_subdomains.hpp). ranks: all call
// it alike and share the sums over the coefficients, which all have; the bits are the same on any number of them, but
// not those without.
std::vector<Array> evaluate(expression::Pool& pool, const Solution& solution, std::span<const expression::Expr> es,
                            const GridPoints& points, bool full = true, TrialMatrices* known = nullptr,
                            Communicator* ranks = nullptr);

// The same for what only a size is wanted of: integrals over space within an expression by these weights on the points,
// which hold the whole of every axis, and not by a finer rule for each of several, one in another.
std::vector<Array> evaluate_roughly(expression::Pool& pool, const Solution& solution,
                                    std::span<const expression::Expr> es, const GridPoints& points,
                                    const std::vector<std::vector<double>>& weights, Communicator* ranks = nullptr);

// Before it, for a solution out of a file: OutputError unless the symbols, of the case that the file holds, have the
// axes of the solution, and its fields over the same axes.
void check_symbols(const expression::Symbols& symbols, const Solution& solution);

}  // namespace gwrm
