// SPDX-License-Identifier: Apache-2.0
// Works for ever, two calls deep. The entry is in .init, where tt-exalens looks for it.
static volatile int counts[4];

__attribute__((noinline)) static int twice(int value)
{
    counts[1]++;
    return value * 2;
}

__attribute__((noinline)) static int work(int number)
{
    counts[0] = number;
    return twice(number) + 1;
}

int main(void)
{
    for (int i = 0;; i++)
        counts[2] = work(i);
}

__attribute__((section(".init"), naked, noreturn)) void _start(void)
{
    __asm__ volatile("lui sp, 0xffb01\n"
                     ".cfi_undefined ra\n"
                     "jal main");
}
