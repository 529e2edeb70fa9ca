#include <fmt/format.h>
#include <sys/stat.h>

#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string_view>

#include "core/errors.hpp"
#include "output/linear_system.hpp"

namespace gwrm {
namespace {

constexpr std::int32_t kVectorClass = 1211214;  // VEC_FILE_CLASSID

std::string bytes_of(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) throw OutputError(path + ": no vector: " + std::strerror(errno));
  if (!S_ISREG(info.st_mode)) throw OutputError(path + ": no vector: this is not an ordinary file");
  std::string bytes(static_cast<std::size_t>(info.st_size), '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
    throw OutputError(path + ": cannot read the vector: " + std::strerror(errno));
  return bytes;
}

template <class Number>
Number big_endian(std::string_view bytes, std::size_t offset) {
  unsigned char raw[sizeof(Number)];
  for (std::size_t i = 0; i < sizeof raw; ++i)
    raw[std::endian::native == std::endian::little ? sizeof raw - 1 - i : i] =
        static_cast<unsigned char>(bytes[offset + i]);
  Number value;
  std::memcpy(&value, raw, sizeof value);
  return value;
}

// Class and length are of the type of PETSc's indices.
template <class Integer>
bool is_petsc(std::string_view bytes) {
  return bytes.size() >= 2 * sizeof(Integer) && big_endian<Integer>(bytes, 0) == kVectorClass;
}

template <class Integer>
std::vector<double> petsc_vector(const std::string& path, std::string_view bytes) {
  const std::size_t head = 2 * sizeof(Integer), held = (bytes.size() - head) / sizeof(double);
  const auto n = static_cast<std::int64_t>(big_endian<Integer>(bytes, sizeof(Integer)));
  if (n < 0 || static_cast<std::size_t>(n) != held || bytes.size() != head + held * sizeof(double))
    throw OutputError(
        fmt::format("{}: a PETSc vector of {} numbers would take {} bytes, and there are {}: expected one vector of "
                    "double precision and nothing behind it",
                    path, n, static_cast<std::int64_t>(head) + 8 * n, bytes.size()));
  std::vector<double> values(held);
  for (std::size_t k = 0; k < held; ++k) values[k] = big_endian<double>(bytes, head + k * sizeof(double));
  return values;
}

std::vector<double> matrix_market_vector(const std::string& path, std::string_view text) {
  std::size_t line = 0;
  const auto next_line = [&]() -> std::string_view {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view found = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line;
    while (!found.empty() && (found.back() == ' ' || found.back() == '\r' || found.back() == '\t'))
      found.remove_suffix(1);
    while (!found.empty() && (found.front() == ' ' || found.front() == '\t')) found.remove_prefix(1);
    return found;
  };
  const auto fail = [&](const std::string& message) {
    throw OutputError(fmt::format("{}:{}: error: {}", path, line, message));
  };
  std::string head(next_line());
  for (char& c : head)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (head.find(" array ") == std::string::npos || head.find(" real ") == std::string::npos ||
      head.find(" general") == std::string::npos)
    fail("expected '%%MatrixMarket matrix array real general', a dense vector of one column");
  std::string_view sizes;
  while (!text.empty() && (sizes.empty() || sizes.front() == '%')) sizes = next_line();
  std::int64_t n = -1;
  const auto [behind, status] = std::from_chars(sizes.data(), sizes.data() + sizes.size(), n);
  const std::string_view columns(behind, static_cast<std::size_t>(sizes.data() + sizes.size() - behind));
  if (status != std::errc() || n < 0 || columns.find_first_not_of(" \t") == std::string_view::npos ||
      columns.substr(columns.find_first_not_of(" \t")) != "1")
    fail(fmt::format("'{}' is not the size of a vector: expected the number of rows and 1", sizes.substr(0, 40)));
  std::vector<double> values;
  while (!text.empty()) {
    std::string_view number = next_line();
    if (number.empty() || number.front() == '%') continue;
    if (number.front() == '+') number.remove_prefix(1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc() || end != number.data() + number.size())
      fail(fmt::format("'{}' is no number", number.substr(0, 40)));
    values.push_back(value);
  }
  if (values.size() != static_cast<std::size_t>(n))
    fail(fmt::format("{} numbers, and {} were announced: the file is cut off or has more than one column",
                     values.size(), n));
  return values;
}

std::vector<double> values_of(const std::string& path) {
  const std::string bytes = bytes_of(path);
  if (is_petsc<std::int32_t>(bytes)) return petsc_vector<std::int32_t>(path, bytes);
  if (is_petsc<std::int64_t>(bytes)) return petsc_vector<std::int64_t>(path, bytes);
  if (bytes.rfind("%%MatrixMarket", 0) == 0) return matrix_market_vector(path, bytes);
  throw OutputError(
      path + ": neither a PETSc vector (VecView to a binary viewer) nor a MatrixMarket array: expected one of the two");
}

}  // namespace

std::vector<double> read_vector_file(const std::string& path) {
  std::vector<double> values = values_of(path);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k]))
      throw OutputError(fmt::format("{}: number {} (from 0) is {}: the solver did not succeed", path, k, values[k]));
  return values;
}

}  // namespace gwrm
