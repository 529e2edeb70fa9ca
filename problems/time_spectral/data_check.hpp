// Features of the data that lie between the points at which a run evaluates them, searched for by interval arithmetic
// (expression/unseen_extremes.hpp): a source that is switched on for less than a step, a pulse narrower than the cells.
// The run sees nothing of them, and its residual neither.
//
// Data are the parts of the case that depend on coordinates and constants only: the largest such subexpressions of the
// equations and conditions (what an equation adds, its source, is one of them), the initial values and the exact
// solution. What stands under an integral is checked by itself. A parameter that is solved point by point is taken at
// four times as many points: what these show the estimated error judges, what not even these show it cannot see.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "output/report.hpp"
#include "output/solution.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

// One subexpression and where it stands: "equation 1", "u(x=0) = sin(t)", "the initial value of u".
struct Data {
  expression::Expr e = nullptr;
  std::string where;
  bool initial = false;  // evaluated in the first window only
  bool exact = false;    // the run does not depend on it: less is spent, and nothing said where that does not suffice
};
std::vector<Data> data_of(const Model& model);

struct UnseenData {
  expression::Expr e = nullptr;
  std::string text;                        // "equation 1: exp(..) reaches 1 at x = 0.43, between points that ..."
  bool undecided = false;                  // the search came to no end
  double fraction = 0.0;                   // of the data's size that no point shows
  std::vector<std::pair<int, double>> at;  // axis of the model, coordinate
};

// On the points of a Discretisation of these subdomains and windows (empty without time; the first kMaxWindowsChecked).
// max_boxes: for each of the data, see there.
std::vector<UnseenData> find_unseen_data(const Model& model, std::span<const Data> data,
                                         const std::vector<AxisDescription>& subdomains,
                                         const std::vector<double>& window_edges, long max_boxes);
inline constexpr std::size_t kMaxWindowsChecked = 20000;

// Checks of kind "data", one for each finding: value is the fraction, tolerance kUnseenFraction. Warnings name what
// could not be decided. Of a run without a tolerance before anything is solved; an automatic run chooses its points as
// it goes: nothing, ...
std::vector<Check> check_data(const Case& the_case, const Model& model, std::vector<std::string>& warnings);
// ... and this on those of its answer. Consecutive windows with the same subdomains are checked together; if there are
// more than a few of such groups, the first ones and those of the coarsest subdomains.
std::vector<Check> check_data_of_answer(const Model& model, const Solution& answer, std::vector<std::string>& warnings);

}  // namespace gwrm
