// The end of the process where memory has run out and nothing can be thrown any more: in a library that does not bear
// it (core/required_memory.hpp), where an exception meets `noexcept`, while an error is reported. Takes no memory.
#pragma once

#include <exception>
#include <optional>

namespace gwrm {

inline constexpr const char* kOutOfMemory =
    "out of memory: lower resolution.degree or the numbers of intervals, or use more windows";

// An allocation failed, or a thread could not be started: status 7, though no Error of ours.
bool is_want_of_memory(const std::exception& error);

// Exit status 7 with "error: MESSAGE" on stderr; temporary files (files_at_end.hpp) go, no destructor runs. By any
// thread.
[[noreturn]] void end_without_memory(const char* message = kOutOfMemory) noexcept;

// Whether it prints the object of --json, too: as long as nothing else stands on stdout.
void last_resort_in_json(bool wanted) noexcept;

// The work is done, with this exit status: what fails, or which signal comes, while the process is taken down is not
// told, and changes nothing. (The driver of a GPU takes some tenths of a second for it.)
void settle_status(int status) noexcept;
std::optional<int> settled_status() noexcept;  // safe in a signal handler

}  // namespace gwrm
