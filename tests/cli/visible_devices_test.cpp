// Entries of CUDA_VISIBLE_DEVICES against what CUDA's programming guide says of the variable.
#include "cli/visible_devices.hpp"

#include <gtest/gtest.h>

namespace gwrm::cli::visible_devices_test {
namespace {

TEST(VisibleDevices, AnEntryOfTheListIsKeptAsItIs) {
  EXPECT_EQ(entry_of_device("2,3", 0, 0), "2");
  EXPECT_EQ(entry_of_device("2,3", 0, 1), "3");
  EXPECT_EQ(entry_of_device("2,3", 0, 2), "2");
  EXPECT_EQ(entry_of_device("GPU-8a,MIG-b/1,7", 0, 1), "MIG-b/1");
}

TEST(VisibleDevices, WithoutAListByNumbers) {
  EXPECT_EQ(entry_of_device(nullptr, 4, 0), "0");
  EXPECT_EQ(entry_of_device(nullptr, 4, 3), "3");
  EXPECT_EQ(entry_of_device(nullptr, 4, 5), "1");
}

TEST(VisibleDevices, WhereThereIsNoChoiceNothingIsChanged) {
  EXPECT_EQ(entry_of_device(nullptr, 0, 0), std::nullopt);
  EXPECT_EQ(entry_of_device(nullptr, 1, 1), std::nullopt);
  EXPECT_EQ(entry_of_device("", 0, 0), std::nullopt);
  EXPECT_EQ(entry_of_device("3", 0, 1), std::nullopt);
}

// CUDA stops reading at the first: which of the others it sees is its own affair.
TEST(VisibleDevices, ListsWithWhatIsNoDeviceAreLeftAlone) {
  for (const char* list : {"0,-1,1", "NoDevFiles", "0,1,", "0, 1", "0,x"})
    EXPECT_EQ(entry_of_device(list, 0, 0), std::nullopt) << list;
}

}  // namespace
}  // namespace gwrm::cli::visible_devices_test
