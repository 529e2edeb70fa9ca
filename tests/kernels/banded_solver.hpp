// Banded solves from vectors to vectors, for tests: on the CPU where they lie, on a device by way of its memory.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernels/banded/bidiagonal.hpp"
#include "kernels/banded/tridiagonal.hpp"
#include "kernels/device_test.hpp"

namespace gwrm::test {

#if GWRM_HAVE_CUDA
// Defined in banded_memory.cpp's place of a CUDA build (banded_memory_test.cu): bytes on the device, copied forth and
// back.
std::shared_ptr<void> device_memory(const Context& context, std::size_t bytes);
void to_device(const Context& context, void* device, const void* host, std::size_t bytes);
void from_device(const Context& context, void* host, const void* device, std::size_t bytes);
#endif

// Memory of the context with what a vector holds.
template <class T>
class ContextArray {
 public:
  ContextArray(const Context& context, const T* values, std::size_t size) : context_(context), size_(size) {
#if GWRM_HAVE_CUDA
    if (context.backend() == Backend::cuda) {
      device_ = device_memory(context, size * sizeof(T));
      if (values != nullptr) to_device(context, device_.get(), values, size * sizeof(T));
      return;
    }
#endif
    host_.resize(size);
    if (values != nullptr) std::copy(values, values + size, host_.begin());
  }
  T* data() {
    return device_ ? static_cast<T*>(device_.get()) : host_.data();
  }
  std::vector<T> values() const {
    std::vector<T> result = host_;
#if GWRM_HAVE_CUDA
    if (device_) {
      result.resize(size_);
      from_device(context_, result.data(), device_.get(), size_ * sizeof(T));
    }
#endif
    return result;
  }

 private:
  const Context& context_;
  std::size_t size_;
  std::vector<T> host_;
  std::shared_ptr<void> device_;
};

class BandedSolver {
 public:
  BandedSolver() : context_(Context::create(BackendChoice::cpu)) {}
  explicit BandedSolver(const Context& context) : context_(context) {}

  template <class Number>
  std::vector<Number> bidiagonal_shared(const BandedShape& shape, const Bidiagonal<Number>& matrix,
                                        const std::vector<Number>& y, BandedVariant variant, bool in_place) const {
    return solved_by_plan(*make_bidiagonal_plan(context_, shape, matrix, chosen(shape, variant)), y, in_place);
  }
  template <class Number>
  BandedStatus bidiagonal_shared_status(const BandedShape& shape, const Bidiagonal<Number>& matrix,
                                        BandedVariant variant) const {
    return make_bidiagonal_plan(context_, shape, matrix, chosen(shape, variant))->status();
  }
  template <class Number>
  std::vector<Number> bidiagonal(const BandedShape& shape, const Bidiagonal<Number>& matrix,
                                 const std::vector<Number>& y, std::vector<BandedStatus>& status, BandedVariant variant,
                                 bool in_place) const {
    ContextArray<Number> off(context_, matrix.off, y.size()),
        diagonal(context_, matrix.diagonal, matrix.diagonal != nullptr ? y.size() : 0);
    const Bidiagonal<Number> view{off.data(), matrix.diagonal != nullptr ? diagonal.data() : nullptr, matrix.side,
                                  matrix.distance};
    return solved(y, status, in_place, [&](const Number* from, Number* to, BandedStatus* states) {
      solve_bidiagonal(context_, shape, view, from, to, states, chosen(shape, variant));
    });
  }
  template <class Number>
  std::vector<Number> tridiagonal_shared(const BandedShape& shape, const Tridiagonal<Number>& matrix,
                                         const std::vector<Number>& y, BandedVariant variant, bool in_place) const {
    return solved_by_plan(*make_tridiagonal_plan(context_, shape, matrix, chosen(shape, variant)), y, in_place);
  }
  template <class Number>
  BandedStatus tridiagonal_shared_status(const BandedShape& shape, const Tridiagonal<Number>& matrix,
                                         BandedVariant variant) const {
    return make_tridiagonal_plan(context_, shape, matrix, chosen(shape, variant))->status();
  }
  template <class Number>
  std::vector<Number> tridiagonal(const BandedShape& shape, const Tridiagonal<Number>& matrix,
                                  const std::vector<Number>& y, std::vector<BandedStatus>& status,
                                  BandedVariant variant, bool in_place) const {
    const std::size_t n = y.size();
    ContextArray<Number> lower(context_, matrix.lower, n), diagonal(context_, matrix.diagonal, n),
        upper(context_, matrix.upper, n);
    ContextArray<char> workspace(context_, nullptr,
                                 tridiagonal_workspace_bytes<Number>(context_, shape, chosen(shape, variant)));
    return solved(y, status, in_place, [&](const Number* from, Number* to, BandedStatus* states) {
      solve_tridiagonal(context_, shape, {lower.data(), diagonal.data(), upper.data()}, from, to, states,
                        workspace.data(), chosen(shape, variant));
    });
  }

 private:
  // Variants of contiguous batches are asked of those alone.
  static BandedVariant chosen(const BandedShape& shape, BandedVariant variant) {
    return shape.layout == BatchLayout::interleaved ? BandedVariant::automatic : variant;
  }
  template <class Number>
  std::vector<Number> solved_by_plan(const BandedPlan<Number>& plan, const std::vector<Number>& y,
                                     bool in_place) const {
    std::vector<BandedStatus> none;
    return solved(y, none, in_place, [&](const Number* from, Number* to, BandedStatus*) { plan.solve(from, to); });
  }
  template <class Number, class Solve>
  std::vector<Number> solved(const std::vector<Number>& y, std::vector<BandedStatus>& status, bool in_place,
                             const Solve& solve) const {
    ContextArray<Number> from(context_, y.data(), y.size()), to(context_, y.data(), y.size());
    ContextArray<BandedStatus> states(context_, status.data(), status.size());
    solve(in_place ? to.data() : from.data(), to.data(), states.data());
    status = states.values();
    return to.values();
  }

  Context context_;
};

}  // namespace gwrm::test
