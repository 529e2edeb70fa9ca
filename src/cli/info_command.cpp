// gwrm info and gwrm schema.
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/options.hpp"
#include "core/blas.hpp"
#include "core/memory.hpp"
#include "core/version.hpp"

namespace gwrm::cli {

ExitStatus info_command(const Options& options) {
  const Context cpu = Context::create(BackendChoice::cpu, options.threads);
  std::string why;
  const std::string device = find_device(why);
  const std::size_t memory = available_memory();
  if (options.json) {
    const nlohmann::ordered_json object = {{"exit_status", 0},
                                           {"version", version()},
                                           {"git_revision", git_revision()},
                                           {"build", build_description()},
                                           {"cuda_build", built_with_cuda()},
                                           {"device", device},
                                           {"device_note", why},
                                           {"threads", cpu.n_threads()},
                                           {"blas_kernels", blas_kernels()},
                                           {"available_memory", memory}};
    std::cout << object.dump(2) << "\n";
    return ExitStatus::converged;
  }
  std::cout << fmt::format("gwrm {} ({})\n  build    {}\n  cpu      {} thread{}, {} free{}\n  device   {}\n", version(),
                           git_revision(), build_description(), cpu.n_threads(), cpu.n_threads() == 1 ? "" : "s",
                           format_bytes(memory), blas_kernels().empty() ? "" : ", BLAS kernels " + blas_kernels(),
                           device.empty() ? "none: " + why : device);
  return ExitStatus::converged;
}

ExitStatus schema_command(const Options& options) {
  std::cout << case_schema(options.modules->format()) << "\n";
  return ExitStatus::converged;
}

}  // namespace gwrm::cli
