/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that small programs with loops can do: every state that interleavings reach, once under sc and once with the store
 * buffers of x86. Nothing is left out and nothing is clever; nothing is shared with src.
 * usage: loop_truth [STATES] <programs
 * Gives up on a program with more than STATES (300000) states. Programs come from tests/scripts/loop_programs.py:
 *   program NAME  cells N  private P...  results T R...  thread  INSTRUCTION...  end
 * A line of JSON for each: final values, whether an assertion fails, whether some state is a dead end, of which threads
 * (bits) it is true that others cannot end if one stops somewhere, whether plain accesses meet. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    THREADS = 3,
    REGISTERS = 8,
    CELLS = 12,
    MUTEXES = 4,
    CODE = 120,
    BUFFER = 4,
    VALUE_MOST = 60,
    LOCAL_MOST = 1000
};

/* a..d: registers, cells, mutexes, constants, targets of jumps; a source is a constant, or 100 + the number of a register. */
enum operation {
    LOAD,
    STORE,
    XCHG,
    ADD,
    XOR,
    CAS,
    CASV,
    FENCE,
    GET,
    PUT,
    LOCK,
    TRY,
    UNLOCK,
    SET,
    INC,
    FLIP,
    MOD,
    YIELD,
    CHECK,
    JUMP,
    UNLESS,
    END
};
static const char *const names[] = {"load", "store", "xchg",  "add",  "xor",    "cas", "casv", "fence",
                                    "get",  "put",   "lock",  "try",  "unlock", "set", "inc",  "flip",
                                    "mod",  "yield", "check", "jump", "unless", "end"};
enum { OPERATIONS = sizeof names / sizeof *names };

struct instruction {
    enum operation operation;
    int a, b, c, d;
};

static struct program {
    char name[32];
    int threads, cells, lengths[THREADS];
    bool is_private[CELLS], is_result[THREADS][REGISTERS];
    struct instruction code[THREADS][CODE];
} program;

/* Compared byte by byte. */
struct state {
    uint8_t pc[THREADS], registers[THREADS][REGISTERS], failed[THREADS], cells[CELLS], owners[MUTEXES];
    uint8_t waiting[THREADS], buffers[THREADS][BUFFER][2];
};

static struct search {
    bool tso;
    struct state *states;
    uint32_t count, room, most, *table, table_size;
    uint32_t (*edges)[3]; /* from, to, the thread; THREADS: a store leaves its buffer */
    uint64_t edge_count, edge_room;
    bool gave_up, met_cap, failed, race;
} search;

static void fail(const char *what)
{
    fprintf(stderr, "loop_truth: %s in program %s\n", what, program.name);
    exit(2);
}

static void *grown(void *array, size_t bytes)
{
    void *more = realloc(array, bytes);
    if (!more)
        fail("no memory");
    return more;
}

static uint32_t hash_of(const struct state *s)
{
    uint64_t hash = 14695981039346656037u;
    const uint8_t *bytes = (const uint8_t *)s;
    for (size_t i = 0; i < sizeof *s; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    return (uint32_t)(hash ^ hash >> 32);
}

static uint32_t *place_of(const struct state *s)
{
    uint32_t at = hash_of(s) & (search.table_size - 1);
    while (search.table[at] && memcmp(&search.states[search.table[at] - 1], s, sizeof *s) != 0)
        at = (at + 1) & (search.table_size - 1);
    return &search.table[at];
}

static void add_edge(uint32_t from, uint32_t to, uint32_t thread)
{
    if (search.edge_count == search.edge_room) {
        search.edge_room = search.edge_room * 2 + 1024;
        search.edges = grown(search.edges, search.edge_room * sizeof *search.edges);
    }
    search.edges[search.edge_count][0] = from;
    search.edges[search.edge_count][1] = to;
    search.edges[search.edge_count++][2] = thread;
}

static void add_state(uint32_t from, const struct state *s, int thread)
{
    uint32_t *place = place_of(s);
    if (!*place) {
        if (search.count == search.most) {
            search.gave_up = true;
            return;
        }
        if (search.count == search.room) {
            search.room = search.room * 2 + 1024;
            search.states = grown(search.states, search.room * sizeof *search.states);
        }
        search.states[search.count] = *s;
        *place = ++search.count;
    }
    add_edge(from, *place - 1, (uint32_t)thread);
}

static bool compares(int value, int how, int with)
{
    return how == 0 ? value == with : how == 1 ? value != with : how == 2 ? value > with : value < with;
}

static int source(const struct state *s, int t, int what)
{
    return what >= 100 ? s->registers[t][what - 100] : what;
}

static bool is_local(const struct instruction *i)
{
    if (i->operation == GET)
        return program.is_private[i->b];
    if (i->operation == PUT)
        return program.is_private[i->a];
    return i->operation >= SET && i->operation != END;
}

/* Values grow without end only where a program counts without end: its states are not all visited then. */
static uint8_t bounded(int value)
{
    if (value < 0 || value > VALUE_MOST)
        search.gave_up = true;
    return (uint8_t)value;
}

static void run_local(struct state *s, int t, const struct instruction *i)
{
    uint8_t *r = s->registers[t];
    s->pc[t]++;
    switch (i->operation) {
    case GET: r[i->a] = s->cells[i->b]; break;
    case PUT: s->cells[i->a] = bounded(source(s, t, i->b)); break;
    case SET: r[i->a] = bounded(source(s, t, i->b)); break;
    case INC: r[i->a] = bounded(r[i->a] + i->b); break;
    case FLIP: r[i->a] ^= (uint8_t)i->b; break;
    case MOD: r[i->a] %= (uint8_t)i->b; break;
    case CHECK: s->failed[t] |= !compares(r[i->a], i->b, i->c); break;
    case JUMP: s->pc[t] = (uint8_t)i->a; break;
    case UNLESS: s->pc[t] = compares(r[i->a], i->b, i->c) ? s->pc[t] : (uint8_t)i->d; break;
    default: break;
    }
    search.failed |= s->failed[t];
}

/* What no other thread can notice happens at once. */
static void run_locals(struct state *s, int t)
{
    for (int n = 0; !search.gave_up; n++) {
        const struct instruction *i = &program.code[t][s->pc[t]];
        if (!is_local(i))
            break;
        if (n == LOCAL_MOST)
            fail("a loop without a visible step");
        run_local(s, t, i);
    }
    if (program.code[t][s->pc[t]].operation != END)
        return;
    for (int r = 0; r < REGISTERS; r++)
        if (!program.is_result[t][r])
            s->registers[t][r] = 0;
}

static uint8_t read_cell(const struct state *s, int t, int cell)
{
    for (int i = s->waiting[t] - 1; i >= 0; i--)
        if (s->buffers[t][i][0] == cell)
            return s->buffers[t][i][1];
    return s->cells[cell];
}

static bool buffer_store(struct state *s, int t, int cell, int value)
{
    if (!search.tso) {
        *(cell < CELLS ? &s->cells[cell] : &s->owners[cell - CELLS]) = bounded(value);
        return true;
    }
    if (s->waiting[t] == BUFFER) {
        search.met_cap = true;
        return false;
    }
    s->buffers[t][s->waiting[t]][0] = (uint8_t)cell;
    s->buffers[t][s->waiting[t]++][1] = bounded(value);
    return true;
}

static void flush_one(struct state *s, int t)
{
    uint8_t to = s->buffers[t][0][0];
    *(to < CELLS ? &s->cells[to] : &s->owners[to - CELLS]) = s->buffers[t][0][1];
    s->waiting[t]--;
    memmove(s->buffers[t][0], s->buffers[t][1], sizeof s->buffers[t] - sizeof s->buffers[t][0]);
    memset(s->buffers[t][s->waiting[t]], 0, sizeof s->buffers[t][0]);
}

static void exchange_if(struct state *s, int t, uint8_t *success, uint8_t *expected, int wanted, int cell,
                        int value)
{
    uint8_t found = s->cells[cell];
    *success = found == wanted;
    if (*success)
        s->cells[cell] = bounded(value);
    else if (expected)
        *expected = found;
    (void)t;
}

/* Waits for its store buffer: locked instructions and mfence. `d` of a store says that it is seq_cst. An unlock is a store. */
static bool drains(const struct instruction *i)
{
    bool moves = i->operation == LOAD || i->operation == GET || i->operation == PUT || i->operation == UNLOCK;
    return i->operation == STORE ? i->d : !moves;
}

static void update(struct state *s, int t, const struct instruction *i)
{
    uint8_t old = s->cells[i->b];
    int with = source(s, t, i->c);
    s->cells[i->b] = bounded(i->operation == XCHG ? with : i->operation == ADD ? old + with : old ^ with);
    s->registers[t][i->a] = old;
}

/* False: it cannot go on now. */
static bool run_visible(struct state *s, int t, const struct instruction *i)
{
    uint8_t *r = s->registers[t];
    if (drains(i) && s->waiting[t])
        return false;
    s->pc[t]++;
    switch (i->operation) {
    case LOAD:
    case GET: r[i->a] = read_cell(s, t, i->b); return true;
    case STORE:
        if (!i->d)
            return buffer_store(s, t, i->a, source(s, t, i->b));
        s->cells[i->a] = bounded(source(s, t, i->b));
        return true;
    case PUT: return buffer_store(s, t, i->a, source(s, t, i->b));
    case XCHG:
    case ADD:
    case XOR: update(s, t, i); return true;
    case CAS: exchange_if(s, t, &r[i->a], NULL, source(s, t, i->c), i->b, source(s, t, i->d)); return true;
    case CASV: exchange_if(s, t, &r[i->a], &r[i->b], r[i->b], i->c, source(s, t, i->d)); return true;
    case LOCK:
    case TRY:
        if (i->operation == LOCK && s->owners[i->a])
            return false;
        if (i->operation == TRY)
            r[i->b] = !s->owners[i->a];
        if (!s->owners[i->a])
            s->owners[i->a] = (uint8_t)(t + 1);
        return true;
    case UNLOCK:
        if (s->owners[i->a] != t + 1)
            fail("an unlock by a thread that does not hold the lock");
        return buffer_store(s, t, CELLS + i->a, 0);
    default: return true;
    }
}

/* Plain accesses of two threads that can both come next. */
static bool meet(const struct state *s)
{
    for (int t = 0; t < program.threads; t++)
        for (int u = 0; u < t; u++) {
            const struct instruction *i = &program.code[t][s->pc[t]], *j = &program.code[u][s->pc[u]];
            bool plain =
                (i->operation == GET || i->operation == PUT) && (j->operation == GET || j->operation == PUT);
            int x = i->operation == PUT ? i->a : i->b, y = j->operation == PUT ? j->a : j->b;
            if (plain && x == y && (i->operation == PUT || j->operation == PUT))
                return true;
        }
    return false;
}

static bool is_final(const struct state *s)
{
    for (int t = 0; t < program.threads; t++)
        if (program.code[t][s->pc[t]].operation != END || s->waiting[t])
            return false;
    return true;
}

/* Have all threads ended but this one? */
static bool have_others_ended(const struct state *s, int stopped)
{
    for (int t = 0; t < program.threads; t++)
        if (t != stopped && program.code[t][s->pc[t]].operation != END)
            return false;
    return true;
}

static void expand(uint32_t from)
{
    for (int t = 0; t < program.threads; t++) {
        struct state next = search.states[from];
        const struct instruction *i = &program.code[t][next.pc[t]];
        if (i->operation != END && run_visible(&next, t, i)) {
            run_locals(&next, t);
            add_state(from, &next, t);
        }
        next = search.states[from];
        if (next.waiting[t]) {
            flush_one(&next, t);
            add_state(from, &next, THREADS);
        }
    }
    search.race |= meet(&search.states[from]);
}

/* Is there a state from which no final one can be reached (`stopped` is -1), or none in which all other threads have ended, by their own
 * steps? Backwards from these, until nothing changes. */
static bool has_dead_end(int stopped)
{
    bool *leads = calloc(search.count, 1), changes = true, found = false;
    if (!leads)
        fail("no memory");
    for (uint32_t i = 0; i < search.count; i++)
        leads[i] = stopped < 0 ? is_final(&search.states[i]) : have_others_ended(&search.states[i], stopped);
    while (changes) {
        changes = false;
        for (uint64_t e = search.edge_count; e-- > 0;)
            if (leads[search.edges[e][1]] && !leads[search.edges[e][0]] && (int)search.edges[e][2] != stopped)
                changes = leads[search.edges[e][0]] = true;
    }
    for (uint32_t i = 0; i < search.count; i++)
        found |= !leads[i];
    free(leads);
    return found;
}

static void explore(bool tso, uint32_t most)
{
    struct state first;
    memset(&first, 0, sizeof first);
    search = (struct search){.tso = tso, .most = most, .table_size = 1};
    while (search.table_size < most * 2)
        search.table_size *= 2;
    search.table = calloc(search.table_size, sizeof *search.table);
    if (!search.table)
        fail("no memory");
    for (int t = 0; t < program.threads; t++)
        run_locals(&first, t);
    add_state(0, &first, THREADS);
    for (uint32_t i = 0; i < search.count && !search.gave_up; i++)
        expand(i);
}

static void print_finals(void)
{
    bool any = false;
    for (uint32_t i = 0; i < search.count; i++) {
        const struct state *s = &search.states[i];
        if (!is_final(s))
            continue;
        printf("%s\"", any ? ", " : "");
        any = true;
        for (int t = 0; t < program.threads; t++) {
            for (int r = 0; r < REGISTERS; r++)
                if (program.is_result[t][r])
                    printf("%d ", s->registers[t][r]);
            printf("%d ", s->failed[t]);
        }
        for (int c = 0; c < program.cells; c++)
            printf("%d%s", s->cells[c], c + 1 < program.cells ? " " : "");
        printf("\"");
    }
}

static void report(bool tso, uint32_t most)
{
    explore(tso, most);
    bool stuck = !search.gave_up && has_dead_end(-1);
    unsigned blocked = 0;
    for (int t = 0; t < program.threads && !search.gave_up; t++)
        blocked |= (unsigned)has_dead_end(t) << t;
    printf("\"%s\": {\"gave_up\": %d, \"capped\": %d, \"states\": %u, \"failed\": %d, \"stuck\": %d, "
           "\"blocked\": %u, \"race\": %d, \"finals\": [",
           tso ? "tso" : "sc", search.gave_up, search.met_cap, search.count, search.failed, stuck, blocked,
           search.race);
    print_finals();
    printf("]}");
    free(search.table);
    free(search.states);
    free(search.edges);
}

/* A word of an instruction: a number, or a register as a source. */
static int argument(const char *word)
{
    return *word == 'r' ? 100 + atoi(word + 1) : atoi(word);
}

static void read_instruction(char *line, int t)
{
    char word[5][16] = {{0}};
    sscanf(line, "%15s %15s %15s %15s %15s", word[0], word[1], word[2], word[3], word[4]);
    struct instruction *i = &program.code[t][program.lengths[t]++];
    int operation = 0;
    while (operation < OPERATIONS && strcmp(names[operation], word[0]) != 0)
        operation++;
    if (operation == OPERATIONS || program.lengths[t] == CODE)
        fail(word[0]);
    *i = (struct instruction){(enum operation)operation, argument(word[1]), argument(word[2]),
                              argument(word[3]), argument(word[4])};
}

static void read_numbers(char *text, bool *set)
{
    for (char *word = strtok(text, " \n"); word; word = strtok(NULL, " \n"))
        set[atoi(word)] = true;
}

int main(int argc, char **argv)
{
    char line[256];
    uint32_t most = argc > 1 ? (uint32_t)atoi(argv[1]) : 300000;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "program %31s", program.name) == 1) {
            char name[32];
            memcpy(name, program.name, sizeof name);
            program = (struct program){0};
            memcpy(program.name, name, sizeof name);
        } else if (strncmp(line, "cells ", 6) == 0) {
            program.cells = atoi(line + 6);
        } else if (strncmp(line, "private", 7) == 0) {
            read_numbers(line + 7, program.is_private);
        } else if (strncmp(line, "results ", 8) == 0) {
            read_numbers(line + 9, program.is_result[line[8] - '0']);
        } else if (strncmp(line, "thread", 6) == 0) {
            program.threads++;
        } else if (strncmp(line, "done", 4) == 0) {
            printf("{\"program\": \"%s\", ", program.name);
            report(false, most);
            printf(", ");
            report(true, most);
            printf("}\n");
        } else {
            read_instruction(line, program.threads - 1);
        }
    }
    return 0;
}
