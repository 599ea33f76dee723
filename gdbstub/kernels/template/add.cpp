// SPDX-License-Identifier: Apache-2.0
// Add tiles of 32x32 BF16 with LLK: T0 unpacks the left ones to SrcA and the right ones to SrcB, T1
// adds them into Dst, T2 packs Dst to L1. The file is compiled three times, once for each of them.
//
// `tensix-gdb manual kernel` explains it. Each part has LLK's three steps: configure the hardware
// for the formats, initialise the operation (its loop, the MOP), execute it for each tile.
#include <cstdint>

#include "ckernel.h"
#include "llk_defs.h"
#include "tensor_shape.h"

using namespace ckernel;

// Where the tiles are in L1: change these with the test.
constexpr std::uint32_t LEFT  = 0x21000;
constexpr std::uint32_t RIGHT = 0x31000;
constexpr std::uint32_t SUM   = 0x41000;
constexpr std::uint32_t TILES = 4;

constexpr std::uint32_t BF16       = static_cast<std::uint32_t>(DataFormat::Float16_b);
constexpr TensorShape SHAPE        = DEFAULT_TENSOR_SHAPE; // four faces of 16x16
constexpr std::uint32_t FACE_ROWS  = SHAPE.face_r_dim;
constexpr std::uint32_t FACES      = SHAPE.total_num_faces();
constexpr std::uint32_t TILE_BYTES = 32 * 32 * 2;
constexpr std::uint32_t TILE_SIZE  = TILE_BYTES / 16; // as LLK counts it

// Dst holds a half for T1 to write and one for T2 to read; its datums have 16 bits.
constexpr DstSync SYNC        = DstSync::SyncHalf;
constexpr bool DST_HAS_32_BIT = false;

#ifdef LLK_TRISC_UNPACK
#include "llk_unpack_AB.h"
#include "llk_unpack_common.h"

void run_kernel()
{
    _llk_unpack_hw_configure_<DST_HAS_32_BIT>(
        BF16, BF16, BF16, BF16, FACE_ROWS, FACE_ROWS, FACES, FACES, TILE_SIZE, TILE_SIZE);
    _llk_unpack_AB_init_<BroadcastType::NONE>(SHAPE);
    for (std::uint32_t tile = 0; tile < TILES; ++tile)
    {
        const std::uint32_t left  = L1_ADDRESS(LEFT + tile * TILE_BYTES);
        const std::uint32_t right = L1_ADDRESS(RIGHT + tile * TILE_BYTES);
        _llk_unpack_AB_<BroadcastType::NONE>(left, right);
    }
}
#endif

#ifdef LLK_TRISC_MATH
#include "llk_math_common.h"
#include "llk_math_eltwise_binary.h"

constexpr auto ADD      = EltwiseBinaryType::ELWADD;
constexpr auto NONE     = BroadcastType::NONE;
constexpr auto FIDELITY = MathFidelity::LoFi;
constexpr auto REUSE    = EltwiseBinaryReuseDestType::NONE;

void run_kernel()
{
    _llk_math_pack_sync_init_<SYNC, DST_HAS_32_BIT>();
    _llk_math_hw_configure_<DST_HAS_32_BIT>(BF16, BF16);
    _llk_math_eltwise_binary_init_<ADD, NONE, FIDELITY, REUSE>(SHAPE, false);
    for (std::uint32_t tile = 0; tile < TILES; ++tile)
    {
        _llk_math_wait_for_dest_available_<SYNC>();
        _llk_math_eltwise_binary_<ADD, NONE, SYNC, DST_HAS_32_BIT, FIDELITY, REUSE>(SHAPE, 0, false);
        _llk_math_dest_section_done_<SYNC, DST_HAS_32_BIT>();
    }
}
#endif

#ifdef LLK_TRISC_PACK
#include "llk_pack.h"
#include "llk_pack_common.h"

void run_kernel()
{
    _llk_pack_hw_configure_<DST_HAS_32_BIT, PackMode::Default>(BF16, BF16, TILE_SIZE);
    _llk_pack_init_<PackMode::Default>(BF16, FACE_ROWS, SHAPE.total_col_dim(), FACES, 1, false);
    _llk_pack_dest_init_<SYNC, DST_HAS_32_BIT>();
    for (std::uint32_t tile = 0; tile < TILES; ++tile)
    {
        const std::uint32_t sum = L1_ADDRESS(SUM + tile * TILE_BYTES);
        _llk_packer_wait_for_math_done_();
        _llk_pack_<SYNC, DST_HAS_32_BIT, PackMode::Default>(0, sum);
        _llk_pack_dest_section_done_<SYNC, DST_HAS_32_BIT>();
    }
}
#endif

// What F5 in an editor runs (`tensix-gdb manual vscode`):
// RUN: @RUN@
