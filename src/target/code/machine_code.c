/* SPDX-License-Identifier: Apache-2.0 */
#include "target/code/machine_code.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- registers ----------------------------------------------------------------------------------- */

/* By number: of 8, 4, 2 bytes and 1. */
static const char *const old_names[][4] = {
    {"rax", "eax", "ax", "al"},  {"rcx", "ecx", "cx", "cl"},  {"rdx", "edx", "dx", "dl"},
    {"rbx", "ebx", "bx", "bl"},  {"rsp", "esp", "sp", "spl"}, {"rbp", "ebp", "bp", "bpl"},
    {"rsi", "esi", "si", "sil"}, {"rdi", "edi", "di", "dil"},
};
static const char *const high_names[] = {"ah", "ch", "dh", "bh"};

static bool is_new_register(const char *name, struct operand *o)
{
    char *end;
    unsigned long number =
        name[0] == 'r' && isdigit((unsigned char)name[1]) ? strtoul(name + 1, &end, 10) : 0;
    if (number < R8 || number > R15 || (*end && end[1]))
        return false;
    o->base = (uint8_t)number;
    o->size = *end == 'd' ? 4 : *end == 'w' ? 2 : *end == 'b' ? 1 : 8;
    return !*end || strchr("dwb", *end);
}

/* A name without '%', as the base of `o`. */
static bool read_register(const char *name, struct operand *o)
{
    for (size_t r = 0; r < sizeof old_names / sizeof *old_names; r++)
        for (uint8_t k = 0; k < 4; k++)
            if (strcmp(name, old_names[r][k]) == 0) {
                o->base = (uint8_t)r;
                o->size = (uint8_t)(8 >> k);
                return true;
            }
    for (size_t r = 0; r < sizeof high_names / sizeof *high_names; r++)
        if (strcmp(name, high_names[r]) == 0) {
            o->base = (uint8_t)r;
            o->size = 1;
            return true;
        }
    return is_new_register(name, o);
}

/* --- operands ------------------------------------------------------------------------------------ */

static void read_constant(const char *text, struct operand *o)
{
    char *end;
    errno = 0;
    bool negative = *text == '-';
    uint64_t size = strtoull(text + negative, &end, 16);
    int64_t value = negative ? -(int64_t)size : (int64_t)size;
    o->constant = (int32_t)value;
    o->wide_constant = errno || *end || value > INT_MAX || value < INT_MIN;
}

/* "0x8(%rbx,%rcx,4)" with its '(' at `open`. */
static void read_memory(char *text, char *open, struct operand *o)
{
    struct operand part = {0};
    char *rest = open + 1, *close = strchr(rest, ')');
    o->kind = OPERAND_UNKNOWN;
    o->base = o->index = NO_REGISTER;
    if (!close || close[1])
        return;
    *open = *close = '\0';
    read_constant(*text ? text : "0", o);
    char *base = strsep(&rest, ","), *index = strsep(&rest, ",");
    if (strcmp(base, "%rip") == 0) {
        o->kind = OPERAND_ELSEWHERE;
        o->relative = !index && !o->wide_constant;
        return;
    }
    if (*base && (base[0] != '%' || !read_register(base + 1, &part) || part.size != 8))
        return;
    o->base = *base ? part.base : NO_REGISTER;
    if (index && (index[0] != '%' || !read_register(index + 1, &part) || part.size != 8))
        return;
    o->index = index ? part.base : NO_REGISTER;
    o->kind = o->wide_constant ? OPERAND_UNKNOWN : OPERAND_MEMORY;
}

static struct operand read_operand(char *text)
{
    struct operand o = {.kind = OPERAND_UNKNOWN, .base = NO_REGISTER, .index = NO_REGISTER};
    char *open = strchr(text, '(');
    if (strncmp(text, "%fs:", 4) == 0 && (!open || open[1] == '%')) {
        /* registers in the address are read, but no frame is reached */
        o.kind = open ? OPERAND_UNKNOWN : OPERAND_ELSEWHERE;
    } else if (strchr(text, ':') || *text == '*') {
        o.kind = OPERAND_UNKNOWN;
    } else if (open) {
        read_memory(text, open, &o);
    } else if (*text == '$') {
        o.kind = OPERAND_CONSTANT;
        read_constant(text + 1, &o);
    } else if (strncmp(text, "%xmm", 4) == 0) {
        o.kind = OPERAND_VECTOR;
    } else if (*text == '%') {
        o.kind = read_register(text + 1, &o) ? OPERAND_REGISTER : OPERAND_UNKNOWN;
    }
    return o;
}

/* The end of the operand at `text`: the next comma that is not in parentheses. */
static char *end_of_operand(char *text)
{
    int depth = 0;
    for (; *text && (*text != ',' || depth); text++)
        depth += (*text == '(') - (*text == ')');
    return text;
}

static void read_operands(char *text, struct instruction *i)
{
    while (*text) {
        char *end = end_of_operand(text), after = *end;
        *end = '\0';
        struct operand o = read_operand(text);
        if (i->operand_count == MACHINE_OPERANDS) {
            i->operands[0].kind = OPERAND_UNKNOWN;
            return;
        }
        i->operands[i->operand_count++] = o;
        text = after ? end + 1 : end;
    }
}

/* --- lines --------------------------------------------------------------------------------------- */

/* "10c0 <name@plt>" */
static void read_target(const char *text, struct instruction *i)
{
    char *end;
    i->target = strtoull(text, &end, 16);
    if (end == text || strncmp(end, " <", 2) != 0) {
        i->target = 0;
        return;
    }
    size_t length = strcspn(end + 2, "@>");
    if (end[2 + length] == '@' && length < sizeof i->callee)
        memcpy(i->callee, end + 2, length);
}

static bool is_nop(const char *text)
{
    while (strncmp(text, "data16 ", 7) == 0 || strncmp(text, "cs ", 3) == 0)
        text += strcspn(text, " ") + 1;
    return strncmp(text, "nop", 3) == 0 || strcmp(text, "xchg   %ax,%ax") == 0;
}

/* Other instructions with a prefix have it as their name, which nobody knows. */
static void read_instruction(char *text, struct instruction *i)
{
    text[strcspn(text, "#\n")] = '\0';
    for (size_t n = strlen(text); n && isspace((unsigned char)text[n - 1]);)
        text[--n] = '\0';
    if (is_nop(text)) {
        strcpy(i->mnemonic, "nop");
        return;
    }
    size_t length = strcspn(text, " ");
    char *rest = text + length + strspn(text + length, " ");
    if (length >= sizeof i->mnemonic)
        length = 0;
    memcpy(i->mnemonic, text, length);
    bool leads_away = i->mnemonic[0] == 'j' || strcmp(i->mnemonic, "call") == 0;
    if (leads_away && *rest != '*')
        read_target(rest, i);
    else if (leads_away)
        read_operands(rest + 1, i);
    else
        read_operands(rest, i);
}

static void read_label(char *line, struct machine_code *into)
{
    struct machine_function f = {.first = into->instructions.len};
    char *name = strchr(line, '<'), *end = strstr(line, ">:");
    f.address = strtoull(line, NULL, 16);
    if (!name || !end || (size_t)(end - name) > sizeof f.name)
        name = end = line;
    else
        name++;
    memcpy(f.name, name, (size_t)(end - name));
    vec_push(&into->functions, f);
}

static void read_line(char *line, struct machine_code *into)
{
    char *colon = strchr(line, ':'), *tab = strchr(line, '\t');
    if (isxdigit((unsigned char)line[0]) && strchr(line, '<')) {
        read_label(line, into);
    } else if (into->functions.len && line[0] == ' ' && colon && tab == colon + 1) {
        struct instruction i = {.address = strtoull(line, NULL, 16)};
        read_instruction(tab + 1, &i);
        vec_push(&into->instructions, i);
        vec_last(&into->functions).count++;
    }
}

void machine_code_read(FILE *listing, struct machine_code *into)
{
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, listing) >= 0)
        read_line(line, into);
    free(line);
    for (size_t k = 0; k < into->functions.len; k++) {
        struct machine_function *f = &into->functions.data[k];
        f->end = f->count ? into->instructions.data[f->first + f->count - 1].address + 1 : f->address;
    }
}

void machine_code_free(struct machine_code *code)
{
    vec_free(&code->instructions);
    vec_free(&code->functions);
}

/* --- objdump ------------------------------------------------------------------------------------- */

FILE *machine_code_list(const char *path, int *child)
{
    int ends[2];
    posix_spawn_file_actions_t actions;
    const char *const words[] = {"objdump", "-d", "--no-show-raw-insn", "-j", ".text", path, NULL};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bool started = posix_spawnp(child, words[0], &actions, NULL, (char *const *)words, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    FILE *listing = started ? fdopen(ends[0], "r") : NULL;
    if (!listing)
        close(ends[0]);
    return listing;
}

bool machine_code_end(FILE *listing, int child)
{
    int status = -1;
    fclose(listing);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status == 0;
}
