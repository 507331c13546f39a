/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* races: inconclusive */
/* note: memory of atomic objects is used for something else: what the library writes there is what is found */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

union place {
    atomic_long word;
    long number;
    char bytes[8];
    pthread_t thread;
    pthread_key_t key;
    char *text;
    void *result;
    size_t size;
};
static union place scanned, printed, thread, result, keys, line, room, got;

static void store(union place *p, long value)
{
    atomic_store(&p->word, value);
}

static void *run(void *p)
{
    return p;
}

__attribute__((noinline)) static void use_stack(void)
{
    atomic_long local = 7;
    atomic_store(&local, 8);
}

__attribute__((noinline)) static void use_it_again(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
}

static void read_lines(void)
{
    char text[] = "some words\nmore\n";
    FILE *file = fmemopen(text, sizeof text, "r");
    assert(file && getline(&line.text, &room.size, file) == 11 && room.size > 11);
    assert(strcmp(line.text, "some words\n") == 0);
    assert(fgets(got.bytes, sizeof got.bytes, file) && strcmp(got.bytes, "more\n") == 0);
    fclose(file);
    free(line.text);
}

int main(void)
{
    store(&scanned, 1), store(&printed, 1), store(&thread, 1), store(&result, 1);
    store(&keys, 1), store(&line, 0), store(&room, 0), store(&got, 1);
    assert(sscanf("17", "%ld", &scanned.number) == 1 && scanned.number == 17);
    assert(snprintf(printed.bytes, sizeof printed.bytes, "%d", 18) == 2 && strcmp(printed.bytes, "18") == 0);
    pthread_create(&thread.thread, NULL, run, &thread);
    pthread_join(thread.thread, &result.result);
    assert(result.result == &thread);
    pthread_key_create(&keys.key, NULL);
    assert(pthread_setspecific(keys.key, &keys) == 0 && pthread_getspecific(keys.key) == &keys);
    read_lines();
    use_stack();
    use_it_again();
}
