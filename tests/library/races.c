/* SPDX-License-Identifier: Apache-2.0 */
/* One call of one function of the table (src/rt/library/library.h) by a thread, while main uses the same memory: made from the
 * table itself. CASE=function:item chooses what is raced for, LOCKED=1 lets both take a lock. Without CASE all cases are
 * listed. Arguments are made up from the items; `given` has those that cannot be. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <features.h>
#include <locale.h>
#include <pthread.h>
#include <search.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#define LOCALE " q=setlocale()"
#define ENV " q=getenv()+setenv()"

#define F(name, items) void raced_##name(void) __asm__(#name) __attribute__((weak));
#define H(name, items) F(name, items)
#include "rt/library/library_strings.def"
#include "rt/library/library_stdlib.def"
#include "rt/library/library_stdio.def"
#include "rt/library/library_time.def"
#include "rt/library/library_files.def"
#include "rt/library/library_names.def"
#include "rt/library/library_math.def"
#include "rt/library/library_system.def"
#undef F
#undef H

#define F(name, items) {#name, items, raced_##name},
#define H(name, items) F(name, items)
static const struct line {
    const char *name, *items;
    void (*function)(void);
} lines[] = {
#include "rt/library/library_strings.def"
#include "rt/library/library_stdlib.def"
#include "rt/library/library_stdio.def"
#include "rt/library/library_time.def"
#include "rt/library/library_files.def"
#include "rt/library/library_names.def"
#include "rt/library/library_math.def"
#include "rt/library/library_system.def"
};

enum { ARGUMENTS = 8, BYTES = 4096, RACED = 16, ITEMS = 8 };

/* What the function is called with: `buffer` of each argument is shared. */
static union buffer {
    _Alignas(16) char bytes[BYTES];
    wchar_t wide[BYTES / sizeof(wchar_t)];
    void *pointers[8];
    struct iovec parts[2];
    struct msghdr message;
    struct mmsghdr messages[1];
    size_t size;
    socklen_t length;
} buffers[ARGUMENTS + 1], more[ARGUMENTS + 1];

static long arguments[ARGUMENTS + 1];
static void (*function)(void);
static unsigned list_at; /* argument that is a va_list; 0: none */
static char what;        /* letter of the item that is raced for */
static char *raced;      /* memory, or null: both call */
static size_t from;      /* of it */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool locked;

/* ------------------------------------------------------------------ arguments */

/* NAME: N=VALUE...; values: a number, "text", L"text", fd, in, out, dir, tree, where (a pointer to more[N]), parts, message, list, socket,
 * none (null), compare, family; `at N` where the raced bytes begin. */
static const char *const given[] = {
#include "given.inc"
};

static const char *find_given(const char *name)
{
    size_t length = strlen(name);
    for (size_t k = 0; k < sizeof given / sizeof *given; k++)
        if (strncmp(given[k], name, length) == 0 && given[k][length] == ':')
            return given[k] + length + 1;
    return "";
}

static int compare(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

static int make_file(void)
{
    char name[] = "/tmp/plumb_library.XXXXXX";
    int fd = mkstemp(name);
    unlink(name);
    if (write(fd, "12 34\n56\n", 9) != 9)
        exit(9);
    lseek(fd, 0, SEEK_SET);
    return fd;
}

static int make_socket(void)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0 || write(ends[1], "12", 2) != 2)
        exit(9);
    return ends[0];
}

static void put_text(union buffer *b, const char *text, bool wide)
{
    for (size_t k = 0; text[k] && text[k] != '"'; k++)
        if (wide)
            b->wide[k] = text[k];
        else
            b->bytes[k] = text[k];
}

static void make_parts(unsigned n)
{
    buffers[n].parts[0] = (struct iovec){more[n].bytes, 2};
    put_text(&more[n], "12", false);
}

static void make_message(unsigned n)
{
    more[n].parts[1] = (struct iovec){more[n].bytes, 2};
    buffers[n].message = (struct msghdr){.msg_iov = &more[n].parts[1], .msg_iovlen = 1};
}

#include "made.inc"

static long make_value(unsigned n, const char *text)
{
    static struct qelem elements[3];
    bool found;
    long made = made_by(text, n, &found);
    if (found)
        return made;
    if (*text == '"' || (*text == 'L' && text[1] == '"')) {
        put_text(&buffers[n], strchr(text, '"') + 1, *text == 'L');
        return (long)&buffers[n];
    }
    if (strncmp(text, "fd", 2) == 0)
        return make_file();
    if (strncmp(text, "socket", 6) == 0)
        return make_socket();
    if (strncmp(text, "in", 2) == 0)
        return (long)fdopen(make_file(), "r+");
    if (strncmp(text, "none", 4) == 0)
        return 0;
    if (strncmp(text, "compare", 7) == 0)
        return (long)compare;
    if (strncmp(text, "buffer", 6) == 0)
        return (long)&buffers[n];
    if (strncmp(text, "where", 5) == 0) {
        buffers[n].pointers[0] = &more[n];
        put_text(&more[n], "12 34", false);
        return (long)&buffers[n];
    }
    if (strncmp(text, "wwhere", 6) == 0) {
        buffers[n].pointers[0] = &more[n];
        put_text(&more[n], "12 34", true);
        return (long)&buffers[n];
    }
    if (strncmp(text, "parts", 5) == 0) {
        make_parts(n);
        return (long)&buffers[n];
    }
    if (strncmp(text, "message", 7) == 0) {
        make_message(n);
        return (long)&buffers[n];
    }
    if (strncmp(text, "list", 4) == 0) {
        elements[0].q_forw = &elements[1];
        elements[1].q_back = &elements[0];
        return (long)memcpy(&buffers[n], elements, sizeof *elements);
    }
    if (strncmp(text, "room", 4) == 0) {
        buffers[n].length = 128;
        return (long)&buffers[n];
    }
    return strtol(text, NULL, 0);
}

static const char *next_word(const char *at)
{
    bool quoted = false;
    for (; *at && (*at != ' ' || quoted); at++)
        quoted ^= *at == '"';
    return at + strspn(at, " ");
}

/* Arguments as the items of the line want them. */
static void make_up(const char *items)
{
    for (const char *at = items + strspn(items, " "); *at; at = next_word(at)) {
        unsigned n = (unsigned)(at[1] == '.' || at[1] == 'v' ? at[2] : at[1]) - '0';
        const char *end = next_word(at), *colon = memchr(at, ':', (size_t)(end - at));
        for (const char *p = colon ? colon : at; p < end; p++)
            if ((*p == '@' || *p == '<' || *p == '*') && p[1] >= '1' && p[1] <= '8' &&
                (*p != '*' || strchr("ij", *at)) && !arguments[p[1] - '0'])
                arguments[p[1] - '0'] = strchr("ij", *at) ? 1 : 4;
        if (n < 1 || n > ARGUMENTS)
            continue;
        if (strchr("rw", *at) && colon && !arguments[n]) {
            bool wide = strchr("SDE", colon[1]) || (strchr("R", colon[1]) && strncmp(colon, ":R1*4", 5) == 0);
            arguments[n] = make_value(n, wide                              ? "L\"12\""
                                         : strchr("0123456789{", colon[1]) ? "buffer"
                                                                           : "\"12\"");
        } else if (strchr("hHfF", *at) && !arguments[n])
            arguments[n] = make_value(n, "in");
        else if (strchr("ij", *at))
            arguments[n] = make_value(n, "parts");
        else if (strchr("pPcC", *at)) {
            if (!arguments[n])
                arguments[n] = make_value(n, *at == 'p'   ? "\"%s\""
                                             : *at == 'P' ? "L\"%ls\""
                                             : *at == 'c' ? "\"%d\""
                                                          : "L\"%d\"");
            if (!arguments[n + 1])
                arguments[n + 1] = make_value(n + 1, *at == 'P' ? "L\"12\"" : "\"12\"");
            list_at = at[1] == 'v' ? n + 1 : list_at;
        }
    }
}

static void take_given(const char *text)
{
    for (const char *at = text + strspn(text, " "); *at; at = next_word(at))
        if (strncmp(at, "at=", 3) == 0)
            from = strtoul(at + 3, NULL, 10);
        else if (at[1] == '=' && *at >= '1' && *at <= '8')
            arguments[at[0] - '0'] = make_value((unsigned)(at[0] - '0'), at + 2);
}

/* ------------------------------------------------------------------ cases */

static const char *find_item(const char *items, unsigned number)
{
    const char *at = items + strspn(items, " ");
    while (*at && number--)
        at = next_word(at);
    return at;
}

/* The argument an item is about; 0: none */
static unsigned number_of(const char *item)
{
    char digit = item[1] == '.' || item[1] == 'v' ? item[2] : item[1];
    return digit >= '1' && digit <= '8' ? (unsigned)(digit - '0') : 0;
}

/* What two calls cannot be raced for: uses with a lock inside, and things outside of memory. "no=mw": nor these items, as what they depend on may
 * not be there. */
static bool is_case(const char *item, const char *text)
{
    const char *without = strstr(text, "no=");
    if (!*item || strchr("qhxfdDnNuU", *item))
        return false;
    for (without = without ? without + 3 : ""; *without && *without != ' '; without++)
        if (*without == *item)
            return false;
    return true;
}

static void list_cases(void)
{
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        const char *text = find_given(lines[k].name);
        unsigned number = 0;
        if (!lines[k].function)
            continue;
        if (strncmp(text, " not", 4) == 0) {
            printf("%s%s\n", lines[k].name, text); /* and why */
            continue;
        }
        for (const char *item = lines[k].items + strspn(lines[k].items, " "); *item;
             item = next_word(item), number++)
            if (is_case(item, text))
                printf("%s %u\n", lines[k].name, number);
        if (strstr(text, "x="))
            printf("%s x\n", lines[k].name);
    }
}

static void choose_raced(const char *item)
{
    unsigned n = number_of(item);
    what = *item;
    raced = NULL;
    if (strchr("rw", what))
        raced = (char *)arguments[n];
    else if (strchr("ij", what))
        raced = more[n].bytes;
    else if (strchr("pPcC", what))
        raced = (char *)arguments[n + 1];
    raced = raced ? raced + from : NULL;
}

static const struct line *find_line(const char *name)
{
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        if (strcmp(lines[k].name, name) == 0)
            return &lines[k];
    exit(9);
}

/* "x=w3": what a special is to be raced for; "x=W3": at where argument 3 points. */
static void choose_special(const char *text)
{
    const char *at = strstr(text, "x=");
    what = at[2] == 'r' || at[2] == 'R' ? 'r' : 'w';
    unsigned n = (unsigned)(at[3] - '0');
    raced = at[2] == 'b' ? NULL : at[2] == 'R' || at[2] == 'W' ? more[n].bytes : (char *)arguments[n];
    raced = raced ? raced + from : NULL;
}

/* ------------------------------------------------------------------ running */

static void call_function(const long *a)
{
    ((long (*)(long, long, long, long, long, long, long, long))function)(a[1], a[2], a[3], a[4], a[5], a[6],
                                                                         a[7], a[8]);
}

static void call_with_list(long unused, ...)
{
    long a[ARGUMENTS + 1];
    va_list list;
    va_start(list, unused);
    memcpy(a, arguments, sizeof a);
    a[list_at] = (long)&list; /* an array, or passed by its address */
    call_function(a);
    va_end(list);
}

static void call(void)
{
    if (list_at)
        call_with_list(0, arguments[list_at]);
    else
        call_function(arguments);
}

static void use(void)
{
    volatile char *bytes = raced, sum = 0;
    if (!raced) {
        call();
        return;
    }
    for (size_t k = 0; k < RACED; k++)
        if (strchr("wjcC", what))
            sum += bytes[k];
        else
            bytes[k] = bytes[k];
    (void)sum;
}

static void *run(void *unused)
{
    if (locked)
        pthread_mutex_lock(&mutex);
    call();
    if (locked)
        pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    char name[64];
    const char *chosen = getenv("CASE");
    pthread_t thread;
    if (!chosen) {
        list_cases();
        return 0;
    }
    locked = getenv("LOCKED") != NULL;
    size_t length = strcspn(chosen, ":");
    memcpy(name, chosen, length);
    name[length] = 0;
    const struct line *line = find_line(name);
    function = line->function;
    take_given(find_given(name));
    make_up(line->items);
    for (unsigned n = 2; strstr(name, "_chk") && n <= ARGUMENTS; n++)
        arguments[n] = arguments[n] ? arguments[n] : 64; /* room enough */
    bool has_locale = strcmp(name + strlen(name) - 2, "_l") == 0;
    for (unsigned n = 2; has_locale && n <= ARGUMENTS; n++)
        arguments[n] = arguments[n] ? arguments[n] : (long)newlocale(LC_ALL_MASK, "C", NULL);
    if (chosen[length + 1] == 'x')
        choose_special(find_given(name));
    else
        choose_raced(find_item(line->items, (unsigned)atoi(chosen + length + 1)));
    pthread_create(&thread, NULL, run, NULL);
    if (locked)
        pthread_mutex_lock(&mutex);
    use();
    if (locked)
        pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
