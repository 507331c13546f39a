/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: assignment, memcpy, memmove and memset of shared structs under a lock */
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct record {
    long id;
    char name[40];
    double weight;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record shared, backup;

static void *work(void *arg)
{
    struct record mine = {.id = *(long *)arg, .name = "a name", .weight = 2.5};
    pthread_mutex_lock(&lock);
    shared = mine;
    memcpy(&backup, &shared, sizeof backup);
    memmove(backup.name + 1, backup.name, 10);
    memset(&mine, 0, sizeof mine);
    pthread_mutex_unlock(&lock);
    assert(mine.id == 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    long one = 1, two = 2;
    pthread_create(&a, NULL, work, &one);
    pthread_create(&b, NULL, work, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(shared.id == backup.id && strcmp(backup.name, "aa name") == 0);
    return 0;
}
