// Hostile but valid HDF5: results that reach outside their file are refused before anything outside is opened.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "core/errors.hpp"
#include "output/number_series.hpp"
#include "output/sample_file.hpp"

namespace gwrm::hdf5_outside_test {
namespace {

// The message with which reading is refused, from a child that a hang would end; "read" if it is not.
std::string message_of_reading(const std::function<void()>& read) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    std::string message = "read";
    try {
      read();
    } catch (const std::exception& error) {
      message = error.what();
    }
    const bool written = write(ends[1], message.data(), message.size()) == static_cast<ssize_t>(message.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string message(4096, '\0');
  const ssize_t n = ::read(ends[0], message.data(), message.size());
  close(ends[0]);
  message.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? message : "killed by signal " + std::to_string(WTERMSIG(status));
}

class Outside : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "gwrm_outside_test_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory = pattern;
    path = (directory / "run.h5").string();
    write_hdf5(path, test::SampleFile(test::windowed_solution()).data, false);
    pipe_path = (directory / "pipe.h5").string();
    ASSERT_EQ(mkfifo(pipe_path.c_str(), 0600), 0);
    std::ofstream(directory / "secret") << std::string(4096, 's');
  }
  void TearDown() override { std::filesystem::remove_all(directory); }

  // Without the checksum, which only gwrm's own files have, and with what `change` does to it.
  std::string message_after(const std::function<void(hid_t file)>& change) {
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 16);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    EXPECT_GE(file, 0);
    change(file);
    EXPECT_GE(H5Fclose(file), 0);
    return message_of_reading([this] { read_hdf5(path); });
  }

  // A dataset of 16 numbers in place of nothing, with these properties.
  static void add_dataset(hid_t file, const char* name, hid_t properties) {
    const hsize_t extent = 16;
    const hid_t space = H5Screate_simple(1, &extent, nullptr);
    const hid_t dataset = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    EXPECT_GE(dataset, 0);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(properties);
  }

  std::filesystem::path directory;
  std::string path, pipe_path;
};

TEST_F(Outside, AnUnchangedFileWithoutChecksumIsRead) {
  EXPECT_EQ(message_after([](hid_t) {}), "read");
}

TEST_F(Outside, ExternalLinksAreRefused) {
  const std::string message = message_after([&](hid_t file) {
    ASSERT_GE(H5Lcreate_external(pipe_path.c_str(), "/", file, "more", H5P_DEFAULT, H5P_DEFAULT), 0);
  });
  EXPECT_NE(message.find("more leads to another file"), std::string::npos) << message;
}

TEST_F(Outside, ExternalLinksInPlaceOfGroupsAreRefused) {
  const std::string message = message_after([&](hid_t file) {
    ASSERT_GE(H5Ldelete(file, "coefficients", H5P_DEFAULT), 0);
    ASSERT_GE(H5Lcreate_external(pipe_path.c_str(), "/", file, "coefficients", H5P_DEFAULT, H5P_DEFAULT), 0);
  });
  EXPECT_NE(message.find("coefficients leads to another file"), std::string::npos) << message;
}

TEST_F(Outside, ExternalStorageIsRefused) {
  const std::string message = message_after([&](hid_t file) {
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    ASSERT_GE(H5Pset_external(properties, (directory / "secret").c_str(), 0, 128), 0);
    add_dataset(file, "stolen", properties);
  });
  EXPECT_NE(message.find("stolen is stored in another file"), std::string::npos) << message;
}

TEST_F(Outside, VirtualDatasetsAreRefused) {
  const std::string message = message_after([&](hid_t file) {
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t extent = 16;
    const hid_t space = H5Screate_simple(1, &extent, nullptr);
    ASSERT_GE(H5Pset_virtual(properties, space, pipe_path.c_str(), "x", space), 0);
    H5Sclose(space);
    add_dataset(file, "joined", properties);
  });
  EXPECT_NE(message.find("joined is put together from other files"), std::string::npos) << message;
}

TEST_F(Outside, FiltersThatGwrmDoesNotUseAreRefused) {
  const std::string message = message_after([&](hid_t file) {
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk = 16;
    ASSERT_GE(H5Pset_chunk(properties, 1, &chunk), 0);
    ASSERT_GE(H5Pset_filter(properties, 32015, H5Z_FLAG_OPTIONAL, 0, nullptr), 0);  // found by a plug-in, if anywhere
    add_dataset(file, "packed", properties);
  });
  EXPECT_NE(message.find("packed is packed by the filter 32015"), std::string::npos) << message;
}

TEST_F(Outside, SoftLinksInsideTheFileAreHarmless) {
  EXPECT_EQ(message_after([](hid_t file) {
              ASSERT_GE(H5Lcreate_soft("/nowhere", file, "soft", H5P_DEFAULT, H5P_DEFAULT), 0);
              ASSERT_GE(H5Lcreate_hard(file, "/", file, "round", H5P_DEFAULT, H5P_DEFAULT), 0);
            }),
            "read");
}

// At any depth, and not by recursion: thousands of levels took the stack and minutes.
TEST_F(Outside, GroupsAreLookedThroughToTheirGround) {
  const std::string message = message_after([&](hid_t file) {
    hid_t group = H5Gcreate2(file, "deep", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (int depth = 0; depth < 4000; ++depth) {
      const hid_t next = H5Gcreate2(group, "d", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      H5Gclose(group);
      group = next;
    }
    ASSERT_GE(H5Lcreate_external(pipe_path.c_str(), "/", group, "ground", H5P_DEFAULT, H5P_DEFAULT), 0);
    H5Gclose(group);
  });
  EXPECT_NE(message.find("ground leads to another file"), std::string::npos) << message;
}

TEST_F(Outside, FieldsListedTwiceAreRefused) {
  const std::string message = message_after([](hid_t file) {
    const hid_t group = H5Gopen2(file, "coefficients", H5P_DEFAULT), type = H5Tcopy(H5T_C_S1),
                space = H5Screate(H5S_SCALAR);
    H5Adelete(group, "fields");
    H5Tset_size(type, 3);
    const hid_t attribute = H5Acreate2(group, "fields", type, space, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Awrite(attribute, type, "u u"), 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    H5Gclose(group);
  });
  EXPECT_NE(message.find("a field is listed twice"), std::string::npos) << message;
}

TEST_F(Outside, PipesDevicesAndDirectoriesAreNoFiles) {
  for (const std::string& name : {pipe_path, std::string("/dev/zero"), directory.string()}) {
    EXPECT_NE(message_of_reading([&] { read_hdf5(name); }).find("not an ordinary file"), std::string::npos) << name;
    EXPECT_NE(message_of_reading([&] { NumberSeries::check_file(name); }).find("not an ordinary file"),
              std::string::npos)
        << name;
  }
}

// A file of numbers that a case names: whatever else is in it, the numbers themselves are.
TEST_F(Outside, DataOfOtherFilesAreRefused) {
  const std::string data = (directory / "data.h5").string();
  const hid_t file = H5Fcreate(data.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  add_dataset(file, "here", H5Pcreate(H5P_DATASET_CREATE));
  hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  ASSERT_GE(H5Pset_external(properties, (directory / "secret").c_str(), 0, 128), 0);
  add_dataset(file, "stolen", properties);
  properties = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t extent = 16;
  const hid_t space = H5Screate_simple(1, &extent, nullptr);
  ASSERT_GE(H5Pset_virtual(properties, space, pipe_path.c_str(), "x", space), 0);
  H5Sclose(space);
  add_dataset(file, "joined", properties);
  ASSERT_GE(H5Lcreate_external(pipe_path.c_str(), "/", file, "there", H5P_DEFAULT, H5P_DEFAULT), 0);
  ASSERT_GE(H5Lcreate_soft("/there/x", file, "soft", H5P_DEFAULT, H5P_DEFAULT), 0);
  ASSERT_GE(H5Lcreate_soft("/here", file, "also_here", H5P_DEFAULT, H5P_DEFAULT), 0);
  H5Fclose(file);
  const auto message_of = [&](const char* dataset) {
    return message_of_reading([&] { NumberSeries(data, dataset).size(); });
  };
  for (const char* sound : {"here", "also_here"}) EXPECT_EQ(message_of(sound), "read");
  for (const char* name : {"there/x", "soft"})
    EXPECT_NE(message_of(name).find("is in another file (external link)"), std::string::npos) << message_of(name);
  EXPECT_NE(message_of("stolen").find("external storage"), std::string::npos) << message_of("stolen");
  EXPECT_NE(message_of("joined").find("virtual"), std::string::npos) << message_of("joined");
  EXPECT_NE(message_of("nowhere/x").find("there is no dataset nowhere/x"), std::string::npos);
}

}  // namespace
}  // namespace gwrm::hdf5_outside_test
