/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest test that still fails: operations, then threads, then what comes before and after are left out as long
 * as it does. */
#ifndef AUTOTEST_AUTO_SHRINK_H
#define AUTOTEST_AUTO_SHRINK_H

#include "autotest/auto_holding.h"
#include "autotest/auto_run.h"
#include "autotest/auto_words.h"

struct auto_shrinking {
    unsigned tried; /* smaller tests */
    bool cut;       /* time was up before all had been tried */
};

/* Each smaller test is run by `runner`, whose options have no --init and --final. A thread that gives up only what it holds does so in
 * all of them. */
/* Values that do not matter become those of `usual`, the same words with usual values. Are any others left? */
bool auto_shrink_values(struct auto_words *w, const struct auto_words *usual,
                        const struct auto_runner *runner);

struct auto_shrinking auto_shrink(struct auto_words *w, const auto_holdings *holdings,
                                  const struct auto_runner *runner);

#endif
