#include "bench/transforms/nonuniform_peer.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include "core/errors.hpp"

namespace gwrm::bench {
namespace {

// Of cufinufft.h, with plans and options as addresses.
struct Library {
  int (*make_plan)(int type, int dim, const std::int64_t* modes, int sign, int n_transforms, double tolerance,
                   void** plan, const void* options) = nullptr;
  int (*set_points)(void* plan, std::int64_t n, const double* x, const double* y, const double* z, int n_targets,
                    const double*, const double*, const double*) = nullptr;
  int (*execute)(void* plan, void* strengths, void* modes) = nullptr;
  int (*destroy)(void* plan) = nullptr;
};

const char* asked() {
  const char* name = std::getenv("GWRM_CUFINUFFT");
  return name == nullptr || *name == '\0' ? nullptr : name;
}

Library load() {
  const char* name = asked();
  void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);  // stays for as long as the program
  if (library == nullptr) throw DeviceError(fmt::format("GWRM_CUFINUFFT: {}", dlerror()));
  Library result;
  const auto find = [&](auto& function, const char* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
    if (function == nullptr) throw DeviceError(fmt::format("GWRM_CUFINUFFT: {} has no {}", name, symbol));
  };
  find(result.make_plan, "cufinufft_makeplan");
  find(result.set_points, "cufinufft_setpts");
  find(result.execute, "cufinufft_execute");
  find(result.destroy, "cufinufft_destroy");
  return result;
}

const Library& library() {
  static const Library loaded = load();
  return loaded;
}

void check(int status, const char* call) {
  if (status != 0) throw DeviceError(fmt::format("{}: cuFINUFFT status {}", call, status));
}

}  // namespace

bool have_nonuniform_peer() {
  if (asked() == nullptr) return false;
  library();
  return true;
}

NonuniformPeer::NonuniformPeer(const Shape& modes, int sign, double tolerance) {
  const std::vector<std::int64_t> fastest_first(modes.rbegin(), modes.rend());
  const int dim = static_cast<int>(modes.size());
  check(library().make_plan(1, dim, fastest_first.data(), sign, 1, tolerance, &type_1_, nullptr), "cufinufft_makeplan");
  check(library().make_plan(2, dim, fastest_first.data(), sign, 1, tolerance, &type_2_, nullptr), "cufinufft_makeplan");
}

NonuniformPeer::~NonuniformPeer() {
  for (void* plan : {type_1_, type_2_})
    if (plan != nullptr) library().destroy(plan);
}

void NonuniformPeer::set_points(const std::vector<const double*>& x, Index n) {
  set_points_of(type_1_, x, n);
  set_points_of(type_2_, x, n);
}

void NonuniformPeer::set_points_of_type_1(const std::vector<const double*>& x, Index n) {
  set_points_of(type_1_, x, n);
}

void NonuniformPeer::set_points_of(void* plan, const std::vector<const double*>& x, Index n) {
  std::vector<const double*> fastest_first(x.rbegin(), x.rend());
  fastest_first.resize(3, nullptr);
  check(
      library().set_points(plan, n, fastest_first[0], fastest_first[1], fastest_first[2], 0, nullptr, nullptr, nullptr),
      "cufinufft_setpts");
}

void NonuniformPeer::type_1(std::complex<double>* strengths, std::complex<double>* modes) {
  check(library().execute(type_1_, strengths, modes), "cufinufft_execute");
}

void NonuniformPeer::type_2(std::complex<double>* modes, std::complex<double>* values) {
  check(library().execute(type_2_, values, modes), "cufinufft_execute");
}

}  // namespace gwrm::bench
