/* SPDX-License-Identifier: Apache-2.0 */
/* A set as a sorted list with a lock for each node, taken hand over hand (Bayer and Schkolnick): the node before the place
 * and the one at the place are locked while the list changes there. Each step is one access to shared memory. Node of key k
 * is k; node 0 is the head, KEYS + 1 the end.
 *
 * BUG 1: only the node before is locked: a removal can be undone by a neighbour's.
 *
 * refine: --spec set --values free:2 : holds
 * refine: -D BUG=1 --spec set --values free:2 : violated
 */
#include "plumb.pml"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef KEYS
#define KEYS 2
#endif
#ifndef BUG
#define BUG 0
#endif
#define END (KEYS + 1)

byte next[KEYS + 1] = END;
bool locked[KEYS + 2];

#define LOCK(n) atomic { !locked[n] -> locked[n] = true }
#define UNLOCK(n) locked[n] = false
#if BUG == 1
#define LOCK_AT(n) skip
#define UNLOCK_AT(n) skip
#else
#define LOCK_AT(n) LOCK(n)
#define UNLOCK_AT(n) UNLOCK(n)
#endif

/* Locks the last node below the key and the one after it. */
inline find()
{
    before = 0;
    LOCK(before);
    at = next[before];
    LOCK_AT(at);
    do
    :: at >= key -> break
    :: at < key ->
#if BUG == 1
        LOCK(at);
#endif
        UNLOCK(before);
        before = at;
        at = next[before];
        LOCK_AT(at)
    od
}

active [THREADS] proctype client()
{
    byte key, before, at;
    bool answer;
    do
    :: CALL(add, key);
       find();
       answer = (at != key);
       if
       :: answer -> next[key] = at; atomic { next[before] = key; POINT(add, true) }
       :: else -> atomic { POINT(add, false) }
       fi;
       UNLOCK_AT(at);
       UNLOCK(before);
       RET(add, answer)
    :: CALL(remove, key);
       find();
       answer = (at == key);
       if
       :: answer ->
           at = next[key];
           atomic { next[before] = at; next[key] = END; POINT(remove, true) };
           UNLOCK_AT(key)
       :: else -> atomic { POINT(remove, false) }; UNLOCK_AT(at)
       fi;
       UNLOCK(before);
       RET(remove, answer)
    od
}
