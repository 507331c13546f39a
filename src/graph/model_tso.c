/* SPDX-License-Identifier: Apache-2.0 */
/* Total store order: x86 as compiled. Loads acquire and stores release by themselves; a seq_cst store is followed
 * by a fence; every operation that reads and may write is locked, so drains the store buffer even when it fails.
 * Coherence by clocks covers the order of accesses of one location, since happens-before contains
 * program order and reads-from here. */
#include "graph/model.h"

static bool tso_is_consistent(const struct graph *g, uint32_t e)
{
    return model_is_coherent(g, e) && !model_has_cycle(g, e, true);
}

const struct memory_model model_tso = {
    .name = "tso",
    .kind = MODEL_BUFFERED,
    .effective_order = {ORDER_ACQ_REL, ORDER_ACQ_REL, ORDER_ACQ_REL, ORDER_ACQ_REL, ORDER_ACQ_REL,
                        ORDER_SEQ_CST, ORDER_PLAIN},
    .is_consistent = tso_is_consistent,
    .axioms = model_tso_axioms,
    .mo_against_causes = false,
};
