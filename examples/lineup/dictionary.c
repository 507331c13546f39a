/* SPDX-License-Identifier: Apache-2.0 */
/* A dictionary: keys with values. To keep tests short an operation takes only the key k; the value follows
 * from it.
 *
 *     try_add(k)        k gets the value k, unless it has one; did it?
 *     set(k)            k gets the value k + 1, whether it had one or not
 *     try_update(k)     k gets the value k + 2 if it has the value k; did it?
 *     try_remove(k)     takes k out; its value, or none
 *     try_get(k)        its value, or none
 *     get(k)            its value, or "error"
 *     contains_key(k)   is it in?
 *     count, is_empty   of all keys
 *     clear             takes all keys out
 *
 * A table has two buckets; the keys 10 and 20 fall into different ones. Who changes a bucket holds its lock,
 * who needs all of them takes the locks in order, and `clear` puts another table in place. Looking up a key
 * takes no lock: nodes are linked when they are complete, and a removed node keeps its link, so that a reader
 * who stands on it finds its way. These accesses are sequentially consistent: with less, two threads that
 * each add a key and look for the other's could both miss it. Nothing is freed, for somebody might still look
 * at it. No known bug: every test passes.
 */
#include <plumb.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { BUCKETS = 2, ABSENT = -1 };

struct node {
    int key;
    atomic_int value;
    _Atomic(struct node *) next;
};

struct table {
    _Atomic(struct node *) first[BUCKETS];
    int length[BUCKETS];
};

static pthread_mutex_t locks[BUCKETS];
static _Atomic(struct table *) table;

static int bucket_of(int key)
{
    return key / 10 % BUCKETS;
}

static struct table *make_table(void)
{
    struct table *t = malloc(sizeof *t);
    for (int i = 0; i < BUCKETS; i++) {
        atomic_init(&t->first[i], NULL);
        t->length[i] = 0;
    }
    return t;
}

static struct node *find(int key)
{
    struct node *n = atomic_load(&atomic_load(&table)->first[bucket_of(key)]);
    while (n && n->key != key)
        n = atomic_load(&n->next);
    return n;
}

static int value_of(struct node *n)
{
    return n ? atomic_load(&n->value) : ABSENT;
}

/* ---- one key, its bucket locked ---- */

static void insert(int key, int value)
{
    struct table *t = atomic_load(&table);
    int bucket = bucket_of(key);
    struct node *n = malloc(sizeof *n);
    n->key = key;
    atomic_init(&n->value, value);
    atomic_init(&n->next, atomic_load(&t->first[bucket]));
    atomic_store(&t->first[bucket], n);
    t->length[bucket]++;
}

static void unlink_node(struct node *n)
{
    struct table *t = atomic_load(&table);
    int bucket = bucket_of(n->key);
    _Atomic(struct node *) *link = &t->first[bucket];
    while (atomic_load(link) != n)
        link = &atomic_load(link)->next;
    atomic_store(link, atomic_load(&n->next));
    t->length[bucket]--;
}

/* ---- the dictionary ---- */

static bool dictionary_try_add(int key, int value)
{
    pthread_mutex_lock(&locks[bucket_of(key)]);
    bool absent = !find(key);
    if (absent)
        insert(key, value);
    pthread_mutex_unlock(&locks[bucket_of(key)]);
    return absent;
}

static void dictionary_set(int key, int value)
{
    pthread_mutex_lock(&locks[bucket_of(key)]);
    struct node *n = find(key);
    if (n)
        atomic_store(&n->value, value);
    else
        insert(key, value);
    pthread_mutex_unlock(&locks[bucket_of(key)]);
}

static bool dictionary_try_update(int key, int value, int expected)
{
    pthread_mutex_lock(&locks[bucket_of(key)]);
    struct node *n = find(key);
    bool equal = value_of(n) == expected;
    if (equal)
        atomic_store(&n->value, value);
    pthread_mutex_unlock(&locks[bucket_of(key)]);
    return equal;
}

static int dictionary_remove(int key)
{
    pthread_mutex_lock(&locks[bucket_of(key)]);
    struct node *n = find(key);
    int value = value_of(n);
    if (n)
        unlink_node(n);
    pthread_mutex_unlock(&locks[bucket_of(key)]);
    return value;
}

static void lock_all(void)
{
    for (int i = 0; i < BUCKETS; i++)
        pthread_mutex_lock(&locks[i]);
}

static void unlock_all(void)
{
    for (int i = BUCKETS - 1; i >= 0; i--)
        pthread_mutex_unlock(&locks[i]);
}

static int dictionary_count(void)
{
    int count = 0;
    lock_all();
    for (int i = 0; i < BUCKETS; i++)
        count += atomic_load(&table)->length[i];
    unlock_all();
    return count;
}

static void dictionary_clear(void)
{
    lock_all();
    atomic_store(&table, make_table());
    unlock_all();
}

/* ---- harness ---- */

PLUMB_OBJECT()

PLUMB_SETUP()
{
    for (int i = 0; i < BUCKETS; i++)
        pthread_mutex_init(&locks[i], NULL);
    atomic_store(&table, make_table());
}

static plumb_value value_or_none(int value)
{
    return value == ABSENT ? PLUMB_NONE : PLUMB_INT(value);
}

PLUMB_OP(count)
{
    return PLUMB_INT(dictionary_count());
}

PLUMB_OP(is_empty)
{
    return PLUMB_BOOL(dictionary_count() == 0);
}

PLUMB_OP(clear)
{
    dictionary_clear();
    return PLUMB_OK;
}

PLUMB_OP(try_add, int, key)
{
    return PLUMB_BOOL(dictionary_try_add(key, key));
}

PLUMB_OP(try_remove, int, key)
{
    return value_or_none(dictionary_remove(key));
}

PLUMB_OP(try_get, int, key)
{
    return value_or_none(value_of(find(key)));
}

PLUMB_OP(get, int, key)
{
    int value = value_of(find(key));
    return value == ABSENT ? PLUMB_STRING("error") : PLUMB_INT(value);
}

PLUMB_OP(set, int, key)
{
    dictionary_set(key, key + 1);
    return PLUMB_OK;
}

PLUMB_OP(try_update, int, key)
{
    return PLUMB_BOOL(dictionary_try_update(key, key + 2, key));
}

PLUMB_OP(contains_key, int, key)
{
    return PLUMB_BOOL(find(key) != NULL);
}

PLUMB_TRY(try_add, 10, 20)
PLUMB_TRY(try_remove, 10, 20)
PLUMB_TRY(try_get, 10, 20)
PLUMB_TRY(get, 10, 20)
PLUMB_TRY(set, 10, 20)
PLUMB_TRY(try_update, 10, 20)
PLUMB_TRY(contains_key, 10, 20)
