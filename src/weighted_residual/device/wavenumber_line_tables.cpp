#include "weighted_residual/device/wavenumber_line_tables.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "weighted_residual/device/wavenumber_tables.hpp"

namespace gwrm {
namespace {

std::vector<LinePlace> line_places(const std::vector<WavenumberPlace>& places, std::vector<int>& place_of) {
  std::vector<LinePlace> result;
  for (const WavenumberPlace& from : places) {
    LinePlace place;
    place.offset = from.offset;
    place.stride = from.stride;
    std::copy(from.strides.begin(), from.strides.end(), place.strides);
    place.lacks = from.lacks;
    place.first = static_cast<int>(from.first);
    place.count = static_cast<int>(from.count);
    place_of.insert(place_of.end(), static_cast<std::size_t>(from.count), static_cast<int>(result.size()));
    result.push_back(place);
  }
  return result;
}

// The signs of rows and fields under a mirror along axis a, in their bits; false, and no bits, if there are none.
// Rows and fields that terms join are told from one another; the first of each group keeps its sign.
bool find_mirror(std::size_t a, const std::vector<std::pair<int, const WavenumberTerm*>>& terms, int n_fields,
                 WavenumberLineTables& tables) {
  const unsigned bit = 1u << a;
  const std::size_t n_rows = tables.rows.size();
  std::vector<int> sign(n_rows + tables.fields.size(), 0);
  const auto row_of = [&](int pair) { return static_cast<std::size_t>(pair / n_fields); };
  const auto field_of = [&](int pair) { return n_rows + static_cast<std::size_t>(pair % n_fields); };
  for (std::size_t start = 0; start < sign.size(); ++start) {
    if (sign[start] != 0) continue;
    sign[start] = 1;
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [pair, term] : terms) {
        if ((term->zero & bit) != 0) continue;
        const int parity = term->orders[a] % 2 == 0 ? 1 : -1;
        int &row = sign[row_of(pair)], &field = sign[field_of(pair)];
        if (row != 0 && field != 0 && row * field != parity) return false;
        changed = changed || (row == 0) != (field == 0);
        if (row == 0 && field != 0) row = parity * field;
        if (field == 0 && row != 0) field = parity * row;
      }
    }
  }
  for (std::size_t i = 0; i < sign.size(); ++i)
    if (sign[i] < 0) (i < n_rows ? tables.rows[i] : tables.fields[i - n_rows]).odd |= bit;
  return true;
}

}  // namespace

Index WavenumberLineTables::n_vectors() const {
  Index count = 1;
  for (int extent : extents) count *= extent;
  return count;
}

Index WavenumberLineTables::n_matrices() const {
  Index count = 1;
  for (int a = 0; a < kLineAxes; ++a) count *= (mirrored >> a & 1u) != 0 ? (extents[a] + 1) / 2 : extents[a];
  return count;
}

LuStatus wavenumber_line_tables(const WavenumberOperators& operators, WavenumberLineTables& tables) {
  tables = {};
  tables.n = static_cast<int>(operators.size);
  tables.rows = line_places(operators.rows, tables.row_of);
  tables.fields = line_places(operators.fields, tables.field_of);
  const int n_fields = static_cast<int>(tables.fields.size());

  // Terms by the pair of row block and field that they belong to.
  std::vector<std::pair<int, const WavenumberTerm*>> terms;
  for (const WavenumberTerm& term : operators.terms)
    if (term.values.size() > 0)
      terms.emplace_back(tables.row_of[static_cast<std::size_t>(term.row)] * n_fields +
                             tables.field_of[static_cast<std::size_t>(term.column)],
                         &term);
  std::stable_sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  tables.begins.assign(tables.rows.size() * tables.fields.size() + 1, 0);
  for (const auto& [pair, from] : terms) {
    LineTerm term;
    std::copy(from->orders.begin(), from->orders.end(), term.orders);
    term.power = from->power;
    term.zero = from->zero;
    term.replaced = from->replaced;
    term.n_rows = static_cast<int>(from->values.rows());
    term.n_columns = static_cast<int>(from->values.cols());
    term.values = static_cast<int>(tables.values.size());
    for (Index i = 0; i < from->values.rows(); ++i)
      for (Index j = 0; j < from->values.cols(); ++j) tables.values.push_back(from->values(i, j));
    tables.terms.push_back(term);
    ++tables.begins[static_cast<std::size_t>(pair) + 1];
  }
  for (std::size_t i = 1; i < tables.begins.size(); ++i) tables.begins[i] += tables.begins[i - 1];

  for (std::size_t a = 0; a < operators.axes.size(); ++a) {
    const WavenumberAxis& axis = operators.axes[a];
    tables.extents[a] = static_cast<int>(axis.n);
    tables.slopes[a] = axis.slope;
    if (!axis.even) tables.exponential |= 1u << a;
    if (axis.even || find_mirror(a, terms, n_fields, tables)) tables.mirrored |= 1u << a;
  }

  return rows_of_absent_fields(operators, kLineAxes, static_cast<std::size_t>(tables.n), tables.units,
                               tables.all_take_part);
}

}  // namespace gwrm
