// The expressions of a case at the points of a rectangular part of the grid.
//
// Names: the two dimensions, the constants, the unknown and `flux` (the outward flux, in boundary conditions), and on
// curvilinear grids x and y, which are expressions of the dimensions themselves.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "case/case.hpp"
#include "core/array.hpp"
#include "expression/expression.hpp"
#include "expression/lowering.hpp"
#include "problems/sbp_sat/sbp_sat_case.hpp"

namespace gwrm::sbp {

// The tensor product of two lists of coordinates.
struct Points {
  std::vector<double> slow, fast;
  Index size() const { return static_cast<Index>(slow.size() * fast.size()); }
};

// CaseError at `text` for an expression with integrals: points know nothing of them.
void refuse_integrals(expression::Expr e, const SourceText& text);

class PointExpressions {
 public:
  explicit PointExpressions(const Case& the_case);

  // What an atom of the unknown or the flux is at the points; called for no other names.
  using AtomValues = std::function<std::vector<double>(const expression::Atom& atom)>;

  expression::Expr parse(const SourceText& text) const;  // lowered; CaseError
  // CaseError at `text` where the expression holds the unknown.
  expression::Expr parse_known(const SourceText& text) const;

  // Row-major values. `unknown` may be empty where the expression holds none.
  std::vector<double> values(expression::Expr e, const Points& points, const AtomValues& unknown = {}) const;
  // Of a text without unknown; Error with status not_finite, the place and the point where a value is NaN or infinite.
  std::vector<double> finite_values(const SourceText& text, const Points& points, const std::string& what) const;

  expression::Pool& pool() const { return *pool_; }
  bool is_mapped() const { return !mapping_.empty(); }
  bool is_unknown(const expression::Atom& atom) const { return atom.field <= 1; }
  bool is_flux(const expression::Atom& atom) const { return atom.field == 1; }
  expression::Expr coordinate(int which) const { return mapping_[which]; }  // 0: x, 1: y; of a mapped grid
  const SourceText& mapping_text(int which) const { return section_of<SbpSatCase>(case_).mapping[which].text; }
  std::string point_text(const Points& points, Index point) const;  // "x = 0.5, y = 1"

 private:
  const Case& case_;
  std::unique_ptr<expression::Pool> pool_;
  std::vector<expression::Expr> mapping_;
};

}  // namespace gwrm::sbp
