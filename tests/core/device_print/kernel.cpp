// SPDX-License-Identifier: Apache-2.0
// Prints values of every type by tt-metal's own header, on the hart that PROCESSOR_INDEX names.
#include <cstdint>

#include "tensix_types.h"
#include "dev_mem_map.h"

inline __attribute__((always_inline)) void invalidate_l1_cache() // as risc_common.h has it
{
    __asm__ __volatile__("fence" ::: "memory");
}
#include "api/debug/device_print.h"
#include "api/debug/dprint_tile.h"

enum class Color : std::uint8_t { Red, Green, Blue };
namespace chip {
enum class Perm : std::uint32_t { R = 1, W = 2, X = 4 };
constexpr Perm operator|(Perm a, Perm b)
{
    return static_cast<Perm>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
}
using chip::Perm;

static const char in_memory[] = "a string in memory";
static std::uint16_t tile[1024]; // of BF16, in faces of 16 by 16

#ifdef KERNEL // for the firmware to launch: a function, with `main` in it
#define MAIN kernel_main
#else
#define MAIN main
#endif

extern "C" int MAIN()
{
#if PROCESSOR_INDEX == 0
    DEVICE_PRINT("small {} {} {} {}\n", (std::int8_t)-1, (std::uint8_t)255, (std::int16_t)-100,
                 (std::uint16_t)65535);
    DEVICE_PRINT("large {} {} {}\n", (std::int64_t)-5000000000, -7, 4000000000u);
    DEVICE_PRINT("in order {1} {0} {1}\n", (std::uint8_t)1, (std::uint32_t)2);
    DEVICE_PRINT("hex {:08x} {:#x} {:#X} {:b}\n", 0xabcu, 0xabcu, 0xabcu, 5u);
    DEVICE_PRINT("float {} {:.3f} {} {:e}\n", 1.0f, 3.14159f, 0.1f, 12345.678f);
    DEVICE_PRINT("double {} bf16 {} {:.2f}\n", 0.1, bf16_t(0x3fc0), bf16_t(0xc049));
    DEVICE_PRINT("bool {} {} pointer {}\n", true, false, reinterpret_cast<std::uint32_t*>(0xdeadbeef));
    DEVICE_PRINT("text [{:>8}] [{:<8}] [{:*^8}]\n", CTSTR("right"), CTSTR("left"), CTSTR("mid"));
    DEVICE_PRINT("{{braces}} {}\n", (const char*)in_memory);
    DEVICE_PRINT("enum {} {:#} {}\n", Color::Green, Color::Blue, static_cast<Color>(9));
    DEVICE_PRINT("flags {} {:#} {}\n", Perm::R | Perm::X, Perm::R | Perm::W, static_cast<Perm>(24));
    DEVICE_PRINT("two halves");
    DEVICE_PRINT(" of one line\n");
#ifndef KERNEL
    std::uint32_t words[4] = {0x3f800000, 0x40000000, 0x40400000, 0xc0800000};
    DEVICE_PRINT("array {}\n", dp_typed_array_t<4>((std::uint16_t)DataFormat::Float32, words));
    for (std::uint32_t i = 0; i < 1024; ++i)
        tile[i] = (std::uint16_t)(0x3f80 | (i & 63)); // 1 and so many 128ths
    DEVICE_PRINT("tile {}", tile_slice_from_l1<64>((std::uint32_t)tile, DataFormat::Float16_b,
                                                   SliceRange::hw0_32_8()));
    DEVICE_PRINT("too large {}\n", tile_slice_from_l1<64>((std::uint32_t)tile, DataFormat::Float16_b,
                                                          SliceRange::hw0_32_4()));
#endif
#else
    for (std::uint32_t i = 0; i < ROUNDS; ++i)
        DEVICE_PRINT("w={}\n", i); // more than the buffer holds
#endif
    return 0;
}
