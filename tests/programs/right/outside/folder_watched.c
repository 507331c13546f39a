/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* named: not examined: libc.so.6: inotify_add_watch */
/* note: what a watched folder reports depends on calls that have nothing to do with the descriptor */
#include <pthread.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
static void *change(void *u)
{
    umask(022);
    return 0;
}
int main(void)
{
    pthread_t t;
    char events[64];
    int watch = inotify_init1(IN_NONBLOCK);
    inotify_add_watch(watch, "/", IN_CREATE);
    pthread_create(&t, 0, change, 0);
    read(watch, events, sizeof events);
    pthread_join(t, 0);
    close(watch);
}
