// SPDX-License-Identifier: Apache-2.0
// One number out of much different work: compared between emulators, at every optimisation level.
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;

static u32 words[512];
static s8 bytes[512];
static unsigned short halves[256];
static u32 seed = 2463534242u;

static u32 next(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

__attribute__((noinline)) static u32 fibonacci(u32 n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__attribute__((noinline)) static void sort(int *a, int lo, int hi)
{
    int pivot = a[(lo + hi) / 2], i = lo, j = hi;
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            int t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
    }
    if (lo < j)
        sort(a, lo, j);
    if (i < hi)
        sort(a, i, hi);
}

static u32 divisions(void)
{
    static const int edges[] = {0, 1, -1, 2, -2, 7, -7, 0x7fffffff, (int)0x80000000};
    u32 sum = 0;
    for (u32 i = 0; i < 9; i++)
        for (u32 j = 0; j < 9; j++) {
            volatile int a = edges[i], b = edges[j];
            int q, r;
            u32 uq, ur;
            // The instructions themselves: C leaves division by zero undefined.
            __asm__("div %0, %1, %2" : "=r"(q) : "r"(a), "r"(b));
            __asm__("rem %0, %1, %2" : "=r"(r) : "r"(a), "r"(b));
            __asm__("divu %0, %1, %2" : "=r"(uq) : "r"(a), "r"(b));
            __asm__("remu %0, %1, %2" : "=r"(ur) : "r"(a), "r"(b));
            sum = sum * 31 + (u32)q;
            sum = sum * 31 + (u32)r;
            sum = sum * 31 + uq;
            sum = sum * 31 + ur;
        }
    return sum;
}

static u64 wide(void)
{
    u64 product = 1;
    long long sum = 0;
    for (u32 i = 0; i < 64; i++) {
        product = product * ((u64)next() << 8 | 1) + (product >> 13);
        sum += (int)next() * (long long)(int)next();
    }
    return product ^ (u64)sum;
}

int main(void)
{
    u32 result = divisions() + fibonacci(15);
    for (u32 i = 0; i < 512; i++) {
        words[i] = next();
        bytes[i] = (s8)(words[i] >> (i & 31));
        halves[i & 255] += (unsigned short)words[i];
    }
    sort((int *)words, 0, 511);
    for (u32 i = 0; i < 512; i++) {
        result = result * 33 + words[i];
        result ^= (u32)(bytes[i] >> 1) + halves[i & 255];
        result = (result << 7 | result >> 25) + (words[i] > result) - ((int)words[i] < (int)result);
    }
    u64 more = wide();
    return (int)(result ^ (u32)more ^ (u32)(more >> 32));
}
