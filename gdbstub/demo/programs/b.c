/* SPDX-License-Identifier: Apache-2.0
 * B, the supervisor: beats until it is told to go home, which only a debugger does. */
#include "pipeline.h"

static struct status me AT_LOCAL_START = {"B", 0};
SHARED struct pipeline pipeline;

__attribute__((noinline)) static void heartbeat(void)
{
    me.done++;
}

u32 main(void)
{
    while (!pipeline.go_home)
        heartbeat();
    return pipeline.checksum;
}
