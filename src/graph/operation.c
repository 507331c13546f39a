/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/operation.h"

#include "base/check.h"

static const struct {
    bool reads, may_write;
} operation_table[] = {
#define X(name, reads, writes) {reads, writes},
    OPERATIONS(X)
#undef X
};

bool operation_reads(enum operation o)
{
    return operation_table[o].reads;
}

bool operation_may_write(enum operation o)
{
    return operation_table[o].may_write;
}

bool operation_may_wait(enum operation o)
{
    switch (o) {
    case OPERATION_LOCK:
    case OPERATION_LOCK_EXPIRES:
    case OPERATION_SHARE:
    case OPERATION_SHARE_EXPIRES:
    case OPERATION_TAKE:
    case OPERATION_TAKE_EXPIRES:
    case OPERATION_AWAIT_REACHED:
    case OPERATION_ENTER_ONCE:
    case OPERATION_WOKEN:
    case OPERATION_LEAVE:
    case OPERATION_PICK: return true;
    default: return false;
    }
}

static event_word operation_truncate(event_word value, unsigned size)
{
    return size >= sizeof value ? value : value & (((event_word)1 << (8 * size)) - 1);
}

static struct operation_effect effect_write(event_word value, unsigned size)
{
    return (struct operation_effect){true, true, operation_truncate(value, size)};
}

/* Nothing is written; `possible` says whether the step happens. */
static struct operation_effect effect_read(bool possible, event_word found)
{
    return (struct operation_effect){possible, false, found};
}

static struct operation_effect effect_write_if(bool writes, event_word value, event_word found, unsigned size)
{
    return writes ? effect_write(value, size) : effect_read(true, found);
}

static struct operation_effect effect_wait_until(bool ready, event_word value, event_word found,
                                                 unsigned size)
{
    return ready ? effect_write(value, size) : effect_read(false, found);
}

static struct operation_effect apply_arithmetic(enum operation o, unsigned size, event_word operand,
                                                event_word found)
{
    switch (o) {
    case OPERATION_ADD: return effect_write(found + operand, size);
    case OPERATION_SUB: return effect_write(found - operand, size);
    case OPERATION_AND: return effect_write(found & operand, size);
    case OPERATION_OR: return effect_write(found | operand, size);
    case OPERATION_XOR: return effect_write(found ^ operand, size);
    case OPERATION_NAND: return effect_write(~(found & operand), size);
    case OPERATION_NEGATE: return effect_write(operand - found, size);
    default: return effect_write(operand, size);
    }
}

/* Locks, reader-writer locks, semaphores, barriers, once. */
static struct operation_effect apply_object(enum operation o, unsigned size, event_word operand,
                                            event_word found)
{
    bool shareable = !(found & OPERATION_EXCLUSIVE);
    switch (o) {
    case OPERATION_LOCK: return effect_wait_until(found == 0, operand, found, size);
    case OPERATION_TRYLOCK: return effect_write_if(found == 0, operand, found, size);
    case OPERATION_LOCK_EXPIRES: return effect_read(found != 0, found);
    case OPERATION_UNLOCK: return effect_write(0, size);
    case OPERATION_SHARE: return effect_wait_until(shareable, found + 1, found, size);
    case OPERATION_TRY_SHARE: return effect_write_if(shareable, found + 1, found, size);
    case OPERATION_SHARE_EXPIRES: return effect_read(!shareable, found);
    case OPERATION_TAKE: return effect_wait_until(found != 0, found - 1, found, size);
    case OPERATION_TRY_TAKE: return effect_write_if(found != 0, found - 1, found, size);
    case OPERATION_TAKE_EXPIRES: return effect_read(found == 0, found);
    case OPERATION_AWAIT_REACHED: return effect_read(found >= operand, found);
    default: /* ENTER_ONCE */ return found == 0 ? effect_write(1, size) : effect_read(found != 1, found);
    }
}

/* Sleeping places: who sleeps in the upper half, who was woken since it fell asleep in the lower. */
static struct operation_effect apply_sleep(enum operation o, event_word operand, event_word expected,
                                           event_word found)
{
    bool one = o == OPERATION_WAKE_ONE;
    uint64_t word = (uint64_t)found, woken = UINT64_C(1)
                                             << ((one ? expected : operand) % OPERATION_SLEEPERS_MAX);
    uint64_t sleeps = woken << OPERATION_SLEEPERS_MAX, sleepers = word >> OPERATION_SLEEPERS_MAX;
    switch (o) {
    case OPERATION_SLEEP: return effect_write((word & ~woken) | sleeps, sizeof word);
    case OPERATION_WAKE_ONE:
        return effect_write_if(word & sleeps, (word & ~sleeps) | woken, found, sizeof word);
    case OPERATION_WAKE_ALL: return effect_write_if(sleepers, (uint32_t)word | sleepers, found, sizeof word);
    case OPERATION_WOKEN: return effect_read(word & woken, found);
    default: /* LEAVE */ return effect_wait_until(word & sleeps, word & ~sleeps, found, sizeof word);
    }
}

static struct operation_effect apply_set(enum operation o, unsigned size, event_word operand,
                                         event_word expected, event_word found)
{
    event_word number = (event_word)1 << (o == OPERATION_OFFER ? operand : expected) % OPERATION_SET_MAX;
    if (o == OPERATION_OFFER)
        return effect_write(found | number, size);
    return effect_wait_until(found != 0, found & ~number, found, size);
}

uint32_t operation_first_pick(enum operation o, event_word found, uint32_t from)
{
    event_word left = o == OPERATION_WAKE_ONE ? (uint64_t)found >> OPERATION_SLEEPERS_MAX : found;
    left = from < OPERATION_SET_MAX ? left >> from << from : 0;
    if (!left)
        return OPERATION_NO_PICK;
    uint64_t lower = (uint64_t)left;
    return (uint32_t)(lower ? __builtin_ctzll(lower) : 64 + __builtin_ctzll((uint64_t)(left >> 64)));
}

struct operation_effect operation_apply(enum operation o, unsigned size, event_word operand,
                                        event_word expected, event_word found)
{
    CHECK(o < OPERATION_COUNT);
    if (o == OPERATION_LOAD || o == OPERATION_NONE)
        return effect_read(true, found);
    if (o == OPERATION_CAS)
        return effect_write_if(found == operation_truncate(expected, size), operand, found, size);
    if (o < OPERATION_CAS)
        return apply_arithmetic(o, size, operand, found);
    if (o < OPERATION_SLEEP)
        return apply_object(o, size, operand, found);
    if (o < OPERATION_OFFER)
        return apply_sleep(o, operand, expected, found);
    return apply_set(o, size, operand, expected, found);
}
