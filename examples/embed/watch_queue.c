/* SPDX-License-Identifier: Apache-2.0 */
/* Judges calls and returns as they are pushed: a program that embeds the monitor. Three clients use a queue that gives the newest item when it is
 * asked twice in a row; the monitor notices while it runs.
 *
 *     cc watch_queue.c -lplumb-monitor -o watch_queue && ./watch_queue */
#include <plumb/monitor.h>

#include <stdio.h>

enum { CLIENTS = 3, ROOM = 64 };

static int64_t items[ROOM];
static unsigned first, last, asked;

static plumb_value take(struct plumb_values *values)
{
    if (first == last)
        return PLUMB_NONE;
    if (++asked == 20) /* the mistake */
        return plumb_int(values, items[--last % ROOM]);
    return plumb_int(values, items[first++ % ROOM]);
}

int main(void)
{
    struct plumb_monitor *m = plumb_monitor_open();
    struct plumb_values *values;
    int64_t stamp = 0, next = 1;
    plumb_monitor_set_spec(m, "queue");
    values = plumb_monitor_values(m);
    for (int round = 0; round < 100 && !plumb_monitor_look(m); round++)
        for (int client = 0; client < CLIENTS; client++) {
            plumb_monitor_call(m, client, NULL, "enq", plumb_int(values, next), ++stamp);
            items[last++ % ROOM] = next++;
            plumb_monitor_return(m, client, PLUMB_OK, ++stamp);
            if (round % 3 == 0)
                continue;
            plumb_monitor_call(m, client, NULL, "deq", PLUMB_OK, ++stamp);
            plumb_value result = take(values);
            plumb_monitor_return(m, client, result, ++stamp);
        }
    enum plumb_verdict verdict = plumb_monitor_finish(m);
    printf("%s after %lld events\n%s", verdict == PLUMB_VIOLATED ? "violated" : "not violated",
           (long long)stamp, plumb_monitor_text(m));
    plumb_monitor_close(m);
    return verdict == PLUMB_VIOLATED ? 0 : 1;
}
