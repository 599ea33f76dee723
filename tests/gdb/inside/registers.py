# SPDX-License-Identifier: Apache-2.0
"""info registers, set var, registers both ways, locals of all kinds (B: calls)."""

from checks import equal, execute, line_of, refused, run, text, value, within


def main():
    execute(f"break calls.c:{line_of('calls', 'all locals have their values here')}")
    execute("continue")

    listed = execute("info registers")
    names = [row.split()[0] for row in listed.splitlines()]
    for name in ("ra", "sp", "gp", "tp", "t0", "s11", "a0", "a7", "t6", "pc"):
        within(name, names, f"info registers lists {name}")
    within(f"{value('$pc'):#x}", listed, "with their values")
    within("<locals", listed, "and the pc's function")
    equal(value("(unsigned)$sp") >> 12, 0xFFB01, "the stack is in B's local RAM")
    execute("info all-registers")

    equal(value("$zero"), 0, "x0 is 0")
    execute("set var $t6 = 0x89abcdef")
    equal(value("(unsigned)$t6"), 0x89ABCDEF, "a register can be set")
    equal(value("(unsigned)$x31"), 0x89ABCDEF, "and has two names")
    execute("set var $t6 = -1")
    equal(value("$t6"), -1, "also to a negative value")

    # fmt: off
    for expression, wanted in (
        ("c",           "-7 '\\371'"),
        ("half",        "48879"),
        ("numbers",     "{1, 2, 3, 4, 5}"),
        ("pair",        "{first = 11, second = -22}"),
        ("bits",        "{low = 5 '\\005', high = 17 '\\021', wide = 4660}"),
        ("colour",      "BLUE"),
        ("wide",        "1311768467463790320"),
        ("*where",      "3"),
        ("greeting",    '"hello, tile"'),
    ):
        equal(text(expression), wanted, f"print {expression}")
    # fmt: on
    within("pair = {first = 11, second = -22}", execute("info locals"), "info locals")

    execute("set var numbers[4] = -99")
    equal(text("numbers"), "{1, 2, 3, 4, -99}", "an element of a local array can be set")
    execute("set var pair.second = 78")
    execute("set var half = 1")
    execute("set var bits.high = 3")
    execute("set var answer = 43")
    equal(value("answer"), 43, "a global can be set")
    execute("set var wide = 0xf000000000000001ull")
    within("Value returned is $", out := execute("finish"), "finish returns")
    wanted = -7 + 1 + (3 + 11) + 78 + 3 + 6 + 15 + ord("h")
    within(f"= {wanted}\n", out, "what the program continues with is what was set")

    within("Cannot access memory at address 0xf0000000", refused("x/w 0xf0000000"), "no memory")
    within("Cannot access memory", refused("set var *(int *)0xf0000000 = 1"), "none to write")


run(main)
