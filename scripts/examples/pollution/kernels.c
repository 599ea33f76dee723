/* SPDX-License-Identifier: Apache-2.0
 * Two operations of the Vector Unit with names as LLK's, each a kernel of T1. WIDE switches rows of
 * 32 bits on in its INIT, and no UNINIT switches them off. NARROW stores in the format that is
 * configured, which its INIT does not write. With MENDED each does its part of the contract; with
 * CONFIGURES both begin with the hw_configure of a kernel. */
#include "tile.h"

#define ALU_ACC_CTRL (*(volatile u32 *)(0xffef0000 + 4 * 1))
#define SFPU_FP32_ENABLED (1u << 30)
#define DST ((volatile u32 *)0xffbd8000)
#define RESULT ((volatile u32 *)0x20000)
#define DONE (*(volatile u32 *)0xffe80004)
#define SFPENCC() TTINSN(0x8a00300au)
#define SFPLOADI_L0_HIGH(bits) TTINSN(0x71080000u | (bits))
#define SFPLOADI_L0_LOW(bits) TTINSN(0x710a0000u | (bits))
#define SFPSTORE_ZERO_AS_FP32() TTINSN(0x72930000u) /* LReg[9] is 0 */
#define SFPSTORE_L0_AS_CONFIGURED() TTINSN(0x72000000u)
#define INLINE static inline __attribute__((always_inline))

INLINE void wait_for_tensix(void)
{
    DONE = 0;
    u32 value = DONE;
    __asm__ volatile("and zero, %0, zero" : : "r"(value) : "memory");
}

INLINE void rows_of_32_bits(u32 on)
{
    ALU_ACC_CTRL = on * SFPU_FP32_ENABLED;
    u32 word = ALU_ACC_CTRL;
    __asm__ volatile("and zero, %0, zero" : : "r"(word) : "memory");
}

INLINE void store_a_number(void)
{
    SFPENCC();
    SFPSTORE_ZERO_AS_FP32();
    SFPLOADI_L0_HIGH(0x3f80);
    SFPLOADI_L0_LOW(0x1234);
    SFPSTORE_L0_AS_CONFIGURED();
    wait_for_tensix();
    RESULT[0] = DST[0];
    RESULT[1] = DST[8];
}

INLINE void _llk_math_hw_configure_(void)
{
#if CONFIGURES
    rows_of_32_bits(0);
#endif
}

INLINE void _llk_math_wide_init_(void)
{
    rows_of_32_bits(1);
}

INLINE void _llk_math_wide_(void)
{
    store_a_number();
}

INLINE void _llk_math_wide_uninit_(void)
{
#if MENDED
    rows_of_32_bits(0);
#endif
}

INLINE void _llk_math_narrow_init_(void)
{
    SFPENCC();
#if MENDED
    rows_of_32_bits(0);
#endif
}

INLINE void _llk_math_narrow_(void)
{
    store_a_number();
}

u32 main(void)
{
    _llk_math_hw_configure_();
#if WIDE
    _llk_math_wide_init_();
    _llk_math_wide_();
    _llk_math_wide_uninit_();
#else
    _llk_math_narrow_init_();
    _llk_math_narrow_();
#endif
    return 0;
}
