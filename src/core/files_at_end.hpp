// The files of which somebody has to know who ends this process in the midst of its work, as a program does whose user
// cannot wait (cli/interrupt.hpp): temporary ones are to be taken away, others are to be told of. A list alone: nothing
// here ends a process, and in a program that never asks it changes nothing.
//
// begin_end() and visit_files_at_end() may be called in a signal handler.
#pragma once

#include <string>

namespace gwrm {

enum class FileKind {
  temporary,  // of no use to anybody
  journal,    // a run is continued from it
  sweep,      // the journal of a sweep, likewise
  awaited,    // a result that is being written: nothing is told of it
  result      // the whole answer
};

// While it lives the file is in the list. The list is short; a file that finds no place in it is left out.
class FileAtEnd {
 public:
  FileAtEnd(FileKind kind, const std::string& path);
  ~FileAtEnd();
  FileAtEnd(const FileAtEnd&) = delete;
  FileAtEnd& operator=(const FileAtEnd&) = delete;

 private:
  int slot_ = -1;
};

// While it lives the process is not ended in this way: for steps that are short and whole or not there, such as giving
// a finished file its name. Who comes to such a step when the end has begun stays there.
class UndividedStep {
 public:
  UndividedStep();
  ~UndividedStep();
  UndividedStep(const UndividedStep&) = delete;
  UndividedStep& operator=(const UndividedStep&) = delete;
};

// Within the UndividedStep that gives the file its name: what was awaited under this path is a result from here on.
void awaited_file_is_complete(const std::string& path);

// No step is begun any more. False while one is being made: ask again a few milliseconds later.
bool begin_end();
// After begin_end() has returned true. A file that is in the list twice, by who was told of it and by who writes it, is
// visited once.
void visit_files_at_end(FileKind kind, void (*visit)(const char* path));

}  // namespace gwrm
