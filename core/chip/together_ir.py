# SPDX-License-Identifier: Apache-2.0
"""The loop of core/chip/together.py in LLVM's IR.

    lead(table, shared, records, next_due)      one thread
        let the links say what they know, and what they will say sooner than in a quantum
        goal = start + quantum, or the cycle of a request that is due before that
        list the records that run, then offer the list
        take records from the list and run them to the goal, until none is left
        wait until all that others have taken are done
        let `finish` deal with those that have stopped, if it can, and begin again
    help(the same)                              any number of threads
        take records from the list whenever there are any
    due(the same)                               while nothing runs
        list the records with a request that is due, return how many

A thread that the system does not run at the moment keeps the others waiting only if it has taken a
record. A ticket is the number of the round and a place in the list, so none is of an earlier round;
while a round is on, its list, its length and its goal stay.
"""

from __future__ import annotations

import re
from functools import cache

from tensix_gdb.core.engine import jit
from tensix_gdb.core.engine.ir import Module
from tensix_gdb.core.engine.plan import kept_object

SPINS = 64  # until the processor is given to others

_TEXT = """
define internal ptr @word(ptr %base, i64 %index) alwaysinline {
  %at = getelementptr i64, ptr %base, i64 %index
  ret ptr %at
}

define internal i64 @get(ptr %base, i64 %index) alwaysinline {
  %at = getelementptr i64, ptr %base, i64 %index
  %value = load i64, ptr %at
  ret i64 %value
}

define internal ptr @pointer(ptr %base, i64 %index) alwaysinline {
  %value = call i64 @get(ptr %base, i64 %index)
  %to = inttoptr i64 %value to ptr
  ret ptr %to
}

define internal void @rest(ptr %shared) {
entry:
  br label %head
head:
  %spins = phi i64 [ 0, %entry ], [ %more, %head ]
  call void asm sideeffect "", "~{memory}"()
  %more = add i64 %spins, 1
  %enough = icmp sge i64 %more, SPINS
  br i1 %enough, label %look, label %head
look:
  %give = call i64 @get(ptr %shared, i64 YIELD)
  %none = icmp eq i64 %give, 0
  br i1 %none, label %over, label %call
call:
  %function = inttoptr i64 %give to ptr
  %ignored = call i32 %function()
  br label %over
over:
  ret void
}

define internal i64 @choose(ptr %table, ptr %shared, i64 %records, ptr %next_due) {
entry:
  %start = call i64 @get(ptr %shared, i64 AT)
  %end = call i64 @get(ptr %shared, i64 END)
  %why = call i64 @get(ptr %shared, i64 WHY)
  %quantum = call i64 @get(ptr %shared, i64 QUANTUM)
  %at.end = icmp sge i64 %start, %end
  %stopped = icmp ne i64 %why, 0
  %over = or i1 %at.end, %stopped
  %far = add i64 %start, %quantum
  %nearer = icmp slt i64 %far, %end
  %most = select i1 %nearer, i64 %far, i64 %end
  br i1 %over, label %none, label %links
links:
  %settle = call ptr @pointer(ptr %shared, i64 SETTLE)
  %no.links = icmp eq ptr %settle, null
  br i1 %no.links, label %begin, label %settles
settles:
  %net = call ptr @pointer(ptr %shared, i64 NET)
  %codes = call i64 @get(ptr %shared, i64 CODES)
  %table.at = ptrtoint ptr %table to i64
  %known = call i64 %settle(ptr %net, i64 %table.at, i64 %records, i64 %start, i64 %codes)
  %known.nearer = icmp slt i64 %known, %most
  %known.most = select i1 %known.nearer, i64 %known, i64 %most
  br label %begin
begin:
  %first = phi i64 [ %most, %links ], [ %known.most, %settles ]
  br label %head
head:
  %number = phi i64 [ 0, %begin ], [ %number.next, %next ]
  %goal = phi i64 [ %first, %begin ], [ %goal.next, %next ]
  %count = phi i64 [ 0, %begin ], [ %count.next, %next ]
  %more = icmp slt i64 %number, %records
  br i1 %more, label %body, label %done
body:
  %offset = mul i64 %number, COLUMNS
  %row = call ptr @word(ptr %table, i64 %offset)
  %mode = call i64 @get(ptr %row, i64 MODE)
  %runs = icmp eq i64 %mode, 1
  %adds = zext i1 %runs to i64
  %place = add i64 %count, LIST
  %place.at = call ptr @word(ptr %shared, i64 %place)
  store i64 %number, ptr %place.at
  %count.next = add i64 %count, %adds
  %pending.at = call ptr @pointer(ptr %row, i64 PENDING)
  %pending = load i32, ptr %pending.at
  %bit = and i32 %pending, REQUEST
  %asks = icmp ne i32 %bit, 0
  br i1 %asks, label %ask, label %next
ask:
  %record = call ptr @pointer(ptr %row, i64 RECORD)
  %due = call i64 %next_due(ptr %record, i64 %start)
  %now = icmp sle i64 %due, %start
  br i1 %now, label %deliver, label %keep
keep:
  %sooner = icmp slt i64 %due, %goal
  %smaller = select i1 %sooner, i64 %due, i64 %goal
  br label %next
next:
  %goal.next = phi i64 [ %goal, %body ], [ %smaller, %keep ]
  %number.next = add i64 %number, 1
  br label %head
deliver:
  %why.at = call ptr @word(ptr %shared, i64 WHY)
  store i64 2, ptr %why.at
  br label %none
none:
  ret i64 -1
done:
  %count.at = call ptr @word(ptr %shared, i64 COUNT)
  store i64 %count, ptr %count.at
  %none.runs = icmp eq i64 %count, 0
  %nothing.due = icmp eq i64 %goal, %most
  %idle = and i1 %none.runs, %nothing.due
  %chosen = select i1 %idle, i64 %end, i64 %goal
  ret i64 %chosen
}

define i64 @due(ptr %table, ptr %shared, i64 %records, ptr %next_due) {
entry:
  %cycle = call i64 @get(ptr %shared, i64 AT)
  br label %head
head:
  %number = phi i64 [ 0, %entry ], [ %number.next, %next ]
  %count = phi i64 [ 0, %entry ], [ %count.next, %next ]
  %more = icmp slt i64 %number, %records
  br i1 %more, label %body, label %over
body:
  %offset = mul i64 %number, COLUMNS
  %row = call ptr @word(ptr %table, i64 %offset)
  %pending.at = call ptr @pointer(ptr %row, i64 PENDING)
  %pending = load i32, ptr %pending.at
  %bit = and i32 %pending, REQUEST
  %asks = icmp ne i32 %bit, 0
  br i1 %asks, label %ask, label %next
ask:
  %record = call ptr @pointer(ptr %row, i64 RECORD)
  %when = call i64 %next_due(ptr %record, i64 %cycle)
  %now = icmp sle i64 %when, %cycle
  %adds = zext i1 %now to i64
  %place = add i64 %count, LIST
  %place.at = call ptr @word(ptr %shared, i64 %place)
  store i64 %number, ptr %place.at
  %count.asked = add i64 %count, %adds
  br label %next
next:
  %count.next = phi i64 [ %count, %body ], [ %count.asked, %ask ]
  %number.next = add i64 %number, 1
  br label %head
over:
  ret i64 %count
}

define internal i1 @turn(ptr %table, ptr %shared) {
entry:
  %next.at = call ptr @word(ptr %shared, i64 NEXT)
  %seen = load atomic i64, ptr %next.at acquire, align 8
  %seen.place = and i64 %seen, 4294967295
  %count.seen = call i64 @get(ptr %shared, i64 COUNT)
  %some = icmp slt i64 %seen.place, %count.seen
  br i1 %some, label %take, label %none
take:
  %wanted = add i64 %seen, 1
  %pair = cmpxchg ptr %next.at, i64 %seen, i64 %wanted acq_rel acquire
  %taken = extractvalue { i64, i1 } %pair, 1
  br i1 %taken, label %go, label %entry.again
entry.again:
  ret i1 true
go:
  %place = add i64 %seen.place, LIST
  %number = call i64 @get(ptr %shared, i64 %place)
  %goal = call i64 @get(ptr %shared, i64 GOAL)
  %offset = mul i64 %number, COLUMNS
  %row = call ptr @word(ptr %table, i64 %offset)
  %mode.at = call ptr @word(ptr %row, i64 MODE)
  %record = call ptr @pointer(ptr %row, i64 RECORD)
  %function = call ptr @pointer(ptr %row, i64 ENTRY)
  %cycle.at = call ptr @pointer(ptr %row, i64 CYCLE)
  %cycle = load i64, ptr %cycle.at
  %left = sub i64 %goal, %cycle
  %changed.at = call ptr @word(ptr %row, i64 CHANGED)
  %changed = load i64, ptr %changed.at
  %settle = call i64 @get(ptr %shared, i64 SETTLE)
  %begins = or i64 %changed, %settle
  %goes = icmp eq i64 %begins, 0
  %goes.on = zext i1 %goes to i8
  %goes.at = call ptr @pointer(ptr %row, i64 GOES)
  store i8 %goes.on, ptr %goes.at
  %ignored = call i64 %function(ptr %record, i64 %left)
  store i8 0, ptr %goes.at
  %reached = load i64, ptr %cycle.at
  %stop.at = call ptr @pointer(ptr %row, i64 STOP)
  %stop = load i32, ptr %stop.at
  %defect.at = call ptr @pointer(ptr %row, i64 DEFECT)
  %defect = load i64, ptr %defect.at
  %short = icmp ne i64 %reached, %goal
  %stops = icmp ne i32 %stop, 0
  %broken = icmp ne i64 %defect, 0
  %either = or i1 %short, %stops
  %any = or i1 %either, %broken
  br i1 %any, label %stopped, label %sleeps
stopped:
  store i64 3, ptr %mode.at
  store i64 1, ptr %changed.at
  %why.at = call ptr @word(ptr %shared, i64 WHY)
  %before = atomicrmw or ptr %why.at, i64 1 acq_rel
  br label %done
sleeps:
  ; only if need be: other threads have the rows beside it
  %was.changed = icmp ne i64 %changed, 0
  br i1 %was.changed, label %clear, label %look
clear:
  store i64 0, ptr %changed.at
  br label %look
look:
  %sleep.at = call ptr @pointer(ptr %row, i64 SLEEP)
  %sleep = load i8, ptr %sleep.at
  %asleep = icmp eq i8 %sleep, ASLEEP
  br i1 %asleep, label %fall, label %done
fall:
  store i64 2, ptr %mode.at
  br label %done
done:
  %done.at = call ptr @word(ptr %shared, i64 DONE)
  %earlier = atomicrmw add ptr %done.at, i64 1 acq_rel
  ret i1 true
none:
  ret i1 false
}

define i64 @lead(ptr %table, ptr %shared, i64 %records, ptr %next_due) {
entry:
  %goal.at = call ptr @word(ptr %shared, i64 GOAL)
  %cycle.at = call ptr @word(ptr %shared, i64 AT)
  %done.at = call ptr @word(ptr %shared, i64 DONE)
  %next.at = call ptr @word(ptr %shared, i64 NEXT)
  br label %head
head:
  %round = phi i64 [ 1, %entry ], [ %round.next, %next ]
  %chosen = call i64 @choose(ptr %table, ptr %shared, i64 %records, ptr %next_due)
  %over = icmp slt i64 %chosen, 0
  br i1 %over, label %quit, label %begin
begin:
  store i64 %chosen, ptr %goal.at
  store atomic i64 0, ptr %done.at release, align 8
  %ticket = shl i64 %round, 32
  store atomic i64 %ticket, ptr %next.at release, align 8
  br label %work
work:
  %worked = call i1 @turn(ptr %table, ptr %shared)
  br i1 %worked, label %work, label %wait
wait:
  %count = call i64 @get(ptr %shared, i64 COUNT)
  %done = load atomic i64, ptr %done.at acquire, align 8
  %all = icmp sge i64 %done, %count
  br i1 %all, label %finish, label %spin
spin:
  call void @rest(ptr %shared)
  br label %wait
finish:
  store atomic i64 4294967295, ptr %next.at release, align 8
  store i64 %chosen, ptr %cycle.at
  %why.at = call ptr @word(ptr %shared, i64 WHY)
  %why = load i64, ptr %why.at
  %finish.code = call ptr @pointer(ptr %shared, i64 FINISH)
  %none.stopped = icmp eq i64 %why, 0
  %cannot = icmp eq ptr %finish.code, null
  %on = or i1 %none.stopped, %cannot
  br i1 %on, label %next, label %stopped
stopped:
  %first = call ptr @pointer(ptr %table, i64 RECORD)
  %table.at = ptrtoint ptr %table to i64
  %left = call i64 %finish.code(ptr %first, i64 %table.at, i64 %records, i64 %chosen)
  %all.done = icmp eq i64 %left, 0
  br i1 %all.done, label %again, label %next
again:
  store i64 0, ptr %why.at
  br label %next
next:
  %round.next = add i64 %round, 1
  br label %head
quit:
  %quit.at = call ptr @word(ptr %shared, i64 QUIT)
  store atomic i64 1, ptr %quit.at release, align 8
  ret i64 0
}

define i64 @help(ptr %table, ptr %shared, i64 %records, ptr %next_due) {
entry:
  %quit.at = call ptr @word(ptr %shared, i64 QUIT)
  br label %head
head:
  %worked = call i1 @turn(ptr %table, ptr %shared)
  br i1 %worked, label %head, label %look
look:
  %quit = load atomic i64, ptr %quit.at acquire, align 8
  %over = icmp ne i64 %quit, 0
  br i1 %over, label %done, label %spin
spin:
  call void @rest(ptr %shared)
  br label %head
done:
  ret i64 0
}
"""


@cache
def loop(numbers: tuple[tuple[str, int], ...]) -> jit.Loaded:
    """Return the loop with these numbers for its names."""
    values = dict(numbers)
    text = re.sub(r"(?<![\w%@.])[A-Z]+\b", lambda found: str(values[found.group()]), _TEXT)
    code = kept_object(Module(text, False))
    return jit.load(f"together {numbers}", [code], ["lead", "help", "due"])
