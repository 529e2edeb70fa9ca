#include <hdf5_hl.h>

#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "basis/orthogonal_basis.hpp"
#include "basis/stored_order.hpp"
#include "case/case.hpp"
#include "core/printable.hpp"
#include "output/hdf5_file.hpp"
#include "output/hdf5_file_subdomains.hpp"
#include "output/hdf5_format.hpp"
#include "output/hdf5_handles.hpp"
#include "output/hdf5_named_arrays.hpp"
#include "output/hdf5_provenance.hpp"
#include "output/hdf5_quantities.hpp"
#include "output/hdf5_statistics.hpp"
#include "output/hdf5_whole_file.hpp"

namespace gwrm {
namespace {

using namespace hdf5;

// In this format "time" stands for every axis that is divided into windows; the reader knows time itself by its name.
const char* kind_name(AxisKind kind) {
  return is_windowed(kind) ? "time" : kind == AxisKind::space ? "space" : "parameter";
}

std::string long_name(const Axis& axis) {
  switch (axis.kind) {
    case AxisKind::time:
      return "time";
    case AxisKind::arc_length:
      return "arc length of the branch";
    case AxisKind::mode:
      return "number of the mode";
    case AxisKind::parameter:
      return "parameter " + axis.name;
    case AxisKind::space:
      break;
  }
  return axis.name;
}

void write_attributes(hid_t root, const RunReport& report) {
  write_attribute(root, "Conventions", "CF-1.8");
  write_provenance(root, {report.title, report.command, report.device, report.case_text});
  write_attribute(root, "format_version", kFormatVersion);
  write_attribute(root, "status", report.status);
  write_attribute(root, "reason", report.reason);
  write_attribute(root, "warnings", join(report.warnings, "\n"));
  write_attribute(root, "linear_solver", report.linear_solver);
  write_attribute(root, "n_unknowns", report.n_unknowns);
  write_attribute(root, "n_newton_iterations", report.n_newton_iterations);
  write_attribute(root, "n_linear_iterations", report.n_linear_iterations);
  write_attribute(root, "n_factorisations", report.n_factorisations);
  write_attribute(root, "wall_seconds", report.wall_seconds);
}

void write_profile(hid_t root, const RunReport& report) {
  if (report.profile.empty()) return;
  const Handle group = create_group(root, "profile");
  for (const auto& [part, seconds] : report.profile) write_attribute(group, (part + "_seconds").c_str(), seconds);
  write_attribute(group, "bytes_sent", report.bytes_sent);
  write_attribute(group, "bytes_received", report.bytes_received);
  write_attribute(group, "device_memory", report.device_memory);
}

void write_ranks(hid_t root, const RunReport& report) {
  if (report.n_ranks == 0) return;
  const Handle group = create_group(root, "ranks");
  write_attribute(group, "n_ranks", report.n_ranks);
  write_attribute(group, "bytes_exchanged", report.bytes_exchanged);
  write_attribute(group, "bytes_by_formula", report.bytes_by_formula);
  write_attribute(group, "bytes_gathered", report.bytes_gathered);
}

void write_distribution(hid_t dataset, const AxisDescription& description) {
  if (const auto distribution = distribution_of(description))
    write_attribute(dataset, kDistribution, distribution->text());
}

// Of the sampled fields: what it is, however it is labelled.
const char* kind_of_samples(AxisKind kind) {
  return kind == AxisKind::arc_length ? "arc length" : kind == AxisKind::mode ? "mode" : kind_name(kind);
}

Handle write_axis(hid_t root, const Axis& axis, const std::vector<double>& points, const Quantities& quantities) {
  Handle scale = write_list(root, axis.name, std::span<const double>(points));
  check(H5DSset_scale(scale, axis.name.c_str()), "making the scale " + axis.name);
  write_quantity(scale, quantities, axis.name, long_name(axis));
  write_attribute(scale, "kind", kind_of_samples(axis.kind));
  if (axis.kind == AxisKind::time) write_attribute(scale, "axis", "T");
  return scale;
}

void write_sampled_fields(hid_t root, const OutputData& data) {
  std::map<int, Handle> scales;
  for (const SampledField& field : data.fields)
    for (int axis : field.axes) scales[axis];
  for (auto& [axis, scale] : scales) {
    scale = write_axis(root, data.solution.axes.at(axis), data.grid.at(axis), data.report.quantities);
    if (data.solution.axes.at(axis).kind == AxisKind::parameter && !data.solution.subdomains.empty())
      write_distribution(scale, data.solution.subdomains.front().at(axis));
  }

  for (const SampledField& field : data.fields) {
    Dims dims;
    for (int axis : field.axes) dims.push_back(data.grid[axis].size());
    if (field.values.size() != std::accumulate(dims.begin(), dims.end(), Index{1}, std::multiplies<>()))
      throw ShapeError("write_hdf5: the values of " + field.name + " do not fill the grid");
    const Handle dataset = write_compressed(root, field.name, dims, field.values.data);
    if (field.error_of.empty()) {
      write_quantity(dataset, data.report.quantities, field.name, field.expression);
    } else {
      write_attribute(dataset, "long_name", field.expression);
      write_unit(dataset, data.report.quantities.unit_of(field.error_of));
    }
    write_attribute(dataset, "expression", field.expression);
    if (!field.error_of.empty()) write_attribute(dataset, kErrorOf, field.error_of);
    for (std::size_t i = 0; i < dims.size(); ++i) attach_scale(dataset, i, scales.at(field.axes[i]));
  }
}

// basis: of some window.
Handle write_modes(hid_t group, const Axis& axis, const AxisBasis& basis, const StoredAxis& stored) {
  Handle scale = write_index_scale(group, mode_scale(axis.name), static_cast<std::size_t>(stored.n_modes));
  write_attribute(scale, "long_name", basis.mode_name() + " along " + axis.name);
  write_attribute(scale, kBasis, stored_name(basis));
  write_attribute(scale, kNormalisation, basis.normalisation());
  write_attribute(scale, "dimension", axis.name);
  write_attribute(scale, "kind", kind_name(axis.kind));
  write_attribute(scale, "lower", axis.lower);
  write_attribute(scale, "upper", axis.upper);
  write_attribute(scale, "map", axis.map == MapKind::log ? "log" : "linear");
  write_attribute(scale, "degree", stored.degree);
  write_distribution(scale, basis.description());
  return scale;
}

// Of the coefficients of one window in the dimensions of the file.
Dims extents_of(const std::vector<AxisDescription>& window, const std::vector<StoredAxis>& stored,
                const std::vector<int>& axes) {
  Dims extents;
  for (int axis : axes) {
    if (stored[axis].is_divided()) extents.push_back(static_cast<hsize_t>(window[axis].n_subdomains()));
    extents.push_back(static_cast<hsize_t>(make_basis(window[axis])->n_per_subdomain()));
  }
  return extents;
}

// Which coefficient stands at each place of the file, along each of its dimensions.
std::vector<std::vector<hsize_t>> order_of(const std::vector<AxisDescription>& window,
                                           const std::vector<StoredAxis>& stored, const std::vector<int>& axes) {
  std::vector<std::vector<hsize_t>> order;
  for (int axis : axes) {
    if (stored[axis].is_divided()) order.emplace_back();
    const auto basis = make_basis(window[axis]);
    std::vector<hsize_t> of_axis(static_cast<std::size_t>(stored[axis].n_modes), Box::kPadding);
    bool is_changed = false;
    for (Index k = 0; k < basis->n_per_subdomain(); ++k) {
      const Index place = stored_index(*basis, k, stored[axis].n_modes);
      of_axis[static_cast<std::size_t>(place)] = static_cast<hsize_t>(k);
      is_changed = is_changed || place != k;
    }
    order.push_back(is_changed ? std::move(of_axis) : std::vector<hsize_t>());
  }
  return order;
}

void write_coefficients(hid_t root, const Solution& solution, const std::vector<StoredAxis>& stored) {
  const bool windowed = solution.windowed_axis() >= 0;
  const Handle group = create_group(root, kCoefficients);
  std::vector<std::string> axis_names, field_names;
  for (const Axis& axis : solution.axes) axis_names.push_back(axis.name);
  for (const FieldSolution& field : solution.fields) field_names.push_back(field.name);
  write_attribute(group, "axes", join(axis_names, " "));
  write_attribute(group, "fields", join(field_names, " "));

  std::vector<Handle> subdomains, modes;
  Handle windows;
  if (windowed) windows = write_index_scale(group, kWindowScale, solution.n_windows());
  for (std::size_t i = 0; i < solution.axes.size(); ++i) {
    subdomains.push_back(stored[i].is_divided() ? write_index_scale(group, subdomain_scale(axis_names[i]),
                                                                    static_cast<std::size_t>(stored[i].n_subdomains))
                                                : Handle());
    modes.push_back(write_modes(group, solution.axes[i], *make_basis(solution.subdomains.front()[i]), stored[i]));
  }

  for (const FieldSolution& field : solution.fields) {
    Dims dims;
    std::vector<std::string> names;
    std::vector<const Handle*> scales;
    const auto add_dimension = [&](Index extent, const std::string& name, const Handle& scale) {
      dims.push_back(static_cast<hsize_t>(extent));
      names.push_back(name);
      scales.push_back(&scale);
    };
    if (windowed && field.windows.size() == solution.n_windows())
      add_dimension(static_cast<Index>(solution.n_windows()), kWindowScale, windows);
    for (int i : field.axes) {
      const StoredAxis& axis = stored[i];
      if (axis.is_divided()) add_dimension(axis.n_subdomains, subdomain_scale(axis_names[i]), subdomains[i]);
      add_dimension(axis.n_modes, mode_scale(axis_names[i]), modes[i]);
    }
    std::vector<Box> windows_of_field;
    for (std::size_t w = 0; w < field.windows.size(); ++w)
      windows_of_field.push_back({field.windows[w].data.data(), extents_of(solution.subdomains[w], stored, field.axes),
                                  order_of(solution.subdomains[w], stored, field.axes)});
    const Handle dataset = write_compressed(group, field.name, dims, windows_of_field);
    write_attribute(dataset, "dimensions", join(names, " "));
    for (std::size_t i = 0; i < dims.size(); ++i) attach_scale(dataset, i, *scales[i]);
  }
}

void write_windows(hid_t root, const Solution& solution, const std::vector<StoredAxis>& stored) {
  const bool listed = are_listed(solution, stored);
  if (solution.windowed_axis() < 0 && !listed) return;
  const Handle group = create_group(root, kWindows);
  const Handle scale = write_index_scale(group, kWindowScale, solution.n_windows());
  if (solution.windowed_axis() >= 0) {
    const std::span<const double> edges(solution.window_edges);
    attach_scale(write_list(group, "start", edges.first(edges.size() - 1)), 0, scale);
    attach_scale(write_list(group, "end", edges.last(edges.size() - 1)), 0, scale);
  }
  if (listed) write_subdomains(group, scale, solution, stored);
}

template <class Record, class Member>
auto record_column(const std::vector<Record>& records, Member Record::*member) {
  std::vector<Member> values;
  for (const Record& record : records) values.push_back(record.*member);
  return values;
}

void write_newton(hid_t root, const std::vector<NewtonRecord>& records) {
  const Handle group = create_group(root, kNewton);
  const Handle scale = write_index_scale(group, kIterationScale, records.size());
  const auto write_column = [&](const char* name, auto member) {
    const auto values = record_column(records, member);
    attach_scale(write_list(group, name, std::span(values)), 0, scale);
  };
  write_column("window", &NewtonRecord::window);
  write_column("parameter_point", &NewtonRecord::parameter_point);
  write_column("iteration_in_window", &NewtonRecord::iteration);
  write_column("residual", &NewtonRecord::residual);
  write_column("correction", &NewtonRecord::correction);
  write_column("damping", &NewtonRecord::damping);
  write_column("linear_iterations", &NewtonRecord::linear_iterations);
}

const char* status_word(ErrorEstimate::Status status) {
  switch (status) {
    case ErrorEstimate::Status::made:
      return "made";
    case ErrorEstimate::Status::missing:
      return "missing";
    default:
      return "off";
  }
}

void write_estimate(hid_t verification, const ErrorEstimate& estimate, const std::vector<Axis>& axes) {
  const Handle group = create_group(verification, kEstimate);
  write_attribute(group, "status", status_word(estimate.status));
  write_attribute(group, "reason", estimate.reason);
  if (!estimate.advice.empty()) write_attribute(group, "advice", estimate.advice);
  write_attribute(group, "lost_at", estimate.lost_at);
  if (estimate.budget) {
    write_attribute(group, "from_time", estimate.budget->time);
    write_attribute(group, "from_space", estimate.budget->space);
    write_attribute(group, "from_conditions", estimate.budget->conditions);
    write_attribute(group, "growth", estimate.budget->growth);
  }
  const std::vector<FieldError>& fields = estimate.fields;
  if (fields.empty()) return;
  const Handle scale = write_index_scale(group, kEstimatedScale, fields.size());
  attach_scale(write_strings(group, "field", record_column(fields, &FieldError::field)), 0, scale);
  attach_scale(write_list(group, "largest", std::span<const double>(record_column(fields, &FieldError::largest))), 0,
               scale);
  attach_scale(write_list(group, "at_end", std::span<const double>(record_column(fields, &FieldError::at_end))), 0,
               scale);
  attach_scale(write_list(group, "rounding", std::span<const double>(record_column(fields, &FieldError::rounding))), 0,
               scale);
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    std::vector<double> coordinates;
    for (const FieldError& error : fields) coordinates.push_back(error.at.at(axis));
    attach_scale(write_list(group, "at_" + axes[axis].name, std::span<const double>(coordinates)), 0, scale);
  }
}

void write_goals(hid_t verification, const std::vector<Goal>& goals) {
  if (goals.empty()) return;
  const Handle group = create_group(verification, kGoals);
  const Handle scale = write_index_scale(group, kGoalScale, goals.size());
  attach_scale(write_strings(group, "name", record_column(goals, &Goal::name)), 0, scale);
  attach_scale(write_strings(group, "expression", record_column(goals, &Goal::expression)), 0, scale);
  attach_scale(write_list(group, "value", std::span<const double>(record_column(goals, &Goal::value))), 0, scale);
  attach_scale(write_list(group, "error", std::span<const double>(record_column(goals, &Goal::error))), 0, scale);
  attach_scale(write_list(group, "size", std::span<const double>(record_column(goals, &Goal::size))), 0, scale);
}

void write_left_out(hid_t verification, const std::vector<LeftOut>& left_out, const std::vector<Axis>& axes) {
  if (left_out.empty()) return;
  const Handle group = create_group(verification, kLeftOut);
  const Handle scale = write_index_scale(group, kLeftOutScale, left_out.size());
  const auto write_column = [&](const char* name, auto member) {
    attach_scale(write_list(group, name, std::span<const double>(record_column(left_out, member))), 0, scale);
  };
  std::vector<std::string> names;
  for (const LeftOut& place : left_out)
    names.push_back(place.axis < 0 ? "" : axes.at(static_cast<std::size_t>(place.axis)).name);
  write_column("start", &LeftOut::start);
  write_column("end", &LeftOut::end);
  attach_scale(write_strings(group, "axis", names), 0, scale);
  write_column("place", &LeftOut::place);
  write_column("width", &LeftOut::width);
  attach_scale(write_strings(group, "what", record_column(left_out, &LeftOut::what)), 0, scale);
  attach_scale(write_strings(group, "unknown", record_column(left_out, &LeftOut::unknown)), 0, scale);
  std::vector<std::string> others;
  for (const LeftOut& place : left_out)
    others.push_back(place.other_axis < 0 ? "" : axes.at(static_cast<std::size_t>(place.other_axis)).name);
  if (std::all_of(others.begin(), others.end(), [](const std::string& name) { return name.empty(); })) return;
  attach_scale(write_strings(group, "other_axis", others), 0, scale);
  write_column("other_place", &LeftOut::other_place);
}

void write_verification(hid_t root, const Verification& verification, const std::vector<Axis>& axes) {
  const std::vector<Check>& checks = verification.checks;
  const Handle group = create_group(root, kVerification);
  write_attribute(group, "result", verification.verdict());
  const Handle scale = write_index_scale(group, kCheckScale, checks.size());
  std::vector<signed char> passed, judged;
  for (const Check& check_made : checks) {
    passed.push_back(check_made.passed() ? 1 : 0);
    judged.push_back(check_made.judged ? 1 : 0);
  }
  attach_scale(write_strings(group, "kind", record_column(checks, &Check::kind)), 0, scale);
  attach_scale(write_strings(group, "subject", record_column(checks, &Check::subject)), 0, scale);
  attach_scale(write_list(group, "value", std::span<const double>(record_column(checks, &Check::value))), 0, scale);
  attach_scale(write_list(group, "tolerance", std::span<const double>(record_column(checks, &Check::tolerance))), 0,
               scale);
  attach_scale(write_bytes(group, "passed", passed), 0, scale);
  attach_scale(write_bytes(group, "judged", judged), 0, scale);
  attach_scale(write_list(group, "margin", std::span<const double>(record_column(checks, &Check::margin))), 0, scale);
  write_estimate(group, verification.estimate, axes);
  write_goals(group, verification.goals);
  write_left_out(group, verification.left_out, axes);
}

void write_contents(hid_t file, const OutputData& data) {
  write_attributes(file, data.report);
  write_profile(file, data.report);
  write_ranks(file, data.report);
  write_sampled_fields(file, data);
  const std::vector<StoredAxis> stored = stored_axes(data.solution);
  write_coefficients(file, data.solution, stored);
  write_windows(file, data.solution, stored);
  write_newton(file, data.report.newton);
  write_verification(file, data.report.verification, data.solution.axes);
  write_statistics(file, data.solution, data.grid, data.statistics, data.report.quantities);
  if (data.module_arrays != nullptr) write_array_group(file, *data.module_arrays);
}

void require_distinct(const std::vector<std::string>& names, std::set<std::string> taken, const std::string& place) {
  for (const std::string& name : names) {
    if (name.empty() || name == "." || name.find('/') != std::string::npos)
      throw OutputError("'" + name + "' cannot be the name of a dataset in the result file");
    if (!taken.insert(name).second)
      throw OutputError("the name '" + name + "' is already taken in " + place +
                        " of the result file; choose another one");
  }
}

}  // namespace

SampledField error_field(const SampledField& of, Array error) {
  if (error.shape != of.values.shape) throw ShapeError("error_field: the error of " + of.name + " is on another grid");
  return {error_field_name(of.name), "estimated error of " + of.name, of.axes, std::move(error), of.name};
}

void check_output_names(const std::vector<std::string>& axes, const std::vector<std::string>& unknowns,
                        const std::vector<std::string>& sampled_fields) {
  std::vector<std::string> root = axes;
  root.insert(root.end(), sampled_fields.begin(), sampled_fields.end());
  require_distinct(root, {kCoefficients, kWindows, kNewton, kVerification, kStatistics}, "the root");
  std::vector<std::string> coefficients;
  for (const std::string& axis : axes) {
    coefficients.push_back(mode_scale(axis));
    coefficients.push_back(subdomain_scale(axis));
  }
  coefficients.insert(coefficients.end(), unknowns.begin(), unknowns.end());
  require_distinct(coefficients, {kWindowScale}, "/coefficients");
}

void write_hdf5(const std::string& path, const OutputData& data, bool overwrite) {
  check_output_path(path, overwrite);
  data.solution.check();
  std::vector<std::string> axes, unknowns, sampled;
  for (const Axis& axis : data.solution.axes) axes.push_back(axis.name);
  for (const FieldSolution& field : data.solution.fields) unknowns.push_back(field.name);
  for (const SampledField& field : data.fields) sampled.push_back(field.name);
  check_output_names(axes, unknowns, sampled);
  write_file(path, overwrite, [&](hid_t file) { write_contents(file, data); });
}

}  // namespace gwrm
