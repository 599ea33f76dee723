// SPDX-License-Identifier: Apache-2.0
// The host's end of the channel: posts requests, waits for answers, serves the host's memory
// meanwhile, starts the server. host_end.h is the way in.
#define _GNU_SOURCE
#include "host_end.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "futex.h"

extern char **environ;

enum { LOOK_NANOSECONDS = 100000000, PADDING = 7, CHANNEL_FD = 3, SOCKET_FD = 4 };
#define SERVER "serve.sh"  // beside the library

static struct channel *channel;
static int wire = -1;  // the end of the socket
static pid_t server_pid;  // ours to reap
static bool is_child;  // a fork of the process that has the tiles
static read_memory_fn *read_memory;
static write_memory_fn *write_memory;

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
    uint64_t paddr = pci_host_address(channel->memory_chip, channel->memory_addr, size);
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

static void ask_for(struct request request) {
    uint32_t count = atomic_load(&channel->answers) + 1;
    post(request, NULL, true);
    wait_until(has_answers, count, AT_FUTEX);
}

static struct request request_of(enum kind kind, struct place place, uint32_t done, uint32_t size) {
    uint32_t part = size - done < BLOCK_BYTES ? size - done : BLOCK_BYTES;
    return (struct request){kind, part, place.addr + done, place.x, place.y, place.x_end, place.y_end};
}

void host_end_write(struct place place, const uint8_t *data, uint32_t size) {
    for (uint32_t done = 0; done < size; done += BLOCK_BYTES)
        post(request_of(WRITE, place, done, size), data + done, false);
}

void host_end_read(struct place place, uint8_t *data, uint32_t size) {
    for (uint32_t done = 0; done < size; done += BLOCK_BYTES) {
        struct request request = request_of(READ, place, done, size);
        ask_for(request);
        memcpy(data + done, channel->answer, request.size);
    }
}

void host_end_ask(enum kind kind, uint32_t size) { ask_for((struct request){.kind = kind, .size = size}); }

// Starting the server

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

void host_end_forget(void) {
    if (wire >= 0) close(wire);
    if (channel) munmap(channel, sizeof *channel);
    wire = -1;
    channel = NULL;
    is_child = false;
}

// At the end of the process. The channel stays: other threads may be in calls until the very end.
__attribute__((destructor)) static void unload(void) {
    if (is_child || wire < 0) return;
    close(wire);  // which the server sees
    wire = -1;
}

void host_end_open(void) {
    int ends[2], memory = memfd_create("tensix-gdb", MFD_CLOEXEC);
    if (memory < 0 || ftruncate(memory, sizeof *channel) || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        refuse("libttsim_init: no memory to share with the tiles' server: %s", strerror(errno));
    channel = mmap(NULL, sizeof *channel, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (channel == MAP_FAILED) refuse("libttsim_init: no memory to share with the tiles' server: %s", strerror(errno));
    channel->version = VERSION;
    wire = ends[0];
    start_server(memory, ends[1]);
    close(memory);
    close(ends[1]);
    host_end_ask(OPEN, 0);
}

// What the interface knows of it

bool host_end_is_there(void) { return channel; }
bool host_end_is_of_parent(void) { return is_child; }
uint32_t host_end_chip(void) { return channel->chip; }
uint32_t host_end_chips(void) { return channel->chips; }
void host_end_tell(bool is_open) { atomic_store(&channel->is_open, is_open); }

void host_end_callbacks(read_memory_fn *rd, write_memory_fn *wr) {
    read_memory = rd;
    write_memory = wr;
}

void host_end_in_child(void) {
    is_child = true;
    close(wire);  // its copy would hide that the host has gone
    wire = -1;
}
