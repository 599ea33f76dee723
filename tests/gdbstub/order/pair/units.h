/* SPDX-License-Identifier: Apache-2.0
 * A store as kernels have it, in a function of a header. */
static inline __attribute__((always_inline)) void configure(u32 word, u32 value)
{
    CONFIG(word) = value;
}
