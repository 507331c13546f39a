/* SPDX-License-Identifier: Apache-2.0 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { PLACES = 2 };

static atomic_int keys[PLACES], values[PLACES];

static int find(int key)
{
    for (int i = 0; i < PLACES; i++)
        if (atomic_load(&keys[i]) == key)
            return i;
    return -1;
}

static int claim(int key)
{
    for (int i = 0; i < PLACES; i++) {
        int none = 0;
        if (atomic_compare_exchange_strong(&keys[i], &none, key))
            return i;
    }
    return -1;
}

static bool put(int key, int value)
{
    int place = find(key);
    if (place < 0)
        place = claim(key);
    if (place >= 0)
        atomic_store(&values[place], value);
    return place >= 0;
}

static int get(int key)
{
    int place = find(key);
    return place < 0 ? 0 : atomic_load(&values[place]);
}

static bool take_out(int key)
{
    for (int i = 0; i < PLACES; i++) {
        int found = key;
        if (atomic_compare_exchange_strong(&keys[i], &found, 0))
            return true;
    }
    return false;
}

PLUMB_OBJECT(map)

PLUMB_OP(put, int, k, int, v)
{
    put(k, v);
    return PLUMB_OK;
}

PLUMB_OP(get, int, k)
{
    int v = get(k);
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}

PLUMB_OP(remove, int, k)
{
    return PLUMB_BOOL(take_out(k));
}

PLUMB_TEST("put(1,10) | put(1,20) => remove(1) get(1)")
