# SPDX-License-Identifier: Apache-2.0
"""Which thread runs which record of a quantum, in LLVM's IR (core/chip/together_ir.py).

    offer(shared, round, goal)       give each thread its part of the list
    turn(table, shared, thread, part)   take a record of a part and run it, if there is one
    others_turn(table, shared, thread)  the same of any part
    all_done(shared, wanted)         say if so many have been run in this call
    withdraw(shared)                 end the round

A thread that the system does not run at the moment keeps the others waiting only if it has taken a
record. A ticket is the number of the round and a place in the list, so none is of an earlier round;
while a round is on, its list, its parts and its goal stay.

A part is the same places of the list in each quantum, so a record stays in the cache of one
processor: some hundred lines of it are used in the microsecond in which a quantum is run, and each
costs a tenth of that from another cache. Taken by any thread, 140 busy tiles had in two threads 1.1
times the speed of one, 16 had 0.8 times; in parts 2.0 and 1.2 times (scripts/benchmark/threads.py).
So a thread takes of another's part only what is late. Each thread has lines of its own for its
tickets and for what it has done (`lane`), and what is written in each quantum is written only where
it changes, or to a line with nothing else.
"""

from __future__ import annotations

PARTS = """
define internal ptr @lane(ptr %shared, i64 %thread, i64 %word) alwaysinline {
  %lanes = call ptr @pointer(ptr %shared, i64 LANES)
  %first = mul i64 %thread, LANE
  %index = add i64 %first, %word
  %at = getelementptr i64, ptr %lanes, i64 %index
  ret ptr %at
}

define internal i1 @turn(ptr %table, ptr %shared, i64 %thread, i64 %part) {
entry:
  %next.at = call ptr @lane(ptr %shared, i64 %part, i64 NEXT)
  %seen = load atomic i64, ptr %next.at acquire, align 8
  %seen.place = and i64 %seen, 4294967295
  %last.at = call ptr @lane(ptr %shared, i64 %part, i64 LAST)
  %last = load i64, ptr %last.at
  %some = icmp slt i64 %seen.place, %last
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
  %goal.at = call ptr @lane(ptr %shared, i64 %part, i64 TO)
  %goal = load i64, ptr %goal.at
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
  %pending.at = call ptr @pointer(ptr %row, i64 PENDING)
  %pending = load i32, ptr %pending.at
  %bit = and i32 %pending, REQUEST
  %some.bit = icmp ne i32 %bit, 0
  %asks = zext i1 %some.bit to i64
  %asks.at = call ptr @word(ptr %row, i64 ASKS)
  %asked = load i64, ptr %asks.at
  %same = icmp eq i64 %asks, %asked
  br i1 %same, label %slept, label %say
say:
  store i64 %asks, ptr %asks.at
  br label %slept
slept:
  %sleep.at = call ptr @pointer(ptr %row, i64 SLEEP)
  %sleep = load i8, ptr %sleep.at
  %asleep = icmp eq i8 %sleep, ASLEEP
  br i1 %asleep, label %fall, label %done
fall:
  store i64 2, ptr %mode.at
  br label %done
done:
  %done.at = call ptr @lane(ptr %shared, i64 %thread, i64 DONE)
  %earlier = load i64, ptr %done.at
  %later = add i64 %earlier, 1
  store atomic i64 %later, ptr %done.at release, align 8
  ret i1 true
none:
  ret i1 false
}

define internal i1 @others_turn(ptr %table, ptr %shared, i64 %thread) {
entry:
  %threads = call i64 @get(ptr %shared, i64 THREADS)
  br label %head
head:
  %part = phi i64 [ 0, %entry ], [ %part.next, %next ]
  %more = icmp slt i64 %part, %threads
  br i1 %more, label %body, label %none
body:
  %worked = call i1 @turn(ptr %table, ptr %shared, i64 %thread, i64 %part)
  %part.next = add i64 %part, 1
  br i1 %worked, label %over, label %next
next:
  br label %head
over:
  ret i1 true
none:
  ret i1 false
}

define internal void @offer(ptr %shared, i64 %round, i64 %goal) {
entry:
  %threads = call i64 @get(ptr %shared, i64 THREADS)
  %count = call i64 @get(ptr %shared, i64 COUNT)
  %ticket = shl i64 %round, 32
  br label %head
head:
  %part = phi i64 [ 0, %entry ], [ %part.next, %head ]
  %part.next = add i64 %part, 1
  %first.times = mul i64 %count, %part
  %first = sdiv i64 %first.times, %threads
  %last.times = mul i64 %count, %part.next
  %last = sdiv i64 %last.times, %threads
  %last.at = call ptr @lane(ptr %shared, i64 %part, i64 LAST)
  store i64 %last, ptr %last.at
  %goal.at = call ptr @lane(ptr %shared, i64 %part, i64 TO)
  store i64 %goal, ptr %goal.at
  %next.at = call ptr @lane(ptr %shared, i64 %part, i64 NEXT)
  %mine = or i64 %ticket, %first
  store atomic i64 %mine, ptr %next.at release, align 8
  %more = icmp slt i64 %part.next, %threads
  br i1 %more, label %head, label %over
over:
  ret void
}

define internal i1 @all_done(ptr %shared, i64 %wanted) {
entry:
  %threads = call i64 @get(ptr %shared, i64 THREADS)
  br label %head
head:
  %lane = phi i64 [ 0, %entry ], [ %lane.next, %head ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %head ]
  %done.at = call ptr @lane(ptr %shared, i64 %lane, i64 DONE)
  %done = load atomic i64, ptr %done.at acquire, align 8
  %sum.next = add i64 %sum, %done
  %lane.next = add i64 %lane, 1
  %more = icmp slt i64 %lane.next, %threads
  br i1 %more, label %head, label %over
over:
  %all = icmp sge i64 %sum.next, %wanted
  ret i1 %all
}

define internal void @withdraw(ptr %shared) {
entry:
  %threads = call i64 @get(ptr %shared, i64 THREADS)
  br label %head
head:
  %part = phi i64 [ 0, %entry ], [ %part.next, %head ]
  %next.at = call ptr @lane(ptr %shared, i64 %part, i64 NEXT)
  store atomic i64 4294967295, ptr %next.at release, align 8
  %part.next = add i64 %part, 1
  %more = icmp slt i64 %part.next, %threads
  br i1 %more, label %head, label %over
over:
  ret void
}
"""
