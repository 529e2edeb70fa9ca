// The unit tests run in a process set up like that of the program.
#include <gtest/gtest.h>

#include "cli/process_settings.hpp"

int main(int argc, char** argv) {
  gwrm::apply_process_settings();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
