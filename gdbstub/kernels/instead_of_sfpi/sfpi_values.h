// SPDX-License-Identifier: Apache-2.0
// SFPI's value types by name only. What they do takes Tenstorrent's compiler; but many kernels that
// never touch one include headers full of functions that do. Those compile with these declarations,
// and a kernel that does use a value stops at ABSENT, whose text is the reason on the list of
// exclusions. Two things are real: the programmable constants, which are SFPLOADI and SFPCONFIG
// (SFPCONFIG.md), and `dst_reg++`, which is INCRWC and is in many a loop of plain instructions.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

#define sfpi_inline __attribute__((always_inline)) inline
#define SFPI_ABSENT __attribute__((error("SFPI's value types need Tenstorrent's compiler")))
#define v_if(condition)                                 \
    {                                                   \
        if (::sfpi::holds(condition))                   \
        {
#define v_elseif(condition)                             \
        }                                               \
        else if (::sfpi::holds(condition))              \
        {
#define v_else                                          \
        }                                               \
        else                                            \
        {
#define v_endif                                         \
        }                                               \
    }
#define v_and(condition) ((void)::sfpi::holds(condition))
#define v_block {
#define v_endblock }

namespace sfpi
{
enum class DataLayout { Default, FSrcB, F16a, F16b, F32, I32, U32, U16, I16, SM32, SM16, M32, U8, I8 };
enum class RoundMode { Nearest, NearestAway, NearestStochastic, Stochastic, Zero };
enum class ExponentMode { Biased, Unbiased };
enum class MantissaMode { ImplicitOne, Explicit };
enum class ShiftMode { Logical, Arithmetic };
enum class FractionalHalf { Low, High };
enum class LutSign { Retain, Update };
enum class LRegs { LReg0, LReg1, LReg2, LReg3, LReg4, LReg5, LReg6, LReg7 };

struct Named // whatever is a value, or the place of one
{
};
template <typename T>
concept Names = std::is_base_of_v<Named, std::remove_cvref_t<T>>;

struct Something : Named // a value of any type
{
    SFPI_ABSENT Something get() const;
};

struct Two
{
    Something first, second;
};

template <int KIND>
struct Value : Named
{
    SFPI_ABSENT Value();
    template <typename... T>
    SFPI_ABSENT Value(const T&...);
    template <typename T>
    SFPI_ABSENT Value& operator=(const T&);
    SFPI_ABSENT Something get() const;
    SFPI_ABSENT Value operator++(int);
    SFPI_ABSENT Value operator--(int);
    SFPI_ABSENT Value& operator++();
    SFPI_ABSENT Value& operator--();
};

using vFloat = Value<0>;
using vInt = Value<1>;
using vUInt = Value<2>;
using vMag = Value<3>;
using vSMag = Value<4>;
using vSMag16 = Value<5>;
using vSMag8 = Value<6>;
using vFloat16a = Value<7>;
using vFloat16b = Value<8>;
using vUInt16 = Value<9>;
using vUInt8 = Value<10>;
using vBool = Value<11>;
using vLut16ss = Value<12>;
using vLut16ii = Value<13>;
using vLut8si = Value<14>;
using sFloat16a = Value<15>;
using sFloat16b = Value<16>;

template <typename A, typename B>
using Result = std::conditional_t<
    Names<A> && !std::is_base_of_v<Something, A>, A,
    std::conditional_t<Names<B> && !std::is_base_of_v<Something, B>, B, Something>>;

#define SFPI_OPERATOR(op)                                         \
    template <typename A, typename B>                             \
        requires(Names<A> || Names<B>)                            \
    SFPI_ABSENT Result<A, B> operator op(const A&, const B&);
SFPI_OPERATOR(+)
SFPI_OPERATOR(-)
SFPI_OPERATOR(*)
SFPI_OPERATOR(&)
SFPI_OPERATOR(|)
SFPI_OPERATOR(^)
SFPI_OPERATOR(<<)
SFPI_OPERATOR(>>)
#undef SFPI_OPERATOR
#define SFPI_OPERATOR(op)                                         \
    template <typename A, typename B>                             \
        requires(Names<A> || Names<B>)                            \
    SFPI_ABSENT vBool operator op(const A&, const B&);
SFPI_OPERATOR(<)
SFPI_OPERATOR(>)
SFPI_OPERATOR(<=)
SFPI_OPERATOR(>=)
SFPI_OPERATOR(==)
SFPI_OPERATOR(!=)
SFPI_OPERATOR(&&)
SFPI_OPERATOR(||)
#undef SFPI_OPERATOR
#define SFPI_OPERATOR(op)                                         \
    template <Names A, typename B>                                \
    SFPI_ABSENT A& operator op(A&&, const B&);                    \
    template <Names A, typename B>                                \
    SFPI_ABSENT A& operator op(A&, const B&);
SFPI_OPERATOR(+=)
SFPI_OPERATOR(-=)
SFPI_OPERATOR(*=)
SFPI_OPERATOR(&=)
SFPI_OPERATOR(|=)
SFPI_OPERATOR(^=)
SFPI_OPERATOR(<<=)
SFPI_OPERATOR(>>=)
#undef SFPI_OPERATOR
template <Names A>
SFPI_ABSENT A operator-(const A&);
template <Names A>
SFPI_ABSENT A operator~(const A&);
template <Names A>
SFPI_ABSENT vBool operator!(const A&);
template <typename T>
SFPI_ABSENT bool holds(const T&);

#define SFPI_FUNCTION(name)                                       \
    template <auto... MODES, typename... T>                       \
    SFPI_ABSENT Something name(const T&...);                      \
    template <typename R, auto... MODES, typename... T>           \
    SFPI_ABSENT R name(const T&...);
struct lreg_pressure // says that many registers are needed from here on
{
};

template <typename... T>
SFPI_ABSENT Two min_max(const T&...);
template <typename... T>
SFPI_ABSENT Two vec_min_max(const T&...);

SFPI_FUNCTION(abs)
SFPI_FUNCTION(addexp)
SFPI_FUNCTION(approx_exp)
SFPI_FUNCTION(approx_recip)
SFPI_FUNCTION(as)
SFPI_FUNCTION(clamp)
SFPI_FUNCTION(convert)
SFPI_FUNCTION(copyman)
SFPI_FUNCTION(copysgn)
SFPI_FUNCTION(exexp)
SFPI_FUNCTION(exman)
SFPI_FUNCTION(exman9)
SFPI_FUNCTION(fractional_mul)
SFPI_FUNCTION(is_finite)
SFPI_FUNCTION(is_inf)
SFPI_FUNCTION(is_nan)
SFPI_FUNCTION(is_neg)
SFPI_FUNCTION(is_pos)
SFPI_FUNCTION(lut)
SFPI_FUNCTION(lz)
SFPI_FUNCTION(max)
SFPI_FUNCTION(min)
SFPI_FUNCTION(nearby)
SFPI_FUNCTION(rand)
SFPI_FUNCTION(setexp)
SFPI_FUNCTION(setman)
SFPI_FUNCTION(setsgn)
SFPI_FUNCTION(setsgn2)
SFPI_FUNCTION(shft)
SFPI_FUNCTION(subvec_shflror1)
SFPI_FUNCTION(subvec_transp)
SFPI_FUNCTION(symmetric_clamp)
#undef SFPI_FUNCTION

struct Place : Something // a row of Dst, an LReg
{
    template <typename T>
    SFPI_ABSENT const Place& operator=(const T&) const;
    template <DataLayout LAYOUT>
    SFPI_ABSENT Place mode() const;
    template <typename T>
    SFPI_ABSENT Place mode(const T&) const;
    SFPI_ABSENT void in_use() const;
};
struct Places
{
    template <typename T>
    SFPI_ABSENT Place operator[](T) const;
    template <typename T>
    SFPI_ABSENT void operator+=(T) const;
};
struct RowsOfDst : Places
{
    sfpi_inline void operator++() const
    {
        __asm__ volatile(".ttinsn %0" ::"i"(0x38 << 24 | SFP_DESTREG_STRIDE << 14)); // INCRWC
    }
    sfpi_inline void operator++(int) const { ++*this; }
};
inline constexpr RowsOfDst dst_reg;
inline constexpr Places l_reg;
inline constexpr Something vConst0, vConst1, vConstNeg1, vConst0p8373, vConstTileId;

template <int LREG>
struct Constant : Something
{
    // Constants of the program: this is for values that the compiler knows.
    template <typename T>
    sfpi_inline const Constant& operator=(T value) const
    {
        std::uint32_t bits;
        if constexpr (std::is_same_v<T, float>)
            bits = std::bit_cast<std::uint32_t>(value);
        else
            bits = static_cast<std::uint32_t>(value);
        __asm__ volatile(".ttinsn %0\n.ttinsn %1\n.ttinsn %2" ::
                "i"(0x71 << 24 | SFPLOADI_MOD0_UPPER << 16 | bits >> 16),
                "i"(0x71 << 24 | SFPLOADI_MOD0_LOWER << 16 | (bits & 0xFFFF)),
                "i"(0x91u << 24 | LREG << 4));
        return *this;
    }
};
inline constexpr Constant<12> vConstIntPrgm0, vConstFloatPrgm0;
inline constexpr Constant<13> vConstIntPrgm1, vConstFloatPrgm1;
inline constexpr Constant<14> vConstIntPrgm2, vConstFloatPrgm2;
} // namespace sfpi

// Tenstorrent's compiler has these built in.
template <typename... T>
SFPI_ABSENT sfpi::Something __builtin_rvtt_sfpmad(const T&...);
template <typename... T>
SFPI_ABSENT sfpi::Something __builtin_rvtt_sfpgt(const T&...);
