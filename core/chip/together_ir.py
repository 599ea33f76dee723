# SPDX-License-Identifier: Apache-2.0
"""The loop of core/chip/together.py in LLVM's IR.

    lead(table, shared, records, next_due)      one thread
        let the links say what they know, and what they will say sooner than in a quantum
        goal = start + quantum, or the cycle of a request that is due before that
        list the records that run, then offer each thread its part of the list
        take records of its part and run them to the goal, then those of others' parts
        wait until all that others have taken are done
        let `finish` deal with those that have stopped, if it can, and begin again
        where a request is due, let `deliver` carry it out, if it can, and begin again
    help(table, shared, thread, 0)              any number of threads
        take records of its part whenever there are any, then those of others'
    due(the same)                               while nothing runs
        list the records with a request that is due, return how many

Which thread runs which record is in core/chip/parts_ir.py.
"""

from __future__ import annotations

import re
from functools import cache

from tensix_gdb.core.chip.parts_ir import PARTS
from tensix_gdb.core.engine import jit
from tensix_gdb.core.engine.ir import Module
from tensix_gdb.core.engine.plan import kept_object

SPINS = 64  # until the processor is given to others
PATIENCE = 4  # rests, before a thread takes records of another's part

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
  %told = call i64 %settle(ptr %net, i64 %table.at, i64 %records, i64 %start, i64 %codes)
  %known.nearer = icmp slt i64 %told, %most
  %known.most = select i1 %known.nearer, i64 %told, i64 %most
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
  %listed = load i64, ptr %place.at
  %is.listed = icmp eq i64 %listed, %number
  br i1 %is.listed, label %counted, label %list
list:
  store i64 %number, ptr %place.at
  br label %counted
counted:
  %count.next = add i64 %count, %adds
  %changed = call i64 @get(ptr %row, i64 CHANGED)
  %settled = call i64 @get(ptr %shared, i64 SETTLE)
  %looks = or i64 %changed, %settled
  %known = icmp eq i64 %looks, 0
  %by.row = and i1 %runs, %known
  br i1 %by.row, label %said, label %looked
said:
  %asks.row = call i64 @get(ptr %row, i64 ASKS)
  br label %both
looked:
  %pending.at = call ptr @pointer(ptr %row, i64 PENDING)
  %pending = load i32, ptr %pending.at
  %bit = and i32 %pending, REQUEST
  %asks.record = zext i32 %bit to i64
  br label %both
both:
  %asked = phi i64 [ %asks.row, %said ], [ %asks.record, %looked ]
  %asks = icmp ne i64 %asked, 0
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
  %goal.next = phi i64 [ %goal, %both ], [ %smaller, %keep ]
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

define i64 @lead(ptr %table, ptr %shared, i64 %records, ptr %next_due) {
entry:
  %goal.at = call ptr @word(ptr %shared, i64 GOAL)
  %cycle.at = call ptr @word(ptr %shared, i64 AT)
  br label %head
head:
  %round = phi i64 [ 1, %entry ], [ %round.next, %next ], [ %round, %delivered ]
  %before = phi i64 [ 0, %entry ], [ %wanted, %next ], [ %before, %delivered ]
  %chosen = call i64 @choose(ptr %table, ptr %shared, i64 %records, ptr %next_due)
  %over = icmp slt i64 %chosen, 0
  br i1 %over, label %ends, label %begin
ends:
  %because.at = call ptr @word(ptr %shared, i64 WHY)
  %because = load i64, ptr %because.at
  %deliver.code = call ptr @pointer(ptr %shared, i64 DELIVER)
  %is.due = icmp eq i64 %because, 2
  %can = icmp ne ptr %deliver.code, null
  %delivers = and i1 %is.due, %can
  br i1 %delivers, label %deliver, label %quit
deliver:
  %any.record = call ptr @pointer(ptr %table, i64 RECORD)
  %rows.at = ptrtoint ptr %table to i64
  %now = load i64, ptr %cycle.at
  %routes = call i64 @get(ptr %shared, i64 ROUTES)
  %left.over = call i64 %deliver.code(
      ptr %any.record, i64 %rows.at, i64 %records, i64 %now, i64 %routes)
  %carried = icmp eq i64 %left.over, 0
  br i1 %carried, label %delivered, label %quit
delivered:
  store i64 0, ptr %because.at
  br label %head
begin:
  store i64 %chosen, ptr %goal.at
  call void @offer(ptr %shared, i64 %round, i64 %chosen)
  %count = call i64 @get(ptr %shared, i64 COUNT)
  %wanted = add i64 %before, %count
  br label %work
work:
  %worked = call i1 @turn(ptr %table, ptr %shared, i64 0, i64 0)
  br i1 %worked, label %work, label %wait
wait:
  %rests = phi i64 [ 0, %work ], [ %rests.next, %spin ], [ %rests, %other ]
  %all = call i1 @all_done(ptr %shared, i64 %wanted)
  br i1 %all, label %finish, label %waits
waits:
  %late = icmp sge i64 %rests, PATIENCE
  br i1 %late, label %other, label %spin
other:
  %helped = call i1 @others_turn(ptr %table, ptr %shared, i64 0)
  br i1 %helped, label %wait, label %spin
spin:
  %rests.next = add i64 %rests, 1
  call void @rest(ptr %shared)
  br label %wait
finish:
  call void @withdraw(ptr %shared)
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

define i64 @help(ptr %table, ptr %shared, i64 %thread, ptr %ignored) {
entry:
  %quit.at = call ptr @word(ptr %shared, i64 QUIT)
  br label %head
head:
  %rests = phi i64 [ 0, %entry ], [ 0, %head ], [ %rests.next, %spin ], [ %rests, %other ]
  %worked = call i1 @turn(ptr %table, ptr %shared, i64 %thread, i64 %thread)
  br i1 %worked, label %head, label %look
look:
  %quit = load atomic i64, ptr %quit.at acquire, align 8
  %over = icmp ne i64 %quit, 0
  br i1 %over, label %done, label %waits
waits:
  %late = icmp sge i64 %rests, PATIENCE
  br i1 %late, label %other, label %spin
other:
  %helped = call i1 @others_turn(ptr %table, ptr %shared, i64 %thread)
  br i1 %helped, label %head, label %spin
spin:
  %rests.next = add i64 %rests, 1
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
    text = _TEXT + PARTS
    text = re.sub(r"(?<![\w%@.])[A-Z]+\b", lambda found: str(values[found.group()]), text)
    code = kept_object(Module(text, False))
    return jit.load(f"together {numbers}", [code], ["lead", "help", "due"])
