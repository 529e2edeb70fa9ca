// Inner loops for the widest vector registers that the processor has, chosen when the program starts.
//
// GWRM_VECTOR_CLONES before a function definition compiles it three times over. What such a function calls must be
// inlined into it (GWRM_INLINE, for lambdas GWRM_LAMBDA_INLINE) to profit. Elsewhere than on GCC for x86-64 it means
// nothing.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define GWRM_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define GWRM_VECTOR_CLONES
#endif
#if defined(__GNUC__)
#define GWRM_INLINE inline __attribute__((always_inline))
#define GWRM_LAMBDA_INLINE __attribute__((always_inline))
#else
#define GWRM_INLINE inline
#define GWRM_LAMBDA_INLINE
#endif
