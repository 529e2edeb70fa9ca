// `-o -`: a result file for the standard output. A pipe takes bytes in their order, and HDF5 does not write them so: the
// file is made in a folder of its own in the system's temporary one, and sent when it is complete.
#pragma once

#include <string>

namespace gwrm::cli {

class PipedResult {
 public:
  // OutputError where the standard output is a terminal, or no folder can be made. `name`: of the file, as told where
  // something is left of a run that has not come to its end.
  explicit PipedResult(const std::string& name);
  ~PipedResult();  // the folder goes, unless it holds a journal or what is finished of a run
  PipedResult(const PipedResult&) = delete;
  PipedResult& operator=(const PipedResult&) = delete;

  const std::string& path() const { return path_; }
  // The file, if there is one, which then goes. OutputError where nobody takes it: it stays, and the message says where.
  void send() const;

 private:
  std::string folder_, path_;
};

}  // namespace gwrm::cli
