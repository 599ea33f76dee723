/* SPDX-License-Identifier: Apache-2.0
 * Data of every shape, in memory, in registers and in pieces, and functions in each other: what a
 * reader of debug information has to find. */
#include "tile.h"

enum mood { CALM, EAGER = 4, ANGRY = -2 };

typedef enum { UNPACK, MATH, PACK } unit_t;

typedef struct node {
    struct node *next;
    int value;
} node_t;

union word {
    u32 whole;
    u16 half[2];
    struct {
        u8 lowest;
        signed char second;
    };
};

struct config {
    u32 format : 4;
    int shift : 5;
    unit_t unit : 2;
    _Bool enabled : 1;
    u16 rows[2][3];
    char name[8];
    union word word;
    enum mood mood;
    float scale;
    double exact;
    const node_t *first;
    long long big;
    void *anything;
    int (*handler)(int);
};

/* The compiler may call it to copy a structure. */
void *memcpy(void *to, const void *from, u32 size)
{
    for (u32 at = 0; at < size; at++)
        ((u8 *)to)[at] = ((const u8 *)from)[at];
    return to;
}

static node_t nodes[3] = {{&nodes[1], 10}, {&nodes[2], -20}, {0, 30}};
int twice(int value);
volatile int turns;
static struct config config = {
    .format = 9,
    .shift = -3,
    .unit = PACK,
    .enabled = 1,
    .rows = {{1, 2, 3}, {4, 5, 60000}},
    .name = "unpack",
    .word = {0x8091a2b3},
    .mood = ANGRY,
    .scale = -1.5f,
    .exact = 0.1,
    .first = nodes,
    .big = -0x123456789abcdefll,
    .anything = nodes,
    .handler = twice,
};

__attribute__((noinline)) int twice(int value)
{
    static int calls;

    calls++;
    return 2 * value;
}

static inline __attribute__((always_inline)) int weighed(int value, int weight)
{
    int product = value * weight;

    turns += product; /* inlined */
    return product;
}

__attribute__((noinline)) static int sum_of(const node_t *node)
{
    int sum = 0;

    for (; node; node = node->next) {
        int scaled = weighed(node->value, 3);
        sum += scaled;
    }
    return sum;
}

__attribute__((noinline)) static int depth(const node_t *node)
{
    volatile int here = node->value;

    if (!node->next) {
        turns++; /* the deepest */
        return here;
    }
    return depth(node->next) + here;
}

__attribute__((noinline)) static int mixed(struct config *given, unsigned char small, short less)
{
    struct config copy = *given;
    long long pair = (long long)given->shift << 33 | small;
    volatile u32 grid[2][2] = {{1, 2}, {3, (u32)less}};

    copy.rows[1][2] += less;
    {
        int inside = copy.rows[1][2] + small;
        turns += inside; /* everything has its value */
    }
    return (int)(pair >> 32) + (int)grid[1][1] + given->handler(copy.rows[1][0]);
}

int main(void)
{
    int result = sum_of(config.first);

    result += depth(config.first);
    result += mixed(&config, 200, -5);
    for (int round = 0; round < 4; round++) {
        config.format = (u32)round; /* a bit field changes */
        result += (int)config.format;
    }
    return result + weighed(result, (int)config.word.whole);
}
