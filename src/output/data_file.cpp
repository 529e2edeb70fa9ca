#include "output/data_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <numeric>
#include <sstream>
#include <utility>

#include "output/hdf5_format.hpp"
#include "output/hdf5_outside.hpp"
#include "output/hdf5_scales.hpp"
#include "output/points_file.hpp"
#include "output/probe.hpp"

namespace gwrm {
namespace {

using namespace hdf5;
using Dimension = DataTable::Dimension;

constexpr std::size_t kMostListed = 20;         // names in a message
constexpr std::size_t kMostValues = 1u << 27u;  // 1 GB

std::string listed(std::vector<std::string> names) {
  if (names.empty()) return "none";
  const std::size_t more = names.size() > kMostListed ? names.size() - kMostListed : 0;
  names.resize(names.size() - more);
  return fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

// --- HDF5 and netCDF-4 ---

// Datasets of numbers that are no coordinates, two groups deep.
void find_datasets(hid_t group, const std::string& prefix, int depth, std::vector<std::string>& found) {
  for (const std::string& name : links_of(group)) {
    H5L_info_t link;
    if (H5Lget_info(group, name.c_str(), &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD) continue;
    const Handle object(H5Oopen(group, name.c_str(), H5P_DEFAULT), H5Oclose, "opening " + name);
    const H5I_type_t type = H5Iget_type(object);
    if (type == H5I_GROUP && depth > 0) find_datasets(object, prefix + name + "/", depth - 1, found);
    if (type == H5I_DATASET && is_numeric(object) && !is_scale(object) && !dims_of(object, name).empty())
      found.push_back(prefix + name);
  }
}

// Every group on the way, too: H5Lexists() fails where one is not there.
bool is_there(hid_t file, const std::string& name) {
  for (std::size_t end = name.find('/');; end = name.find('/', end + 1)) {
    if (H5Lexists(file, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

Dimension read_scale(hid_t file, const std::string& path, hsize_t extent, const std::string& of) {
  const Handle scale = open_dataset_inside(file, path);
  const std::string name = path.substr(path.rfind('/') + 1);
  if (dims_of(scale, path) != Dims{extent} || !is_numeric(scale))
    throw OutputError(fmt::format("the coordinates {} of the dataset {} are no list of {} numbers", name, of, extent));
  if (is_placeholder(scale))
    throw OutputError(fmt::format(
        "the dimension {0} of the dataset {1} has no coordinates: add a variable {0}({0}) to the file", name, of));
  Dimension result{name, read_numbers_as_doubles(file, path, {extent})};
  unpack(scale, name, result.coordinates);
  return result;
}

// The coordinates that netCDF calls auxiliary: `coordinates = "x y"`, lists as long as the values.
std::vector<Dimension> read_point_coordinates(hid_t file, hid_t dataset, const std::string& name, hsize_t count) {
  std::vector<Dimension> found;
  if (H5Aexists(dataset, "coordinates") <= 0) return found;
  std::istringstream words(read_text_attribute(dataset, "coordinates"));
  const std::string group = name.find('/') == std::string::npos ? "" : name.substr(0, name.rfind('/') + 1);
  for (std::string word; words >> word;) found.push_back(read_scale(file, group + word, count, name));
  return found;
}

DataTable read_hdf5_data(const std::string& path, const std::string& wanted) {
  const SilentErrors silent;
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "opening the file");
  std::vector<std::string> all;
  find_datasets(file, "", 2, all);
  std::string name = wanted;
  if (!name.empty() && name.front() == '/') name.erase(0, 1);
  if (name.empty() && all.size() != 1)
    throw OutputError("dataset: which one is not said; the file has: " + listed(all));
  if (name.empty()) name = all.front();
  if (!is_there(file, name))
    throw OutputError(fmt::format("there is no dataset {}; the file has: {}", name, listed(all)));
  const Handle dataset = open_dataset_inside(file, name);
  if (!is_numeric(dataset)) throw OutputError(fmt::format("the dataset {} does not hold numbers", name));
  const Dims dims = dims_of(dataset, name);
  std::size_t count = 1;
  for (hsize_t extent : dims) {
    if (extent == 0) throw OutputError(fmt::format("the dataset {} is empty", name));
    if (extent > kMostValues / count) throw OutputError(fmt::format("the dataset {} is too large", name));
    count *= static_cast<std::size_t>(extent);
  }
  DataTable table;
  table.path = path;
  table.dataset = name;
  table.values = read_numbers_as_doubles(file, name, dims);
  unpack(dataset, name, table.values);
  table.rounding = rounding_of(dataset);
  if (dims.size() == 1) {
    table.dimensions = read_point_coordinates(file, dataset, name, dims.front());
    table.is_grid = table.dimensions.empty();
    if (!table.is_grid) return table;
  }
  if (dims.empty() || H5Aexists(dataset, "DIMENSION_LIST") <= 0)
    throw OutputError(
        fmt::format("the dataset {} has no coordinates: attach a dimension scale to each of its dimensions (h5py: "
                    "f[\"x\"].make_scale(\"x\"), f[\"{}\"].dims[0].attach_scale(f[\"x\"])), or write it with xarray",
                    name, name));
  const std::vector<std::string> scales = scales_of(dataset, dims.size());
  for (std::size_t d = 0; d < dims.size(); ++d) table.dimensions.push_back(read_scale(file, scales[d], dims[d], name));
  return table;
}

// --- CSV ---

std::vector<std::string> csv_names(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind("\xEF\xBB\xBF", 0) == 0) line.erase(0, 3);
    const auto trimmed = [](const std::string& text) {
      const std::size_t first = text.find_first_not_of(" \t\r\"");
      return first == std::string::npos ? std::string()
                                        : text.substr(first, text.find_last_not_of(" \t\r\"") - first + 1);
    };
    const std::string text = trimmed(line);
    if (text.empty() || text.front() == '#') continue;
    if (line.find('\0') != std::string::npos) break;
    std::vector<std::string> names;
    std::istringstream fields(line);
    for (std::string name; std::getline(fields, name, ',');) names.push_back(trimmed(name));
    return names;
  }
  throw OutputError("this is neither HDF5, netCDF-4 nor CSV with names in its first line");
}

// What is wrong with a first line that names no dimension.
std::string no_dimension_among(const std::vector<std::string>& names, const std::vector<std::string>& known) {
  const auto is_number = [](const std::string& name) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), value);
    return error == std::errc() && end == name.data() + name.size();
  };
  if (std::all_of(names.begin(), names.end(), is_number))
    return fmt::format("its first line are numbers, and has to name the columns, as {},value", fmt::join(known, ","));
  if (names.size() == 1)
    for (const auto& [character, called] :
         {std::pair{';', "semicolons"}, std::pair{'\t', "tabs"}, std::pair{' ', "blanks"}})
      if (names.front().find(character) != std::string::npos)
        return fmt::format(
            "its columns are to be separated by commas, with points in the numbers; the first line, `{}`, has {}",
            names.front(), called);
  // "x [m]", "X": most likely x.
  std::string axis = known.back(), column = names.front();
  for (const std::string& name : names)
    for (const std::string& dimension : known) {
      const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
      };
      const std::size_t n = dimension.size();
      if (name.size() >= n && std::equal(dimension.begin(), dimension.end(), name.begin(), same) &&
          (name.size() == n || std::isalnum(static_cast<unsigned char>(name[n])) == 0)) {
        axis = dimension;
        column = name;
      }
    }
  return fmt::format(
      "its first line names no dimension: expected some of {} among the columns, which are {}; a dimension with "
      "another "
      "name in the file is given by dimensions: {{{}: \"{}\"}}",
      listed(known), listed(names), axis, column);
}

DataTable read_csv_data(const std::string& path, const std::string& wanted, const std::vector<std::string>& known) {
  const std::vector<std::string> names = csv_names(path);
  const auto is_known = [&](const std::string& name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  };
  std::vector<std::string> coordinates, values;
  for (const std::string& name : names) (is_known(name) ? coordinates : values).push_back(name);
  if (coordinates.empty()) throw OutputError(no_dimension_among(names, known));
  if (wanted.empty() && values.size() != 1)
    throw OutputError(
        fmt::format("dataset: which column is not said; beside the coordinates the file has: {} (a coordinate among "
                    "them is a dimension with another name: dimensions: {{{}: ..}})",
                    listed(values), known.front()));
  const std::string name = wanted.empty() ? values.front() : wanted;
  if (std::find(values.begin(), values.end(), name) == values.end())
    throw OutputError(fmt::format("there is no column {}; the file has: {}", name, listed(values)));
  coordinates.push_back(name);
  DataTable table;
  table.path = path;
  table.dataset = name;
  table.is_grid = false;
  for (PointColumn& column : read_points(path, coordinates)) {
    if (column.name == name)
      table.values = std::move(column.values);
    else
      table.dimensions.push_back({column.name, std::move(column.values)});
  }
  return table;
}

// --- both ---

void check_finite(const std::vector<double>& values, const std::string& name) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw OutputError(fmt::format("{} = {} at index {} of {} is no finite number: data have to be complete", name,
                                    values[i], i, values.size()));
}

// Coordinates that descend are turned around with the values.
void turn_ascending(DataTable& table) {
  std::size_t inner = table.values.size();
  for (Dimension& dimension : table.dimensions) {
    std::vector<double>& along = dimension.coordinates;
    const std::size_t n = along.size();
    const std::size_t outer = table.values.size() / inner;
    inner /= n;
    if (n > 1 && along.front() > along.back()) {
      std::reverse(along.begin(), along.end());
      for (std::size_t o = 0; o < outer; ++o)
        for (std::size_t i = 0; i < n / 2; ++i)
          std::swap_ranges(table.values.begin() + static_cast<std::ptrdiff_t>((o * n + i) * inner),
                           table.values.begin() + static_cast<std::ptrdiff_t>((o * n + i + 1) * inner),
                           table.values.begin() + static_cast<std::ptrdiff_t>((o * n + n - 1 - i) * inner));
    }
    for (std::size_t i = 0; i + 1 < n; ++i)
      if (!(along[i] < along[i + 1]))
        throw OutputError(
            fmt::format("the coordinates {0} do not ascend: {0}[{1}] = {2} and {0}[{3}] = {4}; sort them "
                        "with their values, each once",
                        dimension.name, i, along[i], i + 1, along[i + 1]));
  }
}

// Points that are those of a grid, in any order, as one; else as they are.
void grid_of_points(DataTable& table) {
  std::vector<std::vector<double>> lines;
  std::size_t count = 1;
  for (const Dimension& dimension : table.dimensions) {
    lines.push_back(dimension.coordinates);
    std::sort(lines.back().begin(), lines.back().end());
    lines.back().erase(std::unique(lines.back().begin(), lines.back().end()), lines.back().end());
    count *= lines.back().size();
    if (count > table.values.size()) return;
  }
  if (count < table.values.size())
    throw OutputError(
        fmt::format("{} points, of which only {} are different: each may be there once", table.values.size(), count));
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> values(count, kNone);
  for (std::size_t p = 0; p < table.values.size(); ++p) {
    std::size_t place = 0;
    for (std::size_t d = 0; d < lines.size(); ++d) {
      const auto at = std::lower_bound(lines[d].begin(), lines[d].end(), table.dimensions[d].coordinates[p]);
      place = place * lines[d].size() + static_cast<std::size_t>(at - lines[d].begin());
    }
    if (!std::isnan(values[place])) return;  // one twice: another is missing
    values[place] = table.values[p];
  }
  table.values = std::move(values);
  for (std::size_t d = 0; d < lines.size(); ++d) table.dimensions[d].coordinates = std::move(lines[d]);
  table.is_grid = true;
}

void check_file(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) throw OutputError(std::strerror(errno));
  if (!S_ISREG(info.st_mode)) throw OutputError("this is not an ordinary file");
  char head[4] = {};
  std::ifstream file(path, std::ios::binary);
  if (!file) throw OutputError(std::strerror(errno));
  file.read(head, sizeof head);
  if (std::strncmp(head, "CDF", 3) == 0)
    throw OutputError(
        "this is a file of netCDF-3, which is not read: turn it into netCDF-4 by nccopy -k netCDF-4 OLD NEW (or "
        "xarray.open_dataset(OLD).to_netcdf(NEW, format=\"NETCDF4\"))");
}

}  // namespace

bool is_gwrm_result(const std::string& path) {
  const SilentErrors silent;
  if (H5Fis_hdf5(path.c_str()) <= 0) return false;
  try {
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "opening the file");
    return H5Aexists(file, "format_version") > 0 && has_link(file, kCoefficients);
  } catch (const OutputError&) {
    return false;
  }
}

DataTable read_data_file(const std::string& path, const std::string& dataset, const std::vector<std::string>& known) {
  check_file(path);
  const SilentErrors silent;
  DataTable table;
  if (H5Fis_hdf5(path.c_str()) > 0) {
    constexpr unsigned kSeconds = 60;
    if (!survives([&] { read_hdf5_data(path, dataset); }, kSeconds))
      throw OutputError("the file is damaged: the HDF5 library fails on it");
    table = read_hdf5_data(path, dataset);
  } else {
    table = read_csv_data(path, dataset, known);
  }
  check_finite(table.values, table.dataset);
  for (const Dimension& dimension : table.dimensions) check_finite(dimension.coordinates, dimension.name);
  if (!table.is_grid) grid_of_points(table);
  if (table.is_grid) turn_ascending(table);
  return table;
}

}  // namespace gwrm
