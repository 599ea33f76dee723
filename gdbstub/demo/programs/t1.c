/* SPDX-License-Identifier: Apache-2.0
 * T1, the checker: mixes every new sum that T0 publishes into a checksum. */
#include "pipeline.h"

static struct status me AT_LOCAL_START = {"T1", 0};
SHARED struct pipeline pipeline;

/* One bit after the other, by calling itself: deep enough for a backtrace worth looking at. */
__attribute__((noinline)) static u32 mix(u32 checksum, u32 bits)
{
    if (bits == 0)
        return checksum;
    checksum = checksum * 2 + 1;
    u32 mixed = mix(checksum, bits >> 1);
    return mixed ^ bits;
}

u32 main(void)
{
    while (me.done < SAMPLES) {
        while (pipeline.sums == me.done)
            ;
        pipeline.checksum = mix(pipeline.checksum, (u32)pipeline.sum);
        me.done++;
        pipeline.checked = me.done;
    }
    return pipeline.checksum;
}
