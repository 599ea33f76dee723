// SPDX-License-Identifier: Apache-2.0
// main() of a kernel with LLK on T0, T1 or T2: what LLK's headers expect to be there, what
// Tenstorrent's firmware does before a kernel, then run_kernel().
#include <cstdint>

#include "ckernel.h"
#include "ckernel_globals.h"
#include "tensix.h"

using ckernel::semaphore;

// A kernel may define these three itself, as LLK's tests do.
[[gnu::weak]] std::uint32_t unp_cfg_context          = 0;
[[gnu::weak]] std::uint32_t pack_sync_tile_dst_ptr   = 0;
[[gnu::weak]] std::uint32_t math_sync_tile_dst_index = 0;

namespace ckernel
{
using Registers = volatile std::uint32_t *;

// Declared as in ckernel.h: with SFPI the type in `Registers` would be another one.
volatile std::uint32_t tt_reg_ptr *pc_buf_base     = reinterpret_cast<Registers>(PC_BUF_BASE);
volatile std::uint32_t tt_reg_ptr *regfile         = reinterpret_cast<Registers>(REGFILE_BASE);
volatile std::uint32_t tt_reg_ptr *mailbox_base[4] = {
    reinterpret_cast<Registers>(TENSIX_MAILBOX0_BASE),
    reinterpret_cast<Registers>(TENSIX_MAILBOX1_BASE),
    reinterpret_cast<Registers>(TENSIX_MAILBOX2_BASE),
    reinterpret_cast<Registers>(TENSIX_MAILBOX3_BASE)};
std::uint32_t cfg_state_id   = 0;
std::uint32_t dest_offset_id = 0;
} // namespace ckernel

void run_kernel();

// Let each instruction be pushed by itself: LLK's loops for the Replay Expander rely on that.
static void no_gathering()
{
#ifndef ARCH_WORMHOLE // its harts have no cfg0, and fuse nothing
    constexpr unsigned meanwhile = 1 << 1, gathering_off = 1 << 18; // of cfg0, as firmware does it
    asm volatile(
        "csrrs zero, 0x7c0, %0\n\t"
        "fence\n\t"
        "csrrs zero, 0x7c0, %1\n\t"
        "csrrc zero, 0x7c0, %0\n\t"
        "fence" ::"r"(meanwhile),
        "r"(gathering_off)
        : "memory");
#endif
}

// On a card the firmware on B does this before it starts the three; here T1 does, and the others
// wait for its message.
static void start_together()
{
#ifdef LLK_TRISC_MATH
#ifdef ARCH_WORMHOLE
    TTI_ZEROACC(ckernel::p_zeroacc::CLR_ALL, 0, 0);
#else
    TTI_ZEROACC(ckernel::p_zeroacc::CLR_ALL, 0, 0, 1, 0);
#endif
    TTI_SFPENCC(3, 0, 0, 10);
    TTI_NOP;
    TTI_SFPCONFIG(0, 11, 1); // -1 into LREG11, where SFPI expects it
    ckernel::t6_semaphore_init(semaphore::UNPACK_TO_DEST, 0, 1);
    ckernel::t6_semaphore_init(semaphore::MATH_DONE, 0, 1);
    ckernel::t6_semaphore_init(semaphore::PACK_DONE, 0, 1);
    ckernel::t6_semaphore_init(semaphore::UNPACK_OPERAND_SYNC, 0, 1);
    ckernel::tensix_sync();
    ckernel::mailbox_write(ckernel::ThreadId::UnpackThreadId, 1);
    ckernel::mailbox_write(ckernel::ThreadId::PackThreadId, 1);
#else
    (void)ckernel::mailbox_read(ckernel::ThreadId::MathThreadId);
#endif
}

int main()
{
    no_gathering();
    for (unsigned gpr = 0; gpr < 64; ++gpr)
        ckernel::regfile[gpr] = 0;
    start_together();
    run_kernel();
    ckernel::tensix_sync();
    return 0;
}
