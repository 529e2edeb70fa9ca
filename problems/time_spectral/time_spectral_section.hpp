// The sections of the case file that belong to problem: time_spectral: equations, initial and guess
// (case/declared_equations.hpp), resolution, time, parameters, continue. They fill members of Case: the equations'
// layer (src/system) and the evaluation of results read them there.
#pragma once

#include <string>
#include <vector>

#include "case/case_module.hpp"

namespace gwrm {

class TimeSpectralSection : public casefile::CaseModule {
 public:
  std::string name() const override { return "time_spectral"; }
  std::vector<casefile::KeySpec> keys() const override;
  std::string resolution_key(const std::string& dimension) const override { return "resolution.degree." + dimension; }
  void read(const casefile::CaseTree& file, Case& result) const override;
  void write(casefile::ResolvedText& text, const Case& the_case) const override;
};

// resolution: degrees, windows in time and subdomains in space, or the accuracy from which the program chooses them.
std::vector<casefile::KeySpec> resolution_keys();
void read_resolution(const casefile::CaseTree& file, Case& result);
void write_resolution(casefile::ResolvedText& text, const Case& the_case);

// The edges that `domains: {x: n}` means, equal in log z on a logarithmic axis.
std::vector<double> equal_parts(const Axis& axis, int n);

// continue: the branch of steady solutions over one of the constants.
std::vector<casefile::KeySpec> continuation_keys();
void read_continuation(const casefile::CaseTree& file, Case& result);
void write_continuation(casefile::ResolvedText& text, const Case& the_case);

// True if `name` stands in the expression as a whole word.
bool uses_name(const std::string& text, const std::string& name);

// eigenvalue, critical: the case as an eigenvalue problem.
std::vector<casefile::KeySpec> eigenvalue_keys();
void read_eigenvalue(const casefile::CaseTree& file, Case& result);
void write_eigenvalue(casefile::ResolvedText& text, const Case& the_case);

}  // namespace gwrm
