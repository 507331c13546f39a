/* SPDX-License-Identifier: Apache-2.0 */
/* The C library's own versions of what the runtime replaces. */
#ifndef ENGINE_REAL_H
#define ENGINE_REAL_H

#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

struct real_functions {
    int (*pthread_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    int (*sem_init)(sem_t *, int, unsigned);
    int (*sem_wait)(sem_t *);
    int (*sem_post)(sem_t *);
    void *(*memcpy)(void *, const void *, size_t);
    void *(*memmove)(void *, const void *, size_t);
    void *(*memset)(void *, int, size_t);
    int (*clock_gettime)(clockid_t, struct timespec *);
    int (*pause)(void);
    void (*exit)(int) __attribute__((noreturn));
};

extern struct real_functions real;

void real_resolve(void); /* once, before anything else */

#endif
