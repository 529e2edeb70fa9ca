// Times of the linear recurrences, JSON lines; each command's file says what it prints.
//   recurrence_bench cpu ...
//   recurrence_bench cuda ...
#include <cstdio>
#include <cstring>

#include "bench/recurrence/commands.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"

int main(int argc, char** argv) {
  try {
    if (argc > 1 && std::strcmp(argv[1], "cpu") == 0) return gwrm::bench::recurrence_on_cpu(argc - 1, argv + 1);
#if GWRM_HAVE_CUDA
    if (argc > 1 && std::strcmp(argv[1], "cuda") == 0) return gwrm::bench::recurrence_on_device(argc - 1, argv + 1);
#endif
  } catch (const gwrm::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.status());
  }
  std::fprintf(stderr, "usage: recurrence_bench cpu%s [arguments of the command]\n",
               GWRM_HAVE_CUDA ? " | cuda" : " (cuda: with GWRM_CUDA=ON)");
  return 2;
}
