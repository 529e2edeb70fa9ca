// Any bytes as a case file: a Case or a CaseError that names the file. What is read is written out with its defaults,
// reads back to the same, and its expressions parse or are refused.
#include <cstdint>

#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "fuzz/read_case.hpp"
#include "fuzz/require.hpp"

namespace {

using namespace gwrm;

void parses_or_is_refused(const Case& the_case) {
  fuzz::expect_refusal([&] {
    expression::Pool pool(the_case.symbols());
    for (const SourceText& text : the_case.equations) expression::parse_equation(pool, text);
    for (const SourceText& text : the_case.boundary) expression::parse_equation(pool, text);
    for (const NamedExpression& field : the_case.output.fields)
      expression::lower(pool, expression::parse(pool, field.text));
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const Case the_case = fuzz::read_case_text(text, "case.yaml");
    fuzz::require(fuzz::read_case_text(the_case.resolved_text, "again.yaml").resolved_text == the_case.resolved_text,
                  text);
    parses_or_is_refused(the_case);
  } catch (const CaseError& error) {
    fuzz::require(std::string(error.what()).rfind("case.yaml", 0) == 0, error.what());
  }
  return 0;
}
