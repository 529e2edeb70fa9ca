#include "output/export_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <span>

#include "core/errors.hpp"
#include "output/atomic_file.hpp"
#include "output/hdf5_file.hpp"
#include "output/named_arrays.hpp"

namespace gwrm {
namespace {

// Dimensions called x, y, z keep their names' directions; others (of a mapped grid) run along x and y, the last first.
void place_space(Pictures& pictures, const std::vector<int>& space) {
  const auto direction_of = [&](int axis) {
    const std::string& name = pictures.samples.axes[axis].name;
    return name == "x" ? 0 : name == "y" ? 1 : name == "z" ? 2 : -1;
  };
  const bool named = std::all_of(space.begin(), space.end(), [&](int axis) { return direction_of(axis) >= 0; });
  for (std::size_t i = 0; i < space.size(); ++i)
    pictures.space[named ? at(direction_of(space[i])) : space.size() - 1 - i] = space[i];
}

Index nearest_sample(const SampledAxis& axis, double value) {
  const auto nearer = [&](double a, double b) { return std::abs(a - value) < std::abs(b - value); };
  return std::min_element(axis.points.begin(), axis.points.end(), nearer) - axis.points.begin();
}

// The sample of each parameter: asked for, or the middle one.
std::map<int, Index> parameter_samples(Pictures& pictures, const std::vector<int>& parameters,
                                       const ExportRequest& request) {
  std::map<int, Index> chosen;
  for (const auto& [name, value] : request.at)
    if (std::none_of(parameters.begin(), parameters.end(),
                     [&, &wanted = name](int axis) { return pictures.samples.axes[axis].name == wanted; }))
      throw CaseError(fmt::format("--at {}={:g}: error: {} is no parameter of {}", name, value, name, request.source));
  for (int axis : parameters) {
    const SampledAxis& parameter = pictures.samples.axes[axis];
    Index sample = static_cast<Index>(parameter.points.size()) / 2;
    for (const auto& [name, value] : request.at)
      if (name == parameter.name) sample = nearest_sample(parameter, value);
    chosen[axis] = sample;
    pictures.notes.push_back(
        fmt::format("{} = {:.10g}", parameter.name, parameter.points[static_cast<std::size_t>(sample)]));
  }
  return chosen;
}

void add_fields(Pictures& pictures, const std::map<int, Index>& parameters, int time, std::size_t n_space) {
  for (const SampledField& field : pictures.samples.fields) {
    PictureField picture{&field, -1, {}};
    std::size_t n_found = 0;
    for (std::size_t d = 0; d < field.axes.size(); ++d) {
      const int axis = field.axes[d];
      const auto parameter = parameters.find(axis);
      picture.parameters.push_back(parameter == parameters.end() ? -1 : parameter->second);
      if (axis == time) picture.time = static_cast<int>(d);
      n_found += std::find(pictures.space.begin(), pictures.space.end(), axis) != pictures.space.end() ? 1 : 0;
    }
    if (n_found == n_space)
      pictures.fields.push_back(std::move(picture));
    else
      pictures.notes.push_back(field.name + " does not extend over all of space and is left out (--format csv has it)");
  }
}

}  // namespace

Index Pictures::count(int direction) const {
  const int axis = space[direction];
  return axis < 0 ? 1 : static_cast<Index>(samples.axes[axis].points.size());
}

std::vector<double> Pictures::coordinates(int direction) const {
  const int axis = space[direction];
  return axis < 0 ? std::vector<double>{0.0} : samples.axes[axis].points;
}

// A field's dimensions are in the file's order, in which space is z, y, x: what is left when time and parameters are
// fixed is in the picture's order already.
std::vector<double> Pictures::values(const PictureField& picture, std::size_t time) const {
  const SampledField& field = *picture.field;
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(n_points()));
  std::vector<Index> index(field.axes.size(), 0);
  for (double value : field.values.data) {
    bool wanted = picture.time < 0 || index[picture.time] == static_cast<Index>(time);
    for (std::size_t d = 0; d < index.size() && wanted; ++d)
      wanted = picture.parameters[d] < 0 || picture.parameters[d] == index[d];
    if (wanted) result.push_back(value);
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < field.values.shape[d]) break;
      index[d] = 0;
    }
  }
  return result;
}

const PictureField* Pictures::find(const std::string& field) const {
  for (const PictureField& picture : fields)
    if (picture.field->name == field) return &picture;
  return nullptr;
}

namespace {

// Calls visit(i, directions) for every point: the unit vectors along r, theta, phi in Cartesian components.
template <class Visit>
void for_each_direction(const Pictures& pictures, const Visit& visit) {
  const std::vector<double> radii = pictures.coordinates(2), polar = pictures.coordinates(1),
                            azimuth = pictures.coordinates(0);
  std::size_t i = 0;
  for (double r : radii)
    for (double theta : polar)
      for (double phi : azimuth) {
        const double s = std::sin(theta), c = std::cos(theta), x = std::cos(phi), y = std::sin(phi);
        const std::array<std::array<double, 3>, 3> directions = {{{s * x, s * y, c}, {c * x, c * y, -s}, {-y, x, 0.0}}};
        visit(i++, r, directions);
      }
}

}  // namespace

std::vector<PictureVector> Pictures::vectors() const {
  std::vector<PictureVector> found;
  for (const PictureField& field : fields) {
    const std::string& radial = field.field->name;
    if (!spherical || radial.size() < 3 || !radial.ends_with("_r")) continue;
    const std::string vector = radial.substr(0, radial.size() - 2);
    const PictureField *theta = find(vector + "_theta"), *phi = find(vector + "_phi");
    if (theta != nullptr && phi != nullptr && find(vector) == nullptr) found.push_back({vector, {&field, theta, phi}});
  }
  return found;
}

std::array<std::vector<double>, 3> Pictures::sphere_points() const {
  std::array<std::vector<double>, 3> points;
  for_each_direction(*this, [&](std::size_t, double r, const auto& directions) {
    for (std::size_t k = 0; k < 3; ++k) points[k].push_back(r * directions[0][k]);
  });
  return points;
}

std::array<std::vector<double>, 3> Pictures::cartesian(const PictureVector& vector, std::size_t time) const {
  std::array<std::vector<double>, 3> of_sphere, result;
  for (std::size_t d = 0; d < 3; ++d) of_sphere[d] = values(*vector.components[d], time);
  for_each_direction(*this, [&](std::size_t i, double, const auto& directions) {
    for (std::size_t k = 0; k < 3; ++k) {
      double sum = 0.0;
      for (std::size_t d = 0; d < 3; ++d) sum += of_sphere[d][i] * directions[d][k];
      result[k].push_back(sum);
    }
  });
  return result;
}

Pictures read_pictures(const ExportRequest& request) {
  Pictures pictures;
  const StoredRun run = read_hdf5(request.source);
  pictures.samples = read_samples(request.source);
  pictures.title = run.report.title;
  pictures.name = std::filesystem::path(request.source).stem().string();
  int time = -1;
  std::vector<int> space, parameters;
  for (std::size_t i = 0; i < pictures.samples.axes.size(); ++i) {
    const std::string& name = pictures.samples.axes[i].name;
    const auto axis = std::find_if(run.solution.axes.begin(), run.solution.axes.end(),
                                   [&](const Axis& other) { return other.name == name; });
    const AxisKind kind = axis == run.solution.axes.end() ? AxisKind::parameter : axis->kind;
    if (is_windowed(kind))  // a picture for each step of a branch
      time = static_cast<int>(i);
    else
      (kind == AxisKind::space ? space : parameters).push_back(static_cast<int>(i));
  }
  if (space.empty() || space.size() > 3)
    throw CaseError(
        request.source +
        ": error: pictures need one to three dimensions of space, sampled by some field; --format csv takes "
        "every result");
  const auto is_named = [&](std::size_t i, const char* name) {
    return pictures.samples.axes[static_cast<std::size_t>(space[i])].name == name;
  };
  pictures.spherical = pictures.samples.coordinates == kSpherical && space.size() == 3 && is_named(0, "r") &&
                       is_named(1, "theta") && is_named(2, "phi");
  pictures.has_time = time >= 0;
  pictures.times = pictures.has_time ? pictures.samples.axes[time].points : std::vector<double>{0.0};
  place_space(pictures, space);
  add_fields(pictures, parameter_samples(pictures, parameters, request), time, space.size());
  const auto is_axis = [&](const char* name) {
    return std::any_of(pictures.samples.axes.begin(), pictures.samples.axes.end(),
                       [&](const SampledAxis& axis) { return axis.name == name; });
  };
  pictures.mapped = space.size() == 2 && !is_axis("x") && !is_axis("y") && pictures.find("x") != nullptr &&
                    pictures.find("y") != nullptr;
  return pictures;
}

std::string xml_text(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

void write_text_file(const std::string& path, const std::string& text, bool overwrite) {
  check_output_path(path, overwrite);
  const std::span<const unsigned char> bytes(reinterpret_cast<const unsigned char*>(text.data()), text.size());
  try {
    write_file_atomically(path, {bytes}, overwrite);
  } catch (const OutputError& error) {
    throw OutputError(path + ": " + error.what());
  }
}

}  // namespace gwrm
