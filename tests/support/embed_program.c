/* SPDX-License-Identifier: Apache-2.0 */
/* Judges histories through plumb/monitor.h, for tests/scripts/embed.sh: as files, from memory, and as events.
 * usage: embed_program SPEC FILE...; prints "FILE verdict verdict verdict core". Lines of FILE have integer arguments and results. */
#include <plumb/monitor.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const verdicts[] = {"holds", "violated", "inconclusive", "error"};

struct event {
    int64_t stamp;
    int is_return;
    size_t line;
};

static char *lines[100000];
static size_t count;
static struct event events[2 * sizeof lines / sizeof *lines];

static int by_stamp(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->stamp != y->stamp)
        return (x->stamp > y->stamp) - (x->stamp < y->stamp);
    return x->is_return - y->is_return;
}

static int64_t number(const char *line, const char *key)
{
    const char *at = strstr(line, key);
    return at ? strtoll(at + strlen(key), NULL, 10) : INT64_MIN;
}

static plumb_value value(struct plumb_values *values, const char *line, const char *key)
{
    const char *at = strstr(line, key);
    if (!at)
        return PLUMB_OK;
    at += strlen(key);
    if (*at == 't' || *at == 'f')
        return plumb_bool(*at == 't');
    if (*at == '[') { /* cas */
        char *comma;
        plumb_value pair[2] = {plumb_int(values, strtoll(at + 1, &comma, 10)), PLUMB_OK};
        pair[1] = plumb_int(values, strtoll(comma + 1, NULL, 10));
        return plumb_array(values, pair, 2);
    }
    return *at == 'n' ? PLUMB_NONE : plumb_int(values, strtoll(at, NULL, 10));
}

static char *read_file(const char *path, size_t *length)
{
    FILE *f = fopen(path, "r");
    char *text = malloc(1 << 24);
    if (!f || !text)
        exit(2);
    *length = fread(text, 1, 1 << 24, f);
    fclose(f);
    return text;
}

static void split(char *text, size_t length)
{
    count = 0;
    text[length] = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        lines[count++] = line;
}

static size_t list_events(void)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t back = number(lines[i], "\"return\":");
        events[n++] = (struct event){number(lines[i], "\"call\":"), 0, i};
        if (back != INT64_MIN)
            events[n++] = (struct event){back, 1, i};
    }
    qsort(events, n, sizeof *events, by_stamp);
    return n;
}

static enum plumb_verdict push(struct plumb_monitor *m)
{
    struct plumb_values *values = plumb_monitor_values(m);
    size_t n = list_events();
    for (size_t k = 0; k < n; k++) {
        const char *line = lines[events[k].line];
        int64_t thread = number(line, "\"thread\":");
        char operation[32];
        sscanf(strstr(line, "\"op\":\"") + 6, "%31[^\"]", operation);
        bool taken =
            events[k].is_return
                ? plumb_monitor_return(m, thread, value(values, line, "\"result\":"), events[k].stamp)
                : plumb_monitor_call(m, thread, NULL, operation, value(values, line, "\"arg\":"),
                                     events[k].stamp);
        if (!taken)
            break;
    }
    return plumb_monitor_finish(m);
}

static struct plumb_monitor *ask(const char *spec)
{
    struct plumb_monitor *m = plumb_monitor_open();
    if (strcmp(spec, "-") != 0 && !plumb_monitor_set_spec(m, spec))
        puts(plumb_monitor_why(m));
    return m;
}

int main(int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        struct plumb_monitor *file = ask(argv[1]), *memory = ask(argv[1]), *stream = ask(argv[1]);
        size_t length;
        char *text = read_file(argv[i], &length);
        printf("%s %s", argv[i], verdicts[plumb_monitor_judge_file(file, argv[i])]);
        printf(" %s", verdicts[plumb_monitor_judge_memory(memory, text, length)]);
        split(text, length);
        enum plumb_verdict verdict = push(stream);
        printf(" %s", verdicts[verdict]);
        if ((verdict == PLUMB_VIOLATED) != (plumb_monitor_core(file, NULL, 0) > 0) ||
            (verdict == PLUMB_VIOLATED) != (plumb_monitor_json(stream)[0] == '{') ||
            (verdict == PLUMB_HOLDS) != (plumb_monitor_witness(memory, 0, NULL, 0) > 0))
            printf(" without evidence");
        puts("");
        plumb_monitor_close(file);
        plumb_monitor_close(memory);
        plumb_monitor_close(stream);
        free(text);
    }
    return 0;
}
