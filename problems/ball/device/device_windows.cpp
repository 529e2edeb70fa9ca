// What is known of windows on a device without one.
#include "problems/ball/device/device_windows.hpp"

#include <algorithm>

#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "problems/ball/krylov_memory.hpp"

namespace gwrm::ball {

#if GWRM_HAVE_CUDA
std::unique_ptr<WindowDevice> make_window_device(const Context& context, double memory_limit) {
  return gwrm::cuda::make_window_device(context, memory_limit);
}
#else
std::unique_ptr<WindowDevice> make_window_device(const Context& context, double) {
  throw DeviceError("built without CUDA: " + context.device_name());
}
#endif

std::string device_refusal(const BallSpace& space, const BallTerms& terms, const EvolvingTerms& evolving) {
  constexpr Index kMostNodes = 32;
  constexpr std::size_t kMostProducts = 16;
  // Its links between parts are of five diagonals; a conducted contrast's are dense.
  if (space.radial().is_shell()) return "spherical shells have no device version";
  if (space.degrees().t > kMostNodes) return "more than 32 nodes in time have no device version";
  if (evolving.has_reactions()) return "reactions have no device version";
  if (!terms.any() && !evolving.any()) return "diffusion alone is solved directly";
  if (std::max(terms.products().products.size(), evolving.products().products.size()) > kMostProducts)
    return "more than 16 products of fields have no device version";
  return {};
}

double device_memory(const BallSpace& space, const BallTerms& terms, const EvolvingTerms& evolving) {
  constexpr double kFixed = 1.2e7;  // bytes: partial sums, lists, chunks of tables and arrays rounded up
  // Factors of the diffusion: three complex numbers for a mode, radial function, part and degree.
  double of_radius = 0.0;
  for (std::size_t part = 0; part < space.parts().size(); ++part)
    of_radius += static_cast<double>(space.unknowns().n(part) * (space.degrees().l + 1));
  const double factors = 48.0 * static_cast<double>(space.degrees().t) * of_radius;
  return KrylovMemory(space, terms, evolving).bytes() + 2.0 * factors + kFixed;
}

}  // namespace gwrm::ball
