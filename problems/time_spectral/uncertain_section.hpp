// Of cases with distributions: parameters.quantiles, the probabilities whose quantiles are wanted, and
// parameters.error, how errors over the parameters are judged.
#pragma once

#include <vector>

#include "case/case.hpp"
#include "case/key_table.hpp"
#include "case/resolved_text.hpp"
#include "case/values.hpp"

namespace gwrm {

// mean_square: by a bound of the root mean square over the density (excess_over_mean_square), which those of mean and
// standard deviation do not exceed; largest: where the parameters are likely.
enum class ParameterError { largest, mean_square };

// Of cases in which some parameter has a distribution.
struct UncertainCase : ModuleCase {
  std::vector<double> quantiles;  // increasing; default: kQuantiles
  ParameterError error = ParameterError::largest;
};

std::vector<casefile::KeySpec> uncertain_keys();
void read_uncertain(const casefile::CaseTree& file, Case& result);
void write_uncertain(casefile::ResolvedText& text, const Case& the_case);

ParameterError parameter_error_of(const Case& the_case);

// kQuantiles where the case has no distribution.
std::vector<double> quantiles_of(const Case& the_case);

}  // namespace gwrm
