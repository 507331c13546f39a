/* SPDX-License-Identifier: Apache-2.0 */
/* Values that are only printed: arguments of printf and its like for which a constant format has a number. No answer depends on
 * what a program prints, so that they are needed only if what the call returns is, the length; unless the program can read what it
 * printed. */
#include "target/code/liveness_state.h"

#include <string.h>

enum { LOOK_BACK = 24, ARGUMENTS = 6 };

static const struct {
    const char *name;
    unsigned format; /* number of the argument, from 0 */
} functions[] = {{"printf", 0}, {"fprintf", 1}, {"__printf_chk", 1}, {"__fprintf_chk", 2}};

static const uint8_t registers[ARGUMENTS] = {RDI, RSI, RDX, RCX, R8, 9};

/* --- programs --------------------------------------------------------------------------------------- */

/* With these a program may look at what it printed, or at how much: streams that are memory, files, pipes or functions of its own,
 * buffers of its own, places in files, other files in the place of the standard ones. */
static const char *const reading_back[] = {"open_memstream",
                                           "open_wmemstream",
                                           "fmemopen",
                                           "fopencookie",
                                           "tmpfile",
                                           "tmpfile64",
                                           "fopen",
                                           "fopen64",
                                           "freopen",
                                           "freopen64",
                                           "fdopen",
                                           "popen",
                                           "setvbuf",
                                           "setbuf",
                                           "setbuffer",
                                           "__fpending",
                                           "ftell",
                                           "ftello",
                                           "ftello64",
                                           "fgetpos",
                                           "fgetpos64",
                                           "lseek",
                                           "lseek64",
                                           "fstat",
                                           "fstat64",
                                           "__fxstat",
                                           "__fxstat64",
                                           "dup",
                                           "dup2",
                                           "dup3",
                                           "fcntl",
                                           "fcntl64",
                                           "pipe",
                                           "pipe2",
                                           "socketpair",
                                           "socket",
                                           "open",
                                           "open64",
                                           "openat",
                                           "openat64",
                                           "creat",
                                           "creat64",
                                           "mkstemp",
                                           "mkstemp64",
                                           "memfd_create",
                                           "ioctl",
                                           "syscall",
                                           "dlsym",
                                           "ferror",
                                           "ferror_unlocked",
                                           "pread",
                                           "pread64",
                                           "register_printf_function",
                                           "register_printf_specifier",
                                           "register_printf_modifier",
                                           "register_printf_type"};

static bool is_reading_back(const char *name)
{
    for (size_t k = 0; k < sizeof reading_back / sizeof *reading_back; k++)
        if (strcmp(name, reading_back[k]) == 0)
            return true;
    return false;
}

static bool can_read_back(const struct program_code *code)
{
    for (size_t k = 0; k < code->slots.len; k++)
        if (is_reading_back(code->slots.data[k].name))
            return true;
    return false;
}

/* --- formats ---------------------------------------------------------------------------------------- */

static bool is_one_of(char c, const char *list)
{
    return c && strchr(list, c);
}

/* Behind a '%'. Null: not known what it takes. */
static const char *pass_options(const char *at)
{
    while (is_one_of(*at, "-+ #0'123456789."))
        at++;
    while (is_one_of(*at, "hljzt"))
        at++;
    return *at == '*' ? NULL : at;
}

/* The registers of numbers, from argument `next` on. False: the format has something that is not known, or more arguments
 * than there are registers for. */
static bool read_format(const char *format, unsigned next, uint16_t *printed)
{
    while ((format = strchr(format, '%'))) {
        const char *what = pass_options(format + 1);
        if (!what || !is_one_of(*what, "diuxXocpsfFeEgGaA%"))
            return false;
        format = what + 1;
        if (is_one_of(*what, "fFeEgGaA%"))
            continue; /* in no such register */
        if (next == ARGUMENTS)
            return false;
        if (*what != 's')
            *printed |= (uint16_t)(1u << registers[next]);
        next++;
    }
    return true;
}

/* --- where it is ------------------------------------------------------------------------------------ */

static bool is_within(const struct liveness *a, size_t k, size_t from, size_t to)
{
    return k < a->count && from < k && k <= to;
}

bool liveness_is_entered(const struct liveness *a, size_t from, size_t to)
{
    for (size_t k = 0; k < a->count; k++) {
        const struct machine_instruction *i = &a->code[k].machine;
        if ((liveness_jumps(i->flow) && is_within(a, liveness_target_of(a, k), from, to)) ||
            is_within(a, liveness_pad_of(a, k), from, to))
            return true;
    }
    for (size_t t = 0; t < a->tables.len; t++)
        if (is_within(a, a->tables.data[t], from, to))
            return true;
    return false;
}

/* The address that the register holds at a call, set by the code before it; 0: not known. */
static uint64_t constant_at(const struct liveness *a, size_t call, unsigned r)
{
    for (size_t k = call; k-- > 0 && call - k <= LOOK_BACK;) {
        const struct machine_instruction *i = &a->code[k].machine;
        if (i->flow != FLOW_ON || i->next != a->code[k + 1].machine.address)
            return 0;
        if (!(i->writes >> r & 1))
            continue;
        bool known = i->kind == KIND_ADDRESS && i->memory.relative && !liveness_is_entered(a, k, call);
        return known ? (uint64_t)i->memory.distance : 0;
    }
    return 0;
}

static const char *format_at(const struct program_code *code, uint64_t address)
{
    size_t left;
    const uint8_t *text = address ? program_code_constant(code, address, &left) : NULL;
    return text && memchr(text, 0, left) ? (const char *)text : NULL;
}

static void find_printing_at(const struct liveness *a, size_t k, struct code_instruction *i,
                             const struct program_code *code)
{
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        if (i->machine.flow != FLOW_CALL || strcmp(i->callee, functions[f].name) != 0)
            continue;
        const char *format = format_at(code, constant_at(a, k, registers[functions[f].format]));
        uint16_t printed = 0;
        i->prints = format && read_format(format, functions[f].format + 1, &printed);
        i->printed = i->prints ? printed : 0;
    }
}

void liveness_find_printing(const struct liveness *a, struct code_instruction *list,
                            const struct program_code *code)
{
    if (can_read_back(code))
        return;
    for (size_t k = 0; k < a->count; k++)
        find_printing_at(a, k, &list[k], code);
}
