// SPDX-License-Identifier: Apache-2.0
// The server's end of a channel: take the host's requests, and carry out those that concern nothing
// but bytes of L1 or of DRAM. All others are left to Python (calls.py), which calls `done` after each.
//
// A host makes tens of thousands of requests for an operation on all tiles, and in Python each would
// take as long as all of it may. An access to L1 is here as core/memory/noc_access.py has it, for a
// tile that nothing observes, one to DRAM as core/memory/segments.py; tests compare them.
#define _GNU_SOURCE
#include <stdbool.h>
#include <string.h>

#include "channel.h"
#include "device.h"
#include "dram.h"
#include "futex.h"
#include "launch.h"

#define EXPORTED __attribute__((visibility("default")))

enum { SIDE = 64, POLLS = 1024, PROBES = 32, LINE_SHIFT = 6, WRITTEN_BYTES = 16, POLLED_BYTES = 256 };

// Why `pump` comes back. For ASKS_PYTHON and WAKES the request is still to be taken.
enum why { IDLE, ASKS_PYTHON, WAKES, WAITS, PASSES, BUSY };

struct tile {
    uint8_t *l1;
    uint8_t *lines;  // of 64 bytes of L1: 1 where there are decoded words
    uint64_t *decoded;  // of a word of L1
    uint8_t *of;  // of a word of L1: the translation that it is in
    uint64_t *code;  // of a translation; 0: not to be entered
    uint8_t *dropped;
    uint32_t *written;  // of 16 bytes of L1: a bit of each that something has written
    uint32_t *idle_cycles;
    uint64_t bytes;  // of L1
    uint64_t signals, signals_end;  // where the host starts kernels by a write
    struct soft_reset reset;
    uint32_t in_reset;  // the value that was last noted
    uint32_t is_plain;  // nothing but the bytes is concerned by an access to L1
    uint64_t awake;  // as the server's, if it is up to date and may be written
    uint64_t settled;  // as the server's, if it slept before, so that no store is under way
    const struct launch *launch;  // the last one, if the same may be launched without Python
};

// What the host has read since it last wrote. One that reads the same again, and gets the same,
// waits for a change. Of reads of more than POLLED_BYTES that is so only for the one before: a host that
// fetches a tensor twice reads a thousand pages again, and waits for none of them.
struct poll {
    uint64_t addr, answer, epoch;
    uint32_t size, core;
};

struct server {
    struct tile *tiles;
    int16_t number[CORES];  // of the tile at x + WIDTH * y; -1 for none, FIRST_MEMORY - N for memory N
    uint64_t awake;  // counts the times in which tiles may have fallen asleep
    uint32_t count, launches;  // count: of tiles; launches: that were carried out here
    uint64_t requests, plain;  // how many there were, and were carried out here
    uint64_t owed;  // cycles that have not passed yet
    uint32_t limit;  // more are not owed
    uint32_t is_waiting;  // the last read was one again, with the same answer
    uint32_t has_accessed;  // since the clock before
    uint32_t current;  // where in the ring the request is that Python has to carry out
    uint64_t epoch;  // counts writes
    uint8_t *inputs;  // requests that may have changed something, as they were in the ring; NULL: not kept
    uint64_t inputs_bytes, inputs_used;  // room for them, and how much of it they have
    struct request read;  // the last one
    struct poll large;  // the last read, if it was of more than POLLED_BYTES
    struct poll polls[POLLS];
    struct dram dram;
    struct memory_of_core memories[CHIPS];
};

static uint64_t hash_of(const uint8_t *bytes, uint32_t size) {
    uint64_t hash = 0xCBF29CE484222325, word = 0;
    for (; size >= sizeof word; size -= sizeof word, bytes += sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15;
        hash ^= hash >> 32;
    }
    for (uint32_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001B3;
    return hash;
}

static bool is_same(const struct poll *one, const struct poll *other) {
    return one->addr == other->addr && one->size == other->size && one->core == other->core && one->epoch == other->epoch;
}

static void note_read(struct channel *channel, struct server *server, const struct request *request) {
    uint64_t answer = hash_of(channel->answer, request->size);
    uint32_t core = request->x | (uint32_t)request->y << 16;
    struct poll now = {request->addr, answer, server->epoch, request->size, core};
    bool again = is_same(&server->large, &now) && server->large.answer == answer;
    server->large = request->size > POLLED_BYTES ? now : (struct poll){0};
    if (request->size > POLLED_BYTES) {
        server->read = *request;
        server->is_waiting = again;
        return;
    }
    uint64_t place = (request->addr >> 2) * 0x9E3779B97F4A7C15 + core * 0xC2B2AE3D27D4EB4F + request->size;
    server->read = *request;
    server->is_waiting = true;  // if there is no room: time passes rather than not
    for (uint32_t i = 0; i < PROBES; i++) {
        struct poll *poll = &server->polls[((place >> 40) + i) % POLLS];
        bool is_old = poll->epoch != server->epoch;
        if (is_old || is_same(poll, &now)) {
            server->is_waiting = !is_old && poll->answer == answer;
            *poll = now;
            return;
        }
    }
}

static void answer(struct channel *channel) {
    atomic_fetch_add(&channel->answers, 1);
    if (atomic_load(&channel->host_sleeps)) ring_bell(&channel->host_bell);
}

static uint64_t bytes_of(const struct request *request) {
    if (request->kind == SKIP) return request->size;
    return sizeof *request + ((request->kind == WRITE ? request->size : 0) + 7 & ~7ull);
}

// Keep a request for those that carry them out again. Where there is no room for one, none is kept from
// then on.
static void keep(struct server *server, const struct request *request) {
    uint64_t bytes = bytes_of(request);
    if (!server->inputs) return;
    if (bytes > server->inputs_bytes - server->inputs_used) {
        server->inputs = NULL;
        return;
    }
    memcpy(server->inputs + server->inputs_used, request, bytes);
    server->inputs_used += bytes;
}

static void take(struct channel *channel, const struct request *request) {
    uint64_t tail = atomic_fetch_add(&channel->tail, bytes_of(request)) + bytes_of(request);
    // A host that waits for room gets some at once, not a word.
    if (atomic_load(&channel->host_sleeps) == FOR_ROOM && atomic_load(&channel->head) - tail <= RING_BYTES / 2)
        ring_bell(&channel->host_bell);
}

// Note that the host has accessed something, and that it has changed something.
static void note(struct channel *channel, struct server *server, const struct request *request) {
    server->has_accessed = true;
    if (request->kind == READ) note_read(channel, server, request);
    if (request->kind != WRITE) return;
    server->epoch++;
    server->is_waiting = false;
}

// As Access.drop_decoded of core/debug/memory.py.
static void drop_decoded(struct tile *tile, uint64_t addr, uint32_t size) {
    for (uint64_t line = addr >> LINE_SHIFT; line <= (addr + size - 1) >> LINE_SHIFT; line++) {
        if (!tile->lines[line]) continue;
        tile->lines[line] = 0;
        for (uint64_t word = line << (LINE_SHIFT - 2); word < (line + 1) << (LINE_SHIFT - 2); word++) {
            tile->decoded[word] = 0;
            if (!tile->of[word]) continue;
            tile->code[tile->of[word]] = 0;
            *tile->dropped = 1;
        }
    }
}

// As HostWrites of core/race/state/host.py.
static void note_written(struct tile *tile, uint64_t first, uint64_t end) {
    while (first < end) {
        uint64_t at = first % WRITTEN_BYTES, size = WRITTEN_BYTES - at < end - first ? WRITTEN_BYTES - at : end - first;
        tile->written[first / WRITTEN_BYTES] |= ((1u << size) - 1) << at;
        first += size;
    }
}

static enum why access_dram(struct channel *channel, struct server *server, const struct request *request, int number) {
    bool writes = request->kind == WRITE;
    if (!dram_has(&server->dram, number, request->addr, request->size, writes)) return ASKS_PYTHON;
    if (writes) dram_write(&server->dram, number, request->addr, (const uint8_t *)(request + 1), request->size);
    else dram_read(&server->dram, number, request->addr, channel->answer, request->size);
    return BUSY;
}

static enum why access_memory(struct channel *channel, struct server *server, const struct request *request, int number) {
    const struct memory_of_core *memory = &server->memories[number];
    if (!server->dram.is_plain || !memory_has(memory, request->addr, request->size)) return ASKS_PYTHON;
    uint8_t *at = memory->bytes + (request->addr - memory->first);
    if (request->kind == WRITE) memcpy(at, request + 1, request->size);
    else memcpy(channel->answer, at, request->size);
    return BUSY;
}

// As core/memory/noc_access.py makes a request of a register. A read takes time, as in calls.py.
static enum why access_reset(struct channel *channel, struct server *server, const struct request *request, struct tile *tile) {
    bool writes = request->kind == WRITE;
    if (request->size != sizeof *tile->reset.value) return ASKS_PYTHON;
    if (!keeps_reset(&tile->reset, writes, (const uint8_t *)(request + 1))) return ASKS_PYTHON;
    if (tile->awake != server->awake) return WAKES;
    *tile->reset.request_pc = *tile->reset.pc;
    *tile->idle_cycles = 0;
    if (writes) return BUSY;
    memcpy(channel->answer, tile->reset.value, sizeof *tile->reset.value);
    server->owed += REGISTER_CYCLES;
    return BUSY;
}

// True if a write to where signals are concerns nothing but bytes: it starts what it started before.
static bool is_known_launch(struct server *server, const struct tile *tile, const struct request *request) {
    const struct launch *launch = tile->launch;
    uint64_t end = request->addr + request->size;
    if (!launch || tile->settled != server->awake) return false;
    const uint8_t *data = (const uint8_t *)(request + 1);
    if (!has_go(launch, tile->signals, tile->signals_end, request->addr, end, data)) return true;
    if (!is_again(launch, tile->l1)) return false;
    server->launches++;
    return true;
}

static enum why access_l1(struct channel *channel, struct server *server, const struct request *request, int number) {
    struct tile *tile = &server->tiles[number];
    uint64_t end = request->addr + request->size;
    if (tile->is_plain && request->addr == SOFT_RESET_0) return access_reset(channel, server, request, tile);
    if (!tile->is_plain || request->addr > tile->bytes || end > tile->bytes) return ASKS_PYTHON;
    if (request->kind == READ) {
        memcpy(channel->answer, tile->l1 + request->addr, request->size);
        return BUSY;
    }
    if (request->addr < tile->signals_end && end > tile->signals && !is_known_launch(server, tile, request))
        return ASKS_PYTHON;
    if (tile->awake != server->awake) return WAKES;
    memcpy(tile->l1 + request->addr, request + 1, request->size);
    drop_decoded(tile, request->addr, request->size);
    note_written(tile, request->addr, end);
    *tile->idle_cycles = 0;  // a hart that polls these bytes can continue
    return BUSY;
}

static enum why access_core(struct channel *channel, struct server *server, const struct request *request) {
    if (request->x >= WIDTH || request->y >= SIDE || request->x != request->x_end || request->y != request->y_end)
        return ASKS_PYTHON;
    uint32_t core = request->x + WIDTH * request->y;
    if (server->number[core] >= 0) return access_l1(channel, server, request, server->number[core]);
    if (server->number[core] <= FIRST_MEMORY)
        return access_memory(channel, server, request, FIRST_MEMORY - server->number[core]);
    if (server->dram.channel[core] >= 0) return access_dram(channel, server, request, server->dram.channel[core]);
    return ASKS_PYTHON;
}

static enum why pass_time(struct channel *channel, struct server *server, const struct request *request) {
    bool waits = server->is_waiting || !server->has_accessed;
    server->has_accessed = false;
    server->owed += request->size;
    if (!waits && server->owed < server->limit) {
        take(channel, request);
        answer(channel);
        return BUSY;
    }
    return waits ? WAITS : PASSES;
}

static enum why carry_out(struct channel *channel, struct server *server, const struct request *request) {
    enum why why = ASKS_PYTHON;
    switch (request->kind) {
        case SKIP:
            take(channel, request);
            return BUSY;
        case CLOCK:
            return pass_time(channel, server, request);
        case READ:
        case WRITE:
            server->requests++;
            why = access_core(channel, server, request);
    }
    if (why != BUSY) return why;
    server->plain++;
    if (request->kind == WRITE || request->addr == SOFT_RESET_0) keep(server, request);
    note(channel, server, request);
    take(channel, request);
    if (request->kind == READ) answer(channel);
    return BUSY;
}

// Wait for a request: spin, then sleep for at most so long. False if none has come.
static bool has_come(struct channel *channel, uint64_t tail, long nanoseconds) {
    for (uint32_t round = 0; round <= channel->spins; round++) {
        if (atomic_load(&channel->head) != tail) return true;
        relax();
    }
    uint32_t seen = atomic_load(&channel->server_bell);
    atomic_store(&channel->server_sleeps, AT_FUTEX);
    if (atomic_load(&channel->head) == tail) sleep_at(&channel->server_bell, seen, nanoseconds);
    atomic_store(&channel->server_sleeps, AWAKE);
    return atomic_load(&channel->head) != tail;
}

// Carry out at most so many requests, and wait for one at most so long.
EXPORTED uint32_t pump(struct channel *channel, struct server *server, uint32_t most, int64_t nanoseconds) {
    for (uint32_t number = 0; number < most; number++) {
        uint64_t tail = atomic_load(&channel->tail);
        if (atomic_load(&channel->head) == tail && !has_come(channel, tail, nanoseconds)) return IDLE;
        server->current = tail % RING_BYTES;
        enum why why = carry_out(channel, server, (struct request *)(channel->ring + server->current));
        if (why != BUSY) return why;
    }
    return BUSY;
}

// Keep the current request, which Python is about to carry out.
EXPORTED void keep_current(struct channel *channel, struct server *server) {
    keep(server, (struct request *)(channel->ring + server->current));
}

// Take the current request, which Python has carried out; an answer is in the channel.
EXPORTED void done(struct channel *channel, struct server *server) {
    const struct request *request = (struct request *)(channel->ring + server->current);
    uint32_t kind = request->kind;
    if (kind == READ || kind == WRITE) note(channel, server, request);
    take(channel, request);
    if (kind != WRITE) answer(channel);
}

// Ask the host for its memory: what is read or written is in `block`.
EXPORTED void ask_host(struct channel *channel, uint32_t what, uint32_t chip, uint64_t addr, uint32_t size) {
    channel->memory_chip = chip;
    channel->memory_addr = addr;
    channel->memory_size = size;
    atomic_store(&channel->memory, what);
    if (atomic_load(&channel->host_sleeps)) ring_bell(&channel->host_bell);
}

// True if the host has done it, which it does only while it waits for something.
EXPORTED bool is_answered(struct channel *channel, int64_t nanoseconds) {
    uint32_t seen = atomic_load(&channel->server_bell);
    for (uint32_t round = 0; atomic_load(&channel->memory) != NONE && round <= channel->spins; round++) relax();
    if (atomic_load(&channel->memory) != NONE) sleep_at(&channel->server_bell, seen, nanoseconds);
    return atomic_load(&channel->memory) == NONE;
}

// Sleep at the socket from now on. False if a request has come already.
EXPORTED bool sleep_at_socket(struct channel *channel) {
    atomic_store(&channel->server_sleeps, AT_SOCKET);
    if (atomic_load(&channel->head) == atomic_load(&channel->tail)) return true;
    atomic_store(&channel->server_sleeps, AWAKE);
    return false;
}

// End the host's process with this status, at once if it waits.
EXPORTED void end_host(struct channel *channel, uint32_t status) {
    atomic_store(&channel->has_ended, status + 1);
    ring_bell(&channel->host_bell);
}

// The first tile with harts that have entered or left reset since it was last noted, from this one
// on; the number of tiles if there is none.
EXPORTED uint32_t next_reset(struct server *server, uint32_t from) {
    for (; from < server->count; from++) {
        struct tile *tile = &server->tiles[from];
        if (*tile->reset.value != tile->in_reset) {
            tile->in_reset = *tile->reset.value;
            return from;
        }
    }
    return from;
}

// For a test that compares the layouts: sizes, and where what comes last is.
EXPORTED uint64_t layout(uint32_t what) {
    const uint64_t facts[] = {sizeof(struct channel), sizeof(struct request), sizeof(struct tile),
                              sizeof(struct server), __builtin_offsetof(struct channel, answer),
                              __builtin_offsetof(struct channel, ring), __builtin_offsetof(struct server, read),
                              __builtin_offsetof(struct server, dram.channel),
                              __builtin_offsetof(struct server, memories), sizeof(struct launch),
                              __builtin_offsetof(struct launch, part)};
    return what < sizeof facts / sizeof *facts ? facts[what] : 0;
}
