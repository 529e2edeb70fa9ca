// SIGINT, SIGTERM and SIGHUP end every command within two seconds, whatever it is doing: one factorisation or one call
// into another library may take minutes and asks nobody.
//
//   where somebody asks     the first signal sets interrupt_requested(), and who asks ends what he does, which leaves
//                           the most behind: a partial result, a full report. What has not ended a second later is
//                           ended; a second signal ends it at once.
//   elsewhere               the first signal ends the process at once.
//
// Ended means: by the signal handler, without a word to the threads that compute. Temporary files are taken away, what
// is left to go on from is told (core/files_at_end.hpp); a journal is complete at every moment (output/journal.hpp).
// Commands that solve end with status 130, the others of the signal itself.
#pragma once

namespace gwrm::cli {

// Once, before anything is written. SIGHUP is left alone where it is ignored already (nohup).
void install_interrupt_handlers();

// The command solves: status 130 and a word on stderr, with `json` an object on stdout too.
void end_interrupted_runs_with_status(bool json);

// From now on without words: of a rank whose rank 0 has them; `false`: with them again.
void end_without_words(bool wanted = true);

// While it lives interrupt_requested() is asked again and again.
class InterruptsAreAsked {
 public:
  InterruptsAreAsked();
  ~InterruptsAreAsked();
  InterruptsAreAsked(const InterruptsAreAsked&) = delete;
  InterruptsAreAsked& operator=(const InterruptsAreAsked&) = delete;
};

bool interrupt_requested();

// All files have their names, and what is left is to print: a signal of before leaves time for it.
void work_is_done();

void keep_file_size_limit_from_ending();  // the limit on file sizes is then an error of the write (SIGXFSZ ignored)

}  // namespace gwrm::cli
