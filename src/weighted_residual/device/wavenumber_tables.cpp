#include "weighted_residual/device/wavenumber_tables.hpp"

#include <algorithm>

#include "core/errors.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;

// The rows or columns that do not take part where k_a is not zero along the axes of the mask.
std::vector<int> absent(const std::vector<WavenumberPlace>& places, unsigned nonzero) {
  std::vector<int> result;
  for (const WavenumberPlace& place : places)
    for (Index i = 0; (place.lacks & nonzero) != 0 && i < place.count; ++i)
      result.push_back(static_cast<int>(place.first + i));
  return result;
}

}  // namespace

LuStatus rows_of_absent_fields(const WavenumberOperators& operators, int n_axes, std::size_t n, std::vector<int>& units,
                               bool& all_take_part) {
  const unsigned n_masks = 1u << n_axes;
  units.assign(n_masks * n, -1);
  for (unsigned nonzero = 0; nonzero < n_masks; ++nonzero) {
    const std::vector<int> rows = absent(operators.rows, nonzero), columns = absent(operators.fields, nonzero);
    if (rows.size() != columns.size()) return LuStatus::singular;
    all_take_part &= rows.empty();
    for (std::size_t i = 0; i < rows.size(); ++i) units[nonzero * n + static_cast<std::size_t>(rows[i])] = columns[i];
  }
  return LuStatus::regular;
}

LuStatus wavenumber_tables(const WavenumberOperators& operators, const std::vector<Complex>& z,
                           WavenumberTables& tables) {
  const auto n = static_cast<std::size_t>(operators.size);
  if (n > kMaxWavenumberFields || operators.fields.size() != n || operators.rows.size() != n)
    throw ShapeError("wavenumber tables: more than a block of the fields");
  std::vector<const WavenumberTerm*> terms;
  for (const WavenumberTerm& term : operators.terms) terms.push_back(&term);
  const auto entry = [&](const WavenumberTerm& term) {
    return static_cast<std::size_t>(term.row) * n + static_cast<std::size_t>(term.column);
  };
  std::stable_sort(terms.begin(), terms.end(),
                   [&](const WavenumberTerm* a, const WavenumberTerm* b) { return entry(*a) < entry(*b); });

  tables = {};
  tables.begins.assign(n * n + 1, 0);
  for (const WavenumberTerm* term : terms) {
    ++tables.begins[entry(*term) + 1];
    WavenumberPower power{{}, term->zero, term->replaced};
    std::copy(term->orders.begin(), term->orders.end(), power.orders);
    tables.powers.push_back(power);
  }
  for (std::size_t i = 0; i < n * n; ++i) tables.begins[i + 1] += tables.begins[i];
  for (const Complex& value : z)
    for (const WavenumberTerm* term : terms) {
      Complex factor = term->values(0, 0);
      for (int p = 0; p < term->power; ++p) factor *= value;
      for (std::size_t a = 0; a < operators.axes.size(); ++a)
        for (int m = 0; m < term->orders[a]; ++m) factor *= Complex(0.0, operators.axes[a].slope);
      tables.factors.push_back(factor);
    }

  return rows_of_absent_fields(operators, kMaxWavenumberAxes, n, tables.units, tables.all_take_part);
}

}  // namespace gwrm
