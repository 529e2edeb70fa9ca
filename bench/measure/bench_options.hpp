// What `gwrm-bench` is asked for, and what the lines of all its operations begin with.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/measure/ceilings.hpp"
#include "bench/measure/timing.hpp"
#include "core/array.hpp"
#include "core/context.hpp"

namespace gwrm::bench {

// As the options of the command have them; each operation says what they mean for it.
struct BenchOptions {
  std::vector<std::string> shapes;      // "200x200"; none: the operation's standard set
  std::vector<std::string> batches;     // "64"
  std::vector<std::string> variants;    // none: all
  std::vector<std::string> precisions;  // none: double
};

// A shape's extents, a number of 1 or more; CaseError, naming the option, for what is none.
Shape shape_of(const std::string& text);
Index count_of(const std::string& text, const char* option);
std::string shape_text(const Shape& shape);

// Numbers of an option, of the standard set where nothing is asked for.
std::vector<Index> counts_of(const std::vector<std::string>& texts, const std::vector<std::string>& standard,
                             const char* option);

// Those of the known variants that are asked for; CaseError for a name that is none.
std::vector<std::string> variants_of(const BenchOptions& options, const std::vector<std::string>& known);

// CaseError for other precisions; `what`: "coefficients are connected", for the message.
void check_double_only(const BenchOptions& options, const char* what);

// Version, revision, backend, device.
nlohmann::ordered_json machine_of(const Context& context);

// How long a call took, under the names that all lines have; an error, or null for one that is no number.
nlohmann::ordered_json times_of(const Timing& timing);
nlohmann::ordered_json error_number(double error);

// The line with the ceilings of the machine, which comes first.
void print_ceilings(const Context& context, const Ceilings& ceilings, std::ostream& lines);

}  // namespace gwrm::bench
