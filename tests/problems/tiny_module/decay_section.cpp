#include "case/key_specs.hpp"
#include "tiny_module/decay_module.hpp"

namespace gwrm::test {

using namespace casefile;

std::vector<KeySpec> DecaySection::keys() const {
  using namespace casefile::keys;
  return {
      map("decay", "The equation dt(u) = -rate*u + source and how it is solved.", true),
      positive("decay.rate", "1", "The rate of decay."),
      number("decay.start", "The value of u at the beginning. Default: 1."),
      formula("decay.source", "An expression of t. Default: none."),
      integer("decay.points", "20", 2, 1000000, "Points of the grid in t, both ends included."),
  };
}

void DecaySection::read(const CaseTree& file, Case& result) const {
  if (result.domain.size() != 1 || result.domain.front().axis.kind != AxisKind::time)
    throw_case_error(result.domain.back().where, 0, "problem: decay has one dimension, the time t");
  if (result.unknowns.size() != 1) throw_case_error(result.unknowns.back().where, 0, "problem: decay has one unknown");
  DecayCase decay;
  decay.rate = file.number_at("decay.rate", result.constants, decay.rate);
  decay.start = file.number_at("decay.start", result.constants, decay.start);
  if (const YamlNode* source = file.root.find_path("decay.source")) decay.source = source->mark.where();
  decay.points = file.integer_at("decay.points", result.constants, decay.points);
  result.section = std::make_shared<DecayCase>(decay);
}

void DecaySection::write(ResolvedText& text, const Case& the_case) const {
  const auto& decay = section_of<DecayCase>(the_case);
  text.line(0, "decay");
  text.line(2, "rate", number_text(decay.rate));
  text.line(2, "start", number_text(decay.start));
  if (!decay.source.text.empty()) text.line(2, "source", quoted(decay.source.text));
  text.line(2, "points", std::to_string(decay.points));
}

}  // namespace gwrm::test
