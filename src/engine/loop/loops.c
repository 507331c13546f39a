/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/loop/loops.h"

#include "base/hash.h"
#include "engine/engine_state.h"

static struct hash_map visits; /* how often, by thread and place */

void loops_reset(void)
{
    if (engine.shared->config.loops)
        hash_map_clear(&visits);
}

bool loops_met_bound(void)
{
    struct worker_shared *s = engine.shared;
    uint64_t pc = engine.running->pc;
    if (!s->config.loops || !pc) /* steps of the runtime itself have no place */
        return false;
    uint32_t *count = hash_map_at(&visits, hash_combine(engine.current, pc));
    *count = *count == HASH_NO_NUMBER ? 1 : *count + 1;
    if (*count <= s->config.loops)
        return false;
    if (!(s->limits & LIMIT_LOOPS))
        s->loop_pc = pc;
    engine_limit(LIMIT_LOOPS);
    return true;
}
