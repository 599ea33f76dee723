# gdb-multiarch -x find.gdb b.elf, beside `tensix-gdb serve --elf b=b.elf --elf t0=t0.elf`
set osabi none
set sysroot
target remote 127.0.0.1:4555
thread 1
watch ring.total thread 1
continue
backtrace
print at
