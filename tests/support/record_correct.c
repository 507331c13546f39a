/* SPDX-License-Identifier: Apache-2.0 */
/* usage: record_correct register|flag|seqlock FILE OPERATIONS
 * Correct objects whose stores may sit in a store buffer when their operation returns, recorded: one thread writes, others read. */
#include <plumb/record.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READERS = 2 };

static long operations; /* of each thread */

static struct {
    _Alignas(128) _Atomic long content;
    _Alignas(128) volatile bool is_set;
    _Alignas(128) _Atomic unsigned version;
    _Atomic long pair[2];
} shared;

/* ---- a register of relaxed stores and loads ---- */

static void register_write(long number)
{
    plumb_call("register", "write", number);
    atomic_store_explicit(&shared.content, number, memory_order_relaxed);
    plumb_return(plumb_ok());
}

static void register_read(void)
{
    plumb_call("register", "read");
    long value = atomic_load_explicit(&shared.content, memory_order_relaxed);
    plumb_return(value);
}

/* ---- a flag of plain stores and loads ---- */

static void flag_write(long number)
{
    plumb_call("flag", "write", number % 2);
    shared.is_set = number % 2;
    plumb_return(plumb_ok());
}

static void flag_read(void)
{
    plumb_call("flag", "read");
    bool is_set = shared.is_set;
    plumb_return((int)is_set);
}

/* ---- a pair of numbers behind a sequence lock ---- */

static void pair_write(long number)
{
    plumb_call("pair", "write", number, -number);
    unsigned version = atomic_load_explicit(&shared.version, memory_order_relaxed);
    atomic_store_explicit(&shared.version, version + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&shared.pair[0], number, memory_order_relaxed);
    atomic_store_explicit(&shared.pair[1], -number, memory_order_relaxed);
    atomic_store_explicit(&shared.version, version + 2, memory_order_release);
    plumb_return(plumb_ok());
}

static void pair_read(void)
{
    unsigned version;
    long first, second;
    plumb_call("pair", "read");
    do {
        version = atomic_load_explicit(&shared.version, memory_order_acquire);
        first = atomic_load_explicit(&shared.pair[0], memory_order_relaxed);
        second = atomic_load_explicit(&shared.pair[1], memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
    } while (version % 2 || version != atomic_load_explicit(&shared.version, memory_order_relaxed));
    plumb_return(first, second);
}

/* ---- threads ---- */

static const struct object {
    const char *name;
    void (*write)(long number);
    void (*read)(void);
} objects[] = {{"register", register_write, register_read},
               {"flag", flag_write, flag_read},
               {"seqlock", pair_write, pair_read}};

static void *write_all(void *argument)
{
    const struct object *object = argument;
    for (long i = 1; i <= operations; i++)
        object->write(i);
    return NULL;
}

static void *read_all(void *argument)
{
    const struct object *object = argument;
    for (long i = 1; i <= operations; i++)
        object->read();
    return NULL;
}

static void run(const struct object *object)
{
    pthread_t threads[READERS + 1];
    object->write(0);
    for (int i = 0; i <= READERS; i++)
        pthread_create(&threads[i], NULL, i ? read_all : write_all, (void *)object);
    for (int i = 0; i <= READERS; i++)
        pthread_join(threads[i], NULL);
}

int main(int count, char **words)
{
    if (count != 4 || plumb_record_open(words[2]) != 0)
        return 2;
    operations = atol(words[3]) / (READERS + 1);
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (strcmp(objects[i].name, words[1]) == 0)
            run(&objects[i]);
    return plumb_record_close() == 0 ? 0 : 1;
}
