/* SPDX-License-Identifier: Apache-2.0 */
/* Temporary folders of runs that were killed before they could remove them. A run holds a lock on each of its folders, which the system
 * gives up with the process: a folder of this name that can be locked belongs to nothing that lives. */
#ifndef TARGET_STALE_FOLDERS_H
#define TARGET_STALE_FOLDERS_H

#define STALE_FOLDER_NAME "plumb-XXXXXX"

/* Makes a folder from a pattern, as mkdtemp does, and locks it: the descriptor, which is closed on exec, or -1 with errno. */
int stale_make_folder(char *pattern);

/* Removes, by the function, those below `parent`, and those of plumb-cc, which are a day old where the system has no flock. */
void stale_remove(const char *parent, void (*remove)(int folder, const char *name));

#endif
