#include "output/points_file.hpp"

#include <fmt/format.h>
#include <hdf5_hl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string_view>

#include "core/printable.hpp"
#include "core/version.hpp"
#include "output/hdf5_format.hpp"
#include "output/hdf5_outside.hpp"
#include "output/hdf5_quantities.hpp"
#include "output/hdf5_whole_file.hpp"
#include "output/probe.hpp"

namespace gwrm {
namespace {

using namespace hdf5;

constexpr const char* kPoint = "point";

off_t size_of_ordinary_file(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) throw CaseError(path + ": error: no points: " + std::strerror(errno));
  if (!S_ISREG(info.st_mode)) throw CaseError(path + ": error: no points: this is not an ordinary file");
  return info.st_size;
}

// --- HDF5 ---

std::vector<PointColumn> read_hdf5_points(const std::string& path, const std::vector<std::string>& names) {
  const SilentErrors silent;
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "opening the file");
  std::vector<PointColumn> columns;
  for (const std::string& name : names) {
    if (!has_link(file, name)) continue;
    const Handle dataset = open_dataset_inside(file, name);
    const Dims dims = dims_of(dataset, name);
    if (dims.size() != 1)
      throw CaseError(
          fmt::format("{}: error: the dataset {} has {} dimensions: points are lists of numbers, one for "
                      "each dimension of the result",
                      path, name, dims.size()));
    columns.push_back({name, read_numbers_as_doubles(file, name, dims)});
  }
  return columns;
}

// --- CSV ---

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\"");
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(" \t\r\"") - first + 1);
}

// visit(index, field)
template <class Visit>
std::size_t for_each_field(std::string_view line, Visit visit) {
  std::size_t count = 0;
  for (std::size_t begin = 0;; ++count) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    visit(count, trimmed(line.substr(begin, end - begin)));
    if (end == line.size()) return count + 1;
    begin = end + 1;
  }
}

std::vector<PointColumn> read_csv_points(const std::string& path, const std::vector<std::string>& names) {
  std::ifstream file(path, std::ios::binary);
  std::vector<PointColumn> columns;
  std::vector<int> column_of;  // per field of a line; -1: passed over
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    std::string_view text = line;
    if (number == 1 && text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
    if (trimmed(text).empty() || trimmed(text).front() == '#') continue;
    if (column_of.empty()) {
      for_each_field(text, [&](std::size_t, std::string_view name) {
        const bool is_wanted = std::find(names.begin(), names.end(), name) != names.end();
        for (const PointColumn& other : columns)
          if (other.name == name) throw CaseError(fmt::format("{}:{}: error: {} is there twice", path, number, name));
        column_of.push_back(is_wanted ? static_cast<int>(columns.size()) : -1);
        if (is_wanted) columns.push_back({std::string(name), {}});
      });
      if (columns.empty()) return columns;
      continue;
    }
    const std::size_t n_fields = for_each_field(text, [&](std::size_t i, std::string_view field) {
      if (i >= column_of.size() || column_of[i] < 0) return;
      PointColumn& column = columns[static_cast<std::size_t>(column_of[i])];
      if (!field.empty() && field.front() == '+') field.remove_prefix(1);
      double value = 0.0;
      const auto [end, status] = std::from_chars(field.data(), field.data() + field.size(), value);
      if (status != std::errc() || end != field.data() + field.size() || field.empty())
        throw CaseError(fmt::format("{}:{}: error: '{}' is no value of {}: expected a number", path, number,
                                    field.substr(0, 40), column.name));
      column.values.push_back(value);
    });
    if (n_fields != column_of.size())
      throw CaseError(fmt::format("{}:{}: error: {} values, and {} names in the first line", path, number, n_fields,
                                  column_of.size()));
  }
  if (file.bad() || (file.fail() && !file.eof()))
    throw CaseError(path + ": error: cannot read the points: " + std::strerror(errno));
  return columns;
}

void check_columns(const std::string& path, const std::vector<std::string>& names,
                   const std::vector<PointColumn>& columns) {
  if (columns.empty())
    throw CaseError(
        fmt::format("{}: error: none of the dimensions of the result is in this file of points: expected "
                    "{}, as datasets of an HDF5 file or in the first line of a CSV file",
                    path, join(names, ", ")));
  for (const PointColumn& column : columns) {
    if (column.values.size() != columns.front().values.size())
      throw CaseError(fmt::format("{}: error: {} values of {} and {} of {}: every point needs one of each", path,
                                  columns.front().values.size(), columns.front().name, column.values.size(),
                                  column.name));
    for (std::size_t p = 0; p < column.values.size(); ++p)
      if (!std::isfinite(column.values[p]))
        throw CaseError(fmt::format("{}: error: {} = {} of point {} (counted from 0) is no finite number", path,
                                    column.name, column.values[p], p));
  }
  if (columns.front().values.empty()) throw CaseError(path + ": error: no points in this file");
}

}  // namespace

std::vector<PointColumn> read_points(const std::string& path, const std::vector<std::string>& names) {
  const off_t bytes = size_of_ordinary_file(path);
  const SilentErrors silent;
  std::vector<PointColumn> columns;
  if (H5Fis_hdf5(path.c_str()) > 0) {
    try {
      if (!survives([&] { read_hdf5_points(path, names); }, longest_probe(bytes)))
        throw OutputError("the file is damaged: the HDF5 library fails on it");
      columns = read_hdf5_points(path, names);
    } catch (const OutputError& error) {
      throw OutputError(path + ": cannot be read as points: " + error.what());
    }
  } else {
    columns = read_csv_points(path, names);
  }
  check_columns(path, names, columns);
  return columns;
}

void write_points(const std::string& path, const PointsResult& result, bool overwrite) {
  write_file(path, overwrite, [&](hid_t root) {
    write_attribute(root, "Conventions", "CF-1.8");
    write_attribute(root, "title", result.title);
    write_attribute(root, "source", "gwrm " + version());
    write_attribute(root, "history", history_line(result.command));
    write_attribute(root, "git_revision", git_revision());
    write_attribute(root, "device", result.device);
    const std::size_t n = result.coordinates.front().values.size();
    const Handle scale = write_index_scale(root, kPoint, n);
    const auto along_points = [&](const std::string& name, const std::vector<double>& values) {
      Handle dataset = write_compressed(root, name, {n}, values);
      check(H5DSattach_scale(dataset, scale, 0), "attaching a scale");
      return dataset;
    };
    std::vector<std::string> names;
    for (const PointColumn& column : result.coordinates) {
      write_unit(along_points(column.name, column.values), result.quantities.unit_of(column.name));
      names.push_back(column.name);
    }
    for (const PointValues& values : result.values) {
      const Handle dataset = along_points(values.name, values.values);
      write_quantity(dataset, result.quantities, values.expression, values.expression);
      write_attribute(dataset, "expression", values.expression);
      if (!values.error_of.empty()) write_attribute(dataset, kErrorOf, values.error_of);
      write_attribute(dataset, "coordinates", join(names, " "));
    }
  });
}

}  // namespace gwrm
