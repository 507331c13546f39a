/* SPDX-License-Identifier: Apache-2.0 */
#include <plumb.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char notes[4][16];

static void read_note(int key, char *to)
{
    pthread_mutex_lock(&mutex);
    strcpy(to, notes[key]);
    pthread_mutex_unlock(&mutex);
}

static void write_note(int key, const char *text)
{
    pthread_mutex_lock(&mutex);
    strcpy(notes[key], text);
    pthread_mutex_unlock(&mutex);
}

PLUMB_OBJECT(kv)

PLUMB_OP(append, int, key, const char *, text)
{
    char longer[16];
    read_note(key, longer);
    strcat(longer, text);
    write_note(key, longer);
    return PLUMB_OK;
}

PLUMB_OP(get, int, key)
{
    char text[16];
    read_note(key, text);
    return PLUMB_STRING(text);
}

PLUMB_TEST("append(1,\"a\") | append(1,\"b\") => get(1)")
