/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/aliases.h"

#include "spec/registry.h"

#include <string.h>

#define ANY_SPEC "" /* that has the operation */

/* Names in a row are separated by spaces. A name in two rows of a specification is an error where it is used. */
static const struct {
    const char *spec, *operation, *names;
} aliases[] = {
    {"queue", "enq",
     "enqueue try_enqueue try_enq push try_push push_back put try_put offer add insert append send produce"},
    {"queue", "deq",
     "dequeue try_dequeue try_deq pop try_pop pop_front poll take try_take remove receive recv consume"},
    {"queue", "peek", "front first head"},
    {"stack", "push", "try_push put add insert push_back"},
    {"stack", "pop", "try_pop take remove poll pop_back"},
    {"stack", "peek", "top"},
    {"deque", "push_front", "add_first offer_first push_left push"},
    {"deque", "push_back", "add_last offer_last push_right push"},
    {"deque", "pop_front", "remove_first poll_first pop_left steal pop"},
    {"deque", "pop_back", "remove_last poll_last pop_right pop"},
    {"pqueue", "insert", "push add offer put enqueue"},
    {"pqueue", "delete_min", "pop poll pop_min extract_min remove_min dequeue take"},
    {"pqueue", "min", "peek top find_min"},
    {"set", "add", "insert put"},
    {"set", "remove", "erase delete del"},
    {"set", "contains", "find has member lookup"},
    {"multiset", "add", "insert put"},
    {"multiset", "remove", "erase delete del"},
    {"bag", "add", "put insert push try_add"},
    {"bag", "take", "try_take remove pop get"},
    {"map", "put", "set insert_or_assign store"},
    {"map", "get", "find lookup load"},
    {"map", "remove", "erase delete del"},
    {"map", "put_if_absent", "insert try_emplace add"},
    {"register", "write", "store set"},
    {"register", "read", "load get"},
    {"register", "cas",
     "compare_exchange compare_and_swap compare_and_set compare_exchange_weak compare_exchange_strong"},
    {"multiregister", "txn", "transaction transact"},
    {"multiregister", "read", "get load"},
    {"multiregister", "write", "put set store"},
    {"counter", "get", "read load value"},
    {"counter", "fetch_add", "get_and_add"},
    {"deque", "peek_front", "front first peek_first"},
    {"deque", "peek_back", "back last peek_last"},
    {ANY_SPEC, "size", "count length len"},
    {ANY_SPEC, "is_empty", "empty"},
    {ANY_SPEC, "items", "read elements iterate to_array to_list"},
    {ANY_SPEC, "drain", "pop_all drain_all take_all dequeue_all"},
};

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; length && (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* The first operation from row `*row` on that has the name; UINT32_MAX: there is none. */
static uint32_t next_meant(const struct plumb_spec *spec, const char *name, size_t *row)
{
    const char *root = spec_root(spec)->name;
    while (*row < sizeof aliases / sizeof *aliases) {
        size_t at = (*row)++;
        bool of_it = !*aliases[at].spec || !strcmp(aliases[at].spec, root);
        uint32_t op = of_it && has_word(aliases[at].names, name) ? spec_operation(spec, aliases[at].operation)
                                                                 : UINT32_MAX;
        if (op != UINT32_MAX)
            return op;
    }
    return UINT32_MAX;
}

uint32_t spec_operation_meant(const struct plumb_spec *spec, const char *name)
{
    size_t row = 0;
    uint32_t exact = spec_operation(spec, name);
    if (exact != UINT32_MAX)
        return exact;
    uint32_t meant = next_meant(spec, name, &row);
    return next_meant(spec, name, &row) == UINT32_MAX ? meant : UINT32_MAX;
}

bool spec_alias_is_ambiguous(const struct plumb_spec *spec, const char *name, struct text *operations)
{
    unsigned count = 0;
    size_t row = 0;
    for (uint32_t op; (op = next_meant(spec, name, &row)) != UINT32_MAX; count++)
        text_printf(operations, "%s%s", count ? " or " : "", spec->operations[op].name);
    return count > 1;
}
