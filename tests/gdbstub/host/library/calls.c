// SPDX-License-Identifier: Apache-2.0
// The ten functions of the interface, called from C: test_from_c.py has what each case is to do.
//
//     calls LIBRARY         prints the names of the cases
//     calls LIBRARY CASE    runs one, in a process of its own, as most end it
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BAR0 0x100000000ull
#define NIU 0xFFB20000ull  // of a tile: registers that start a request
#define SOFT_RESET 0xFFB121B0ull
#define HOST_MEMORY 0x5000ull
enum { ROUNDS = 500, X = 1, Y = 2, HOST_X = 19, HOST_Y = 24 };

static void (*init)(void), (*end)(void), (*pass)(uint32_t);
static void (*set_callbacks)(void (*)(uint64_t, void *, uint32_t), void (*)(uint64_t, const void *, uint32_t));
static uint32_t (*config_rd)(uint32_t, uint32_t);
static void (*config_wr)(uint32_t, uint32_t, uint32_t);
static void (*mem_rd)(uint64_t, void *, uint32_t), (*mem_wr)(uint64_t, const void *, uint32_t);
static void (*tile_rd)(uint32_t, uint32_t, uint64_t, void *, uint32_t);
static void (*tile_wr)(uint32_t, uint32_t, uint64_t, const void *, uint32_t);
static const struct { const char *name; void *at; } functions[] = {
    {"libttsim_init", &init}, {"libttsim_exit", &end}, {"libttsim_clock", &pass},
    {"libttsim_set_pci_dma_mem_callbacks", &set_callbacks},
    {"libttsim_pci_config_rd32", &config_rd}, {"libttsim_pci_config_wr32", &config_wr},
    {"libttsim_pci_mem_rd_bytes", &mem_rd}, {"libttsim_pci_mem_wr_bytes", &mem_wr},
    {"libttsim_tile_rd_bytes", &tile_rd}, {"libttsim_tile_wr_bytes", &tile_wr},
};

static void show_tile(void) {  // in TLB window 0
    uint32_t words[3] = {0, X << 11 | Y << 17, 0};
    mem_wr(BAR0 + 0x1FC00000, &words[0], 4);
    mem_wr(BAR0 + 0x1FC00004, &words[1], 4);
    mem_wr(BAR0 + 0x1FC00008, &words[2], 4);
}

static void is(const char *what, bool holds) {
    if (holds) return;
    printf("%s\n", what);
    exit(3);
}

// Good arguments

static void all_ten(void) {
    uint32_t word = 0, zero = 0;
    char text[8] = "", large[3];
    uint8_t *much = malloc(1 << 20), *back = malloc(1 << 20);
    set_callbacks(NULL, NULL);
    set_callbacks(NULL, NULL);
    for (int turn = 0; turn < 2; turn++) {
        init();
        is("vendor", config_rd(0, 0) == 0xB1401E52 && config_rd(1 << 3, 0) == 0xFFFFFFFF);
        show_tile();
        mem_rd(BAR0 + 0x100, &word, 4);
        is("new tiles", word == 0);
        mem_wr(BAR0 + 0x100, "seven b", 7);
        tile_rd(X, Y, 0x101, large, 3);
        is("odd bytes", !memcmp(large, "eve", 3));
        tile_wr(X, Y, 0x101, "EVE", 3);
        mem_rd(BAR0 + 0x100, text, 7);
        is("both ways", !memcmp(text, "sEVEn b", 7));
        for (int i = 0; i < 1 << 20; i++) much[i] = i * 7 >> 3;
        tile_wr(X, Y, 0x400, much, 1 << 20);  // more than a request takes
        tile_rd(X, Y, 0x400, back, 1 << 20);
        is("a megabyte", !memcmp(much, back, 1 << 20));
        pass(0);
        pass(1);
        pass(100000);
        tile_wr(X, Y, 0x100, &zero, 4);
        end();
    }
    free(much);
    free(back);
}

// Wrong order: without a server, so each is a fork

static void before_init(void) {
    uint32_t word = 0;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++) {
        fflush(NULL);
        pid_t child = fork();
        if (!child) {
            switch (i) {
                case 1: end(); break;
                case 2: pass(1); break;
                case 4: config_rd(0, 0); break;
                case 5: config_wr(0, 4, 0); break;
                case 6: mem_rd(BAR0, &word, 4); break;
                case 7: mem_wr(BAR0, &word, 4); break;
                case 8: tile_rd(X, Y, 0, &word, 4); break;
                case 9: tile_wr(X, Y, 0, &word, 4); break;
            }
            _exit(0);
        }
        int status;
        waitpid(child, &status, 0);
        printf("%s %d\n", functions[i].name, WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
    }
}

static void after_exit(void) {
    init();
    end();
    pass(1);
}

static void init_twice(void) {
    init();
    init();
}

static void callbacks_after_init(void) {
    init();
    set_callbacks(NULL, NULL);
}

// Wrong arguments

static uint32_t word;
static void config_device(void) { init(); config_rd(1 << 8, 0); }
static void config_offset(void) { init(); config_rd(0, 3); }
static void config_write(void) { init(); config_wr(0, 0x10, 1); }
static void read_null(void) { init(); mem_rd(BAR0, NULL, 4); }
static void write_null(void) { init(); mem_wr(BAR0, NULL, 4); }
static void read_nothing(void) { init(); mem_rd(BAR0, &word, 0); }
static void read_outside(void) { init(); mem_rd(0x7FFFFFFFF, &word, 4); }
static void read_around(void) { init(); mem_rd(UINT64_MAX - 1, &word, 4); }
static void tile_null(void) { init(); tile_rd(X, Y, 0, NULL, 16); }
static void tile_nothing(void) { init(); tile_wr(X, Y, 0x100, &word, 0); }
static void tile_far(void) { init(); tile_rd(65537, Y, 0, &word, 4); }
static void tile_none(void) { init(); tile_rd(X + 1, Y, 0, &word, 4); }
static void tile_around(void) { init(); tile_wr(X, Y, UINT64_MAX, &word, 4); }
static void tile_hole(void) { init(); tile_rd(X, Y, 0x1000000000, &word, 4); }

// Callbacks

// Have the tile read 16 bytes of the host's memory, as tt-metal's host_addr has it.
static void request_of_host(void) {
    const uint32_t rows[][2] = {{0x00, HOST_MEMORY}, {0x04, 1 << 28}, {0x08, HOST_X | HOST_Y << 6},
                                {0x0C, 0x200}, {0x10, 0}, {0x14, X | Y << 6}, {0x1C, 1 << 4},
                                {0x20, 16}, {0x40, 1}};
    const uint32_t jump = 0x6F, runs_b = 0x47000;  // `jal x0, 0`: time passes while a hart runs
    tile_wr(X, Y, 0, &jump, 4);
    tile_wr(X, Y, SOFT_RESET, &runs_b, 4);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) tile_wr(X, Y, NIU + rows[i][0], &rows[i][1], 4);
    pass(ROUNDS);
}

static void answer(uint64_t paddr, void *p, uint32_t size) {
    is("what it asks for", paddr == HOST_MEMORY && size == 16);
    memcpy(p, "of this process", 16);
}

static void calls(uint64_t paddr, void *p, uint32_t size) {
    memset(p, paddr, size);
    tile_rd(X, Y, 0, p, size);
}

static void forks(uint64_t paddr, void *p, uint32_t size) {
    memset(p, paddr, size);
    pid_t child = fork();
    int status = 0;
    if (!child) return;
    waitpid(child, &status, 0);
    printf("its child ends with %d\n", WEXITSTATUS(status));
}

static void a_callback(void) {
    char text[16];
    set_callbacks(answer, NULL);
    init();
    request_of_host();
    tile_rd(X, Y, 0x200, text, sizeof text);
    printf("%.16s\n", text);
    end();
}

static void no_callback(void) {
    init();
    request_of_host();
}

static void a_callback_that_calls(void) {
    set_callbacks(calls, NULL);
    init();
    request_of_host();
}

static void a_callback_that_forks(void) {
    set_callbacks(forks, NULL);
    init();
    request_of_host();
    printf("goes on\n");
    end();
}

// Threads

static void *counts(void *given) {
    uint32_t addr = *(uint32_t *)given, found;
    for (uint32_t turn = 1; turn <= ROUNDS; turn++) {
        tile_wr(X, Y, addr, &turn, 4);
        tile_rd(X, Y, addr, &found, 4);
        is("a word of another thread", found == turn);
        pass(1);
    }
    return NULL;
}

static void two_threads(void) {
    pthread_t thread;
    uint32_t mine = 0x100, theirs = 0x104;
    init();
    pthread_create(&thread, NULL, counts, &theirs);
    counts(&mine);
    pthread_join(thread, NULL);
    end();
}

static void *opens(void *barrier) {
    pthread_barrier_wait(barrier);
    init();
    return NULL;
}

static void two_threads_init(void) {
    pthread_t thread;
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, opens, &barrier);
    opens(&barrier);
    pthread_join(thread, NULL);
}

static void *reads(void *unused) {
    uint32_t found;
    for (;;) tile_rd(X, Y, 0x100, &found, 4);
    return unused;
}

static void a_thread_at_the_end(void) {
    pthread_t thread;
    init();
    pthread_create(&thread, NULL, reads, NULL);
    usleep(20000);
    exit(7);
}

static void a_fork_of_a_thread(void) {  // while another thread may be in a call
    pthread_t thread;
    int status;
    init();
    pthread_create(&thread, NULL, reads, NULL);
    for (int turn = 0; turn < 20; turn++) {
        pid_t child = fork();
        if (!child) {
            alarm(20);
            set_callbacks(NULL, NULL);
            _exit(0);
        }
        waitpid(child, &status, 0);
        is("a child that hangs", status == 0);
    }
    exit(0);
}

static void in_handler(int number) {
    (void)number;
    pass(1);
}

static void a_signal_handler(void) {
    uint32_t found;
    signal(SIGALRM, in_handler);
    init();
    tile_rd(X, Y, 0x100, &found, 4);
    ualarm(1000, 1000);
    for (;;) tile_rd(X, Y, 0x100, &found, 4);
}

static const struct { const char *name; void (*run)(void); } cases[] = {
#define CASE(name) {#name, name}
    CASE(all_ten), CASE(before_init), CASE(after_exit), CASE(init_twice), CASE(callbacks_after_init),
    CASE(config_device), CASE(config_offset), CASE(config_write), CASE(read_null), CASE(write_null),
    CASE(read_nothing), CASE(read_outside), CASE(read_around), CASE(tile_null), CASE(tile_nothing),
    CASE(tile_far), CASE(tile_none), CASE(tile_around), CASE(tile_hole), CASE(a_callback),
    CASE(no_callback), CASE(a_callback_that_calls), CASE(a_callback_that_forks), CASE(two_threads),
    CASE(two_threads_init), CASE(a_thread_at_the_end), CASE(a_fork_of_a_thread), CASE(a_signal_handler),
};

int main(int count, char **words) {
    void *library = count > 1 ? dlopen(words[1], RTLD_NOW) : NULL;
    if (!library) return 2;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!(*(void **)functions[i].at = dlsym(library, functions[i].name))) return 2;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (count == 2) printf("%s\n", cases[i].name);
        else if (!strcmp(words[2], cases[i].name)) cases[i].run();
    }
    return 0;
}
