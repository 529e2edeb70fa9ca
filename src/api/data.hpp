// Behind the public header: what its classes hold, and how the program's errors become its own.
#pragma once

#include <mutex>

#include "api/gwrm.hpp"
#include "case/case_reader.hpp"
#include "core/blas.hpp"
#include "core/errors.hpp"
#include "core/threads.hpp"
#include "output/convergence_study.hpp"
#include "problems/problem.hpp"

namespace gwrm::api {

// Where a case came from, to be read again with more changes: studies and sweeps.
struct CaseSource {
  std::string text, name;
  std::vector<Override> overrides;
  bool manufactured = false;

  gwrm::Case read(const std::vector<gwrm::Override>& changes = {}) const;
};

struct Case::Data {
  explicit Data(CaseSource given) : source(std::move(given)), the_case(source.read()) {}
  CaseSource source;
  gwrm::Case the_case;
};

struct Result::Data {
  gwrm::Case the_case;
  RunOutcome outcome;
};

struct Study::Data {
  ConvergenceStudy study;
};

// The backend asked for, or that of the case.
BackendChoice to_choice(Backend backend, const gwrm::Case& the_case);

// One caller at a time in what changes the whole process, and the numbers of threads as they were afterwards.
class Turn {
 public:
  Turn() : lock_(mutex()), loop_threads_(loop_threads()), blas_threads_(blas_threads()) {}
  ~Turn() {
    set_loop_threads(loop_threads_);
    if (blas_threads() != blas_threads_) set_blas_threads(blas_threads_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  static std::mutex& mutex();
  std::lock_guard<std::mutex> lock_;
  int loop_threads_, blas_threads_;
};

// Calls `work`; its errors come out as those of the public header.
template <class Work>
auto with_public_errors(const Work& work) {
  try {
    return work();
  } catch (const gwrm::Error& error) {
    const ErrorPlace& place = error.place();
    throw Error(static_cast<int>(error.status()), error.what(), place.file, place.line, place.column,
                place.message.empty() ? error.what() : place.message);
  }
}

}  // namespace gwrm::api
