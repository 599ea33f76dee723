# SPDX-License-Identifier: Apache-2.0
"""The rows as a document of CMSIS-SVD 1.3, in the order of elements that its schema wants."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import metadata
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from tensix_gdb.core.devices.registers import Access, Bits
from tensix_gdb.gdbstub.svd.rows import Peripheral, Shown

ACCESS = {
    Access.READ_WRITE: "read-write",
    Access.READ_ONLY: "read-only",
    Access.IGNORES_WRITES: "read-only",
    Access.WRITE_ONLY: "write-only",
}
SCHEMA = "http://www.w3.org/2001/XMLSchema-instance"
DESCRIPTION = (
    "Tensix tile of Tenstorrent Blackhole: registers of the devices and configuration of the "
    "coprocessor, as the harts B, T0, T1 and T2 see them"
)


def document(peripherals: Iterable[Peripheral]) -> str:
    """Return the text of the file."""
    device = Element("device", {"schemaVersion": "1.3", f"{{{SCHEMA}}}noNamespaceSchemaLocation":
                                "CMSIS-SVD.xsd"})  # fmt: skip
    ElementTree.register_namespace("xs", SCHEMA)
    _texts(
        device,
        vendor="Tenstorrent",
        name="Blackhole_Tensix",
        version=_version(),
        description=DESCRIPTION,
        addressUnitBits=8,
        width=32,
        size=32,
        access="read-write",
        resetValue="0x00000000",
        resetMask="0xFFFFFFFF",
    )
    parent = ElementTree.SubElement(device, "peripherals")
    for one in peripherals:
        _peripheral(parent, one)
    ElementTree.indent(device)
    body = ElementTree.tostring(device, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body}\n'


def _version() -> str:
    try:
        return metadata.version("tensix-gdb")
    except metadata.PackageNotFoundError:
        return "0"


def _texts(parent: Element, **elements: object) -> None:
    """Children with text, in this order."""
    for name, value in elements.items():
        ElementTree.SubElement(parent, name).text = str(value)


def _peripheral(parent: Element, one: Peripheral) -> None:
    same = {"derivedFrom": one.same_as} if one.same_as else {}
    made = ElementTree.SubElement(parent, "peripheral", same)
    _texts(made, name=one.name, description=one.doc, baseAddress=f"{one.base:#010x}")
    block = ElementTree.SubElement(made, "addressBlock")
    size = one.size * one.copies
    _texts(block, offset="0x0", size=f"{size:#x}", usage="registers")
    if one.same_as:
        return
    registers = ElementTree.SubElement(made, "registers")
    if one.copies > 1:
        registers = ElementTree.SubElement(registers, "cluster")
        _texts(registers, dim=one.copies, dimIncrement=f"{one.size:#x}", name=f"{one.of_copy}[%s]")
        _texts(registers, description=f"one {one.of_copy.lower()}", addressOffset="0x0")
    for register in one.registers:
        _register(registers, register)


def _register(parent: Element, register: Shown) -> None:
    made = ElementTree.SubElement(parent, "register")
    _texts(
        made,
        name=register.name,
        description=register.doc or register.name,
        addressOffset=f"{register.offset:#x}",
        access=ACCESS[register.access],
        resetValue=f"{register.reset:#010x}",
    )
    if register.fields:
        fields = ElementTree.SubElement(made, "fields")
        for bits in sorted(register.fields, key=lambda bits: bits.low):
            _field(fields, bits)


def _field(parent: Element, bits: Bits) -> None:
    made = ElementTree.SubElement(parent, "field")
    name = "".join(letter if letter.isalnum() else "_" for letter in bits.name)
    _texts(made, name=name, description=bits.doc or bits.name, bitOffset=bits.low,
           bitWidth=bits.width)  # fmt: skip
