// Features of the data that lie between the points at which a run evaluates them, searched for by interval arithmetic
// (expression/unseen_extremes.hpp): a source that is switched on for less than a step, a pulse narrower than the cells.
// The run sees nothing of them, and its residual neither.
//
// Data are the parts of the case that depend on coordinates and constants only: the largest such subexpressions of the
// equations and conditions (what an equation adds, its source, is one of them), the initial values and the exact
// solution. What stands under an integral is checked by itself.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "expression/unseen_extremes.hpp"
#include "output/report.hpp"

namespace gwrm {

// One subexpression and where it stands: "equation 1", "u(x=0) = sin(t)", "the initial value of u".
struct Data {
  expression::Expr e = nullptr;
  std::string where;
  bool initial = false;  // evaluated in the first window only
  bool exact = false;    // the run does not evaluate it: less is spent, and nothing said where that does not suffice
  std::vector<expression::Expr> terms = {};  // of a source, which is their sum: where they cancel, rounding is left
  int equation = -1;                         // whose source it is; -1: of none
  expression::Expr reciprocal_of = nullptr;  // one that hides itself is reported, not its reciprocal
};

// Each subexpression is taken once, where it is met first; numbers are none.
class DataCollection {
 public:
  void add(expression::Expr e, const std::string& where, bool initial = false,
           const std::vector<expression::Expr>& terms = {});
  // What is added to the unknowns is one source, on the right-hand side.
  void add_residual(expression::Pool& pool, expression::Expr residual, const std::string& where, int equation = -1);
  void add_exact(expression::Expr e, const std::string& field);  // null: none
  // 1/c of what the highest derivatives of an unknown are multiplied by, or the unknown itself where it has none: where
  // c is nearly zero, as in a critical layer, an answer is as narrow as 1/c. Not of a c that has, or may have, a zero.
  void add_reciprocals(expression::Pool& pool, expression::Expr residual, const std::string& where);
  std::vector<Data> take() { return std::move(data_); }

 private:
  std::unordered_set<expression::Expr> seen_;
  std::vector<Data> data_;
};

struct UnseenData {
  expression::Expr e = nullptr;
  std::string where;                       // as Data's
  std::string text;                        // "equation 1: exp(..) reaches 1 at x = 0.43, between points that ..."
  bool undecided = false;                  // the search came to no end
  double fraction = 0.0;                   // of the data's size that no point shows
  std::vector<std::pair<int, double>> at;  // axis of the pool, coordinate
};

// What would show the data: "edges there would show it: .."; empty where nothing can be said.
using ShownBy = std::function<std::string(expression::Expr e, const std::vector<std::pair<int, double>>& at)>;

// axes: one per axis of the pool, read for those that the data vary along. max_boxes: for all data together; what is
// left of them, but at least a fortieth, for each. A box of an expression of 64 operations counts as two, and so on.
std::vector<UnseenData> find_unseen_data(const expression::Pool& pool, std::span<const Data> data,
                                         std::span<const expression::SampledAxis> axes, const ShownBy& shown_by,
                                         long max_boxes);
inline constexpr long kMaxDataBoxes = 40000;

// Checks of kind "data", one for each finding: value is the fraction, tolerance kUnseenFraction. One warning names all
// that could not be decided.
void report_unseen(const std::vector<UnseenData>& findings, std::vector<Check>& checks,
                   std::vector<std::string>& warnings);

// Why a run with such a failed check, or one of kind "data file" (data_files/file_data.hpp), is none: the first of
// them; empty without.
std::string unseen_reason(const std::vector<Check>& checks);

// Of grids whose intervals are divided into 2^k, k = 0 .. most, the first that shows the data e, not by chance: so does
// the next one. most + 1: none.
int halvings_that_show(const expression::Pool& pool, expression::Expr e, int most,
                       const std::function<std::vector<expression::SampledAxis>(int halvings)>& grid);

std::string shortened(std::string text);  // for messages

}  // namespace gwrm
