# SPDX-License-Identifier: Apache-2.0
"""gdb commands for `plumb replay --gdb`: the threads and events of a recorded execution.

Every thread of the program under test is a real thread here, one of which runs at a time, so gdb's own commands work on
them. What the engine knows beyond that is found through the table plumb_debug_view (src/engine/error/debugger.c).

A run of `plumb prove` has its threads on one real thread, each on a stack of its own: plumb_prove_view (src/prove/prove_debug.c)."""

import os
import struct

import gdb

RUNTIMES = ("libplumb-rt.so", "libplumb-prove.so")
ORDERS = ("rlx", "con", "acq", "rel", "acq_rel", "sc", "")
HIDDEN_KINDS = ("", "begin", "malloc")  # no rows in reports either

VIEW_VERSION = 1
VIEW_FIELDS = (
    "version engine active kinds errors "
    "shared current count alive waiting joining next threads "
    "thread_size spins pc kernel_thread "
    "action_size action_address action_kind "
    "event_count events_lost error_kind error_message stack_count stack_thread operations events "
    "event_size event_pc event_address event_before event_value event_thread"
).split()


# ---------------------------------------------------------------- memory of the process


def read(address, layout):
    size = struct.calcsize(layout)
    return struct.unpack(layout, gdb.selected_inferior().read_memory(address, size).tobytes())


def read_word(address):
    return read(address, "=Q")[0]


def read_number(address):
    return read(address, "=I")[0]


def read_text(address, most=1 << 16):
    """The text that ends with a zero byte; read in parts, because what follows may not be mapped."""
    text = b""
    while len(text) < most and b"\0" not in text:
        text += bytes(read(address + len(text), "=64s")[0])
    return text.split(b"\0")[0].decode(errors="replace")


class View:
    """The engine's state, by the names of the table."""

    def __init__(self):
        if gdb.selected_inferior().pid == 0:
            raise gdb.GdbError("The program does not run: type 'run' first.")
        try:
            table = int(gdb.parse_and_eval("(char *)&plumb_debug_view"))
            values = read(table, "=%dQ" % len(VIEW_FIELDS))
        except gdb.error:
            raise gdb.GdbError("The program has not been taken over by the runtime yet.")
        self.at = dict(zip(VIEW_FIELDS, values))
        if self.at["version"] != VIEW_VERSION:
            raise gdb.GdbError("The program is linked with a runtime of another version.")
        self.engine = self.at["engine"]
        self.shared = read_word(self.engine + self.at["shared"])
        if self.shared == 0:
            raise gdb.GdbError("The execution has not begun yet.")

    def word(self, name):
        return read_word(self.engine + self.at[name])

    def number(self, name):
        return read_number(self.engine + self.at[name])

    def shared_number(self, name):
        return read_number(self.shared + self.at[name])

    def kind_text(self, kind):
        return read_text(read_word(self.at["kinds"] + 8 * kind))

    def error_text(self):
        kind = self.shared_number("error_kind")
        return read_text(read_word(self.at["errors"] + 8 * kind)) if kind else None

    def error_message(self):
        return read_text(self.shared + self.at["error_message"])

    def operation(self, number):
        lines = read_text(self.shared + self.at["operations"]).split("\n")
        return lines[number] if number < len(lines) else "?"

    def place_of_event(self, index):
        """Where the event is kept and which number it has: of a long execution the last half is a ring."""
        kept, lost = self.shared_number("event_count"), self.shared_number("events_lost")
        half = kept // 2
        if not lost or index < half:
            return index, index + 1
        return half + (index - half + lost) % (kept - half), index + 1 + lost


class Event:
    def __init__(self, view, index):
        place, self.number = view.place_of_event(index)
        address = view.shared + view.at["events"] + place * view.at["event_size"]
        self.pc = read_word(address + view.at["event_pc"])
        self.address = read_word(address + view.at["event_address"])
        self.before = read_word(address + view.at["event_before"])
        self.value = read_word(address + view.at["event_value"])
        self.thread, kind, order, self.size = read(address + view.at["event_thread"], "=HBBB")
        self.kind = view.kind_text(kind)
        self.order = ORDERS[order] if order < len(ORDERS) else ""
        self.view = view

    def is_shown(self):
        return self.kind not in HIDDEN_KINDS

    def value_text(self):
        if self.kind in ("R", "CAS failed"):
            return " = %d" % self.signed(self.before)
        if self.kind == "W":
            return " = %d" % self.signed(self.value)
        if self.kind == "RMW":
            return " = %d -> %d" % (self.signed(self.before), self.signed(self.value))
        return ""

    def signed(self, value):
        bits = 8 * min(self.size or 8, 8)
        value &= (1 << bits) - 1
        return value - (1 << bits) if value >> (bits - 1) else value

    def what(self):
        if self.kind in ("create", "join"):
            return "%s T%d" % (self.kind, self.value)
        if self.kind in ("call", "return"):
            return "%s %s" % (self.kind, self.view.operation(self.value))
        words = [self.kind, self.order, location(self.address) if self.address else ""]
        return " ".join(word for word in words if word) + self.value_text()

    def row(self):
        return "%6d  T%-2d %-32s %s" % (self.number, self.thread, self.what(), place(self.pc))


def events(view):
    return (Event(view, index) for index in range(view.shared_number("event_count")))


# ---------------------------------------------------------------- names


def location(address):
    text = gdb.execute("info symbol %d" % address, to_string=True)
    return text.split(" in section ")[0].replace(" + ", "+") if " in section " in text else "%#x" % address


def place(pc):
    """file:line of a return address."""
    if not pc:
        return ""
    line = gdb.find_pc_line(pc - 1)
    return "%s:%d" % (line.symtab.filename, line.line) if line.symtab else "%#x" % pc


def object_of(pc):
    return os.path.basename(gdb.solib_name(pc) or "")


def is_program(frame):
    name = object_of(frame.pc())
    return name not in RUNTIMES and not name.startswith(("libc.so", "libpthread", "ld-linux"))


def has_own_line(frame):
    """Is it the user's code, rather than that of a library or an installed header?"""
    table = frame.find_sal().symtab
    return table is not None and not table.fullname().startswith("/usr/")


def program_frame():
    """The innermost frame of the selected thread with code of the program, rather the user's; None: there is none."""
    best = None
    frame = gdb.newest_frame()
    while frame is not None and frame.is_valid():
        if is_program(frame) and frame.name() != "_start":
            if has_own_line(frame):
                return frame
            best = best or frame
        frame = frame.older()
    return best


def show_program_frame():
    frame = program_frame()
    if frame is None:
        return False
    frame.select()
    gdb.execute("frame")
    return True


# ---------------------------------------------------------------- threads


class Thread:
    def __init__(self, view, number):
        action = view.engine + view.at["next"] + number * view.at["action_size"]
        thread = view.engine + view.at["threads"] + number * view.at["thread_size"]
        self.view = view
        self.number = number
        self.kind = view.kind_text(read(action + view.at["action_kind"], "=B")[0])
        self.address = read_word(action + view.at["action_address"])
        self.pc = read_word(thread + view.at["pc"])
        self.spins = read(thread + view.at["spins"], "=B")[0] != 0
        self.kernel_thread = read(thread + view.at["kernel_thread"], "=i")[0]

    def is_in(self, name):
        return self.view.word(name) >> self.number & 1 == 1

    def has_ended(self):
        """The end of the whole process is the last step of the thread that ends it."""
        judged = self.is_running() and self.kind == "end" and self.view.error_text()
        return bool(judged) or not self.is_in("alive")

    def is_running(self):
        return self.view.number("current") == self.number

    def holder(self):
        """Who took the lock that this thread wants last and did not give it back; None: nobody."""
        gave_back = set()
        for event in reversed(list(events(self.view))):
            if event.address != self.address:
                continue
            if event.kind in ("unlock", "read unlock", "wait"):
                gave_back.add(event.thread)
            took = event.kind in ("lock", "read lock", "woken") or (event.kind == "trylock" and event.value)
            if took and event.thread not in gave_back:
                return event.thread
        return None

    def waiting_state(self):
        if self.spins:
            return "spins until somebody writes"
        if self.kind not in ("lock", "read lock"):
            return "waits: %s %s" % (self.kind, location(self.address))
        holder = self.holder()
        if holder is None:
            return "ready: %s %s" % (self.kind, location(self.address))
        return "waits for %s, held by T%d" % (location(self.address), holder)

    def state(self):
        if self.has_ended():
            return "ended"
        if self.is_in("joining"):
            return "waits for the end of T%d" % self.address
        if self.is_running() and not self.view.error_text():
            return "running"
        if self.is_in("waiting"):
            return self.waiting_state()
        if self.is_running():
            return "running"
        if self.kind in ("create", "join", "begin", "end") or not self.address:
            return "ready: " + self.kind
        return "ready: %s %s" % (self.kind, location(self.address))

    def gdb_thread(self):
        for thread in gdb.selected_inferior().threads():
            if thread.ptid[1] == self.kernel_thread:
                return thread
        raise gdb.GdbError("T%d is not among gdb's threads." % self.number)

    def where(self):
        if self.has_ended():
            return ""
        if self.kind == "begin" and not self.is_running():
            return place(self.pc)
        return self.frame_place() or place(self.pc)

    def frame_place(self):
        before = gdb.selected_thread()
        frame_before = gdb.selected_frame()
        self.gdb_thread().switch()
        frame = program_frame()
        line = frame.find_sal() if frame else None
        before.switch()
        frame_before.select()
        return "%s:%d" % (line.symtab.filename, line.line) if line and line.symtab else ""


def threads(view):
    return [Thread(view, number) for number in range(view.number("count"))]


# ---------------------------------------------------------------- runs of plumb prove

PROOF_FIELDS = (
    "version shared done base verbs verb_count threads thread_count "
    "thread_size thread_pc thread_is_open thread_op "
    "message operations operation_size events event_size "
    "event_kind event_number event_numbers event_reuse event_pc event_address event_hook"
).split()
PROOF_CALL, PROOF_STEP, PROOF_RETURN, PROOF_FAULT = range(4)
PROOF_DRAIN = -2
PROOF_NO_ADDRESS = ("malloc", "calloc", "aligned_alloc")


def is_proof():
    """Is this program one of plumb prove?"""
    return gdb.lookup_static_symbol("plumb_prove_view") is not None or any(
        os.path.basename(file.filename or "") == RUNTIMES[1] for file in gdb.objfiles()
    )


class Proof:
    """The run so far, by the names of its table."""

    def __init__(self):
        if gdb.selected_inferior().pid == 0:
            raise gdb.GdbError("The program does not run: type 'run' first.")
        table = int(gdb.parse_and_eval("(char *)&plumb_prove_view"))
        self.at = dict(zip(PROOF_FIELDS, read(table, "=%dQ" % len(PROOF_FIELDS))))
        if self.at["version"] != VIEW_VERSION:
            raise gdb.GdbError("The program is linked with a runtime of another version.")
        self.shared = read_word(self.at["shared"])
        self.base = read_word(self.at["base"])
        self.done = read_number(self.at["done"])

    def operation(self, number):
        return read_text(self.shared + self.at["operations"] + number * self.at["operation_size"])

    def message(self):
        return read_text(self.at["message"])

    def verb(self, kind):
        name = read_word(self.at["verbs"] + 8 * (kind if kind < self.at["verb_count"] else 0))
        return read_text(name) if name else ""

    def address_of(self, address):
        """Addresses of variables count from the start of the program."""
        return address + self.base if address < 1 << 32 else address

    def step_text(self, event):
        verb = self.verb(read(event + self.at["event_hook"], "=H")[0] // 8)
        address = read_word(event + self.at["event_address"])
        if read(event + self.at["event_reuse"], "=i")[0] == PROOF_DRAIN:
            verb = "the store reaches memory:"
        return verb if not address or verb in PROOF_NO_ADDRESS else "%s %s" % (verb, location(self.address_of(address)))

    def row(self, index):
        event = self.shared + self.at["events"] + index * self.at["event_size"]
        kind, thread, op = read(event + self.at["event_kind"], "=BBB")
        pc = read_word(event + self.at["event_pc"])
        if kind == PROOF_CALL:
            given = read(event + self.at["event_numbers"], "=3q")
            what = "call %s(%s)" % (self.operation(op), ", ".join(str(number) for number in given if number))
        elif kind == PROOF_RETURN:
            what = "return %s = %d" % (self.operation(op), read(event + self.at["event_number"], "=q")[0])
        else:
            what = self.step_text(event)
        return ("%6d  T%-2d %-32s %s" % (index + 1, thread, what, place(pc + self.base) if pc else "")).rstrip()

    def rows(self, last=None):
        first = 0 if last is None else max(0, self.done - last)
        return [self.row(index) for index in range(first, self.done)]

    def thread_rows(self):
        for number in range(read_number(self.at["thread_count"])):
            thread = self.at["threads"] + number * self.at["thread_size"]
            is_open, op = (read(thread + self.at[name], "=B")[0] for name in ("thread_is_open", "thread_op"))
            state = "in " + self.operation(op) if is_open else "in no operation"
            where = place(read_word(thread + self.at["thread_pc"])) if is_open else ""
            yield ("  T%-2d %-40s %s" % (number, state, where)).rstrip()


def tell_proof():
    proof = Proof()
    print("\nplumb: the end of the run, after %d events" % proof.done)
    print("  %s." % (proof.message() or "No order of its operations explains their answers"))
    print("  'plumb threads' and 'plumb events' tell how it came; 'run' starts the same run again.\n")
    for row in proof.thread_rows():
        print(row)


# ---------------------------------------------------------------- stopping


class SilentBreakpoint(gdb.Breakpoint):
    """On a function of the runtime; its stop is told by the code here."""

    def __init__(self, function):
        super().__init__(function, internal=True)
        self.silent = True


def quietly(command):
    return gdb.execute(command, to_string=True)


def tell_error():
    if is_proof():
        tell_proof()
        return
    view = View()
    print("\nplumb: %s after %d events" % (view.error_text(), view.shared_number("event_count")))
    print("  %s." % view.error_message())
    print("  'plumb threads' and 'plumb events' tell how it came; 'run' starts the same execution again.\n")
    if view.shared_number("stack_count") == 0:
        print("It was found after all threads had ended: set a breakpoint and 'run' again to look at them.")
        return
    Thread(view, view.shared_number("stack_thread")).gdb_thread().switch()
    show_program_frame()


def show_running():
    """Ctrl-C stops in whatever thread the system chose; the one that runs is meant."""
    try:
        view = View()
        Thread(view, view.number("current")).gdb_thread().switch()
        show_program_frame()
    except gdb.GdbError:
        pass


class CallGuard:
    """Program code that gdb calls (print f(x)) must not become a part of the execution: its steps are nobody's, and no
    other thread goes on meanwhile."""

    def __init__(self):
        self.active = self.locking = None

    def __call__(self, event):
        try:
            view = View()
        except gdb.GdbError:  # or a run of plumb prove
            return
        if isinstance(event, gdb.InferiorCallPreEvent):
            self.begin(view.at["active"])
        elif self.active is not None:
            self.end(view.at["active"])

    def begin(self, flag):
        self.active = gdb.selected_inferior().read_memory(flag, 1).tobytes()
        self.locking = gdb.parameter("scheduler-locking")
        gdb.selected_inferior().write_memory(flag, b"\0")
        quietly("set scheduler-locking on")

    def end(self, flag):
        gdb.selected_inferior().write_memory(flag, self.active)
        quietly("set scheduler-locking " + self.locking)
        self.active = self.locking = None


class Stops:
    """The breakpoints in the runtime, made when it is loaded; gdb keeps them from then on."""

    def __init__(self):
        self.error = self.event = None
        self.stepping = False

    def on_objfile(self, event):
        if self.error or os.path.basename(event.new_objfile.filename or "") not in RUNTIMES:
            return
        self.error = SilentBreakpoint("plumb_debug_error")
        self.event = SilentBreakpoint("plumb_debug_event")
        self.event.enabled = self.stepping
        skip_runtime(event.new_objfile)

    def step_by_events(self, stepping):
        self.stepping = stepping
        if self.event:
            self.event.enabled = stepping

    def on_stop(self, event):
        if isinstance(event, gdb.BreakpointEvent) and self.error in event.breakpoints:
            tell_error()
        if isinstance(event, gdb.SignalEvent) and event.stop_signal == "SIGINT":
            show_running()


def skip_runtime(objfile):
    """'step' does not go into the runtime, which each access of the program calls."""
    symbol = objfile.lookup_global_symbol("plumb_debug_event")
    if symbol is None:  # stripped: gdb steps over what has no lines
        return
    sources = symbol.symtab.fullname().rpartition("/src/")[0] + "/src"
    for folder in ("rt", "engine", "worker", "prove"):
        quietly("skip -gfi %s/%s/*" % (sources, folder))
        quietly("skip -gfi %s/%s/*/*" % (sources, folder))


class HideRuntime:
    """Frame filter: backtraces without the runtime, and without the C library's functions in which it waits."""

    def __init__(self):
        self.name, self.priority, self.enabled = "plumb", 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        held = []
        for decorator in frames:
            frame = decorator.inferior_frame()
            if object_of(frame.pc()) in RUNTIMES:
                held = []
            elif is_program(frame):
                yield from held
                yield decorator
                held = []
            else:
                held.append(decorator)
        yield from held


# ---------------------------------------------------------------- commands


class Plumb(gdb.Command):
    """Threads and events of the recorded execution.

The threads of the program are gdb's threads: 'info threads', 'thread apply all bt', breakpoints and
thread-local variables work as usual. 'run' starts the same execution again."""

    def __init__(self):
        super().__init__("plumb", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE, True)


class PlumbThreads(gdb.Command):
    """List the threads: running, ready for a step, waiting for what, or ended; and their source lines."""

    def __init__(self):
        super().__init__("plumb threads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        if is_proof():
            print("\n".join(Proof().thread_rows()))
            return
        selected = gdb.selected_thread()
        for thread in threads(View()):
            mark = "*" if selected and selected.ptid[1] == thread.kernel_thread else " "
            print(("%s T%-2d %-40s %s" % (mark, thread.number, thread.state(), thread.where())).rstrip())


class PlumbThread(gdb.Command):
    """Select a thread by its number in reports: plumb thread 1. Shows its call stack."""

    def __init__(self):
        super().__init__("plumb thread", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if is_proof():
            raise gdb.GdbError("In a run of plumb prove only the thread that runs can be looked at: set a breakpoint.")
        text = argument.strip().lstrip("Tt")
        all_threads = threads(View())
        if not text.isdigit() or int(text) >= len(all_threads):
            raise gdb.GdbError("Name a thread: T0 to T%d." % (len(all_threads) - 1))
        thread = all_threads[int(text)]
        thread.gdb_thread().switch()
        print("T%d: %s" % (thread.number, thread.state()))
        frame = program_frame()
        if frame is None:
            print("no code of the program is on its stack")
            return
        frame.select()
        gdb.execute("backtrace")


class PlumbEvents(gdb.Command):
    """List the events so far, with values and source lines: plumb events [LAST]."""

    def __init__(self):
        super().__init__("plumb events", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        if is_proof():
            print("\n".join(Proof().rows(int(gdb.parse_and_eval(argument)) if argument.strip() else None)))
            return
        view = View()
        shown = [event for event in events(view) if event.is_shown()]
        if argument.strip():
            last = int(gdb.parse_and_eval(argument))
            shown = shown[-last:] if last > 0 else []
        for event in shown:
            print(event.row().rstrip())
        lost = view.shared_number("events_lost")
        if lost:
            print("%d in the middle were not kept" % lost)


class PlumbStep(gdb.Command):
    """Run until some thread has taken its next step that others can see: plumb step [COUNT].
Starts the program if it does not run yet."""

    def __init__(self):
        super().__init__("plumb step", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        count = int(gdb.parse_and_eval(argument)) if argument.strip() else 1
        for _ in range(count):
            if not self.step():
                return
        if not is_proof():
            show_program_frame()

    def step(self):
        """False: something else stopped the program."""
        while True:
            stops.step_by_events(True)
            try:
                text = quietly("continue" if gdb.selected_inferior().pid else "run")
            finally:
                stops.step_by_events(False)
            if not self.is_at_event():
                print(text, end="")
                return False
            if is_proof():
                print(Proof().rows(1)[0])
                return True
            view = View()
            event = Event(view, view.shared_number("event_count") - 1)
            if event.is_shown():
                print(event.row().rstrip())
                return True

    def is_at_event(self):
        return gdb.selected_inferior().pid != 0 and gdb.newest_frame().name() == "plumb_debug_event"


# ---------------------------------------------------------------- set-up

for setting in (
    "set breakpoint pending on",
    "set disable-randomization on",
    "set startup-with-shell off",
    "set print thread-events off",
    "unset environment LINES",
    "unset environment COLUMNS",
):
    quietly(setting)
stops = Stops()
gdb.events.stop.connect(stops.on_stop)
gdb.events.inferior_call.connect(CallGuard())
gdb.events.new_objfile.connect(stops.on_objfile)
HideRuntime()
for command in (Plumb, PlumbThreads, PlumbThread, PlumbEvents, PlumbStep):
    command()
print("plumb: 'run' starts the recorded execution and stops at its error; 'help plumb' lists more commands.")
