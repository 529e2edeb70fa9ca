// What the case file needs to know of a problem module: the sections that are the module's own, from their keys to
// their text. The program knows the rest of it (problems/module.hpp).
#pragma once

#include <string>
#include <vector>

#include "case/case.hpp"
#include "case/key_table.hpp"
#include "case/resolved_text.hpp"
#include "case/values.hpp"

namespace gwrm::casefile {

// Without state: one object serves all cases.
class CaseModule {
 public:
  virtual ~CaseModule() = default;

  // The word of the key `problem`.
  virtual std::string name() const = 0;

  // The sections that this module reads besides the general ones, each a key of the file itself and all below it
  // (key_specs.hpp). Every other module's sections are refused in its cases.
  virtual std::vector<KeySpec> keys() const = 0;

  // Errors that only this module's verification tells (the kind of a check): words of convergence.measure.
  virtual std::vector<std::string> measures() const { return {}; }

  // verification.tolerance of a case that gives none: what is commonly asked of the module's method.
  virtual double usual_tolerance() const { return 1e-6; }

  // The key that a dimension alone means in convergence.vary: how finely the module resolves it.
  virtual std::string resolution_key(const std::string& dimension) const = 0;

  // Called once the domain is read, in the program's order: kinds of dimensions that are not told by their names.
  virtual void settle_domain(std::vector<AxisCase>&) const {}

  // Whether its cases have the key `unknowns`. Where they have not, declare_names() adds the unknowns, and dimensions
  // that are always there, marked `of_module`; called before everything that asks for their names.
  virtual bool reads_unknowns() const { return true; }
  virtual void declare_names(const CaseTree& /*file*/, Case& /*result*/) const {}

  // Whether its expressions may name data of files (Case::data).
  virtual bool reads_data() const { return true; }

  // Checks the domain, unknowns and conditions against what the module solves (CaseError at the place), and reads its
  // sections: into Case::section, or into those members of Case that are its input. Called when constants, domain,
  // unknowns, boundary and exact are read; solver, verification and output are read after it.
  virtual void read(const CaseTree& file, Case& result) const = 0;

  // The sections as they were read, with every default: reads back to the same case.
  virtual void write(ResolvedText& text, const Case& the_case) const = 0;
};

}  // namespace gwrm::casefile
