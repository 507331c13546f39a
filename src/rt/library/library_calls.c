/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose accesses no line of the table can say: messages, lists, streams. */
#include "base/vec.h"
#include "engine/code/modules.h"
#include "engine/memory/snapshot.h"
#include "rt/hook.h"
#include "rt/library/library.h"
#include "rt/start.h"

#include <dlfcn.h>
#include <fenv.h>
#include <search.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* ------------------------------------------------------------------ messages */

static void access_message(const struct library_call *c, const struct msghdr *m, bool writes, size_t most)
{
    library_access(c, (uint64_t)m, sizeof *m, false);
    if (!m)
        return;
    library_access(c, (uint64_t)m->msg_iov, m->msg_iovlen * sizeof *m->msg_iov, false);
    for (size_t k = 0; m->msg_iov && k < m->msg_iovlen && most; k++) {
        size_t size = m->msg_iov[k].iov_len < most ? m->msg_iov[k].iov_len : most;
        library_access(c, (uint64_t)m->msg_iov[k].iov_base, size, writes);
        most -= size;
    }
    if (m->msg_name)
        library_access(c, (uint64_t)m->msg_name, m->msg_namelen, writes);
    if (m->msg_control)
        library_access(c, (uint64_t)m->msg_control, m->msg_controllen, writes);
}

LIBRARY_IS(sendmsg, access_message(c, (const void *)library_argument(c, 2), false, SIZE_MAX))
LIBRARY_IS(recvmsg, access_message(c, (const void *)library_argument(c, 2), true, SIZE_MAX))

static void access_messages(const struct library_call *c, bool writes)
{
    struct mmsghdr *list = (void *)library_argument(c, 2);
    size_t count = (uint32_t)library_argument(c, 3);
    library_access(c, (uint64_t)list, count * sizeof *list, true);
    for (size_t k = 0; list && k < count; k++)
        access_message(c, &list[k].msg_hdr, writes, SIZE_MAX);
}

LIBRARY_IS(sendmmsg, access_messages(c, false))
LIBRARY_IS(recvmmsg, access_messages(c, true))

/* An address whose room stands at the next argument, where its size is written: argument 2, or 5 of recvfrom. */
static void write_address(const struct library_call *c, unsigned argument)
{
    socklen_t *size = (socklen_t *)library_argument(c, argument + 1);
    uint64_t address = library_argument(c, argument);
    if (!size || !address)
        return;
    library_access(c, (uint64_t)size, sizeof *size, true);
    library_access(c, address, *size, true);
}

LIBRARY_IS(address2, write_address(c, 2))
LIBRARY_IS(address5, write_address(c, 5))

/* getsockopt: value at argument 4, size at 5 */
LIBRARY_IS(address4, write_address(c, 4))

/* msgsnd(queue, message, size): the type of the message comes before its text. */
LIBRARY_IS(msgsnd, library_access(c, library_argument(c, 2), sizeof(long) + library_argument(c, 3), false))

/* ------------------------------------------------------------------ lists */

/* insque(element, previous): both and the one that follows are changed. */
LIBRARY_DO(insque)
{
    struct qelem *element = (void *)library_argument(c, 1), *previous = (void *)library_argument(c, 2);
    library_access(c, (uint64_t)element, sizeof(void *[2]), true);
    if (!previous)
        return;
    library_access(c, (uint64_t)&previous->q_forw, sizeof(void *), true);
    if (previous->q_forw)
        library_access(c, (uint64_t)&previous->q_forw->q_back, sizeof(void *), true);
}

LIBRARY_DO(remque)
{
    struct qelem *element = (void *)library_argument(c, 1);
    library_access(c, (uint64_t)element, sizeof(void *[2]), false);
    if (element->q_forw)
        library_access(c, (uint64_t)&element->q_forw->q_back, sizeof(void *), true);
    if (element->q_back)
        library_access(c, (uint64_t)&element->q_back->q_forw, sizeof(void *), true);
}

/* lfind, lsearch(key, base, count, size, compare): the elements, and how many there are. */
static void access_list(const struct library_call *c)
{
    size_t *count = (size_t *)library_argument(c, 3), size = library_argument(c, 4);
    uint64_t base = library_argument(c, 2);
    library_access(c, (uint64_t)count, sizeof *count, false);
    library_access(c, base, *count * size, false);
}

LIBRARY_IS(lfind, access_list(c))

/* bsearch(key, base, count, size, compare): which elements it looks at, its comparisons show; the middle one always. */
LIBRARY_DO(bsearch)
{
    size_t count = library_argument(c, 3), size = library_argument(c, 4);
    if (count)
        library_access(c, library_argument(c, 2) + count / 2 * size, size, false);
}

/* tsearch, tdelete(key, root): nodes are the library's; the root stands for all of them. */
LIBRARY_DO(tsearch)
{
    void **root = (void **)library_argument(c, 2);
    if (after && root && *root)
        library_access_late(c, (uint64_t)*root, sizeof(void *), true);
}

LIBRARY_DO(tfind)
{
    void **root = (void **)library_argument(c, 2);
    if (root && *root)
        library_access(c, (uint64_t)*root, sizeof(void *), false);
}

/* Whether it adds one is known after the call only; a key that is there is not written. */
LIBRARY_DO(lsearch)
{
    static size_t counts[CLOCKS_THREADS_MAX]; /* of threads: it calls the program to compare */
    size_t *count = (size_t *)library_argument(c, 3), size = library_argument(c, 4);
    size_t *before = &counts[engine_current()];
    if (!after) {
        access_list(c);
        *before = *count;
    } else if (*count != *before) {
        library_access_late(c, (uint64_t)count, sizeof *count, true);
        library_access_late(c, library_argument(c, 2) + *before * size, size, true);
    }
}

/* ------------------------------------------------------------------ streams over memory */

struct memory_stream {
    uint64_t stream, buffer, size; /* where pointer and size are kept; or a buffer of that size */
    bool is_fixed;
};
static VEC(struct memory_stream) streams;

BEFORE_EACH_EXECUTION(memory_streams_reset)
{
    vec_clear(&streams);
}

static void forget_stream(uint64_t stream)
{
    for (size_t k = 0; k < streams.len; k++)
        if (streams.data[k].stream == stream)
            streams.data[k--] = streams.data[--streams.len];
}

static void keep_stream(const struct library_call *c, bool is_fixed)
{
    forget_stream(c->frame->result);
    vec_push(&streams, ((struct memory_stream){c->frame->result, library_argument(c, 1),
                                               library_argument(c, 2), is_fixed}));
}

/* open_memstream(pointer, size): both are written now, and when the stream is flushed or closed. */
LIBRARY_DO(memstream)
{
    if (!after || !c->frame->result)
        return;
    keep_stream(c, false);
    library_access_late(c, library_argument(c, 1), sizeof(void *), true);
    library_access_late(c, library_argument(c, 2), sizeof(size_t), true);
}

LIBRARY_DO(fmemopen)
{
    if (after && c->frame->result && library_argument(c, 1))
        keep_stream(c, true);
}

static void flush_stream(const struct library_call *c, const struct memory_stream *m)
{
    if (m->is_fixed) {
        library_access(c, m->buffer, m->size, true);
        return;
    }
    library_access(c, m->buffer, sizeof(void *), true);
    library_access(c, m->size, sizeof(size_t), true);
}

LIBRARY_DO(flush)
{
    uint64_t stream = library_argument(c, 1);
    for (size_t k = 0; k < streams.len && stream; k++)
        if (streams.data[k].stream == stream) {
            struct memory_stream found = streams.data[k]; /* other threads may go on meanwhile */
            flush_stream(c, &found);
        }
}

LIBRARY_DO(close)
{
    library_do_flush(c, after);
    forget_stream(library_argument(c, 1));
    library_close_handle(library_argument(c, 1));
}

static VEC(uint64_t) closed; /* streams and directories */

BEFORE_EACH_EXECUTION(closed_reset)
{
    vec_clear(&closed);
}

void library_close_handle(uint64_t handle)
{
    vec_push(&closed, handle);
}

void library_check_handle(const struct library_call *c, uint64_t handle)
{
    for (size_t k = 0; k < closed.len; k++)
        if (closed.data[k] == handle)
            engine_fail(WORKER_ERROR_UNDEFINED, handle, c->pc, "%s is given a stream that was closed before",
                        c->import->name);
}

void library_forget_handle(uint64_t handle)
{
    for (size_t k = closed.len; k-- > 0;)
        if (closed.data[k] == handle)
            closed.data[k] = closed.data[--closed.len];
}

/* ------------------------------------------------------------------ others */

/* getsubopt(option, tokens, value) */
LIBRARY_DO(getsubopt)
{
    char **option = (char **)library_argument(c, 1);
    library_access(c, (uint64_t)option, sizeof *option, true);
    if (option && *option) {
        size_t length = strcspn(*option, ",");
        library_read_string(c, (uint64_t)*option, length + 1);
        if ((*option)[length])
            library_access(c, (uint64_t)*option + length, 1, true);
    }
    library_do_strings(c, after);
    library_access(c, library_argument(c, 3), sizeof(char *), true);
}

/* swab(from, to, size): whole pairs */
LIBRARY_DO(swab)
{
    int64_t size = (int64_t)library_argument(c, 3) & ~INT64_C(1);
    if (size <= 0)
        return;
    library_check_apart(c, library_argument(c, 2), (size_t)size, library_argument(c, 1), (size_t)size);
    library_access(c, library_argument(c, 1), (size_t)size, false);
    library_access(c, library_argument(c, 2), (size_t)size, true);
}

/* strxfrm(to, from, most): what the locale "C" writes; others may write more. */
LIBRARY_DO(strxfrm)
{
    size_t size = strlen((const char *)library_argument(c, 2)) + 1, most = library_argument(c, 3);
    library_check_apart(c, library_argument(c, 1), most < size ? most : size, library_argument(c, 2), size);
}

/* A block that getline may replace: arguments 1 and 2, and as many characters as the result says. */
LIBRARY_DO(getline)
{
    char **line = (char **)library_argument(c, 1);
    if (!after) {
        library_access(c, (uint64_t)line, sizeof *line, false);
        library_access(c, library_argument(c, 2), sizeof(size_t), false);
        return;
    }
    library_access_late(c, (uint64_t)line, sizeof *line, true);
    library_access_late(c, library_argument(c, 2), sizeof(size_t), true);
    if ((int64_t)c->frame->result >= 0 && line && *line)
        library_access_late(c, (uint64_t)*line, c->frame->result + 1, true);
}

/* dlsym(handle, name): what is called through the pointer is not seen, unless it is known to be harmless. */
LIBRARY_DO(dlsym)
{
    void *handle = (void *)library_argument(c, 1);
    const char *name = (const char *)library_argument(c, 2);
    const void *found = handle == RTLD_NEXT ? NULL : dlsym(handle, name);
    const struct module *m = found ? modules_of(found) : NULL;
    const struct library_line *line = library_find(name);
    Dl_info info;
    if (!found || snapshot_is_runtime_code(found) || (m && m->is_instrumented) || (line && !*line->items) ||
        !dladdr(found, &info))
        return;
    const char *slash = strrchr(info.dli_fname, '/');
    struct import_call import = {.name = name, .library = slash ? slash + 1 : info.dli_fname};
    engine_note_unseen(&import);
}

/* It ends the life of memory that belongs to the library, whose later uses are not found. */
LIBRARY_DO(frees)
{
    struct import_call import = *c->import;
    engine_note_unseen(&import);
}

/* Memory is read or written by a thread of the library, some time after the call. */
LIBRARY_DO(later)
{
    library_do_frees(c, after);
}

/* setvbuf(stream, buffer): the buffer must live as long as the stream. */
LIBRARY_DO(buffer)
{
    if (library_argument(c, 2))
        library_do_frees(c, after);
}

/* setlocale(category, name): without a name it only asks; with one, what it returned before ends. */
LIBRARY_DO(setlocale)
{
    bool changes = library_argument(c, 2) != 0;
    library_use_named(c, "setlocale()", changes);
    if (changes)
        library_do_frees(c, after);
}

/* tmpnam without a buffer has one. */
LIBRARY_DO(tmpnam)
{
    if (!library_argument(c, 1))
        library_use_named(c, "tmpnam()", true);
}

LIBRARY_IS(stdin, library_use_handle(c, (uint64_t)stdin, true))
LIBRARY_IS(stdout, library_use_handle(c, (uint64_t)stdout, true))

/* FE_DFL_ENV and the like are no addresses. */
static void read_unless_constant(const struct library_call *c, size_t size)
{
    uint64_t at = library_argument(c, 1);
    if (at < (uint64_t)-16)
        library_access(c, at, size, false);
}

LIBRARY_IS(fesetenv, read_unless_constant(c, sizeof(fenv_t)))
LIBRARY_IS(fesetmode, read_unless_constant(c, sizeof(femode_t)))
