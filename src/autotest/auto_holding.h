/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread has to hold for a call, or must not hold: a test in which it releases a lock that it has not acquired, or acquires one
 * again that is not recursive, would fail whatever the code does. */
#ifndef AUTOTEST_AUTO_HOLDING_H
#define AUTOTEST_AUTO_HOLDING_H

#include "autotest/auto_tests.h"
#include "autotest/auto_words.h"

enum { AUTO_HELD_MAX = 16 };

struct auto_holding {
    char *name;    /* of the operation, with its object; owned */
    char *of;      /* "object:part", the name of what is held; owned */
    uint32_t what; /* its number; from AUTO_HELD_MAX on it is not looked at */
    char change;   /* '+': the thread holds it once more; '?': perhaps; '-': once less */
    bool nests;    /* a thread that holds it may take it again */
    bool shared;   /* several threads may hold it */
};
typedef VEC(struct auto_holding) auto_holdings;

/* What a thread holds: how often, and what it has tried to take, which may have failed; and what it waits for at some time. */
struct auto_held {
    int counts[AUTO_HELD_MAX];
    bool tried[AUTO_HELD_MAX];
    bool waits[AUTO_HELD_MAX];
};

/* Those of the harness' list of calls; what no call takes may be given up by any thread. */
void auto_holdings_find(auto_holdings *h, const auto_calls *listed);
/* The call that gives up what no call is sure to have taken; null: there is none. */
const char *auto_holdings_lack(const auto_calls *listed);
void auto_holdings_free(auto_holdings *h);

/* A thread makes these calls, one or several; false: it would give up what it does not hold, or take again what it may hold and must not
 * nest. A sequence may nest inside of itself: the user asked for it. */
bool auto_hold(const auto_holdings *h, struct auto_held *held, const char *calls);

/* Every thread of the test keeps to that; the ends belong to one thread. And no thread keeps a read lock while others come to read
 * and to write: one that reads may wait behind one that waits to write. */
bool auto_test_holds(const auto_holdings *h, const struct auto_test *t, const auto_calls *calls);
bool auto_words_hold(const auto_holdings *h, const struct auto_words *w);

#endif
