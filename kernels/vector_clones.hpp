// Functions compiled for several instruction sets, the best of which is chosen at start: the programs themselves are
// built for every x86-64. Not with the sanitizers, whose start-up the choice comes before.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define GWRM_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define GWRM_VECTOR_CLONES
#endif
