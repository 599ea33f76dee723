# The race of kernel.c in one execution: which value RDCFG has seen, and what was under way then.
set pagination off
directory scripts/examples/c10
break wrong
tbreak kernel.c:42
continue
printf "The store of NEW and the push have been issued. Under way:\n"
monitor order
continue
backtrace
printf "RDCFG has read %#x\n", seen
monitor status
