/* SPDX-License-Identifier: Apache-2.0 */
/* Writes histories of a key-value store, as JSON lines: every client has an operation open nearly all the time, so that
 * nearly all of them overlap. Tokens are as in the tests of many such stores, "x CLIENT NUMBER y".
 *   right    each operation takes effect between its call and its return
 *   equal    the same, but a tenth of the tokens are used twice
 *   long     the same as right, but without puts: every get shows all appends
 *   broken   one get in the last quarter lacks a token whose append had returned before its call
 *   torn     as long, but one get in the last quarter has a token of the middle at its end */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1000, TOKEN = 32, NOTED = 16 };

struct operation {
    uint64_t call, effect, ret;
    uint32_t client, number, key;
    char kind; /* p put, a append, g get */
};

struct string {
    char *bytes;
    size_t length, room;
    /* Of the first appends since the last put: where their tokens are, and when they returned */
    size_t starts[NOTED], appends;
    uint64_t returned[NOTED];
};

static uint64_t state_of_chance = 1;

static uint32_t below(uint32_t limit)
{
    state_of_chance = state_of_chance * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state_of_chance >> 33) * limit >> 31);
}

static int compare_effects(const void *left, const void *right)
{
    const struct operation *a = left, *b = right;
    return a->effect != b->effect ? (a->effect > b->effect) - (a->effect < b->effect)
                                  : (a->client > b->client) - (a->client < b->client);
}

static void plan(struct operation *ops, uint32_t count, uint32_t clients, uint32_t keys, bool equal,
                 bool puts)
{
    uint64_t *now = calloc(clients, sizeof *now);
    for (uint32_t i = 0; i < count; i++) {
        struct operation *o = &ops[i];
        uint32_t what = below(20);
        o->client = i % clients;
        o->number = i / clients;
        o->key = below(keys);
        o->kind = what < 1 && puts ? 'p' : what < 10 ? 'a' : 'g';
        if (equal && below(10) == 0 && o->number)
            o->number--;
        o->call = now[o->client] + 1 + below(10);
        o->effect = o->call + below(LONGEST);
        o->ret = o->effect + below(LONGEST);
        now[o->client] = o->ret;
    }
    free(now);
    qsort(ops, count, sizeof *ops, compare_effects);
}

static void add(struct string *s, const char *text, size_t length)
{
    if (s->length + length + 1 > s->room) {
        s->room = 2 * (s->length + length + 1);
        s->bytes = realloc(s->bytes, s->room);
        if (!s->bytes)
            exit(1);
    }
    memcpy(s->bytes + s->length, text, length);
    s->length += length;
}

/* Moves the token in the middle to the end. */
static void tear(struct string *value)
{
    size_t start = value->length / 2, length = 0;
    char token[TOKEN];
    while (start && value->bytes[start] != 'x')
        start--;
    while (value->bytes[start + length] != 'y')
        length++;
    length++;
    memcpy(token, value->bytes + start, length);
    memmove(value->bytes + start, value->bytes + start + length, value->length - start - length);
    memcpy(value->bytes + value->length - length, token, length);
}

static void write_operation(const struct operation *o, struct string *value, size_t lacks)
{
    char token[TOKEN];
    size_t length =
        (size_t)snprintf(token, sizeof token, "x %" PRIu32 " %" PRIu32 " y", o->client, o->number);
    printf("{\"thread\":%" PRIu32 ",\"op\":\"%s\",\"arg\":", o->client,
           o->kind == 'p'   ? "put"
           : o->kind == 'a' ? "append"
                            : "get");
    if (o->kind == 'g')
        printf("%" PRIu32 ",\"result\":\"%.*s\"", o->key, (int)(value->length - lacks),
               value->length ? value->bytes : "");
    else
        printf("[%" PRIu32 ",\"%s\"]", o->key, token);
    printf(",\"call\":%" PRIu64 ",\"return\":%" PRIu64 "}\n", o->call, o->ret);
    if (o->kind == 'p')
        value->length = 0;
    if (o->kind != 'g')
        add(value, token, length);
}

/* How much of the value a get lacks if it misses an append that had returned before its call, or 0. */
static size_t stale_bytes(const struct operation *o, const struct string *value)
{
    for (size_t k = 0; o->kind == 'g' && k < value->appends; k++)
        if (value->returned[k] < o->call)
            return value->length - value->starts[k];
    return 0;
}

static void note_write(const struct operation *o, struct string *value)
{
    if (o->kind == 'p')
        value->appends = 0;
    if (o->kind != 'a' || value->appends == NOTED)
        return;
    value->starts[value->appends] = value->length;
    value->returned[value->appends++] = o->ret;
}

struct way {
    const char *name;
    bool equal, puts, stale, torn;
};

static const struct way ways[] = {{.name = "right", .puts = true},
                                  {.name = "equal", .puts = true, .equal = true},
                                  {.name = "broken", .puts = true, .stale = true},
                                  {.name = "long"},
                                  {.name = "torn", .torn = true}};

/* Whether the history got what makes it wrong. */
static bool write_all(const struct operation *ops, uint32_t count, struct string *values,
                      const struct way *way)
{
    bool wrong = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct operation *o = &ops[i];
        struct string *value = &values[o->key], right = *value;
        bool now = !wrong && i > count / 4 * 3 && o->kind == 'g' && value->length > TOKEN;
        size_t lacks = now && way->stale ? stale_bytes(o, value) : 0;
        wrong |= lacks || (now && way->torn);
        note_write(o, value);
        if (now && way->torn) {
            value->bytes = memcpy(malloc(value->length), right.bytes, value->length);
            tear(value);
        }
        write_operation(o, value, lacks);
        if (now && way->torn) {
            free(value->bytes);
            *value = right;
        }
    }
    return wrong;
}

int main(int argc, char **argv)
{
    const struct way *way = NULL;
    uint32_t clients = argc == 5 ? (uint32_t)atol(argv[2]) : 0,
             keys = argc == 5 ? (uint32_t)atol(argv[3]) : 0;
    uint32_t count = argc == 5 ? (uint32_t)atol(argv[4]) : 0;
    for (size_t k = 0; argc == 5 && k < sizeof ways / sizeof *ways; k++)
        way = strcmp(argv[1], ways[k].name) ? way : &ways[k];
    if (!way || !clients || !keys || !count) {
        fprintf(stderr, "usage: kv_clients right|equal|long|broken|torn CLIENTS KEYS OPERATIONS\n");
        return 2;
    }
    struct operation *ops = calloc(count, sizeof *ops);
    struct string *values = calloc(keys, sizeof *values);
    plan(ops, count, clients, keys, way->equal, way->puts);
    bool wrong = write_all(ops, count, values, way);
    return fflush(stdout) == 0 && wrong == (way->stale || way->torn) ? 0 : 1;
}
