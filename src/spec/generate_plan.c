/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/generate_plan.h"

#include <stddef.h>
#include <string.h>

/* Containers remove a little more than they add: they stay small and are empty now and then. */
static const struct plan plans[] = {
    {"queue", 0,
     {{"enq", 44, PLAN_FRESH, 0, 0}, {"deq", 46, PLAN_NONE, 0, 0}, {"peek", 10, PLAN_NONE, 0, 0}},
     {{"enq", PLAN_FRESH, PLAN_HONEST}, {"enq", PLAN_FRESH, PLAN_HONEST},
      {"deq", PLAN_NONE, PLAN_SECOND_ARG}}},
    {"stack", 0,
     {{"push", 44, PLAN_FRESH, 0, 0}, {"pop", 46, PLAN_NONE, 0, 0}, {"peek", 10, PLAN_NONE, 0, 0}},
     {{"push", PLAN_FRESH, PLAN_HONEST}, {"push", PLAN_FRESH, PLAN_HONEST},
      {"pop", PLAN_NONE, PLAN_FIRST_ARG}}},
    {"deque", 0,
     {{"push_front", 24, PLAN_FRESH, 0, 0}, {"push_back", 24, PLAN_FRESH, 0, 0},
      {"pop_front", 26, PLAN_NONE, 0, 0}, {"pop_back", 26, PLAN_NONE, 0, 0}},
     {{"push_back", PLAN_FRESH, PLAN_HONEST}, {"push_back", PLAN_FRESH, PLAN_HONEST},
      {"pop_back", PLAN_NONE, PLAN_FIRST_ARG}}},
    {"pqueue", 0,
     {{"insert", 44, PLAN_PRIORITY, 0, 0}, {"delete_min", 46, PLAN_NONE, 0, 0}, {"min", 10, PLAN_NONE, 0, 0}},
     {{"insert", PLAN_PRIORITY, PLAN_HONEST}, {"insert", PLAN_PRIORITY, PLAN_HONEST},
      {"delete_min", PLAN_NONE, PLAN_GREATER_ARG}}},
    {"set", 0,
     {{"add", 35, PLAN_NEW_KEY, 0, 0}, {"remove", 45, PLAN_KEY, 0, 0}, {"contains", 20, PLAN_KEY, 0, 0}},
     {{"add", PLAN_KEY, PLAN_HONEST}, {"contains", PLAN_KEY, PLAN_FALSE}}},
    {"multiset", 64,
     {{"add", 38, PLAN_KEY, 0, 0}, {"remove", 42, PLAN_KEY, 0, 0}, {"count", 20, PLAN_KEY, 0, 0}},
     {{"add", PLAN_KEY, PLAN_HONEST}, {"count", PLAN_KEY, PLAN_BEFORE}}},
    {"bag", 0,
     {{"add", 49, PLAN_FRESH, 0, 0}, {"take", 51, PLAN_NONE, 0, 0}},
     {{"add", PLAN_FRESH, PLAN_HONEST}, {"take", PLAN_NONE, PLAN_FIRST_ARG},
      {"take", PLAN_NONE, PLAN_FIRST_ARG}}},
    {"map", 64,
     {{"put", 45, PLAN_KEY_FRESH, 0, 0}, {"get", 45, PLAN_KEY, 0, 0}, {"remove", 5, PLAN_KEY, 0, 0},
      {"put_if_absent", 5, PLAN_KEY_FRESH, 0, 0}},
     {{"put", PLAN_KEY_FRESH, PLAN_HONEST}, {"get", PLAN_KEY, PLAN_NULL}}},
    {"kv", 64,
     {{"put", 25, PLAN_KEY_TEXT, 0, 0}, {"append", 25, PLAN_KEY_TEXT, 0, 0}, {"get", 50, PLAN_KEY, 0, 0}},
     {{"put", PLAN_KEY_TEXT, PLAN_HONEST}, {"get", PLAN_KEY, PLAN_EMPTY_TEXT}}},
    {"register", 0,
     {{"write", 47, PLAN_FRESH, 0, 0}, {"read", 48, PLAN_NONE, 0, 0}, {"cas", 5, PLAN_CAS, 0, 0}},
     {{"write", PLAN_FRESH, PLAN_HONEST}, {"write", PLAN_FRESH, PLAN_HONEST},
      {"read", PLAN_NONE, PLAN_FIRST_ARG}}},
    {"counter", 0,
     {{"add", 50, PLAN_ONE, 0, 0}, {"get", 50, PLAN_NONE, 0, 0}},
     {{"add", PLAN_ONE, PLAN_HONEST}, {"get", PLAN_NONE, PLAN_BEFORE}}},
    {"snapshot", 0,
     {{"update", 60, PLAN_CELL, 0, 0}, {"scan", 40, PLAN_NONE, 0, 0}},
     {{"update", PLAN_CELL, PLAN_HONEST}, {"scan", PLAN_NONE, PLAN_BEFORE}}},
    {"lock", 0,
     {{"acquire", 60, PLAN_NONE, "release", "try_acquire"}, {"try_acquire", 40, PLAN_NONE, "release", 0},
      {"release", 0, PLAN_NONE, 0, 0}},
     {{"acquire", PLAN_NONE, PLAN_HONEST_OK}, {"acquire", PLAN_NONE, PLAN_HONEST_OK}}},
    {"rwlock", 0,
     {{"read_lock", 45, PLAN_NONE, "read_unlock", "try_read_lock"},
      {"try_read_lock", 20, PLAN_NONE, "read_unlock", 0}, {"read_unlock", 0, PLAN_NONE, 0, 0},
      {"write_lock", 20, PLAN_NONE, "write_unlock", "try_write_lock"},
      {"try_write_lock", 15, PLAN_NONE, "write_unlock", 0}, {"write_unlock", 0, PLAN_NONE, 0, 0}},
     {{"write_lock", PLAN_NONE, PLAN_HONEST_OK}, {"read_lock", PLAN_NONE, PLAN_HONEST_OK}}},
    {"semaphore", 0,
     {{"acquire", 30, PLAN_NONE, 0, "try_acquire"}, {"try_acquire", 25, PLAN_NONE, 0, 0},
      {"release", 45, PLAN_NONE, 0, 0}},
     {{"release", PLAN_NONE, PLAN_HONEST}, {"try_acquire", PLAN_NONE, PLAN_FALSE}}},
    {"event", 0,
     {{"set", 25, PLAN_NONE, 0, 0}, {"reset", 20, PLAN_NONE, 0, 0}, {"wait", 25, PLAN_NONE, 0, "is_set"},
      {"is_set", 30, PLAN_NONE, 0, 0}},
     {{"set", PLAN_NONE, PLAN_HONEST}, {"is_set", PLAN_NONE, PLAN_FALSE}}},
    {"latch", 0,
     {{"count_down", 10, PLAN_NONE, 0, 0}, {"wait", 40, PLAN_NONE, 0, "get"}, {"get", 50, PLAN_NONE, 0, 0}},
     {{"count_down", PLAN_NONE, PLAN_HONEST}, {"get", PLAN_NONE, PLAN_ANSWER_ONE}}},
    {"barrier", 0,
     {{"arrive", 100, PLAN_NONE, "wait", 0}, {"wait", 0, PLAN_PHASE, 0, "arrive"}},
     {{"arrive", PLAN_NONE, PLAN_ONE_MORE}}},
};

const struct plan *plan_find(const char *spec)
{
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        if (!strcmp(plans[i].spec, spec))
            return &plans[i];
    return NULL;
}
