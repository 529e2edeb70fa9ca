// For tests of mistakes: what the reader says, and at which line.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "problems/registry.hpp"

namespace gwrm::testing {

// The message for this text; empty if it is accepted.
inline std::string error_of(const std::string& text) {
  try {
    read_case_text(text, "bad.yaml");
  } catch (const CaseError& error) {
    EXPECT_EQ(error.status(), ExitStatus::usage);
    return error.what();
  }
  return "";
}

// Refused at `line`, in words that hold every one of `told`.
inline void expect_error(const std::string& text, int line, const std::vector<std::string>& told) {
  const std::string message = error_of(text);
  ASSERT_FALSE(message.empty()) << "accepted:\n" << text;
  EXPECT_EQ(message.rfind("bad.yaml:" + std::to_string(line) + ":", 0), 0u) << "expected line " << line << ":\n"
                                                                            << message;
  for (const std::string& part : told)
    EXPECT_NE(message.find(part), std::string::npos) << "expected: " << part << "\n" << message;
}

}  // namespace gwrm::testing
