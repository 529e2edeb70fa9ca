// Inner loops for the widest vector registers that the processor has, chosen when the program starts.
//
// GWRM_VECTOR_CLONES before a function definition compiles it three times over. What such a function calls must be
// inlined into it (GWRM_INLINE, for lambdas GWRM_LAMBDA_INLINE) to profit. Elsewhere than on GCC for x86-64 it means
// nothing.
//
// GWRM_VECTOR_WIDTHS(void f(int n, double* x), f_of<width>(n, x)) defines such a function with a body that knows how
// many doubles a register has, `width`: 8, 4 or 2. Code on wider vectors (vector_size) than those of the processor
// would run through memory: GCC has registers for none of its parts then.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define GWRM_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#define GWRM_VECTOR_WIDTHS(declaration, ...)              \
  __attribute__((target("arch=x86-64-v4"))) declaration { \
    constexpr int width = 8;                              \
    __VA_ARGS__;                                          \
  }                                                       \
  __attribute__((target("arch=x86-64-v3"))) declaration { \
    constexpr int width = 4;                              \
    __VA_ARGS__;                                          \
  }                                                       \
  __attribute__((target("default"))) declaration {        \
    constexpr int width = 2;                              \
    __VA_ARGS__;                                          \
  }
#else
#define GWRM_VECTOR_CLONES
#define GWRM_VECTOR_WIDTHS(declaration, ...) \
  declaration {                              \
    constexpr int width = 2;                 \
    __VA_ARGS__;                             \
  }
#endif
#if defined(__GNUC__)
#define GWRM_INLINE inline __attribute__((always_inline))
#define GWRM_LAMBDA_INLINE __attribute__((always_inline))
#else
#define GWRM_INLINE inline
#define GWRM_LAMBDA_INLINE
#endif
