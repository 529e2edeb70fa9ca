#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/errors.hpp"
#include "core/version.hpp"
#include "expression/number_text.hpp"
#include "output/atomic_file.hpp"
#include "output/linear_system.hpp"

namespace gwrm {
namespace {

constexpr std::int32_t kMatrixClass = 1211216, kVectorFileClass = 1211214;  // MAT_FILE_CLASSID, VEC_FILE_CLASSID
constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

// A file that is written from its beginning to its end.
class Stream {
 public:
  Stream(const std::string& path, bool overwrite) : file_(path, overwrite) { buffer_.reserve(kBufferBytes + 64); }

  void text(const std::string& piece) {
    buffer_.insert(buffer_.end(), piece.begin(), piece.end());
    if (buffer_.size() >= kBufferBytes) flush();
  }
  template <class Number>
  void big_endian(Number value) {
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    if constexpr (std::endian::native == std::endian::little)
      buffer_.insert(buffer_.end(), std::make_reverse_iterator(bytes + sizeof value),
                     std::make_reverse_iterator(bytes));
    else
      buffer_.insert(buffer_.end(), bytes, bytes + sizeof value);
    if (buffer_.size() >= kBufferBytes) flush();
  }
  void commit() {
    flush();
    file_.commit();
  }

 private:
  void flush() {
    file_.write(written_, buffer_);
    written_ += buffer_.size();
    buffer_.clear();
  }

  AtomicFile file_;
  std::vector<unsigned char> buffer_;
  std::uint64_t written_ = 0;
};

void write_petsc(const LinearSystem& system, const SystemFiles& files, bool overwrite) {
  const CsrMatrix& a = system.a;
  const std::int64_t n_entries = a.row_start.back();
  if (n_entries > std::numeric_limits<std::int32_t>::max())
    throw OutputError(
        fmt::format("{}: {} entries of A are more than 32-bit indices of PETSc can count ({}): take --matrix "
                    "matrixmarket, or fewer unknowns",
                    files.matrix, n_entries, std::numeric_limits<std::int32_t>::max()));
  Stream matrix(files.matrix, overwrite);
  const auto n = static_cast<std::int32_t>(a.n);
  for (const std::int32_t number : {kMatrixClass, n, n, static_cast<std::int32_t>(n_entries)})
    matrix.big_endian(number);
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.n); ++i)
    matrix.big_endian(static_cast<std::int32_t>(a.row_start[i + 1] - a.row_start[i]));
  for (const std::int32_t column : a.columns) matrix.big_endian(column);
  for (const double value : a.values) matrix.big_endian(value);
  matrix.commit();
  Stream vector(files.right_hand_side, overwrite);
  vector.big_endian(kVectorFileClass);
  vector.big_endian(n);
  for (const double value : system.b) vector.big_endian(value);
  vector.commit();
}

void write_matrix_market(const LinearSystem& system, const std::string& title, const SystemFiles& files,
                         bool overwrite) {
  const CsrMatrix& a = system.a;
  const auto is_written = [&](std::size_t row, std::size_t k) {
    return !system.symmetric || a.columns[k] <= static_cast<std::int32_t>(row);
  };
  const auto for_each_written = [&](const auto& take) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(a.n); ++i)
      for (auto k = static_cast<std::size_t>(a.row_start[i]); k < static_cast<std::size_t>(a.row_start[i + 1]); ++k)
        if (is_written(i, k)) take(i, k);
  };
  std::int64_t n_written = 0;
  for_each_written([&](std::size_t, std::size_t) { ++n_written; });
  std::string comment = title.empty() ? "a linear system of gwrm" : title;  // a line of its own
  for (char& c : comment)
    if (c == '\n' || c == '\r') c = ' ';
  Stream matrix(files.matrix, overwrite);
  matrix.text(fmt::format("%%MatrixMarket matrix coordinate real {}\n% {}; unknowns: {}\n{} {} {}\n",
                          system.symmetric ? "symmetric" : "general", comment,
                          std::filesystem::path(files.map).filename().string(), a.n, a.n, n_written));
  for_each_written([&](std::size_t i, std::size_t k) {
    matrix.text(fmt::format("{} {} {}\n", i + 1, a.columns[k] + 1, expression::number_text(a.values[k])));
  });
  matrix.commit();
  Stream vector(files.right_hand_side, overwrite);
  vector.text(fmt::format("%%MatrixMarket matrix array real general\n% {}\n{} 1\n", comment, a.n));
  for (const double value : system.b) vector.text(expression::number_text(value) + "\n");
  vector.commit();
}

using Json = nlohmann::ordered_json;

Json axis_json(const UnknownAxis& axis) {
  Json json{{"name", axis.name}, {"entries", axis.entries}, {"count", axis.n_entries}};
  if (!axis.meaning.empty()) json["meaning"] = axis.meaning;
  if (!axis.edges.empty()) json["subdomains"] = axis.edges;
  if (!axis.coordinates.empty()) json["coordinates"] = axis.coordinates;
  return json;
}

std::string map_text(const LinearSystem& system, const std::string& title, const SystemFiles& files) {
  const auto name = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
  Json unknowns = Json::array();
  for (const UnknownBlock& block : system.unknowns) {
    Json axes = Json::array();
    for (const UnknownAxis& axis : block.axes) axes.push_back(axis_json(axis));
    unknowns.push_back(
        {{"field", block.field}, {"meaning", block.meaning}, {"first", block.first}, {"axes", std::move(axes)}});
  }
  const Json map{{"title", title},
                 {"written_by", "gwrm " + std::string(version())},
                 {"matrix", name(files.matrix)},
                 {"right_hand_side", name(files.right_hand_side)},
                 {"n_unknowns", system.a.n},
                 {"n_entries", system.a.row_start.back()},
                 {"symmetric", system.symmetric},
                 {"positive_definite", system.positive_definite},
                 {"kernel", system.constants_in_kernel ? "constants" : "none"},
                 {"rows", system.rows},
                 {"order", "unknown `first` + k is entry k of the tensor over `axes`, the last axis fastest, from 0"},
                 {"unknowns", std::move(unknowns)}};
  std::string text;
  for (const auto& [key, value] : map.items()) {
    text += (text.empty() ? "{\n " : ",\n ") + Json(key).dump() + ": ";
    text += value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return text + "\n}\n";
}

}  // namespace

SystemFiles system_file_names(const std::string& stem, SystemFormat format) {
  const std::string ending = format == SystemFormat::petsc ? ".petsc" : ".mtx";
  return {stem + "_A" + ending, stem + "_b" + ending, stem + "_map.json"};
}

SystemFiles write_linear_system(const LinearSystem& system, const std::string& title, const std::string& stem,
                                SystemFormat format, bool overwrite) {
  const SystemFiles files = system_file_names(stem, format);
  if (format == SystemFormat::petsc)
    write_petsc(system, files, overwrite);
  else
    write_matrix_market(system, title, files, overwrite);
  Stream map(files.map, overwrite);
  map.text(map_text(system, title, files));
  map.commit();
  return files;
}

}  // namespace gwrm
