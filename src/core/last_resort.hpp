// The end of the process where memory has run out and nothing can be thrown any more: in a library that does not bear
// it (core/required_memory.hpp), where an exception meets `noexcept`, while an error is reported. Takes no memory.
#pragma once

#include <cstddef>
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

// The end of the process and nothing else, as _exit() is where nobody has taken that name (cli/without_memory.cpp).
[[noreturn]] void leave(int status) noexcept;

// Whether it prints the object of --json, too: as long as nothing else stands on stdout.
void last_resort_in_json(bool wanted) noexcept;

// Not even a page can be had. Any allocation finds that, whoever makes it.
bool memory_is_exhausted() noexcept;

// This process is one of several ranks: the messages name it.
void last_resort_of_rank(int rank) noexcept;
bool last_resort_is_of_rank() noexcept;

// While the launcher is busy with the beginning of this process the end leaves it a moment, in which its answers still
// find somebody: Open MPI's (4.1) dies of SIGPIPE, or waits for ever, where one of its ranks is gone amid that.
void last_resort_leaves_a_moment(bool wanted) noexcept;

// The other ranks wait for what this one brings, from here on. One that cannot bring it has to be gone: the launcher
// then ends them all. So allocation_has_failed() ends the process, as above, where the memory is exhausted, or where
// what has failed is small: MPI, the messages to the others and that of the error would fail next. A large one is
// reported as ever (std::bad_alloc). Before it nothing happens.
void ranks_wait_for_one_another() noexcept;
void allocation_has_failed(std::size_t bytes) noexcept;

// The work is done, with this exit status: what fails, or which signal comes, while the process is taken down is not
// told, and changes nothing. (The driver of a GPU takes some tenths of a second for it.)
void settle_status(int status) noexcept;
std::optional<int> settled_status() noexcept;  // safe in a signal handler

}  // namespace gwrm
