/* SPDX-License-Identifier: Apache-2.0 */
/* Semihosting calls: an operation, and its argument or the address of its arguments. */
#pragma once

enum { SYS_OPEN = 0x01, SYS_CLOSE = 0x02, SYS_WRITE0 = 0x04, SYS_WRITE = 0x05, SYS_READ = 0x06,
       SYS_EXIT_EXTENDED = 0x20 };
enum { READ = 0, WRITE = 4 };

static inline int call(int operation, const void *argument)
{
    register int a0 asm("a0") = operation;
    register const void *a1 asm("a1") = argument;
    asm volatile(".option push\n.option norvc\n.balign 16\n"
                 "slli x0, x0, 0x1f\nebreak\nsrai x0, x0, 7\n.option pop"
                 : "+r"(a0) : "r"(a1) : "memory");
    return a0;
}

static inline int length(const char *text)
{
    int n = 0;
    while (text[n])
        n++;
    return n;
}

static inline int open(const char *name, int mode)
{
    const int block[] = {(int)name, mode, length(name)};
    return call(SYS_OPEN, block);
}

static inline int read(int file, char *text, int bytes)
{
    const int block[] = {file, (int)text, bytes};
    return bytes - call(SYS_READ, block);
}

static inline int write(int file, const char *text)
{
    const int block[] = {file, (int)text, length(text)};
    return call(SYS_WRITE, block);
}

static inline void print(const char *text)
{
    call(SYS_WRITE0, text);
}

static inline void end(int status)
{
    const int block[] = {0x20026, status};
    call(SYS_EXIT_EXTENDED, block);
}
