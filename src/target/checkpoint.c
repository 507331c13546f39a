/* SPDX-License-Identifier: Apache-2.0 */
#include "target/checkpoint.h"

#include "base/check.h"
#include "base/hash.h"
#include "base/text.h"
#include "graph/graph.h"
#include "target/pool.h"

#include <errno.h>
#include <inttypes.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char MAGIC[8] = "PLUMBCP";
enum { VERSION = 2, PARTS_MOST = 1 << 20 };
static const uint64_t SIZE_MOST = (uint64_t)4 << 30;
static const char TOO_LARGE[] = "the checkpoint has more than 4 GiB";

struct header {
    char magic[8];
    uint32_t version, event_size; /* another size: another build */
    uint64_t check;               /* hash of all that follows this member */
    uint64_t code, options, layout;
    struct checkpoint_counts counts;
    uint64_t objects, parts, bytes; /* how many follow */
};

uint64_t checkpoint_options(const struct worker_config *c)
{
    struct text t = {0};
    text_printf(&t, "%u %u %u %u %u %u %u %u %s\n%s\n%s\n%s\n%s", c->histories, c->sync, c->mode,
                c->step_limit, c->leaks, c->choices, c->loops, c->symmetry, c->memory, c->test, c->spec,
                c->quasi, c->nondet);
    for (uint32_t k = 0; k < c->order_count; k++)
        text_printf(&t, "\n%" PRIx64 " %u %u", c->orders[k].pc, c->orders[k].order, c->orders[k].failure);
    uint64_t hash = hash_bytes(t.data, t.len);
    text_free(&t);
    return hash;
}

void checkpoint_free(struct checkpoint *c)
{
    vec_free(&c->objects);
    vec_free(&c->part_sizes);
    vec_free(&c->bytes);
}

/* ------------------------------------------------------------------ from and to workers */

static void add_bytes(struct checkpoint *c, const void *bytes, size_t size)
{
    vec_reserve(&c->bytes, c->bytes.len + size);
    if (size)
        memcpy(c->bytes.data + c->bytes.len, bytes, size);
    c->bytes.len += size;
}

static void take_objects(struct checkpoint *c, const struct pool *p)
{
    uint32_t objects = p->object_count < POOL_OBJECTS ? p->object_count : POOL_OBJECTS;
    for (uint32_t k = 0; k < objects; k++)
        vec_push(&c->objects, p->objects[k]);
    c->layout = p->layout;
}

bool checkpoint_collect(struct checkpoint *c, struct target_pool *pool)
{
    struct pool *p = pool->shared;
    vec_clear(&c->objects);
    vec_clear(&c->part_sizes);
    vec_clear(&c->bytes);
    for (uint32_t k = 0; k < pool->workers; k++) {
        const struct pool_box *box = &p->boxes[k];
        uint64_t size = box->absent ? 0 : box->saved_size;
        if (size > POOL_SAVE_ROOM || (box->saved_epoch != p->epoch && !box->absent))
            return false;
        vec_push(&c->part_sizes, size);
        add_bytes(c, target_pool_save(pool, k), size);
    }
    take_objects(c, p);
    return true;
}

void checkpoint_collect_pieces(struct checkpoint *c, struct target_pool *pool)
{
    struct pool *p = pool->shared;
    const struct pool_pieces *pieces = &p->pieces;
    const char *room = target_pool_save(pool, 0);
    uint64_t at = pieces->from, end = pieces->to < POOL_SAVE_ROOM ? pieces->to : POOL_SAVE_ROOM, size;
    for (; at < end && end - at >= sizeof size; at += size) {
        memcpy(&size, room + at, sizeof size);
        at += sizeof size;
        CHECK(size <= end - at);
        vec_push(&c->part_sizes, size);
        add_bytes(c, room + at, size);
    }
    take_objects(c, p);
}

void checkpoint_keep_every(struct checkpoint *c, uint64_t first, uint64_t count)
{
    const char *from = c->bytes.data;
    size_t parts = c->part_sizes.len;
    c->part_sizes.len = c->bytes.len = 0;
    for (size_t k = 0; k < parts; k++) {
        uint64_t size = c->part_sizes.data[k];
        if (k % count == first) { /* never behind what it is copied over */
            memmove(c->bytes.data + c->bytes.len, from, size);
            c->bytes.len += size;
            c->part_sizes.data[c->part_sizes.len++] = size;
        }
        from += size;
    }
}

uint64_t checkpoint_digest(const struct checkpoint *c)
{
    uint64_t hash = hash_combine(c->layout, c->counts.executions);
    hash = hash_combine(hash, c->counts.blocked);
    hash = hash_combine(hash, hash_bytes(c->part_sizes.data, c->part_sizes.len * sizeof *c->part_sizes.data));
    return hash_combine(hash, hash_bytes(c->bytes.data, c->bytes.len));
}

bool checkpoint_distribute(const struct checkpoint *c, struct target_pool *pool)
{
    struct pool *p = pool->shared;
    const char *from = c->bytes.data;
    for (size_t k = 0; k < c->part_sizes.len; k++) {
        uint32_t worker = (uint32_t)(k % pool->workers);
        struct pool_box *box = &p->boxes[worker];
        if (c->part_sizes.data[k] > POOL_SAVE_ROOM - box->saved_size)
            return false;
        if (c->part_sizes.data[k])
            memcpy(target_pool_save(pool, worker) + box->saved_size, from, c->part_sizes.data[k]);
        box->saved_size += c->part_sizes.data[k];
        from += c->part_sizes.data[k];
    }
    for (size_t k = 0; k < c->objects.len; k++)
        p->objects[k] = c->objects.data[k];
    p->object_count = (uint32_t)c->objects.len;
    p->layout = c->layout;
    p->layout_known = 1;
    p->resumes = 1;
    return true;
}

/* ------------------------------------------------------------------ the file */

static void add_to(struct text *t, const void *bytes, size_t size)
{
    text_add(t, size ? bytes : "", size);
}

void checkpoint_print(const struct checkpoint *c, struct text *t)
{
    struct header h = {.version = VERSION, .event_size = sizeof(struct graph_event)};
    memcpy(h.magic, MAGIC, sizeof h.magic);
    h.code = c->code;
    h.options = c->options;
    h.layout = c->layout;
    h.counts = c->counts;
    h.objects = c->objects.len;
    h.parts = c->part_sizes.len;
    h.bytes = c->bytes.len;
    add_to(t, &h, sizeof h);
    add_to(t, c->objects.data, c->objects.len * sizeof *c->objects.data);
    add_to(t, c->part_sizes.data, c->part_sizes.len * sizeof *c->part_sizes.data);
    add_to(t, c->bytes.data, c->bytes.len);
    const size_t checked = offsetof(struct header, code);
    uint64_t check = hash_bytes(t->data + checked, t->len - checked);
    memcpy(t->data + offsetof(struct header, check), &check, sizeof check);
}

static bool write_bytes(int file, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

static bool replace_file(const char *path, const char *temporary, const struct text *t)
{
    unlink(temporary); /* left by a process that was killed; whatever it is a link to stays as it is */
    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0)
        return false;
    bool ok = write_bytes(file, t->data, t->len) && fsync(file) == 0;
    ok = close(file) == 0 && ok;
    if (ok && rename(temporary, path) == 0)
        return true;
    int error = errno;
    unlink(temporary);
    errno = error;
    return false;
}

bool checkpoint_replace_file(const char *path, const struct text *bytes)
{
    struct text temporary = {0};
    text_printf(&temporary, "%s.new", path);
    bool ok = replace_file(path, temporary.data, bytes);
    text_free(&temporary);
    return ok;
}

bool checkpoint_write(const struct checkpoint *c, const char *path, struct diagnostic *why)
{
    struct text t = {0};
    checkpoint_print(c, &t);
    bool fits = t.len <= SIZE_MOST || diagnostic_set(why, PL_BAD_CHECKPOINT, 0, 0, "%s", TOO_LARGE);
    bool ok = fits && checkpoint_replace_file(path, &t);
    if (fits && !ok)
        diagnostic_set(why, PL_CANNOT_OPEN, 0, 0, "cannot write the checkpoint: %s", strerror(errno));
    text_free(&t);
    return ok;
}

static bool read_bytes(int file, struct text *t)
{
    char buffer[1 << 16];
    ssize_t got;
    while ((got = read(file, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0 && t->len <= SIZE_MOST)
            text_add(t, buffer, (size_t)got);
        else if (got > 0)
            return errno = EFBIG, false;
    return got == 0;
}

/* What follows the header, of which `left` bytes are there. */
static bool are_sizes_right(const struct header *h, uint64_t left)
{
    if (h->objects > POOL_OBJECTS || h->parts > PARTS_MOST || h->bytes > left)
        return false;
    return h->objects * sizeof(struct pool_object) + h->parts * sizeof(uint64_t) + h->bytes == left;
}

/* Executions ended in one way each, and the word for what is unsupported is printed. */
static bool are_counts_right(const struct checkpoint_counts *c)
{
    uint64_t all = c->executions;
    size_t length = strnlen(c->unsupported, sizeof c->unsupported);
    for (size_t k = 0; k < length; k++)
        if ((unsigned char)c->unsupported[k] < 0x20 || c->unsupported[k] == 0x7f)
            return false;
    return length < sizeof c->unsupported && all < (uint64_t)1 << 60 && c->complete <= all &&
           c->blocked <= all - c->complete && c->refuted <= all && c->cut <= all && c->undecided <= all &&
           c->steps < (uint64_t)1 << 60 && c->revisits < (uint64_t)1 << 60;
}

static bool are_objects_right(const struct checkpoint *c)
{
    for (size_t k = 0; k < c->objects.len; k++)
        if (c->objects.data[k].locked > 1 || c->objects.data[k].no_mutex > 1 || c->objects.data[k].known > 1)
            return false;
    return true;
}

static bool are_parts_right(const struct checkpoint *c)
{
    uint64_t left = c->bytes.len;
    for (size_t k = 0; k < c->part_sizes.len; k++) {
        if (c->part_sizes.data[k] > left)
            return false;
        left -= c->part_sizes.data[k];
    }
    return left == 0;
}

static void take(struct checkpoint *c, const struct header *h, const char *from)
{
    c->code = h->code;
    c->options = h->options;
    c->layout = h->layout;
    c->counts = h->counts;
    for (uint64_t k = 0; k < h->objects; k++, from += sizeof(struct pool_object)) {
        struct pool_object o;
        memcpy(&o, from, sizeof o);
        vec_push(&c->objects, o);
    }
    for (uint64_t k = 0; k < h->parts; k++, from += sizeof(uint64_t)) {
        uint64_t size;
        memcpy(&size, from, sizeof size);
        vec_push(&c->part_sizes, size);
    }
    add_bytes(c, from, h->bytes);
}

bool checkpoint_parse(struct checkpoint *c, const char *bytes, size_t length, struct diagnostic *why)
{
    struct header h;
    const size_t checked = offsetof(struct header, code);
    if (length < sizeof h || memcmp(bytes, MAGIC, sizeof MAGIC) != 0)
        return diagnostic_set(why, PL_BAD_CHECKPOINT, 0, 0, "this is not a checkpoint");
    memcpy(&h, bytes, sizeof h);
    if (h.version != VERSION || h.event_size != sizeof(struct graph_event))
        return diagnostic_set(why, PL_BAD_CHECKPOINT, 0, 0, "the checkpoint is of another version of plumb");
    bool sound =
        h.check == hash_bytes(bytes + checked, length - checked) && are_sizes_right(&h, length - sizeof h);
    if (sound)
        take(c, &h, bytes + sizeof h);
    if (!sound || !are_parts_right(c) || !are_counts_right(&c->counts) || !are_objects_right(c))
        return diagnostic_set(why, PL_BAD_CHECKPOINT, 0, 0, "the checkpoint is damaged");
    return true;
}

static bool read_open_file(int file, struct text *t, struct diagnostic *why)
{
    struct stat status;
    bool is_known = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    errno = EFBIG;
    if ((!is_known || (uint64_t)status.st_size <= SIZE_MOST) && read_bytes(file, t))
        return true;
    return errno == EFBIG
               ? diagnostic_set(why, PL_BAD_CHECKPOINT, 0, 0, "%s", TOO_LARGE)
               : diagnostic_set(why, PL_CANNOT_OPEN, 0, 0, "cannot read the checkpoint: %s", strerror(errno));
}

bool checkpoint_read_bytes(struct text *t, const char *path, struct diagnostic *why)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno != ENOENT &&
               diagnostic_set(why, PL_CANNOT_OPEN, 0, 0, "cannot read the checkpoint: %s", strerror(errno));
    bool fine = read_open_file(file, t, why);
    close(file);
    return fine;
}

bool checkpoint_read(struct checkpoint *c, const char *path, struct diagnostic *why)
{
    struct text t = {0};
    bool ok = checkpoint_read_bytes(&t, path, why) && checkpoint_parse(c, t.data ? t.data : "", t.len, why);
    text_free(&t);
    return ok;
}
