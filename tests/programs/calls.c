/* SPDX-License-Identifier: Apache-2.0
 * Functions of many shapes, recursion, and locals of all kinds. */
#include "tile.h"

enum colour { RED, GREEN = 5, BLUE };

struct pair {
    int first, second;
};

struct packed {
    u8 low : 3;
    u8 high : 5;
    u16 wide;
};

volatile int counter;
volatile u32 answer = 42;
volatile u32 bottoms;
const char greeting[] = "hello, tile";
int squares[10];

__attribute__((noinline)) int add(int a, int b)
{
    return a + b;
}

__attribute__((noinline)) struct pair make_pair(int first, int second)
{
    struct pair pair = {first, second};
    return pair;
}

__attribute__((noinline)) u32 length(const char *text)
{
    u32 n = 0;

    while (text[n] != 0)
        n++;
    return n;
}

__attribute__((noinline)) u32 factorial(u32 n)
{
    if (n <= 1) {
        bottoms++; /* the bottom of the recursion */
        return 1;
    }
    u32 rest = factorial(n - 1);
    return n * rest;
}

__attribute__((noinline)) int inner(int value)
{
    volatile int doubled = value * 2;
    counter++;
    return doubled + 1;
}

__attribute__((noinline)) int middle(int value)
{
    int here = inner(value + 10);
    return here + 100;
}

__attribute__((noinline)) int outer(int value)
{
    int there = middle(value + 1);
    return there + 1000;
}

__attribute__((noinline)) int locals(void)
{
    volatile signed char c = -7;
    volatile u16 half = 0xbeef;
    volatile int numbers[5] = {1, 2, 3, 4, 5};
    volatile struct pair pair = {11, -22};
    volatile struct packed bits = {5, 17, 0x1234};
    volatile enum colour colour = BLUE;
    volatile unsigned long long wide = 0x123456789abcdef0ull;
    const char *text = greeting;
    volatile int *where = &numbers[2];

    *where += pair.first; /* all locals have their values here */
    return c + half + numbers[2] + pair.second + bits.high + (int)colour + (int)(wide >> 60) + *text;
}

__attribute__((noinline)) void fill(void)
{
    for (int i = 0; i < 10; i++)
        squares[i] = i * i;
}

int main(void)
{
    int result = 0;

    result += add(2, 3);
    result += outer(1);
    result += (int)factorial(6);
    result += locals();
    fill();
    result += squares[9];
    for (int i = 0; i < 20; i++) {
        counter += i; /* the loop */
        result ^= counter;
    }
    result += make_pair(1, 2).second + (int)length(greeting);
    return result;
}
