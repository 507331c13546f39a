/* SPDX-License-Identifier: Apache-2.0 */
/* Names of operations and objects get numbers that fit a slot. They are kept until the process ends. */
#include "record/recorder/record_session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE = 1 << 17 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block_name *names[SESSION_NAMES_MAX + 1]; /* from 1 on */
static uint16_t table[TABLE];                           /* numbers, by the hash of the name */
static uint16_t count;

static size_t hash(const char *text)
{
    uint64_t value = 0xcbf29ce484222325u;
    for (; *text; text++)
        value = (value ^ (unsigned char)*text) * 0x100000001b3u;
    return (size_t)(value ^ value >> 32);
}

static uint16_t add(const char *text, uint16_t *place)
{
    struct block_name *name = calloc(1, sizeof *name);
    if (count == SESSION_NAMES_MAX || !name || !(name->text = strdup(text))) {
        free(name);
        return 0;
    }
    name->length = strlen(text);
    names[++count] = name;
    return *place = count;
}

uint16_t session_name(const char *text)
{
    uint16_t number = 0;
    pthread_mutex_lock(&lock);
    for (size_t at = hash(text) % TABLE; !number; at = (at + 1) % TABLE) {
        if (table[at] == 0) {
            number = add(text, &table[at]);
            break;
        }
        if (strcmp(names[table[at]]->text, text) == 0)
            number = table[at];
    }
    pthread_mutex_unlock(&lock);
    if (!number)
        session_fail(ENOSPC);
    return number;
}

struct block_name *session_name_of(uint16_t number)
{
    return names[number];
}
