/* SPDX-License-Identifier: Apache-2.0 */
/* A recording: the rings of its threads, and the thread that writes what is in them. One at a time. */
#ifndef RECORD_SESSION_H
#define RECORD_SESSION_H

#include "record/recorder/record_block.h"

#include <pthread.h>

enum { SESSION_NAMES_MAX = 65000, SESSION_WHY = 256 };

struct session {
    /* Of the recording that runs; 0: none. Threads compare it with that of their ring */
    _Atomic uint32_t number;
    enum stamps stamps;
    char why[SESSION_WHY];
    bool has_barrier; /* the system makes all threads of the process pass a barrier */

    pthread_mutex_t lock; /* of all that follows, but for the writer, which is the flusher's */
    pthread_cond_t done;  /* `flushed` or `has_ended` has changed */
    struct ring *rings;
    uint32_t threads; /* so far */
    uint32_t sessions;
    pthread_t flusher;
    bool is_open;     /* between open and close */
    bool is_closing;  /* the flusher is to end the file */
    bool has_ended;   /* the flusher */
    uint64_t flushed; /* up to here it is */
    int error;

    _Atomic uint32_t kicks; /* the flusher waits for a change */
    struct block_writer writer;
};
extern struct session session;

/* Of the calling thread; that of a recording that has ended is of no use. */
extern __thread struct ring *session_own __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The ring of the calling thread, which is new to the recording. Null: there is none. */
struct ring *session_join(struct ring *before);

/* The number of a name; 0: there are too many, and the recording has been ended. */
uint16_t session_name(const char *text);
struct block_name *session_name_of(uint16_t number);

/* Ends the recording: what is in the file is a beginning of what happened, and it has no end mark. */
void session_fail(int error);

/* Wakes the flusher. */
void session_kick(void);
/* All threads of the process pass a barrier. */
void session_barrier(void);
bool session_register_barrier(void);

/* The flusher's thread. */
void *session_write(void *unused);

#endif
