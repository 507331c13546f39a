/* SPDX-License-Identifier: Apache-2.0 */
/* Sequential consistency: no cycle of program order, reads-from, co, from-read, create and join. */
#include "graph/model.h"

static bool sc_is_consistent(const struct graph *g, uint32_t e)
{
    return model_is_coherent(g, e) && !model_has_cycle(g, e, false);
}

const struct memory_model model_sc = {
    "sc",
    {ORDER_SEQ_CST, ORDER_SEQ_CST, ORDER_SEQ_CST, ORDER_SEQ_CST, ORDER_SEQ_CST, ORDER_SEQ_CST, ORDER_PLAIN},
    sc_is_consistent,
    .co_against_causes = false,
};
