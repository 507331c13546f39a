/* SPDX-License-Identifier: Apache-2.0 */
/* Sequential consistency: no cycle of program order, reads-from, mo, from-read, create and join. */
#include "graph/model.h"

static bool sc_is_consistent(const struct graph *g, uint32_t e)
{
    return model_is_coherent(g, e) && !model_has_cycle(g, e, false);
}

const struct memory_model model_sc = {
    .name = "sc",
    .kind = MODEL_INTERLEAVED,
    .effective_order = {ORDER_SEQ_CST, ORDER_SEQ_CST, ORDER_SEQ_CST, ORDER_SEQ_CST, ORDER_SEQ_CST,
                        ORDER_SEQ_CST, ORDER_PLAIN},
    .is_consistent = sc_is_consistent,
    .axioms = model_sc_axioms,
    .mo_against_causes = false,
};
