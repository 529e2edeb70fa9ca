#include "problems/time_spectral/time_spectral_section.hpp"

#include <utility>

#include "case/declared_equations.hpp"
#include "case/key_specs.hpp"
#include "case/names.hpp"
#include "case/words.hpp"
#include "problems/time_spectral/eigenvalue_section.hpp"
#include "problems/time_spectral/uncertain_section.hpp"

namespace gwrm {

using namespace casefile;

namespace {

constexpr Words<Weighting, 2> kWeightingWords{{{"radau", Weighting::radau}, {"chebyshev", Weighting::chebyshev}}};
constexpr Words<ParameterMethod, 3> kParameterMethodWords{{{"auto", ParameterMethod::automatic},
                                                           {"collocation", ParameterMethod::collocation},
                                                           {"coupled", ParameterMethod::coupled}}};

std::vector<KeySpec> method_keys() {
  using namespace casefile::keys;
  std::vector<KeySpec> all = {
      behind("exact", map("time", "Treatment of time.")),
      choice("time.weighting", "radau", word_list(kWeightingWords),
             "How the equations are weighted in time: radau, or chebyshev (the integral form of the papers, for one "
             "window)."),
      behind("exact", map("parameters", "Treatment of the parameter dimensions.")),
      choice("parameters.method", "auto", word_list(kParameterMethodWords),
             "collocation solves once per parameter point, coupled solves all at once."),
  };
  for (KeySpec& key : uncertain_keys()) all.push_back(std::move(key));
  all.push_back(behind("exact", map("goals", "Numbers that the run is made for, each with its estimated error.")));
  all.push_back(formula("goals.*", "Integrals and values at points: integral(dx(u)(x=0), t)."));
  return all;
}

void read_goals(const CaseTree& file, Case& result) {
  for (const YamlEntry& entry : entries_at(file.root, "goals")) {
    check_identifier(entry.key);
    if (result.continuation.active())
      entry.key.fail("goals are numbers of one solution: a branch has many; take `goals` or `continue` out");
    if (eigenvalue_of(result) != nullptr)
      entry.key.fail("goals are numbers of one solution, and modes have no size: name them under output.fields");
    result.goals.push_back({entry.key.text, entry.value.mark.where()});
  }
}

}  // namespace

std::vector<KeySpec> TimeSpectralSection::keys() const {
  std::vector<KeySpec> all = declared_equations_keys();
  for (const std::vector<KeySpec>& more : {resolution_keys(), method_keys(), continuation_keys(), eigenvalue_keys()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

void TimeSpectralSection::read(const CaseTree& file, Case& result) const {
  read_declared_equations(file, result);
  read_resolution(file, result);
  result.time.weighting = file.choice_at("time.weighting", kWeightingWords, result.time.weighting);
  result.parameters = file.choice_at("parameters.method", kParameterMethodWords, result.parameters);
  read_uncertain(file, result);
  read_continuation(file, result);
  read_eigenvalue(file, result);
  read_goals(file, result);
}

void TimeSpectralSection::write(ResolvedText& text, const Case& the_case) const {
  write_declared_equations(text, the_case);
  write_resolution(text, the_case);
  text.line(0, "time");
  text.line(2, "weighting", word_of(kWeightingWords, the_case.time.weighting));
  text.line(0, "parameters");
  text.line(2, "method", word_of(kParameterMethodWords, the_case.parameters));
  write_uncertain(text, the_case);
  write_continuation(text, the_case);
  write_eigenvalue(text, the_case);
  text.named(0, "goals", the_case.goals);
}

}  // namespace gwrm
