// Loops in threads where they are worth it: body(i) for i < n, in any order. Exceptions come out of them, the first
// one.
//
// Otherwise a plain loop. A region of OpenMP that `if` or num_threads() leave one thread costs a team, and asks the
// system twice to wake nobody, about a microsecond: as long as a small transform.
#pragma once

#include "core/array.hpp"
#include "core/thread_errors.hpp"

namespace gwrm {

// Equal shares.
template <class Body>
void for_each_index(Index n, bool in_threads, int n_threads, const Body& body) {
  if (!in_threads) {
    for (Index i = 0; i < n; ++i) body(i);
    return;
  }
  ThreadErrors errors;
#pragma omp parallel for schedule(static) num_threads(n_threads)
  for (Index i = 0; i < n; ++i) errors.run([&] { body(i); });
  errors.rethrow();
}

// One after the other, to whoever is free: bodies that take long, and not equally long.
template <class Body>
void for_each_index_dynamically(Index n, bool in_threads, int n_threads, const Body& body) {
  if (!in_threads) {
    for (Index i = 0; i < n; ++i) body(i);
    return;
  }
  ThreadErrors errors;
#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
  for (Index i = 0; i < n; ++i) errors.run([&] { body(i); });
  errors.rethrow();
}

}  // namespace gwrm
