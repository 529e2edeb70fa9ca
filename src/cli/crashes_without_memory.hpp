// A crash of a library that has been given no memory and did not look: it ends as any other want of memory does
// (core/last_resort.hpp), with status 7 and a message. MPI is such a library, wherever in it memory runs out.
#pragma once

namespace gwrm::cli {

// From here on SIGSEGV, SIGBUS and SIGABRT, by whatever thread: where the memory is exhausted. Any other crash goes to
// who had the signal before. Once, and before MPI begins, which takes these signals for itself where nobody has them.
void catch_crashes_without_memory();

}  // namespace gwrm::cli
