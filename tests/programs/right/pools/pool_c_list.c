/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: tasks in a list on the heap; the signal comes after the unlock; main waits until all are done */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct job {
    void (*run)(int *);
    int *arg;
    struct job *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER, idle = PTHREAD_COND_INITIALIZER;
static struct job *first, **last = &first;
static int unfinished, stop;

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!first && !stop)
            pthread_cond_wait(&some, &lock);
        if (!first)
            break;
        struct job *j = first;
        first = j->next;
        if (!first)
            last = &first;
        pthread_mutex_unlock(&lock);
        j->run(j->arg);
        free(j);
        pthread_mutex_lock(&lock);
        if (--unfinished == 0)
            pthread_cond_signal(&idle);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void submit(void (*run)(int *), int *arg)
{
    struct job *j = malloc(sizeof *j);
    *j = (struct job){run, arg, NULL};
    pthread_mutex_lock(&lock);
    *last = j;
    last = &j->next;
    unfinished++;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&some);
}

static void square(int *n)
{
    *n *= *n;
}

int main(void)
{
    pthread_t w[2];
    int numbers[2] = {3, 4};
    for (int i = 0; i < 2; i++)
        pthread_create(&w[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        submit(square, &numbers[i]);
    pthread_mutex_lock(&lock);
    while (unfinished)
        pthread_cond_wait(&idle, &lock);
    assert(numbers[0] == 9 && numbers[1] == 16);
    stop = 1;
    pthread_cond_broadcast(&some);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(w[i], NULL);
    return 0;
}
