// One text being read: recursive descent over its tokens. The grammar is in parser.hpp, vectors in vector_value.hpp.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/source_text.hpp"
#include "expression/expression.hpp"
#include "expression/functions.hpp"
#include "expression/lexer.hpp"
#include "expression/vector_value.hpp"

namespace gwrm::expression {

// Definitions that one text uses: read where the first of them is named, with the places of their own text. Those being
// read, outermost first: a name that is among them uses itself.
struct UsedDefinitions {
  std::map<std::string, Value> known = {};
  std::vector<std::string> open = {};
};

class Parsing {
 public:
  // `nesting`: levels of the texts around this one.
  Parsing(Pool& pool, const SourceText& source, UsedDefinitions& used, int nesting = 0)
      : pool_(pool),
        symbols_(pool.symbols()),
        algebra_(pool),
        source_(source),
        used_(used),
        tokens_(tokenize(source)),
        nesting_(nesting) {}

  Value expression();
  std::pair<Value, Value> equation();  // of one rank and along the same axes

 private:
  // --- the grammar, one function a rule (parser.cpp) ---
  Value sum();
  Value term();
  Value unary();
  Value signed_power();
  Value power();
  Value postfix();
  Value primary();
  Value vector_literal();

  // --- names and calls, the token is the name (parser_names.cpp) ---
  Value plain_name(const Token& token);
  Value called_name(const Token& token);
  bool is_name_of_case(const std::string& name) const;
  Value defined(const Token& token, const Definition& definition);
  const Value* component_of_definition(const Token& token);
  bool may_be_component(const std::string& name) const;
  Expr noise(const Token& token);
  Expr delta(const Token& token);
  Expr data(const Token& token);
  Value call(const Token& token, Function function);
  Value complex_function(const Token& token);
  Value derivative(const Token& token);
  Value laplacian(const Token& token);
  Value integral(const Token& token);
  Value vector_function(const Token& token);
  double whole_number(const std::string& what, double least, double most);

  // --- restrictions: behind the '(' (parser.cpp) ---
  bool opens_restriction() const { return peek(1).kind == TokenKind::name && peek(2).kind == TokenKind::equals; }
  Value restriction(const Value& value);
  Expr restriction_point(const std::string& name);
  bool ends_beside() const;
  std::string axis_name(const std::string& expected);

  // --- tokens and errors (parser.cpp) ---
  const Token& peek(std::size_t ahead = 0) const;
  const Token& take();
  bool taken(TokenKind kind);
  void expect(TokenKind kind, const std::string& what);
  void expect_end();
  void fail_if_product() const;
  [[noreturn]] void fail_call(const Token& first) const;
  [[noreturn]] void fail_too_deep(const Token& token) const;
  [[noreturn]] void fail(const Token& token, const std::string& message) const { fail(token.offset, message); }
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const;
  // The number or, for `number`, the tree of the real number that `what` needs it to be.
  Complex complex_number(const Token& token, const Value& value, const std::string& what) const;
  Expr number(const Token& token, const Value& value, const std::string& what) const;
  Value checked(const Token& token, Value value) const;
  Expr checked(const Token& token, Expr e) const { return checked(token, number_value(e)).number().re; }
  // What `make` makes; operands that do not fit are told at the token.
  template <class Make>
  Value made(const Token& token, Make make) const {
    try {
      return checked(token, make());
    } catch (const OperandError& error) {
      fail(token, error.message);
    }
  }

  Pool& pool_;
  const Symbols& symbols_;
  VectorAlgebra algebra_;
  const SourceText& source_;
  UsedDefinitions& used_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int nesting_ = 0;
  bool in_point_ = false;  // of a restriction
};

std::string describe(const Token& token);                           // "'x'", "the end of the text"
[[noreturn]] void fail_complex_equation(const SourceText& source);  // of real unknowns alone

}  // namespace gwrm::expression
