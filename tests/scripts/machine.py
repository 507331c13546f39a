#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: machine.py [--all] [--objdump PROGRAM] [--run "EMULATOR ..."] MACHINE_DUMP FILE...

Decodes the code of FILEs with src/machine, by MACHINE_DUMP, and compares with the text that objdump prints: lengths, where
jumps and calls lead, memory operands, and, for instructions whose text shows it, what is read and written, how many bytes, and
whether atomically. Without --all the first 120,000 bytes of each file. Exit code: 0 the same, 1 not, 2 wrong usage.
"""
import argparse
import platform
import re
import subprocess
import sys

PART = 120_000
COMPLAINTS = 20
LONGEST = 16

X86 = ["rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi"] + [f"r{k}" for k in range(8, 16)]
SIZES = {}
for k, name in enumerate(X86):
    SIZES[name] = 8
    SIZES[f"{name}d" if k > 7 else "e" + name[1:]] = 4
    SIZES[f"{name}w" if k > 7 else name[1:]] = 2
    SIZES[f"{name}b" if k > 7 else name[1:] + "l" if k > 3 else name[1] + "l"] = 1
SIZES.update({"ah": 1, "ch": 1, "dh": 1, "bh": 1})
SUFFIXES = {"b": 1, "w": 2, "l": 4, "q": 8}

MEMORY = re.compile(r"(%[a-z]s:)?(-?0x[0-9a-f]+)?\((%\w+)?(?:,(%\w+))?(?:,(\d))?\)")
READS = {"cmp", "test"}
BOTH = {"add", "sub", "and", "or", "xor", "adc", "sbb", "inc", "dec", "neg", "not", "xadd", "cmpxchg"}


class Dumped:
    def __init__(self, line):
        words = line.split()
        self.address, self.length, self.flow = int(words[0], 16), int(words[1]), words[2]
        if self.flow == "bad":
            return
        self.target, self.access = int(words[3], 16), words[4]
        self.reads, self.writes = "r" in words[5], "w" in words[5]
        self.size, self.locked = int(words[6]), words[7] == "1"
        self.base, self.index, self.scale, self.distance, self.relative, self.own = map(int, words[8:14])


def signed(text):
    value = int(text, 16) if text else 0
    return value - (1 << 64) if value >= 1 << 63 else value


def x86_register(name):
    return -1 if not name or name in ("%riz", "%eiz") else X86.index(name[1:])


def operands_of(text):
    """The operands of AT&T's text: commas in parentheses belong to one."""
    parts, depth = [""], 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts if p.strip()]


def split_x86(text):
    """Prefixes, mnemonic, operands; and the address in objdump's comment."""
    text, _, comment = text.partition("#")
    words = text.split()
    prefixes = []
    while words and words[0] in ("lock", "bnd", "notrack", "rep", "repz", "repnz", "data16", "cs", "ds", "es", "ss", "fs", "gs",
                                 "addr32", "xacquire", "xrelease") or (words and words[0].startswith("rex")):
        prefixes.append(words.pop(0))
    return prefixes, words[0] if words else "", operands_of(" ".join(words[1:])), comment


def expect_access(d, mnemonic, operands, prefixes):
    """What is read and written, as far as the text says so; yields complaints."""
    where = [k for k, o in enumerate(operands) if "(" in o]
    stem = mnemonic if mnemonic in READS | BOTH | {"mov", "xchg"} else mnemonic[:-1]
    if len(where) != 1 or any("%st" in o or "mm" in o for o in operands) or stem not in READS | BOTH | {"mov", "xchg"}:
        return
    last = where[0] == len(operands) - 1
    reads = stem != "mov" or not last
    writes = stem == "xchg" or (last and stem not in READS)
    if (d.reads, d.writes) != (reads, writes):
        yield f"reads {d.reads} writes {d.writes}"
    sizes = [SIZES[o[1:]] for o in operands if o.startswith("%") and o[1:] in SIZES]
    size = SUFFIXES[mnemonic[-1]] if mnemonic != stem else sizes[0] if sizes else None
    if size and d.size != size:
        yield f"{d.size} bytes"
    if d.locked != ("lock" in prefixes or stem == "xchg"):
        yield f"locked {d.locked}"


def compare_x86(d, text):
    prefixes, mnemonic, operands, comment = split_x86(text)
    leads = mnemonic.startswith("j") or mnemonic in ("call", "xbegin") or mnemonic.startswith("loop")
    flow = ("call" if mnemonic == "call" else "jump" if mnemonic == "jmp" else "branch" if leads else
            "return" if mnemonic.startswith(("ret", "iret", "lret")) else "end" if mnemonic in ("ud2", "hlt", "ud1", "ud0") else "on")
    if d.flow != flow and mnemonic not in ("xabort", "xend"):  # to where the transaction began
        yield f"flow {d.flow}"
    if leads and operands and re.match(r"[0-9a-f]+( |$)", operands[0]) and d.target != int(operands[0].split()[0], 16):
        yield f"target {d.target:x}"
    found = MEMORY.search(" ".join(operands))
    if not found or d.access in ("copy", "unknown"):
        return
    segment, displacement, base, index, scale = found.groups()
    if base == "%rip":
        if not d.relative or d.distance != int(comment.split()[0], 16):
            yield f"address {d.distance:x}"
    elif base != "%eip" and (base or "%r").startswith("%r") and not (base or "").endswith("d"):
        got = (d.base, d.index, d.distance, d.scale if d.index >= 0 else 0)
        wanted = (x86_register(base), x86_register(index), signed(displacement),
                  int(scale or 1) if x86_register(index) >= 0 else 0)
        if got != wanted:
            yield f"memory {got}, not {wanted}"
    if (segment in ("%fs:", "%gs:")) != bool(d.own):
        yield f"own {d.own}"
    yield from expect_access(d, mnemonic, operands, prefixes)


ATOMIC = re.compile(r"(ld|st)l?a?xp?r?[bh]?$|(ld|st)(a|l)?x[rp][bh]?$|cas|swp|ld(add|clr|eor|set|[su]max|[su]min)|"
                    r"st(add|clr|eor|set|[su]max|[su]min)")


def aarch64_flow(mnemonic):
    if mnemonic in ("bl",) or mnemonic.startswith("blr"):
        return "call"
    if mnemonic == "b" or mnemonic.startswith("br") and mnemonic != "brk":
        return "jump"
    if mnemonic.startswith("b.") or mnemonic in ("cbz", "cbnz", "tbz", "tbnz"):
        return "branch"
    return "return" if mnemonic.startswith("ret") else "end" if mnemonic == "udf" else "on"


def compare_aarch64(d, text):
    mnemonic, _, rest = text.partition("\t")
    rest = rest.split("//")[0]
    flow = aarch64_flow(mnemonic)
    if d.flow != flow:
        yield f"flow {d.flow}"
    target = re.search(r"(?:^|, )([0-9a-f]+) <", rest)
    if flow in ("jump", "call", "branch") and target and d.target != int(target[1], 16):
        yield f"target {d.target:x}"
    memory = re.search(r"\[(\w+)", rest)
    if re.search(r"\b[zp]\d+", rest) or re.match(r"(st|stz|st2|stz2|ld)g", mnemonic):  # scalable vectors, tags
        if memory and d.access != "unknown" and not mnemonic.startswith("prf"):
            yield f"access {d.access}"
        return
    if mnemonic.startswith("prf") or not memory or not mnemonic.startswith(("ld", "st", "cas", "swp")):
        if d.access != "none" and not mnemonic.startswith("ld"):
            yield f"access {d.access}"
        return
    base = 31 if memory[1] == "sp" else int(memory[1][1:])
    atomic = bool(ATOMIC.match(mnemonic))
    pair = re.match(r"(ld|st)l?a?x[rp]", mnemonic)
    reads = not mnemonic.startswith("st") or (atomic and not pair)
    writes = mnemonic.startswith("st") or (atomic and not pair)
    if (d.access, d.base, d.reads, d.writes, d.locked) != ("operand", base, reads, writes, atomic):
        yield f"{d.access} base {d.base} reads {d.reads} writes {d.writes} locked {d.locked}"


def text_section(objdump, path):
    for line in subprocess.run([objdump, "-h", path], capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.split()
        if len(words) > 5 and words[1] == ".text":
            return int(words[5], 16), int(words[2], 16), int(words[3], 16)
    sys.exit(f"{path}: no code")


def listing(objdump, path, address, end):
    """address, text; text is None where objdump leaves out zeros."""
    command = [objdump, "-d", "--no-show-raw-insn", "-j", ".text", f"--start-address={address:#x}",
               f"--stop-address={end:#x}", path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            found = re.match(r" +([0-9a-f]+):\t(.*)", line)
            if found:
                yield int(found[1], 16), found[2].strip()
            elif line.strip() == "...":
                yield None, None


def check_file(options, path):
    offset, size, address = text_section(options.objdump, path)
    size = size if options.all else min(size, PART)
    command = options.run.split() + [options.dump, path, str(offset), str(size), str(address)]
    dumped = {d.address: d for d in map(Dumped, subprocess.run(command, capture_output=True, text=True, check=True)
                                        .stdout.splitlines())}
    compare = compare_aarch64 if "aarch64" in options.objdump or platform.machine() == "aarch64" else compare_x86
    # objdump takes what it cuts in two at the end of the part for something else
    lines = [(at, text) for at, text in listing(options.objdump, path, address, address + size)
             if at is None or at < address + size - LONGEST]
    count, bad = 0, 0
    for (at, text), (following, _) in zip(lines, lines[1:]):
        if at is None or "(bad)" in text or text.startswith((".byte", ".inst", "rex")):
            continue
        d = dumped.get(at)
        complaints = ["no instruction"] if not d or d.flow == "bad" else list(compare(d, text))
        if d and following is not None and d.length != following - at:
            complaints.append(f"{d.length} bytes long")
        count += 1
        bad += bool(complaints)
        if complaints and bad <= COMPLAINTS:
            print(f"{path}: {at:x}: {text}: {', '.join(complaints)}")
    print(f"{path}: {count} instructions, {bad} differ")
    return count > 100 and not bad


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--objdump", default="objdump")
    parser.add_argument("--run", default="")
    parser.add_argument("dump")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    sys.exit(0 if all([check_file(options, f) for f in options.files]) else 1)


main()
