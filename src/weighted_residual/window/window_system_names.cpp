// The window system in words: rows, unknowns and the place where a residual stops being finite, for messages.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weighted_residual/model/statement_names.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

const SourceText& WindowSystem::text_of(const RowBlock& row) const {
  const bool is_condition = row.kind == RowBlock::Kind::condition || row.kind == RowBlock::Kind::mean;
  return is_condition ? model_.conditions[row.index].text : model_.equations[row.index].text;
}

namespace {

std::string row_name(const Model& model, const RowBlock& row) {
  const auto index = static_cast<std::size_t>(row.index);
  switch (row.kind) {
    case RowBlock::Kind::equation:
      return equation_name(model, index);
    case RowBlock::Kind::condition:
    case RowBlock::Kind::mean:
      return "boundary " + condition_name(model, index);
    case RowBlock::Kind::continuity:
      return "continuity across subdomains, " + equation_name(model, index);
    case RowBlock::Kind::degree:
      return "degree of the multiplier of " + equation_name(model, index);
  }
  return "row";
}

}  // namespace

std::string WindowSystem::modes_text(const Shape& extents, const std::vector<Index>& modes) const {
  std::string text;
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    if (extents[axis] > 1)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", model_.axes[axis].name, modes[axis]);
  return text.empty() ? "" : " (mode " + text + ")";
}

std::string WindowSystem::describe_row(Index row) const {
  std::size_t i = rows_.size() - 1;
  while (rows_[i].kind == RowBlock::Kind::mean || rows_[i].offset > row) --i;
  const RowBlock& block = rows_[i];
  for (const RowBlock& mean : rows_)
    if (mean.kind == RowBlock::Kind::mean && mean.offset == block.offset) {
      const Index n_times = element_count(mean.extents) / static_cast<Index>(mean.places.size());
      const Index place = (row - mean.offset) % (element_count(block.extents) / n_times);
      if (std::binary_search(mean.places.begin(), mean.places.end(), place))
        return fmt::format("{} \"{}\"", row_name(model_, mean), text_of(mean).text);
    }
  std::vector<Index> modes = unravel(block.extents, row - block.offset);
  for (std::size_t axis = 0; axis < modes.size(); ++axis)
    modes[axis] = block.modes[axis][static_cast<std::size_t>(modes[axis])];
  return fmt::format("{} \"{}\"{}", row_name(model_, block), text_of(block).text, modes_text(block.extents, modes));
}

std::string WindowSystem::describe_unknown(Index column) const {
  std::size_t f = layouts_.size() - 1;
  while (layouts_[f].offset > column) --f;
  return model_.fields[f].name +
         modes_text(layouts_[f].extents, unravel(layouts_[f].extents, column - layouts_[f].offset));
}

std::string WindowSystem::locate_not_finite(std::span<const double> x) {
  const std::vector<Array> starts = values_.in_time(layouts_, x, &state_);
  AtomValues::Memory memory;
  values_.in_space(starts, -1, memory);
  expression::Tape::Memory tape;
  const std::vector<Array> values =
      plan_.residual_tape.evaluate(leaf_values(residual_leaves(), memory.values, -1), discretisation_.weights(), tape);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t k = 0; k < values[i].data.size(); ++k) {
      if (std::isfinite(values[i].data[k])) continue;
      const std::vector<Index> indices = unravel(values[i].shape, static_cast<Index>(k));
      std::string point;
      for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis)
        if (values[i].shape[axis] > 1)
          point += fmt::format("{}{} = {:.6g}", point.empty() ? " at " : ", ", model_.axes[axis].name,
                               discretisation_.points(axis)(indices[axis]));
      const RowBlock& row = rows_[i];
      return fmt::format("{} \"{}\" (for {}) is {}{}", row_name(model_, row), text_of(row).text,
                         model_.fields[model_.equations[row.equation].field].name, values[i].data[k], point);
    }
  }
  return "the residual overflows when it is projected: the iterate has become too large";
}

}  // namespace gwrm
