#include "case/number_conditions.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/errors.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"

namespace gwrm::casefile {
namespace {

std::uint32_t mask_of(const Case& result, const std::vector<std::string>& dims) {
  std::uint32_t mask = 0;
  for (std::size_t i = 0; i < result.domain.size(); ++i)
    if (std::find(dims.begin(), dims.end(), result.domain[i].axis.name) != dims.end()) mask |= 1u << i;
  return mask;
}

std::uint32_t space_of(const Case& result) {
  std::uint32_t mask = 0;
  for (std::size_t i = 0; i < result.domain.size(); ++i)
    if (result.domain[i].axis.kind == AxisKind::space) mask |= 1u << i;
  return mask;
}

// Of each unknown number its dimensions.
std::vector<std::uint32_t> masks_of_numbers(const Case& result) {
  std::vector<std::uint32_t> masks;
  const std::uint32_t space = space_of(result);
  for (const UnknownCase& unknown : result.unknowns)
    if (const std::uint32_t mask = mask_of(result, unknown.dims); (mask & space) != space) masks.push_back(mask);
  return masks;
}

struct Extent {
  std::uint32_t varies = 0;
  int n_lost = 0;  // dimensions of its unknowns along which it does not vary
};

std::optional<Extent> extent_of(const Case& result, expression::Pool& pool, const SourceText& text) {
  try {
    const expression::Equation parsed = expression::parse_equation(pool, text);
    const expression::Expr residual = expression::lower(pool, pool.difference(parsed.left, parsed.right));
    std::uint32_t held = 0;
    for (const expression::FieldOrders& entry : expression::field_orders(pool, residual))
      held |= mask_of(result, result.unknowns[static_cast<std::size_t>(entry.field)].dims);
    const std::uint32_t varies = residual->facts.axes;
    return Extent{varies, std::popcount(held & ~varies)};
  } catch (const CaseError&) {
    return std::nullopt;
  }
}

}  // namespace

bool may_have_conditions_of_numbers(const Case& result) {
  const std::size_t n_equations = result.equations.size(), n_unknowns = result.unknowns.size();
  return !result.equations.empty() && !result.boundary.empty() && n_equations < n_unknowns &&
         n_unknowns - n_equations <= masks_of_numbers(result).size();
}

void take_conditions_of_numbers(Case& result) {
  if (!may_have_conditions_of_numbers(result)) return;
  const std::vector<std::uint32_t> masks = masks_of_numbers(result);
  expression::Pool pool(result.symbols());
  std::vector<std::size_t> several, one;  // the last come first
  for (std::size_t i = result.boundary.size(); i-- > 0;) {
    const std::optional<Extent> extent = extent_of(result, pool, result.boundary[i]);
    if (!extent || extent->n_lost == 0 ||
        std::none_of(masks.begin(), masks.end(), [&](std::uint32_t mask) { return (extent->varies & ~mask) == 0; }))
      continue;
    (extent->n_lost > 1 ? several : one).push_back(i);
  }
  several.insert(several.end(), one.begin(), one.end());
  const std::size_t n_missing = result.unknowns.size() - result.equations.size();
  if (several.size() < n_missing) return;
  several.resize(n_missing);
  std::sort(several.begin(), several.end());
  for (std::size_t i : several) result.equations.push_back(result.boundary[i]);
  for (std::size_t i = several.size(); i-- > 0;)
    result.boundary.erase(result.boundary.begin() + static_cast<std::ptrdiff_t>(several[i]));
}

}  // namespace gwrm::casefile
