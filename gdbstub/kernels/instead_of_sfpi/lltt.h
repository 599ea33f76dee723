// SPDX-License-Identifier: Apache-2.0
// What LLK's headers take from lltt.h: REPLAY instructions by name (REPLAY.md). A word that is known
// when it is compiled is pushed by `.ttinsn`, another one by a store to the push window.
#pragma once

namespace lltt
{
enum ExecBool : bool
{
    NoExec,
    Exec
};

constexpr unsigned replay_word(unsigned start, unsigned length, unsigned execute, unsigned load)
{
    return 0x04u << 24 | start << 14 | length << 4 | execute << 1 | load;
}

[[gnu::always_inline]] inline void push(unsigned word)
{
    if (__builtin_constant_p(word))
        __asm__ __volatile__(".ttinsn %0" ::"i"(word));
    else
        *reinterpret_cast<volatile unsigned *>(0xFFE40000u) = word;
}

template <ExecBool E = NoExec>
[[gnu::always_inline]] inline void record(unsigned start, unsigned length)
{
    push(replay_word(start, length, E, 1));
}

[[gnu::always_inline]] inline void replay(unsigned start, unsigned length)
{
    push(replay_word(start, length, 0, 0));
}

constexpr unsigned replay_insn(unsigned start, unsigned length)
{
    return replay_word(start, length, 0, 0);
}
} // namespace lltt
