// Vectors and complex numbers of a case file. Its readers take a vector of `unknowns` for its components, a complex
// number for its real and imaginary part, which are components too; expressions of them become expressions of real
// numbers in one place, expand_vectors(): nothing that uses a Case knows either, but for the names that its symbols
// have for those who write further expressions (`gwrm eval`).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "case/case.hpp"
#include "case/values.hpp"

namespace gwrm::casefile {

const expression::VectorSymbol* find_vector(const Case& result, const std::string& name);  // null: none

// The list [a, b] that stands for a vector of real numbers: its components by their names.
std::vector<NamedExpression> components_in_list(const YamlNode& list, const expression::VectorSymbol& vector);

// What stands at the key `path` of a number may be a list for vectors alone; of a vector no file has the values.
void refuse_list(const YamlNode& node, const std::string& path);
void refuse_file(const YamlNode& node, const expression::VectorSymbol& vector);

// Vectors and complex numbers are for cases that have `equations`: CaseError where a module has its own.
void check_vectors_are_solved_for(const CaseTree& file, const Case& result);

// Equations, conditions, initial values, guess, exact and output.fields of vectors become one of each component, in
// their places; then there are as many equations as unknowns. Called when all else is read, data of files too. A case
// without vectors and definitions stays as it is.
void expand_vectors(const CaseTree& file, Case& result);

// For the resolved text, which has vectors as they were written: with the first component the vector's name and the
// whole text, with the others nothing (an empty name and text).
std::pair<std::string, std::string> as_written(const std::string& name, const SourceText& text);

// "equation 2", or "equation 1, component x", "equation 1, imaginary part" where a text is a component of one that was
// written: which one of them `texts` has at `i`.
std::string statement_name(const std::string& what, const std::vector<const SourceText*>& texts, std::size_t i);

}  // namespace gwrm::casefile
