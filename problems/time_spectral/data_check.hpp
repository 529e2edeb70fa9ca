// The data of a spectral run between its points (problems/unseen_data.hpp). A parameter that is solved point by point
// is taken at four times as many points: what these show the estimated error judges, what not even these show it cannot
// see.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "output/solution.hpp"
#include "problems/unseen_data.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

std::vector<Data> data_of(const Model& model);
std::vector<Data> data_of_equations(const Model& model);   // sources and coefficients only
std::vector<Data> data_of_conditions(const Model& model);  // and initial values

// On the points of a Discretisation of these subdomains and windows (empty without time; the first of them, with
// kMaxTimesChecked points).
std::vector<UnseenData> find_unseen_data(const Model& model, std::span<const Data> data,
                                         const std::vector<AxisDescription>& subdomains,
                                         const std::vector<double>& window_edges, long max_boxes);
inline constexpr std::size_t kMaxTimesChecked = 1'000'000;

// Of a run without a tolerance before anything is solved; an automatic run chooses its points as it goes: nothing, ...
std::vector<Check> check_data(const Case& the_case, const Model& model, std::vector<std::string>& warnings);
// ... and this on those of its answer. Consecutive windows with the same subdomains are checked together; if there are
// more than a few of such groups, the first ones and those of the coarsest subdomains.
std::vector<Check> check_data_of_answer(const Model& model, const Solution& answer, std::vector<std::string>& warnings);

}  // namespace gwrm
