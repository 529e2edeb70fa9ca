// Damaged result files: reading one ends in a value or an OutputError, never in a crash, a hang or a huge allocation.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>

#include "core/errors.hpp"
#include "output/hdf5_handles.hpp"
#include "output/sample_file.hpp"
#include "output/stored_samples.hpp"

namespace gwrm::hdf5_damage_test {
namespace {

using hdf5::Handle;

constexpr std::size_t kTrailer = 16;  // bytes of the mark and the checksum at the end

enum Outcome { read_whole = 0, refused = 1, other_exception = 2, out_of_memory = 3 };

// In a child process, so that a crash is seen as one; the alarm ends a hang.
int outcome_of_reading(const std::string& path) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    Outcome outcome = read_whole;
    try {
      read_hdf5(path);
    } catch (const OutputError&) {
      outcome = refused;
    } catch (const std::bad_alloc&) {
      outcome = out_of_memory;
    } catch (...) {
      outcome = other_exception;
    }
    _exit(outcome);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

class Damage : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "gwrm_damage_test_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory = pattern;
    path = (directory / "run.h5").string();
    const test::SampleFile sample(test::windowed_solution());
    write_hdf5(path, sample.data, false);
    std::ifstream file(path, std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    ASSERT_GT(whole.size(), 1000u);
    ASSERT_EQ(outcome_of_reading(path), read_whole);
  }
  void TearDown() override { std::filesystem::remove_all(directory); }

  int outcome_of(const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return outcome_of_reading(path);
  }

  std::filesystem::path directory;
  std::string path, whole;
  std::mt19937_64 random{1};
};

TEST_F(Damage, wrong_bytes) {
  int n_refused = 0;
  for (int trial = 0; trial < 250; ++trial) {
    std::string bytes = whole;
    const int n_wrong = 1 << (trial % 5);
    for (int i = 0; i < n_wrong; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    const int outcome = outcome_of(bytes);
    ASSERT_TRUE(outcome == read_whole || outcome == refused) << "trial " << trial << ": outcome " << outcome;
    n_refused += outcome == refused;
  }
  EXPECT_GT(n_refused, 0);
}

TEST_F(Damage, a_block_of_zeros_or_ones) {
  for (int trial = 0; trial < 50; ++trial) {
    std::string bytes = whole;
    const std::size_t begin = random() % bytes.size();
    const std::size_t length = std::min<std::size_t>(bytes.size() - begin, 1 + random() % 64);
    bytes.replace(begin, length, length, trial % 2 ? '\xff' : '\0');
    const int outcome = outcome_of(bytes);
    ASSERT_TRUE(outcome == read_whole || outcome == refused) << "trial " << trial << ": outcome " << outcome;
  }
}

// Wherever it is, before the checksum itself.
TEST_F(Damage, a_single_wrong_byte_is_noticed) {
  for (int trial = 0; trial < 50; ++trial) {
    std::string bytes = whole;
    const std::size_t place = random() % (bytes.size() - kTrailer);
    bytes[place] = static_cast<char>(bytes[place] ^ (1 + random() % 255));
    ASSERT_EQ(outcome_of(bytes), refused) << "byte " << place;
  }
}

TEST_F(Damage, a_file_cut_short_is_refused) {
  for (int trial = 0; trial < 50; ++trial)
    ASSERT_EQ(outcome_of(whole.substr(0, random() % (whole.size() - kTrailer))), refused) << "trial " << trial;
  EXPECT_EQ(outcome_of(whole.substr(0, whole.size() - kTrailer - 1)), refused);
}

// Another program that changes the file in place drops the trailer.
TEST_F(Damage, a_file_without_the_checksum_is_read) {
  EXPECT_EQ(outcome_of(whole.substr(0, whole.size() - kTrailer)), read_whole);
}

// What the checksum does not see is checked for sense: here the start of the second window.
TEST_F(Damage, wrong_values_without_the_checksum) {
  const double edges[] = {0.0, 0.5, 1.3};
  const std::string pattern(reinterpret_cast<const char*>(edges), sizeof edges);
  const std::string bytes = whole.substr(0, whole.size() - kTrailer);
  const std::size_t place = bytes.find(pattern);
  ASSERT_NE(place, std::string::npos);
  for (const double wrong : {0.6, 0.0, -1.0, std::nan(""), HUGE_VAL}) {
    std::string changed = bytes;
    std::memcpy(changed.data() + place + sizeof wrong, &wrong, sizeof wrong);
    EXPECT_EQ(outcome_of(changed), refused) << wrong;
  }
}

// Lists of subdomains that contradict each other, the edges or the coefficients: {degrees, subdomains} of x in the
// three windows.
TEST_F(Damage, wrong_lists_of_subdomains_without_the_checksum) {
  const test::SampleFile sample(test::divided_solution());
  write_hdf5(path, sample.data, true);
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  bytes.resize(bytes.size() - kTrailer);
  ASSERT_EQ(outcome_of(bytes), read_whole);
  using List = std::array<int, 3>;
  const auto changed = [&](const List& from, const List& to) {
    const std::string pattern(reinterpret_cast<const char*>(from.data()), sizeof from);
    const std::size_t place = bytes.find(pattern);
    EXPECT_NE(place, std::string::npos);
    EXPECT_EQ(bytes.find(pattern, place + 1), std::string::npos);
    std::string result = bytes;
    return result.replace(place, sizeof to, reinterpret_cast<const char*>(to.data()), sizeof to);
  };
  const List degrees = {5, 3, 7}, subdomains = {2, 4, 1};
  for (const List& wrong : {List{5, 3, 6}, List{5, 3, 8}, List{8, 3, 7}, List{-1, 3, 7}, List{5, 2, 7}})
    EXPECT_EQ(outcome_of(changed(degrees, wrong)), refused) << "degrees " << ::testing::PrintToString(wrong);
  for (const List& wrong :
       {List{2, 3, 1}, List{2, 5, 1}, List{1, 4, 1}, List{3, 4, 1}, List{2, 4, 0}, List{2, 4, -1}, List{2, 4, 1 << 30}})
    EXPECT_EQ(outcome_of(changed(subdomains, wrong)), refused) << "subdomains " << ::testing::PrintToString(wrong);
}

// Numbers that are not packed take as many bytes as they are: a list of a million with one chunk of a thousand there.
TEST_F(Damage, what_is_not_packed_claims_no_more_than_its_bytes) {
  const std::string list = (directory / "list.h5").string();
  const hsize_t n = 1000000, chunk = 1000, n_there = 1000, first = 0;
  const Handle file(H5Fcreate(list.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, "creating");
  const auto make = [&](const char* name, bool is_packed) {
    const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "properties");
    H5Pset_chunk(properties, 1, &chunk);
    if (is_packed) H5Pset_deflate(properties, 6);
    const Handle space(H5Screate_simple(1, &n, nullptr), H5Sclose, "space"),
        there(H5Screate_simple(1, &n_there, nullptr), H5Sclose, "space");
    const Handle dataset(H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                         H5Dclose, "dataset");
    const std::vector<double> values(n_there, 1.0);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr, &n_there, nullptr);
    ASSERT_GE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, there, space, H5P_DEFAULT, values.data()), 0);
  };
  make("plain", false);
  make("packed", true);
  EXPECT_THROW(hdf5::read_doubles(file, "plain", {n}), OutputError);
  EXPECT_THROW(hdf5::read_doubles(file, "packed", {n}), OutputError);
}

// Each dataset of a file may be honest, and have thousands of names.
TEST_F(Damage, all_datasets_together_claim_no_more_than_the_file) {
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "opening");
  const hsize_t most = hdf5::kMaxExpansion * hdf5::file_size(file) / sizeof(double);
  hdf5::SumOfValues sum(file);
  sum.add({most / 4, 2});
  sum.add({most / 4, 1});
  EXPECT_THROW(sum.add({most / 2, 1}), OutputError);
  EXPECT_NO_THROW(sum.add({most / 8}));
}

// HDF5's own functions of dimension scales do not close what they opened when they meet such a one.
TEST_F(Damage, a_scale_of_another_kind_is_refused_and_the_file_closed) {
  {
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "opening");
    const hdf5::Handle axis = hdf5::open_dataset(file, "t");
    ASSERT_GE(H5Adelete(axis, "CLASS"), 0);
    hdf5::write_attribute(axis, "CLASS", 1);
  }
  EXPECT_THROW(read_samples(path), OutputError);
  EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

// They read past the end of a list of scales that is none, and leave open what is no dataset.
TEST_F(Damage, scales_that_are_none_are_refused_and_the_file_closed) {
  for (const bool is_list : {false, true}) {
    {
      const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "opening");
      const hdf5::Handle field = hdf5::open_dataset(file, "u");
      ASSERT_GE(H5Adelete(field, "DIMENSION_LIST"), 0);
      hobj_ref_t group = 0;
      ASSERT_GE(H5Rcreate(&group, file, "coefficients", H5R_OBJECT, -1), 0);
      const std::array<hvl_t, 3> scales = {hvl_t{1, &group}, hvl_t{1, &group}, hvl_t{1, &group}};
      const hsize_t count = scales.size();
      const hdf5::Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "space");
      const hdf5::Handle type(is_list ? H5Tvlen_create(H5T_STD_REF_OBJ) : H5Tcreate(H5T_OPAQUE, 8), H5Tclose, "type");
      const hdf5::Handle list(H5Acreate2(field, "DIMENSION_LIST", type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                              "list");
      ASSERT_TRUE(!is_list || H5Awrite(list, type, scales.data()) >= 0);
    }
    try {
      read_samples(path);
      ADD_FAILURE() << "not refused";
    } catch (const OutputError& error) {
      const std::string why = is_list ? "does not fit its coordinates coefficients" : "DIMENSION_LIST";
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
    EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
  }
}

// A dataset of texts holds length (4 bytes), address of a heap (8) and number there (4). What was read before one that
// leads astray is released; the address sanitizer looks.
TEST_F(Damage, a_text_that_is_not_there) {
  std::string bytes = whole.substr(0, whole.size() - kTrailer);
  const std::uint64_t heap = bytes.find("GCOL");
  ASSERT_NE(heap, std::string::npos);
  std::string second_kind(16, '\0');
  second_kind[0] = 8;  // boundary
  std::memcpy(&second_kind[4], &heap, sizeof heap);
  std::memcpy(&second_kind[12], &bytes[bytes.find("boundary", heap) - 16], 2);
  const std::size_t place = bytes.find(second_kind);
  ASSERT_NE(place, std::string::npos);
  bytes[place + 4] = static_cast<char>(bytes[place + 4] + 1);
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  EXPECT_THROW(read_hdf5(path), OutputError);
}

}  // namespace
}  // namespace gwrm::hdf5_damage_test
