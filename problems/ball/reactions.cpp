#include "problems/ball/reactions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expression/frechet.hpp"
#include "expression/lowering.hpp"

namespace gwrm::ball {

Reactions::Reactions(const BallModel& model) : expressions_(model.expressions()) {
  const BallCase& section = model.section();
  for (std::size_t i = 0; i < section.fields.size(); ++i)
    field_of_unknown_.insert(field_of_unknown_.end(), section.fields[i].is_vector() ? 3 : 1, i);
  expression::Pool& pool = expressions_.pool();
  for (std::size_t i = 0; i < section.fields.size(); ++i) {
    const SourceText& text = section.fields[i].reaction;
    if (text.text.empty()) continue;
    const expression::Expr reaction = expressions_.parse(text);
    for (expression::Expr atom : expression::atoms_in(reaction)) {
      const std::size_t field = field_of_unknown_[static_cast<std::size_t>(expression::atom_of(pool, atom).field)];
      if (section.fields[field].is_vector())
        throw_case_error(
            text, 0,
            fmt::format("a reaction is of scalars, and `{}` is a component of a vector: leave it out",
                        pool.symbols().fields[static_cast<std::size_t>(expression::atom_of(pool, atom).field)].name));
      if (std::find(read_.begin(), read_.end(), field) == read_.end()) read_.push_back(field);
    }
    of_field_.push_back({i, reaction});
    for (const expression::LinearTerm& term : expression::collect(pool, expression::frechet(pool, reaction)))
      derivatives_.push_back({i,
                              field_of_unknown_[static_cast<std::size_t>(expression::atom_of(pool, term.leaf).field)],
                              term.coefficient});
  }
}

int Reactions::degree(int at_most) const {
  int degree = 0;
  for (const Reaction& reaction : of_field_) degree = std::max(degree, reaction.expr->facts.degree);
  return std::min(degree, at_most);
}

std::vector<double> Reactions::values(expression::Expr e, double time, const SpherePoints& points,
                                      const ScalarValues& scalar) const {
  return expressions_.values(e, {time}, points,
                             [&](std::size_t unknown) { return scalar(field_of_unknown_[unknown]); });
}

}  // namespace gwrm::ball
