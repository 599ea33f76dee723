// SPDX-License-Identifier: Apache-2.0
// The interface of simulators that drivers load (ttsim, "libttsim API and ABI"), with the
// tiles in a server of their own: README.md says why. The way in is at the end of the file.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "channel.h"
#include "futex.h"
#include "pci.h"

extern char **environ;

enum { LOOK_NANOSECONDS = 100000000, PADDING = 7, CHANNEL_FD = 3, SOCKET_FD = 4, SIDE = 64 };
#define SERVER "serve.sh"  // beside the library

static struct channel *channel;
static int wire = -1;  // the end of the socket
static pid_t server_pid;  // ours to reap
static const pthread_mutex_t not_held = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t one_call = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static bool is_open;
static bool has_written;  // to a core: else the tiles are as they were at first
static bool is_child;  // a fork of the process that has the tiles
static void (*read_memory)(uint64_t paddr, void *p, uint32_t size);
static void (*write_memory)(uint64_t paddr, const void *p, uint32_t size);

_Noreturn void refuse(const char *format, ...) {
    va_list words;
    va_start(words, format);
    fflush(stdout);
    fputs("tensix-gdb: ", stderr);
    vfprintf(stderr, format, words);
    fputc('\n', stderr);
    va_end(words);
    _exit(1);
}

// Waiting

static void look_for_server(void) {
    struct pollfd end = {wire, POLLIN, 0};
    if (poll(&end, 1, 0) > 0 && end.revents & (POLLHUP | POLLERR) && !atomic_load(&channel->has_ended))
        refuse("the tiles' server has ended before the program was done; the lines above say what it knew");
}

static void leave_if_ended(void) {
    uint32_t status = atomic_load(&channel->has_ended);
    if (!status) return;
    fflush(stdout);
    _exit((int)status - 1);
}

static bool is_asked(void) { return atomic_load(&channel->memory) != NONE; }

static void serve_memory(void) {
    uint32_t size = channel->memory_size;
    bool reads = atomic_load(&channel->memory) == READS_HOST;
    uint64_t paddr = pci_host_address(channel->memory_addr, size);
    if (reads ? !read_memory : !write_memory)
        refuse("a tile wants the host's memory at 0x%llx, and the host has no callbacks for that",
               (unsigned long long)paddr);
    if (reads) read_memory(paddr, channel->block, size);
    else write_memory(paddr, channel->block, size);
    if (is_child) refuse("a callback of the host has forked, and its child cannot return from it");
    atomic_store(&channel->memory, NONE);
    ring_bell(&channel->server_bell);
}

static bool has_answers(uint64_t count) { return atomic_load(&channel->answers) == (uint32_t)count; }
static bool has_room(uint64_t bytes) {
    return atomic_load(&channel->head) + bytes - atomic_load(&channel->tail) <= RING_BYTES;
}

static void wait_until(bool (*is_so)(uint64_t), uint64_t what, uint32_t how) {
    uint32_t rounds = 0;
    atomic_store(&channel->in_call, 1);
    while (!is_so(what)) {
        if (is_asked()) {
            serve_memory();
            rounds = 0;
        } else if (rounds++ < channel->spins) {
            relax();
        } else {
            uint32_t seen = atomic_load(&channel->host_bell);
            atomic_store(&channel->host_sleeps, how);
            if (!is_so(what) && !is_asked() && sleep_at(&channel->host_bell, seen, LOOK_NANOSECONDS) == ETIMEDOUT)
                look_for_server();
            atomic_store(&channel->host_sleeps, AWAKE);
            leave_if_ended();
        }
    }
    atomic_store(&channel->in_call, 0);
    leave_if_ended();
}

// Requests

static void wake_server(bool waits) {
    uint32_t sleeper = atomic_load(&channel->server_sleeps);
    if (sleeper == AT_FUTEX && waits) {
        ring_bell(&channel->server_bell);
    } else if (sleeper == AT_SOCKET && atomic_compare_exchange_strong(&channel->server_sleeps, &sleeper, AWAKE)) {
        ssize_t sent = send(wire, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        (void)sent;  // a server that has gone is noticed where it is waited for
    }
}

// Post a request; one that does not fit before the end of the ring begins at its start.
static void post(struct request request, const void *data, bool waits) {
    uint64_t head = atomic_load(&channel->head), left = RING_BYTES - head % RING_BYTES;
    uint64_t bytes = sizeof request + ((request.kind == WRITE ? request.size : 0) + PADDING & ~(uint64_t)PADDING);
    if (left < bytes) {
        struct request skip = {.kind = SKIP, .size = left};
        if (!has_room(left)) {
            wake_server(true);
            wait_until(has_room, left, FOR_ROOM);
        }
        memcpy(channel->ring + head % RING_BYTES, &skip, left < sizeof skip ? left : sizeof skip);
        atomic_store(&channel->head, head += left);
    }
    if (!has_room(bytes)) {
        wake_server(true);
        wait_until(has_room, bytes, FOR_ROOM);
    }
    uint8_t *at = channel->ring + head % RING_BYTES;
    memcpy(at, &request, sizeof request);
    if (request.kind == WRITE) memcpy(at + sizeof request, data, request.size);
    atomic_store(&channel->head, head + bytes);
    wake_server(waits);
}

static void ask(struct request request) {
    uint32_t count = atomic_load(&channel->answers) + 1;
    post(request, NULL, true);
    wait_until(has_answers, count, AT_FUTEX);
}

static struct request request_of(enum kind kind, struct place place, uint32_t done, uint32_t size) {
    uint32_t part = size - done < BLOCK_BYTES ? size - done : BLOCK_BYTES;
    return (struct request){kind, part, place.addr + done, place.x, place.y, place.x_end, place.y_end};
}

static void write_core(struct place place, const uint8_t *data, uint32_t size) {
    has_written = true;
    for (uint32_t done = 0; done < size; done += BLOCK_BYTES)
        post(request_of(WRITE, place, done, size), data + done, false);
}

static void read_core(struct place place, uint8_t *data, uint32_t size) {
    for (uint32_t done = 0; done < size; done += BLOCK_BYTES) {
        struct request request = request_of(READ, place, done, size);
        ask(request);
        memcpy(data + done, channel->answer, request.size);
    }
}

// One call at a time, by whichever thread

static void leave(const int *held) {
    (void)held;
    pthread_mutex_unlock(&one_call);
}

static void begin(const char *call) {
    if (pthread_mutex_lock(&one_call))
        refuse("%s: a call within a call; callbacks and signal handlers of the host cannot make any", call);
}

static void enter(const char *call) {
    if (is_child)
        refuse("%s: this is a fork of the process that has the tiles, and has none itself: open the device "
               "after the fork", call);
    begin(call);
    if (!is_open) refuse("%s: libttsim_init comes first", call);
}

// The first line of a function: of those that come before libttsim_init, and of the others.
#define CALL_BEFORE(name)                               \
    __attribute__((cleanup(leave))) const int held = 0; \
    begin(name)
#define CALL(name)                                      \
    __attribute__((cleanup(leave))) const int held = 0; \
    enter(name)
#define EXPORTED __attribute__((visibility("default")))

// Starting the server

static void in_child(void) {
    if (!channel) return;
    is_child = true;
    is_open = false;
    one_call = not_held;  // another thread, which is not here, may have held it
    close(wire);  // its copy would hide that the host has gone
    wire = -1;
}

// The folder of the library, of which a driver may have loaded a copy: then that of the variable.
static void find_folder(char *folder) {
    Dl_info own;
    const char *named = getenv("TT_METAL_SIMULATOR");
    char server[PATH_MAX + sizeof "/" SERVER];
    for (int i = 0; i < 2; i++) {
        const char *path = i ? named : dladdr((void *)find_folder, &own) ? own.dli_fname : NULL;
        if (!path || !realpath(path, folder)) continue;
        char *end = strrchr(folder, '/');
        if (end) *end = 0;
        snprintf(server, sizeof server, "%s/" SERVER, folder);
        if (!access(server, R_OK)) return;
    }
    refuse("libttsim_init: there is no " SERVER " beside this library: `tensix-gdb simulator DIR` writes a folder "
           "with both");
}

static void start_server(int memory, int end) {
    char folder[PATH_MAX], server[PATH_MAX + sizeof "/" SERVER];
    find_folder(folder);
    snprintf(server, sizeof server, "%s/" SERVER, folder);
    // First out of the way of the numbers that the server knows them by.
    int from[2] = {fcntl(memory, F_DUPFD_CLOEXEC, SOCKET_FD + 1), fcntl(end, F_DUPFD_CLOEXEC, SOCKET_FD + 1)};
    if (server_pid) waitpid(server_pid, NULL, WNOHANG);  // the one before
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, from[0], CHANNEL_FD);
    posix_spawn_file_actions_adddup2(&actions, from[1], SOCKET_FD);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    char *words[] = {"sh", server, NULL};
    int failed = from[0] < 0 || from[1] < 0 ? errno : posix_spawn(&server_pid, "/bin/sh", &actions, &attributes, words, environ);
    if (failed) refuse("libttsim_init: the tiles' server cannot be started: %s", strerror(failed));
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(from[0]);
    close(from[1]);
}

static void forget_channel(void) {
    if (wire >= 0) close(wire);
    if (channel) munmap(channel, sizeof *channel);
    wire = -1;
    channel = NULL;
}

// At the end of the process. The channel stays: other threads may be in calls until the very end.
__attribute__((destructor)) static void unload(void) {
    if (is_child || wire < 0) return;
    close(wire);  // which the server sees
    wire = -1;
}

static void open_channel(void) {
    static bool knows_forks;
    int ends[2], memory = memfd_create("tensix-gdb", MFD_CLOEXEC);
    if (memory < 0 || ftruncate(memory, sizeof *channel) || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        refuse("libttsim_init: no memory to share with the tiles' server: %s", strerror(errno));
    channel = mmap(NULL, sizeof *channel, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (channel == MAP_FAILED) refuse("libttsim_init: no memory to share with the tiles' server: %s", strerror(errno));
    channel->version = VERSION;
    wire = ends[0];
    if (!knows_forks) knows_forks = !pthread_atfork(NULL, NULL, in_child);
    start_server(memory, ends[1]);
    close(memory);
    close(ends[1]);
    ask((struct request){.kind = OPEN});
}

// Arguments

static void check_bytes(const char *call, uint64_t addr, const void *p, uint32_t size) {
    if (!size) refuse("%s: 0 bytes at 0x%llx", call, (unsigned long long)addr);
    if (!p) refuse("%s: the %u bytes at 0x%llx are at NULL in the host", call, size, (unsigned long long)addr);
    if (addr + size - 1 < addr) refuse("%s: %u bytes at 0x%llx end after 64 bits", call, size, (unsigned long long)addr);
}

static struct place place_of(const char *call, uint32_t x, uint32_t y, uint64_t addr) {
    if (x >= SIDE || y >= SIDE) refuse("%s: core %u-%u: a coordinate of a NoC has 6 bits", call, x, y);
    return (struct place){x, y, x, y, addr};
}

// The interface

EXPORTED void libttsim_set_pci_dma_mem_callbacks(
    void (*rd)(uint64_t paddr, void *p, uint32_t size), void (*wr)(uint64_t paddr, const void *p, uint32_t size)) {
    CALL_BEFORE("libttsim_set_pci_dma_mem_callbacks");
    if (is_open) refuse("libttsim_set_pci_dma_mem_callbacks: this comes before libttsim_init");
    read_memory = rd;
    write_memory = wr;
}

EXPORTED void libttsim_init(void) {
    CALL_BEFORE("libttsim_init");
    if (is_open) refuse("libttsim_init: the tiles are there already");
    if (is_child) forget_channel();
    is_child = false;
    if (!channel) open_channel();
    pci_reset(channel->chip);
    has_written = false;
    is_open = true;
    atomic_store(&channel->is_open, 1);
}

EXPORTED void libttsim_exit(void) {
    CALL("libttsim_exit");
    is_open = false;
    atomic_store(&channel->is_open, 0);
    if (!has_written) return;  // a driver that only looks which chips there are opens again
    ask((struct request){.kind = CLOSE});
    forget_channel();
}

EXPORTED uint32_t libttsim_pci_config_rd32(uint32_t bdf, uint32_t offset) {
    CALL("libttsim_pci_config_rd32");
    if (bdf >> 8 || bdf & 7) refuse("libttsim_pci_config_rd32: 0x%x is no device of bus 0 and function 0", bdf);
    if (offset & 3) refuse("libttsim_pci_config_rd32: offset 0x%x is not a multiple of 4", offset);
    return pci_config_read(bdf >> 3, offset);
}

EXPORTED void libttsim_pci_config_wr32(uint32_t bdf, uint32_t offset, uint32_t data) {
    CALL("libttsim_pci_config_wr32");
    refuse("libttsim_pci_config_wr32: configuration space cannot be written here (0x%x at 0x%x of device 0x%x)",
           data, offset, bdf);
}

EXPORTED void libttsim_pci_mem_rd_bytes(uint64_t paddr, void *p, uint32_t size) {
    CALL("libttsim_pci_mem_rd_bytes");
    struct place place;
    uint32_t value;
    check_bytes("libttsim_pci_mem_rd_bytes", paddr, p, size);
    if (pci_find("libttsim_pci_mem_rd_bytes", paddr, size, false, &place) == OF_CORE) {
        read_core(place, p, size);
    } else {
        for (uint32_t at = 0; at < size; at += sizeof value) {
            value = pci_register("libttsim_pci_mem_rd_bytes", paddr + at, false, 0);
            memcpy((uint8_t *)p + at, &value, sizeof value);
        }
    }
}

EXPORTED void libttsim_pci_mem_wr_bytes(uint64_t paddr, const void *p, uint32_t size) {
    CALL("libttsim_pci_mem_wr_bytes");
    struct place place;
    uint32_t value;
    check_bytes("libttsim_pci_mem_wr_bytes", paddr, p, size);
    if (pci_find("libttsim_pci_mem_wr_bytes", paddr, size, true, &place) == OF_CORE) {
        write_core(place, p, size);
    } else {
        for (uint32_t at = 0; at < size; at += sizeof value) {
            memcpy(&value, (const uint8_t *)p + at, sizeof value);
            pci_register("libttsim_pci_mem_wr_bytes", paddr + at, true, value);
        }
    }
}

EXPORTED void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t addr, void *p, uint32_t size) {
    CALL("libttsim_tile_rd_bytes");
    check_bytes("libttsim_tile_rd_bytes", addr, p, size);
    read_core(place_of("libttsim_tile_rd_bytes", x, y, addr), p, size);
}

EXPORTED void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t addr, const void *p, uint32_t size) {
    CALL("libttsim_tile_wr_bytes");
    check_bytes("libttsim_tile_wr_bytes", addr, p, size);
    write_core(place_of("libttsim_tile_wr_bytes", x, y, addr), p, size);
}

EXPORTED void libttsim_clock(uint32_t n_clocks) {
    CALL("libttsim_clock");
    if (n_clocks) ask((struct request){.kind = CLOCK, .size = n_clocks});
}
