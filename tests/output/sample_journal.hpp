// Journals in a directory of their own, with windows of any bits that are known in advance by their number.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "output/journal.hpp"

namespace gwrm::journal_test {

inline const JournalHeader kHeader{"schema: 1\n# \u03bd\n",
                                   "0.1.0",
                                   "abc-dirty",
                                   {"t", "nu", "x"},
                                   {"u", "c"},
                                   {"chebyshev", "chebyshev", "chebyshev"},
                                   2,
                                   0.125};

// Any bits: infinities, NaNs with a payload and denormal numbers among them.
inline double any_double(std::mt19937_64& random) {
  return std::bit_cast<double>(random());
}

inline Array any_array(Shape shape, std::mt19937_64& random) {
  Array array(std::move(shape));
  for (double& value : array.data) value = any_double(random);
  return array;
}

// The window of this number, always the same; two subdomains in x, a field along all axes and a scalar.
inline JournalWindow window(int number, Index n_x = 6) {
  std::mt19937_64 random(static_cast<std::uint64_t>(number) + 1);
  JournalWindow w;
  w.parameter_point = number / 3;
  w.start = any_double(random);
  w.end = any_double(random);
  w.next_step = any_double(random);
  w.n_factorisations = number + 2;
  w.reciprocal_condition = any_double(random);
  w.wall_seconds = any_double(random);
  w.subdomains = {{1, {0.5 * number, 0.5 * number + 0.5}}, {0, {}}, {2, {-1.0, 0.25, 3.0}}};
  w.fields = {any_array({2, 1, n_x}, random), any_array({}, random)};
  for (int i = 0; i < number % 3; ++i)
    w.newton.push_back({number, -1, i, any_double(random), any_double(random), any_double(random)});
  return w;
}

inline std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> result;
  for (const double value : values) result.push_back(std::bit_cast<std::uint64_t>(value));
  return result;
}

inline ::testing::AssertionResult same(const JournalWindow& a, const JournalWindow& b) {
  const auto numbers = [](const JournalWindow& w) {
    std::vector<double> all = {w.start, w.end, w.next_step, w.reciprocal_condition, w.wall_seconds};
    for (const Array& field : w.fields) all.insert(all.end(), field.data.begin(), field.data.end());
    for (const NewtonRecord& record : w.newton)
      all.insert(all.end(), {record.residual, record.correction, record.damping});
    return bits(all);
  };
  const auto integers = [](const JournalWindow& w) {
    std::vector<std::vector<Index>> all = {{w.parameter_point, w.n_factorisations}};
    for (const Array& field : w.fields) all.push_back(field.shape);
    for (const NewtonRecord& record : w.newton)
      all.push_back({record.window, record.parameter_point, record.iteration, record.linear_iterations});
    return all;
  };
  if (integers(a) != integers(b)) return ::testing::AssertionFailure() << "integers or shapes differ";
  if (numbers(a) != numbers(b)) return ::testing::AssertionFailure() << "numbers differ";
  if (a.subdomains != b.subdomains) return ::testing::AssertionFailure() << "subdomains differ";
  return ::testing::AssertionSuccess();
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void put_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// The message of the OutputError that `action` throws; empty if it throws none.
template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const OutputError& error) {
    return error.what();
  }
  return {};
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// FNV-1a, 64 bits.
inline std::uint64_t checksum_of(const std::string& bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  return hash;
}

// Eight bytes, the lowest first.
inline std::string word(std::uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
  return bytes;
}

class JournalTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "gwrm_journal_test_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory = pattern;
    path = (directory / "run.journal").string();
  }
  void TearDown() override { std::filesystem::remove_all(directory); }

  // A journal of the windows 0, 1, ...; where each record ends, the header first.
  std::vector<std::size_t> write_windows(int n) {
    JournalWriter writer(path, kHeader, true);
    std::vector<std::size_t> ends = {std::filesystem::file_size(path)};
    for (int i = 0; i < n; ++i) {
      writer.append(window(i));
      ends.push_back(std::filesystem::file_size(path));
    }
    return ends;
  }

  void expect_windows(const Journal& journal, std::size_t n) {
    EXPECT_EQ(journal.scan.header, kHeader);
    EXPECT_EQ(journal.scan.n_windows, n);
    ASSERT_EQ(journal.windows.size(), n);
    for (std::size_t i = 0; i < n; ++i) EXPECT_TRUE(same(journal.windows[i], window(static_cast<int>(i)))) << i;
  }

  std::filesystem::path directory;
  std::string path;
};

}  // namespace gwrm::journal_test
