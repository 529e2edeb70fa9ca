#include "weighted_residual/model/statement_names.hpp"

#include "case/vectors.hpp"

namespace gwrm {
namespace {

template <class Statements>
std::string name_in(const char* what, const Statements& statements, std::size_t i) {
  std::vector<const SourceText*> texts;
  for (const auto& statement : statements) texts.push_back(&statement.text);
  return casefile::statement_name(what, texts, i);
}

}  // namespace

std::string equation_name(const Model& model, std::size_t e) {
  return name_in("equation", model.equations, e);
}

std::string condition_name(const Model& model, std::size_t c) {
  return name_in("condition", model.conditions, c);
}

}  // namespace gwrm
