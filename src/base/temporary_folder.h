/* SPDX-License-Identifier: Apache-2.0 */
/* Temporary folders, and those of runs that were killed before they could remove them. A run holds a lock on each of its
 * folders, which the system gives up with the process: a folder of this name that can be locked belongs to nothing that
 * lives. */
#ifndef BASE_TEMPORARY_FOLDER_H
#define BASE_TEMPORARY_FOLDER_H

#include <stdbool.h>

/* Of the tool, and of plumb-cc. */
#define TEMPORARY_NAME "plumb-XXXXXX"
#define TEMPORARY_COMPILER_NAME "plumb-cc.XXXXXX"

/* Makes a folder from a pattern, as mkdtemp does, and locks it: the descriptor, which is closed on exec, or -1 with errno. */
int temporary_folder_make(char *pattern);

/* With all that is in it; only system calls, for signal handlers. True: something was removed. */
bool temporary_folder_remove(const char *path);

/* Removes those below `parent` that belong to nothing that lives. */
void temporary_folders_sweep(const char *parent);

#endif
