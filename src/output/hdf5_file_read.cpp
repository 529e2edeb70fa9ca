#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "basis/stored_order.hpp"
#include "output/hdf5_file.hpp"
#include "output/hdf5_file_subdomains.hpp"
#include "output/hdf5_format.hpp"
#include "output/hdf5_handles.hpp"
#include "output/hdf5_whole_file.hpp"

namespace gwrm {
namespace {

using namespace hdf5;

// Far beyond any run, small enough that no product of two of them overflows.
constexpr int kMaxDegree = 1000000;
constexpr std::size_t kMaxRecords = 100000000;
constexpr std::size_t kMaxWords = 10000;  // of a list in one text: a word takes much more memory than its letters
constexpr std::size_t kMaxAxes = 32;      // HDF5's own limit on the rank

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> words;
  for (std::size_t first = 0; first < text.size();) {
    if (words.size() == kMaxWords) throw OutputError("a list of names or warnings is too long");
    const std::size_t end = std::min(text.find(separator, first), text.size());
    words.push_back(text.substr(first, end - first));
    first = end + 1;
  }
  return words;
}

// The length of a list of records: the size of one of its columns.
std::size_t record_count(hid_t group, const std::string& name) {
  const Dims dims = dims_of(open_dataset(group, name), name);
  if (dims.size() != 1 || dims[0] > kMaxRecords) throw OutputError("the dataset " + name + " is not a list");
  return dims[0];
}

// A list of records, stored as one dataset for each of their members.
class Records {
 public:
  Records(hid_t group, const std::string& counted) : group_(group), n_(record_count(group, counted)) {}
  std::size_t size() const { return n_; }
  std::vector<int> ints(const std::string& name) const { return read_ints(group_, name, {n_}); }
  std::vector<double> doubles(const std::string& name) const { return read_doubles(group_, name, {n_}); }
  std::vector<std::string> strings(const std::string& name) const { return read_strings(group_, name, {n_}); }

 private:
  hid_t group_;
  std::size_t n_;
};

void read_provenance(hid_t root, RunReport& report) {
  report.title = read_text_attribute(root, "title");
  const std::string history = read_text_attribute(root, "history");
  const std::size_t command = history.find(": ");
  report.command = command == std::string::npos ? history : history.substr(command + 2);
  report.device = read_text_attribute(root, "device");
  report.status = read_text_attribute(root, "status");
  report.reason = read_text_attribute(root, "reason");
  report.warnings = split(read_text_attribute(root, "warnings"), '\n');
  report.linear_solver = read_text_attribute(root, "linear_solver");
  report.n_unknowns = read_index_attribute(root, "n_unknowns");
  report.n_newton_iterations = read_int_attribute(root, "n_newton_iterations");
  report.n_linear_iterations = read_int_attribute(root, "n_linear_iterations");
  report.n_factorisations = read_int_attribute(root, "n_factorisations");
  report.wall_seconds = read_double_attribute(root, "wall_seconds");
  report.case_text = read_text_attribute(root, "case");
}

// Every windowed axis is stored as "time"; time itself is always called t, and that of modes "mode".
AxisKind kind_of(const std::string& stored, const std::string& axis_name) {
  if (stored == "time")
    return axis_name == "t" ? AxisKind::time : axis_name == "mode" ? AxisKind::mode : AxisKind::arc_length;
  if (stored == "space") return AxisKind::space;
  if (stored == "parameter") return AxisKind::parameter;
  throw OutputError("'" + stored + "' is no kind of dimension");
}

Axis read_axis(hid_t modes, const std::string& name) {
  Axis axis;
  axis.name = name;
  axis.kind = kind_of(read_text_attribute(modes, "kind"), name);
  axis.lower = read_double_attribute(modes, "lower");
  axis.upper = read_double_attribute(modes, "upper");
  const std::string map = read_text_attribute(modes, "map");
  if (map != "linear" && map != "log") throw OutputError("'" + map + "' is no map of a dimension");
  axis.map = map == "log" ? MapKind::log : MapKind::linear;
  if (!std::isfinite(axis.lower) || !std::isfinite(axis.upper) || axis.lower >= axis.upper ||
      (axis.map == MapKind::log && axis.lower <= 0.0))
    throw OutputError("the interval of the dimension " + name + " is not valid");
  return axis;
}

// An axis where it has its highest degree and no subdomains. In files of version 1 the group has the basis, one for
// all.
AxisDescription read_whole_axis(hid_t group, hid_t modes, const Axis& axis) {
  const int degree = read_int_attribute(modes, "degree");
  if (degree < 0 || degree > kMaxDegree) throw OutputError("the degree along " + axis.name + " is not valid");
  const hid_t place = check(H5Aexists(group, kBasis), "looking for the basis") > 0 ? group : modes;
  std::string basis = read_text_attribute(place, kBasis);
  if (basis == kOnlyBasisOfVersion1) basis = kChebyshev;
  const std::string stored = std::exchange(basis, basis_stored_as(basis));
  if (basis.empty())
    throw OutputError("the coefficients along " + axis.name + " are of the basis '" + stored +
                      "', this program knows: " + basis_names());
  AxisDescription whole{degree, {axis.lower, axis.upper}, axis.map, std::move(basis)};
  std::shared_ptr<const AxisBasis> made;
  try {
    made = make_basis(whole);
  } catch (const ShapeError& error) {  // a map that this basis does not have
    throw OutputError("the coefficients along " + axis.name + ": " + error.what());
  }
  if (read_text_attribute(place, kNormalisation) != made->normalisation())
    throw OutputError("the coefficients along " + axis.name + " are of another normalisation");
  return whole;
}

std::vector<AxisDescription> read_axes(hid_t group, Solution& solution) {
  const std::vector<std::string> names = split(read_text_attribute(group, "axes"), ' ');
  if (names.size() > kMaxAxes) throw OutputError("too many dimensions");
  std::vector<AxisDescription> whole;
  for (const std::string& name : names) {
    const Handle modes = open_dataset(group, mode_scale(name));
    solution.axes.push_back(read_axis(modes, name));
    whole.push_back(read_whole_axis(group, modes, solution.axes.back()));
  }
  const auto in_windows = [](const Axis& axis) { return is_windowed(axis.kind); };
  if (std::count_if(solution.axes.begin(), solution.axes.end(), in_windows) > 1)
    throw OutputError("two dimensions are divided into windows");
  return whole;
}

void read_windows(hid_t root, Solution& solution) {
  const Handle group = open_group(root, kWindows);
  const Records windows(group, "start");
  if (windows.size() == 0) throw OutputError("there is no time window");
  const std::vector<double> start = windows.doubles("start");
  const std::vector<double> end = windows.doubles("end");
  for (std::size_t i = 0; i < windows.size(); ++i)
    if (!std::isfinite(start[i]) || !std::isfinite(end[i]) || start[i] >= end[i] || (i > 0 && start[i] != end[i - 1]))
      throw OutputError("the time windows do not follow each other");
  solution.window_edges = start;
  solution.window_edges.push_back(end.back());
}

// The coefficients of one window without their padding, which must be zero.
Array unpadded(std::span<const double> padded, const std::vector<AxisDescription>& subdomains,
               const std::vector<StoredAxis>& stored, const FieldSolution& field) {
  Shape shape;
  for (int axis : field.axes) shape.push_back(subdomains[axis].n_coefficients());
  Array window(shape);
  const std::vector<Index> positions = padded_positions(subdomains, stored, field.axes);
  for (std::size_t i = 0; i < positions.size(); ++i) window.data[i] = padded[static_cast<std::size_t>(positions[i])];
  const auto zeros = [](const auto& values) { return std::count(values.begin(), values.end(), 0.0); };
  if (zeros(padded) - zeros(window.data) != static_cast<std::ptrdiff_t>(padded.size() - window.data.size()))
    throw OutputError("the field " + field.name + " has coefficients beyond its degrees");
  return window;
}

FieldSolution read_field(hid_t group, const Solution& solution, const std::vector<StoredAxis>& stored,
                         const std::string& name) {
  FieldSolution field;
  field.name = name;
  std::vector<std::string> dimensions = split(read_text_attribute(open_dataset(group, name), "dimensions"), ' ');
  const bool per_window = !dimensions.empty() && dimensions.front() == kWindowScale;
  if (per_window) dimensions.erase(dimensions.begin());
  if (per_window && solution.window_edges.empty()) throw OutputError("windows without time for the field " + name);
  Dims dims;
  if (per_window) dims.push_back(solution.n_windows());
  const OutputError disordered("the field " + name + " has unknown or disordered dimensions");
  for (std::size_t axis = 0, next = 0; next < dimensions.size(); ++axis) {
    if (axis == solution.axes.size()) throw disordered;
    const std::string& axis_name = solution.axes[axis].name;
    if (stored[axis].is_divided() && dimensions[next] == subdomain_scale(axis_name)) {
      dims.push_back(static_cast<hsize_t>(stored[axis].n_subdomains));
      if (++next == dimensions.size() || dimensions[next] != mode_scale(axis_name)) throw disordered;
    } else if (stored[axis].is_divided() || dimensions[next] != mode_scale(axis_name)) {
      continue;
    }
    field.axes.push_back(static_cast<int>(axis));
    dims.push_back(static_cast<hsize_t>(stored[axis].n_modes));
    ++next;
  }
  const int windowed = solution.windowed_axis();
  if (!per_window && solution.n_windows() > 1 &&
      std::find(field.axes.begin(), field.axes.end(), windowed) != field.axes.end())
    throw OutputError("the field " + name + " lacks the dimension window");
  const std::vector<double> values = read_doubles(group, name, dims);
  const std::size_t n_windows = per_window ? solution.n_windows() : 1, per_array = values.size() / n_windows;
  for (std::size_t w = 0; w < n_windows; ++w)
    field.windows.push_back(
        unpadded(std::span(values).subspan(w * per_array, per_array), solution.subdomains[w], stored, field));
  return field;
}

Solution read_solution(hid_t root) {
  Solution solution;
  const Handle group = open_group(root, kCoefficients);
  const std::vector<AxisDescription> whole = read_axes(group, solution);
  if (solution.windowed_axis() >= 0) read_windows(root, solution);
  const std::vector<StoredAxis> stored = read_subdomains(root, solution, whole);
  const std::vector<std::string> names = split(read_text_attribute(group, "fields"), ' ');
  if (std::set<std::string>(names.begin(), names.end()).size() != names.size())
    throw OutputError("a field is listed twice");
  for (const std::string& name : names) solution.fields.push_back(read_field(group, solution, stored, name));
  return solution;
}

std::vector<NewtonRecord> read_newton(hid_t root) {
  const Handle group = open_group(root, kNewton);
  const Records records(group, kIterationScale);
  const auto window = records.ints("window");
  const auto parameter_point = records.ints("parameter_point");
  const auto iteration = records.ints("iteration_in_window");
  const auto residual = records.doubles("residual");
  const auto correction = records.doubles("correction");
  const auto damping = records.doubles("damping");
  const auto linear_iterations = records.ints("linear_iterations");
  std::vector<NewtonRecord> newton;
  for (std::size_t i = 0; i < records.size(); ++i)
    newton.push_back(
        {window[i], parameter_point[i], iteration[i], residual[i], correction[i], damping[i], linear_iterations[i]});
  return newton;
}

ErrorEstimate::Status status_of(const std::string& word) {
  if (word == "off") return ErrorEstimate::Status::off;
  if (word == "made") return ErrorEstimate::Status::made;
  if (word == "missing") return ErrorEstimate::Status::missing;
  throw OutputError("'" + word + "' is no status of an estimate");
}

ErrorEstimate read_estimate(hid_t verification, const std::vector<Axis>& axes) {
  const Handle group = open_group(verification, kEstimate);
  ErrorEstimate estimate;
  estimate.status = status_of(read_text_attribute(group, "status"));
  estimate.reason = read_text_attribute(group, "reason");
  if (check(H5Aexists(group, "advice"), "looking for an advice") > 0)
    estimate.advice = read_text_attribute(group, "advice");
  estimate.lost_at = read_double_attribute(group, "lost_at");
  if (check(H5Aexists(group, "growth"), "looking for a budget of the error") > 0)
    estimate.budget = {read_double_attribute(group, "from_time"), read_double_attribute(group, "from_space"),
                       read_double_attribute(group, "from_conditions"), read_double_attribute(group, "growth")};
  if (!has_link(group, kEstimatedScale)) return estimate;
  const Records records(group, kEstimatedScale);
  const auto field = records.strings("field");
  const auto largest = records.doubles("largest");
  const auto at_end = records.doubles("at_end");
  const auto rounding = records.doubles("rounding");
  for (std::size_t i = 0; i < records.size(); ++i)
    estimate.fields.push_back({field[i], largest[i], {}, at_end[i], rounding[i]});
  for (const Axis& axis : axes) {
    const auto at = records.doubles("at_" + axis.name);
    for (std::size_t i = 0; i < records.size(); ++i) estimate.fields[i].at.push_back(at[i]);
  }
  return estimate;
}

std::vector<Goal> read_goals(hid_t verification) {
  const Handle group = open_group(verification, kGoals);
  const Records records(group, kGoalScale);
  const auto name = records.strings("name");
  const auto expression = records.strings("expression");
  const auto value = records.doubles("value");
  const auto error = records.doubles("error");
  const auto size = records.doubles("size");
  std::vector<Goal> goals;
  for (std::size_t i = 0; i < records.size(); ++i)
    goals.push_back({name[i], expression[i], value[i], error[i], size[i]});
  return goals;
}

std::vector<LeftOut> read_left_out(hid_t verification, const std::vector<Axis>& axes) {
  const Handle group = open_group(verification, kLeftOut);
  const Records records(group, kLeftOutScale);
  const auto start = records.doubles("start");
  const auto end = records.doubles("end");
  const auto axis = records.strings("axis");
  const auto place = records.doubles("place");
  const auto width = records.doubles("width");
  const auto what = records.strings("what");
  const auto unknown = records.strings("unknown");
  const bool has_corners = has_link(group, "other_axis");
  const auto other_axis = has_corners ? records.strings("other_axis") : std::vector<std::string>(records.size());
  const auto other_place = has_corners ? records.doubles("other_place") : std::vector<double>(records.size());
  const auto index_of = [&](const std::string& name) {
    const auto found =
        std::find_if(axes.begin(), axes.end(), [&](const Axis& candidate) { return candidate.name == name; });
    if (found == axes.end()) throw OutputError("'" + name + "' is no dimension of the answer");
    return static_cast<int>(found - axes.begin());
  };
  std::vector<LeftOut> left_out;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const bool is_everywhere = axis[i].empty() && !unknown[i].empty();
    left_out.push_back({start[i], end[i], is_everywhere ? -1 : index_of(axis[i]), place[i], width[i], what[i],
                        unknown[i], other_axis[i].empty() ? -1 : index_of(other_axis[i]), other_place[i]});
  }
  return left_out;
}

// Files of 0.11 and before have no estimate.
Verification read_verification(hid_t root, const std::vector<Axis>& axes) {
  const Handle group = open_group(root, kVerification);
  const Records records(group, kCheckScale);
  const auto kind = records.strings("kind");
  const auto subject = records.strings("subject");
  const auto value = records.doubles("value");
  const auto tolerance = records.doubles("tolerance");
  const auto judged = records.ints("judged");
  const auto margin = has_link(group, "margin") ? records.doubles("margin") : std::vector<double>(records.size(), 1.0);
  Verification verification;
  for (std::size_t i = 0; i < records.size(); ++i)
    verification.checks.push_back({kind[i], subject[i], value[i], tolerance[i], judged[i] != 0, margin[i]});
  if (has_link(group, kEstimate)) verification.estimate = read_estimate(group, axes);
  if (has_link(group, kGoals)) verification.goals = read_goals(group);
  if (has_link(group, kLeftOut)) verification.left_out = read_left_out(group, axes);
  return verification;
}

StoredRun read_open_file(hid_t file) {
  StoredRun run;
  read_provenance(file, run.report);
  run.solution = read_solution(file);
  run.report.newton = read_newton(file);
  run.report.verification = read_verification(file, run.solution.axes);
  return run;
}

}  // namespace

StoredRun read_hdf5(const std::string& path) {
  StoredRun run;
  read_result_file(path, [&](hid_t file) { run = read_open_file(file); });
  return run;
}

}  // namespace gwrm
