/* SPDX-License-Identifier: Apache-2.0 */
/* What lies outside of the program's memory and is shared by its threads: files, their names, properties of the process. What comes
 * of a use depends on which thread was first, and no access to memory shows it. */
#ifndef RT_OUTSIDE_H
#define RT_OUTSIDE_H

#include <stdbool.h>
#include <stddef.h>

enum outside {
    OUTSIDE_NAMES,   /* names of files, descriptors, the current folder, the mask for new files */
    OUTSIDE_PROCESS, /* priority, limits, identity */
    /* These order nothing: accesses beside them race as they would without */
    OUTSIDE_ENVIRONMENT,
    OUTSIDE_SIGNALS, /* what is done about them */
    OUTSIDE_KEYS,    /* numbers of keys of threads' values */
    OUTSIDE_KINDS,
    OUTSIDE_END = OUTSIDE_KINDS + 1, /* those from here on are of rt/channels */
};

/* A thread is about to use one of these, or to change it. Schedules get a step here. Graphs get steps once two threads have used
 * the same with nothing that orders them: everything begins again then. */
void outside_use(enum outside kind, bool changes, const void *pc);

/* The same of the contents of a file: by descriptor, stream or name. A null stream is the standard input. */
void outside_use_file(int fd, bool changes, const void *pc);
void outside_change_all_files(const void *pc); /* any descriptor may mean something else afterwards */
void outside_use_stream(void *stream, const void *pc);
/* A stream that is still open when the execution ends is closed then. */
void outside_keep_stream(void *stream); /* may be null */
void outside_forget_stream(const void *stream);
void outside_use_pipes(const void *pc); /* of pipes, sockets and the like: all of them */
void outside_use_path(const char *path, bool changes, const void *pc);

#endif
