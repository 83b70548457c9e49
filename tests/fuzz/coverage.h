// Which parts of the compiled core a fuzzer's input reached: included into every module of the debug build.
// gcc calls __sanitizer_cov_trace_pc at every basic block; libFuzzer, which atheris brings, reads counters.
// Where no fuzzer runs, the sanitizer's own empty functions take them.
#include <stdint.h>

#define COUNTERS (1 << 13)  // blocks that share one by chance do no harm

extern void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end);
extern void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *end);
extern char __dso_handle __attribute__((visibility("hidden")));

static uint8_t fuzz_counters[COUNTERS];
static uintptr_t fuzz_places[2 * COUNTERS];  // libFuzzer wants a place and a flag for every counter

__attribute__((visibility("hidden"), no_sanitize_coverage, no_sanitize("address", "undefined")))
void __sanitizer_cov_trace_pc(void) {
    uint32_t place = (uint32_t)((uintptr_t)__builtin_return_address(0) - (uintptr_t)&__dso_handle);
    fuzz_counters[place * 2654435761u >> 19]++;
}

__attribute__((constructor, no_sanitize_coverage))
static void fuzz_register(void) {
    for (int i = 0; i < COUNTERS; i++)
        fuzz_places[2 * i] = (uintptr_t)&fuzz_counters[i];
    __sanitizer_cov_8bit_counters_init(fuzz_counters, fuzz_counters + COUNTERS);
    __sanitizer_cov_pcs_init(fuzz_places, fuzz_places + 2 * COUNTERS);
}
