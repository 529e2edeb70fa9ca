// The result of a sweep as tables: one for each set of dimensions that its numbers have.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/errors.hpp"
#include "expression/number_text.hpp"
#include "output/export.hpp"
#include "output/export_grid.hpp"
#include "output/stored_sweep.hpp"

namespace gwrm {
namespace {

// A text with commas, quotes or line ends stands in quotes.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string cell(const StoredVariable& variable, std::size_t place) {
  if (variable.is_text) return cell(variable.texts[place]);
  return std::isnan(variable.numbers[place]) ? "" : expression::number_text(variable.numbers[place]);
}

bool is_at_root(const StoredVariable& variable) {
  return variable.name.find('/') == std::string::npos;
}

using Columns = std::vector<const StoredVariable*>;

// The coordinates and what changes along with them, then the variables; a line for each point, the last dimension
// fastest.
std::string table(const StoredSweep& sweep, const Columns& variables) {
  const StoredVariable& first = *variables.front();
  std::vector<const StoredVariable*> scales;
  std::vector<std::pair<std::size_t, const StoredVariable*>> along;  // keys of a dimension: of point, of sample
  for (std::size_t d = 0; d < first.dims.size(); ++d) {
    scales.push_back(sweep.find(first.dims[d]));
    if (scales.back() == nullptr || !scales.back()->is_scale) throw OutputError("no coordinates " + first.dims[d]);
    for (const StoredVariable& other : sweep.variables)
      if (is_at_root(other) && other.is_key && !other.is_scale && other.dims.front() == first.dims[d] &&
          std::find(variables.begin(), variables.end(), &other) == variables.end())
        along.emplace_back(d, &other);
  }
  std::string text;
  for (const StoredVariable* scale : scales) text += (text.empty() ? "" : ",") + scale->name;
  for (const auto& [d, other] : along) text += "," + other->name;
  for (const StoredVariable* variable : variables) text += (text.empty() ? "" : ",") + variable->name;
  text += "\n";
  std::vector<std::size_t> index(first.dims.size(), 0);
  const std::size_t n = static_cast<std::size_t>(element_count(first.shape));
  for (std::size_t place = 0; place < n; ++place) {
    std::string line;
    const auto add = [&](const std::string& what) { line += line.empty() ? what : "," + what; };
    for (std::size_t d = 0; d < index.size(); ++d) add(cell(*scales[d], index[d]));
    for (const auto& [d, other] : along) add(cell(*other, index[d]));
    for (const StoredVariable* variable : variables) add(cell(*variable, place));
    text += line + "\n";
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < static_cast<std::size_t>(first.shape[d])) break;
      index[d] = 0;
    }
  }
  return text;
}

}  // namespace

ExportResult export_sweep_csv(const ExportRequest& request) {
  const StoredSweep sweep = read_sweep(request.source);
  if (!request.at.empty()) throw CaseError("--at: error: a table holds every run of the sweep; leave --at out");
  const StoredVariable* runs = sweep.find("exit_status");
  if (runs == nullptr) throw OutputError(request.source + ": a sweep without runs");
  std::map<std::vector<std::string>, Columns> groups;
  for (const StoredVariable& variable : sweep.variables)
    if (!variable.is_scale && variable.name.find('/') == std::string::npos &&
        variable.dims.size() >= runs->dims.size() && !(variable.is_key && runs->dims.size() > 1))
      groups[variable.dims].push_back(&variable);
  // The numbers of the runs have the plain name.
  ExportResult result;
  for (const auto& [dims, variables] : groups) {
    std::string suffix;
    for (std::size_t d = runs->dims.size(); d < dims.size(); ++d) suffix += "_" + dims[d];
    const std::string path = request.stem + suffix + ".csv";
    write_text_file(path, table(sweep, variables), request.overwrite);
    result.files.insert(suffix.empty() ? result.files.begin() : result.files.end(), path);
  }
  return result;
}

}  // namespace gwrm
