/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread has to hold for a call: a test in which it releases a lock that it has not acquired would fail whatever the code does. */
#ifndef AUTOTEST_AUTO_HOLDING_H
#define AUTOTEST_AUTO_HOLDING_H

#include "autotest/auto_tests.h"
#include "autotest/auto_words.h"

enum { AUTO_HELD_MAX = 16 };

struct auto_holding {
    char *name;    /* of the operation, with its object; owned */
    char *of;      /* the name of what is held; owned */
    uint32_t what; /* its number; from AUTO_HELD_MAX on it is not looked at */
    int change;    /* 1: the thread holds it once more, -1: once less */
};
typedef VEC(struct auto_holding) auto_holdings;

/* How often a thread holds each. */
struct auto_held {
    int counts[AUTO_HELD_MAX];
};

/* Those of the harness' list of calls; what no call takes may be given up by any thread. */
void auto_holdings_find(auto_holdings *h, const auto_calls *listed);
/* The call that gives up what no call is sure to have taken; null: there is none. */
const char *auto_holdings_lack(const auto_calls *listed);
void auto_holdings_free(auto_holdings *h);

/* A thread makes these calls, one or several; false: it would give up what it does not hold. */
bool auto_hold(const auto_holdings *h, struct auto_held *held, const char *calls);

/* Every thread of the test gives up only what it holds; the ends belong to one thread. */
bool auto_test_holds(const auto_holdings *h, const struct auto_test *t, const auto_calls *calls);
bool auto_words_hold(const auto_holdings *h, const struct auto_words *w);

#endif
