// While it lives, what a thread computes below the smallest normal number (1.2e-38 in single precision) is zero, and
// such operands are taken for zero (FTZ and DAZ of MXCSR, FZ of FPCR). For factors in single precision: of matrices
// scaled to entries near 1 such numbers are nothing, and each costs Intel's processors some 150 cycles
// (Rayleigh-Benard convection in u, v, p, T took 2.5 times as long).
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, 10.2.3; Arm ARM, FPCR.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace gwrm {

class FlushSubnormals {
 public:
  FlushSubnormals() : before_(state()) { set_state(before_ | kFlush); }
  ~FlushSubnormals() { set_state(before_); }
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

 private:
#if defined(__SSE2__)
  using State = unsigned int;
  static constexpr State kFlush = 0x8040;  // FTZ, DAZ
  static State state() {
    return _mm_getcsr();
  }
  static void set_state(State value) {
    _mm_setcsr(value);
  }
#elif defined(__aarch64__)
  using State = std::uint64_t;
  static constexpr State kFlush = std::uint64_t{1} << 24;  // FZ
  static State state() {
    State value = 0;
    asm volatile("mrs %0, fpcr" : "=r"(value));
    return value;
  }
  static void set_state(State value) {
    asm volatile("msr fpcr, %0" : : "r"(value));
  }
#else
  using State = int;
  static constexpr State kFlush = 0;
  static State state() {
    return 0;
  }
  static void set_state(State) {}
#endif
  State before_;
};

}  // namespace gwrm
