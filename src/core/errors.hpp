// The exceptions of gwrm: one type for each thing a caller can mend, each with the exit status of the program.
// Non-convergence is not an exception: the solvers return a status.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace gwrm {

// Exit statuses of every command; the numbers are part of the interface.
enum class ExitStatus : int {
  converged = 0,
  internal_error = 1,
  usage = 2,          // command line or case file
  not_converged = 3,  // Newton
  singular = 4,       // linear solve failed
  not_finite = 5,     // NaN or Inf
  unresolved = 6,     // verification or resolution tolerance not met
  resources = 7,      // device or memory
  output = 8,         // a file cannot be written or read
  not_estimated = 9,  // every check passed, but the error could not be estimated
  interrupted = 130
};

// What an error in a user's text is about, for callers that mark the place themselves.
struct ErrorPlace {
  std::string file;          // or where else the text came from ("--expr"); empty: not known
  int line = 0, column = 0;  // counted from 1; 0: not known
  std::string message;       // what is wrong, without place and quotation
};

class Error : public std::runtime_error {
 public:
  Error(ExitStatus status, const std::string& message, ErrorPlace place = {})
      : std::runtime_error(message), status_(status), place_(std::move(place)) {}
  ExitStatus status() const { return status_; }
  const ErrorPlace& place() const { return place_; }

 private:
  ExitStatus status_;
  ErrorPlace place_;
};

// The user's case file, expression or command line is wrong; the message names file, line, column and the cure.
struct CaseError : Error {
  explicit CaseError(const std::string& message, ErrorPlace place = {})
      : Error(ExitStatus::usage, message, std::move(place)) {}
};

// Arrays of shapes that do not fit together: a mistake in the calling code.
struct ShapeError : Error {
  explicit ShapeError(const std::string& message) : Error(ExitStatus::internal_error, message) {}
};

// No usable device, a failed launch, a missing library on the device side.
struct DeviceError : Error {
  explicit DeviceError(const std::string& message) : Error(ExitStatus::resources, message) {}
};

// The estimate does not fit into memory, or an allocation failed.
struct MemoryError : Error {
  explicit MemoryError(const std::string& message) : Error(ExitStatus::resources, message) {}
};

// A result file cannot be written, read or understood.
struct OutputError : Error {
  explicit OutputError(const std::string& message) : Error(ExitStatus::output, message) {}
};

}  // namespace gwrm
