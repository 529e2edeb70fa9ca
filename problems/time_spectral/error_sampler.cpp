#include "problems/time_spectral/error_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "problems/time_spectral/time_reach.hpp"

namespace gwrm {
namespace {

// Those that can be evaluated in a window alone.
std::vector<NamedExpression> local_fields(const Case& the_case, const Model& model) {
  std::vector<NamedExpression> local;
  for (const NamedExpression& field : the_case.output.fields) {
    const expression::Expr e = expression::lower(*model.pool, expression::parse(*model.pool, field.text));
    if (model.whole_time || time_reach(*model.pool, e, model.time_axis()).none()) local.push_back(field);
  }
  return local;
}

// Time is the first axis: `finer` may have the first times only.
Array distance(const Array& sampled, const std::vector<double>& finer) {
  Array error(sampled.shape);
  for (std::size_t i = 0; i < error.data.size(); ++i) {
    const double e = i < finer.size() ? std::abs(finer[i] - sampled.data[i]) : HUGE_VAL;
    error.data[i] = std::isfinite(e) ? e : std::numeric_limits<double>::quiet_NaN();
  }
  return error;
}

}  // namespace

ErrorSampler::ErrorSampler(const Case& the_case, const Model& model)
    : finer_(the_case, model, local_fields(the_case, model), StatisticsChoice::none) {}

void ErrorSampler::add(const Solution& finer) {
  finer_.add(finer, false);
}

void ErrorSampler::deliver(RunOutcome& outcome) {
  RunOutcome finer;
  finer_.deliver(finer);
  std::vector<SampledField> errors;
  for (const SampledField& field : outcome.fields) {
    const auto same = std::find_if(finer.fields.begin(), finer.fields.end(),
                                   [&](const SampledField& other) { return other.name == field.name; });
    const Array error = distance(field.values, same == finer.fields.end() ? std::vector<double>() : same->values.data);
    errors.push_back(error_field(field, error));
  }
  std::move(errors.begin(), errors.end(), std::back_inserter(outcome.fields));
}

}  // namespace gwrm
