#include <algorithm>
#include <filesystem>
#include <map>

#include "core/errors.hpp"
#include "expression/number_text.hpp"
#include "output/export.hpp"
#include "output/export_grid.hpp"
#include "output/stored_sweep.hpp"

namespace gwrm {
namespace {

// "t,x,u,slope", then one line a point, the last coordinate fastest.
std::string table(const StoredSamples& samples, const std::vector<int>& axes,
                  const std::vector<const SampledField*>& fields) {
  std::string text;
  for (int axis : axes) text += (text.empty() ? "" : ",") + samples.axes[axis].name;
  for (const SampledField* field : fields) text += (text.empty() ? "" : ",") + field->name;
  text += "\n";
  std::vector<std::size_t> index(axes.size(), 0);
  const std::size_t n_points = fields.front()->values.data.size();
  for (std::size_t point = 0; point < n_points; ++point) {
    std::string line;
    for (std::size_t d = 0; d < axes.size(); ++d)
      line += (line.empty() ? "" : ",") + expression::number_text(samples.axes[axes[d]].points[index[d]]);
    for (const SampledField* field : fields)
      line += (line.empty() ? "" : ",") + expression::number_text(field->values.data[point]);
    text += line + "\n";
    for (std::size_t d = axes.size(); d-- > 0;) {
      if (++index[d] < samples.axes[axes[d]].points.size()) break;
      index[d] = 0;
    }
  }
  return text;
}

}  // namespace

ExportResult export_csv(const ExportRequest& request) {
  if (is_sweep(request.source)) return export_sweep_csv(request);
  const StoredSamples samples = read_samples(request.source);
  if (samples.fields.empty()) throw CaseError(request.source + ": error: this result has no sampled fields");
  if (!request.at.empty()) throw CaseError("--at: error: a table holds every sample of the parameters; leave --at out");
  std::map<std::vector<int>, std::vector<const SampledField*>> groups;
  std::size_t most_axes = 0;
  for (const SampledField& field : samples.fields) {
    groups[field.axes].push_back(&field);
    most_axes = std::max(most_axes, field.axes.size());
  }
  ExportResult result;
  bool is_first = true;
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    std::string suffix;
    for (int axis : group->first) suffix += "_" + samples.axes[axis].name;
    if (suffix.empty()) suffix = "_scalars";
    // The fields on all axes have the plain name.
    if (is_first && group->first.size() == most_axes) suffix.clear();
    is_first = is_first && !suffix.empty();
    const std::string path = request.stem + suffix + ".csv";
    write_text_file(path, table(samples, group->first, group->second), request.overwrite);
    result.files.insert(suffix.empty() ? result.files.begin() : result.files.end(), path);
  }
  return result;
}

}  // namespace gwrm
