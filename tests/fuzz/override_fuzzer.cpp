// Arguments of --set, one a line, upon a case (the length of the input says which): a Case or a CaseError.
#include <cstdint>
#include <iterator>
#include <sstream>
#include <vector>

#include "case/sample_cases.hpp"
#include "fuzz/read_case.hpp"
#include "fuzz/require.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gwrm;
  static const std::string* const cases[] = {&testing::kFullCase,       &testing::kLargeCase,  &testing::kAutomaticCase,
                                             &testing::kRecurrenceCase, &testing::kSbpSatCase, &testing::kBallCase,
                                             &testing::kBranchCase};
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  std::vector<std::string> arguments;
  for (std::string line; arguments.size() < 8 && std::getline(lines, line);) arguments.push_back(line);
  fuzz::expect_refusal([&] {
    std::vector<Override> overrides;
    for (const std::string& argument : arguments) overrides.push_back(parse_override(argument));
    const Case the_case = fuzz::read_case_text(*cases[size % std::size(cases)], "case.yaml", overrides);
    fuzz::require(fuzz::read_case_text(the_case.resolved_text, "again.yaml").resolved_text == the_case.resolved_text,
                  the_case.resolved_text);
  });
  return 0;
}
