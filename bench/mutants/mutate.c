/* SPDX-License-Identifier: Apache-2.0 */
/* usage: mutate FILE DIRECTORY [calls]
 * Writes mutants of a C file, one change each, to DIRECTORY/001.c, 002.c, ...
 * and prints a line for each: number, kind, line, what was changed; divided by
 * tabs. Text only: some do not compile, some mean the same. Only bodies of
 * functions change, and not those that prepare or look at the object
 * (PLUMB_SETUP, _TEARDOWN, _INVARIANT). The kinds are the functions at the end
 * of this file; `calls` adds that of calls left out. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENS_MAX = 20000, EDITS_MAX = 16, TEXT_MAX = 1024 };

struct token {
    const char *at;
    int length, line;
    int partner; /* of a bracket; -1: none */
};

struct range { /* of tokens, both ends included */
    int first, last;
};

struct edit { /* replaces the text of a range */
    const char *at;
    size_t length;
    char text[TEXT_MAX];
};

static const char *source, *directory;
static struct token tokens[TOKENS_MAX];
static int token_count, mutant_count;
static struct range body; /* of the function at hand, braces included */
static struct edit edits[EDITS_MAX];
static int edit_count;
static bool leaves_out_calls;

static void die(const char *what, const char *which)
{
    fprintf(stderr, "mutate: %s '%s'\n", what, which);
    exit(2);
}

/* ---- tokens ---- */

static bool is(int i, const char *text)
{
    return i >= 0 && i < token_count && (size_t)tokens[i].length == strlen(text) &&
           !memcmp(tokens[i].at, text, strlen(text));
}

static bool is_one_of(int i, const char *const *texts)
{
    for (; *texts; texts++)
        if (is(i, *texts))
            return true;
    return false;
}

static bool begins(int i, const char *text)
{
    return i >= 0 && i < token_count && !strncmp(tokens[i].at, text, strlen(text));
}

static bool is_word(int i)
{
    return i >= 0 && i < token_count && (isalpha((unsigned char)*tokens[i].at) || *tokens[i].at == '_');
}

static bool same_text(int i, int j)
{
    return tokens[i].length == tokens[j].length && !memcmp(tokens[i].at, tokens[j].at, tokens[i].length);
}

static const char *end_of(int i)
{
    return tokens[i].at + tokens[i].length;
}

/* Past a comment, or a line for the preprocessor; null: neither is here. */
static const char *skip_aside(const char *p)
{
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if (*p != '#' && (p[0] != '/' || p[1] != '/'))
        return NULL;
    while (*p && (*p != '\n' || p[-1] == '\\'))
        p++;
    return p;
}

/* Past a line for the preprocessor, and past what follows if that is compiled only when a macro is defined: none
 * is. */
static const char *skip_excluded(const char *p)
{
    bool otherwise = !strncmp(p, "#else", 5);
    int depth = 1;
    if (!otherwise && strncmp(p, "#ifdef", 6) != 0 && strncmp(p, "#if defined", 11) != 0)
        return skip_aside(p);
    while (depth && *p) {
        p = strchrnul(p, '\n');
        p += *p == '\n';
        depth += !strncmp(p, "#if", 3);
        depth -= !strncmp(p, "#endif", 6) || (depth == 1 && !strncmp(p, "#else", 5));
    }
    return *p ? skip_aside(p) : p;
}

static int token_length(const char *p)
{
    static const char *const operators[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                            "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                            "*=",  "/=",  "%=",  "&=", "|=", "^=", NULL};
    int n = 0;
    if (isalnum((unsigned char)*p) || *p == '_') {
        while (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == '.')
            if (p[n++] == '.' && !isdigit((unsigned char)*p))
                return n - 1;
        return n;
    }
    if (*p == '"' || *p == '\'') {
        for (n = 1; p[n] && p[n] != *p; n++)
            n += p[n] == '\\';
        return n + 1;
    }
    for (const char *const *o = operators; *o; o++)
        if (!strncmp(p, *o, strlen(*o)))
            return (int)strlen(*o);
    return 1;
}

static void read_tokens(void)
{
    int line = 1;
    for (const char *p = source; *p;) {
        const char *past = isspace((unsigned char)*p) ? p + 1 : *p == '#' ? skip_excluded(p) : skip_aside(p);
        if (!past) {
            if (token_count == TOKENS_MAX)
                die("too long", "the file");
            tokens[token_count++] = (struct token){p, token_length(p), line, -1};
            past = p + token_length(p);
        }
        for (; p < past; p++)
            line += *p == '\n';
    }
}

static void pair_brackets(void)
{
    int open[256], depth = 0;
    for (int i = 0; i < token_count; i++)
        if ((is(i, "(") || is(i, "[") || is(i, "{")) && depth < 256) {
            open[depth++] = i;
        } else if ((is(i, ")") || is(i, "]") || is(i, "}")) && depth) {
            tokens[i].partner = open[--depth];
            tokens[open[depth]].partner = i;
        }
}

/* ---- mutants ---- */

/* Text of a range. The result lives until the eighth call after this one. */
static const char *text_of(struct range r)
{
    static char texts[8][TEXT_MAX];
    static unsigned next;
    char *text = texts[next++ % 8];
    int length = (int)(end_of(r.last) - tokens[r.first].at);
    if (length >= TEXT_MAX)
        length = TEXT_MAX - 1;
    memcpy(text, tokens[r.first].at, (size_t)length);
    text[length] = 0;
    return text;
}

static void replace_text(const char *from, const char *to, const char *format, va_list arguments)
{
    struct edit *e = &edits[edit_count++ % EDITS_MAX];
    e->at = from;
    e->length = (size_t)(to - from);
    vsnprintf(e->text, sizeof e->text, format, arguments);
}

__attribute__((format(printf, 2, 3))) static void replace(struct range r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    replace_text(tokens[r.first].at, end_of(r.last), format, arguments);
    va_end(arguments);
}

__attribute__((format(printf, 2, 3))) static void insert_after(int i, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    replace_text(end_of(i), end_of(i), format, arguments);
    va_end(arguments);
}

static void print_one_line(const char *text)
{
    bool space = false;
    for (; *text; text++) {
        if (space && !isspace((unsigned char)*text))
            putchar(' ');
        space = isspace((unsigned char)*text);
        if (!space)
            putchar(*text);
    }
}

static void write_file(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%03d.c", directory, ++mutant_count);
    FILE *file = fopen(path, "w");
    if (!file)
        die("cannot write", path);
    const char *p = source;
    for (int i = 0; i < edit_count; i++) { /* they are made from the front to the back */
        fwrite(p, 1, (size_t)(edits[i].at - p), file);
        fputs(edits[i].text, file);
        p = edits[i].at + edits[i].length;
    }
    fputs(p, file);
    if (fclose(file))
        die("cannot write", path);
}

/* A mutant of the edits made so far; the range is what a reader should see. */
static void finish(const char *kind, struct range shown, const char *note)
{
    if (edit_count > EDITS_MAX)
        die("too many edits", kind);
    write_file();
    printf("%03d\t%s\t%d\t", mutant_count, kind, tokens[shown.first].line);
    print_one_line(text_of(shown));
    printf(" %s\n", note);
    edit_count = 0;
}

/* ---- calls ---- */

static bool is_call(int i)
{
    return is_word(i) && is(i + 1, "(") && tokens[i + 1].partner > 0;
}

static struct range call_at(int i)
{
    return (struct range){i, tokens[i + 1].partner};
}

/* Splits at commas; returns how many arguments there are. */
static int arguments_of(int i, struct range *arguments, int max)
{
    int count = 0, first = i + 2, last = tokens[i + 1].partner;
    for (int j = first; j <= last; j++) {
        if ((is(j, ",") || j == last) && j > first) {
            if (count < max)
                arguments[count] = (struct range){first, j - 1};
            count++;
            first = j + 1;
        } else if (j != last && tokens[j].partner > j) {
            j = tokens[j].partner;
        }
    }
    return count;
}

static bool is_exchange_call(int i)
{
    return is_call(i) && begins(i, "atomic_compare_exchange_");
}

static bool is_fetch(int i)
{
    return is_call(i) && begins(i, "atomic_fetch_");
}

static bool is_explicit(int i)
{
    return tokens[i].length > 9 && !memcmp(end_of(i) - 9, "_explicit", 9);
}

/* A call that is a statement. */
static bool is_statement(int i)
{
    int before = i - 1, after = is_call(i) ? tokens[i + 1].partner + 1 : i;
    return is_call(i) && is(after, ";") &&
           (is(before, ";") || is(before, "{") || is(before, "}") || is(before, ")") || is(before, "else"));
}

/* ---- the kinds ---- */

/* An order becomes relaxed. */
static void weaken_order(int i)
{
    static const char *const orders[] = {"memory_order_acquire", "memory_order_release",
                                         "memory_order_acq_rel", "memory_order_seq_cst", NULL};
    if (is_one_of(i, orders)) {
        replace((struct range){i, i}, "memory_order_relaxed");
        finish("order", (struct range){i, i}, "relaxed");
    }
    bool exchange = is_exchange_call(i) && !is_explicit(i);
    bool other = is_call(i) && (is(i, "atomic_load") || is(i, "atomic_store") || is(i, "atomic_exchange") ||
                                (is_fetch(i) && !is_explicit(i)));
    if (exchange || other) {
        struct range call = call_at(i);
        insert_after(i, "_explicit");
        insert_after(call.last - 1,
                     exchange ? ", memory_order_relaxed, memory_order_relaxed" : ", memory_order_relaxed");
        finish("order", call, "relaxed");
    }
}

/* A comparison includes its limit, or no longer does; a one that is added or
 * taken off is not, or is a two. */
static void shift_by_one(int i, bool in_for)
{
    static const char *const pairs[][2] = {{"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}};
    for (int k = 0; k < 4; k++)
        if (is(i, pairs[k][0])) {
            replace((struct range){i, i}, "%s", pairs[k][1]);
            finish("off-by-one", (struct range){i - 1, i + 1}, pairs[k][1]);
        }
    bool binary = !is(i - 1, "return") && (is_word(i - 1) || is(i - 1, ")") || is(i - 1, "]"));
    if (binary && (is(i, "+") || is(i, "-")) && is(i + 1, "1")) {
        replace((struct range){i, i + 1}, " ");
        finish("off-by-one", (struct range){i - 1, i + 1}, "dropped");
    }
    if ((is(i, "++") || is(i, "--")) && !in_for) {
        replace((struct range){i, i}, " ");
        finish("off-by-one", (struct range){i - 1, i + 1}, "dropped");
    }
    struct range arguments[3];
    if (is_fetch(i) && arguments_of(i, arguments, 3) >= 2 && is(arguments[1].first, "1")) {
        replace(arguments[1], "2");
        finish("off-by-one", call_at(i), "two");
    }
}

/* A lock is not taken, nor given up. */
static void remove_lock(int i)
{
    if (!is(i, "pthread_mutex_lock") || !is_statement(i))
        return;
    struct range call = call_at(i);
    const char *which = text_of((struct range){i + 1, call.last});
    int unlocks = 0;
    replace(call, " ");
    for (int j = call.last; j < body.last; j++) {
        bool here =
            is_call(j) && is_statement(j) && !strcmp(which, text_of((struct range){j + 1, call_at(j).last}));
        if (here && is(j, "pthread_mutex_lock"))
            break;
        if (here && is(j, "pthread_mutex_unlock")) {
            replace(call_at(j), " ");
            unlocks++;
        }
    }
    if (unlocks)
        finish("lock", call, "and its unlock removed");
    edit_count = 0;
}

/* Nobody is woken, or one instead of all. */
static void forget_to_wake(int i)
{
    bool all = is(i, "pthread_cond_broadcast");
    if ((!all && !is(i, "pthread_cond_signal")) || !is_statement(i))
        return;
    replace(call_at(i), " ");
    finish("notify", call_at(i), "removed");
    if (all) {
        replace((struct range){i, i}, "pthread_cond_signal");
        finish("notify", call_at(i), "signal");
    }
}

/* A call that orders threads, or begins or ends something, is left out. */
static void forget_call(int i)
{
    static const char *const names[] = {"atomic_thread_fence",
                                        "pthread_join",
                                        "pthread_barrier_wait",
                                        "sem_wait",
                                        "sem_post",
                                        "pthread_rwlock_rdlock",
                                        "pthread_rwlock_wrlock",
                                        "pthread_spin_lock",
                                        "mtx_lock",
                                        "thrd_join",
                                        "atomic_init",
                                        "free",
                                        NULL};
    if (!leaves_out_calls || !is_one_of(i, names) || !is_statement(i))
        return;
    replace(call_at(i), " ");
    finish("call", call_at(i), "left out");
}

static void split_fetch(int i, const struct range *arguments)
{
    static const char *const names[][2] = {
        {"add", "+"}, {"sub", "-"}, {"or", "|"}, {"and", "&"}, {"xor", "^"}};
    const char *name = tokens[i].at + strlen("atomic_fetch_");
    for (int k = 0; k < 5; k++)
        if (!strncmp(name, names[k][0], strlen(names[k][0])) && strchr("_(", name[strlen(names[k][0])])) {
            const char *at = text_of(arguments[0]);
            replace(call_at(i),
                    "({ __auto_type seen = atomic_load(%s); atomic_store(%s, seen %s "
                    "(%s)); seen; })",
                    at, at, names[k][1], text_of(arguments[1]));
            finish("split", call_at(i), "as load and store");
        }
}

/* An atomic change is a load and a store. */
static void split_change(int i)
{
    struct range a[5];
    bool swap = is_call(i) && (is(i, "atomic_exchange") || is(i, "atomic_exchange_explicit"));
    if (!swap && !is_fetch(i) && !is_exchange_call(i))
        return;
    int count = arguments_of(i, a, 5);
    if (is_fetch(i) && count >= 2)
        split_fetch(i, a);
    if (swap && count >= 2) {
        const char *at = text_of(a[0]);
        replace(call_at(i), "({ __auto_type seen = atomic_load(%s); atomic_store(%s, %s); seen; })", at, at,
                text_of(a[1]));
        finish("split", call_at(i), "as load and store");
    }
    if (is_exchange_call(i) && count >= 3) {
        const char *at = text_of(a[0]), *expected = text_of(a[1]);
        replace(call_at(i),
                "(atomic_load(%s) == *(%s) ? (atomic_store(%s, %s), 1) : (*(%s) = "
                "atomic_load(%s), 0))",
                at, expected, at, text_of(a[2]), expected, at);
        finish("split", call_at(i), "as load, comparison and store");
    }
}

/* Is a wait or a pause in the statement from here on? */
static bool waits(int first)
{
    static const char *const names[] = {"pthread_cond_wait", "pthread_cond_timedwait", "sched_yield", NULL};
    int last = first;
    if (is(first, "{"))
        last = tokens[first].partner;
    while (!is(last, ";") && !is(last, "}") && last < body.last)
        last++;
    for (int i = first; i < last; i++)
        if (is_one_of(i, names))
            return true;
    return false;
}

/* What is tried again, or waited for again, is tried once. */
static void remove_retry(int i)
{
    if (is_exchange_call(i) && !is_statement(i)) {
        replace(call_at(i), "(%s, 1)", text_of(call_at(i)));
        finish("retry", call_at(i), "taken for a success");
    }
    if (is(i, "while") && is(i + 1, "(") && waits(tokens[i + 1].partner + 1)) {
        replace((struct range){i, i}, "if");
        finish("retry", (struct range){i, tokens[i + 1].partner}, "if");
    }
}

/* Functions that just return what they load count as loads. */
static bool is_load(int i)
{
    if (!is_call(i) || is(i - 1, ".") || is(i - 1, "->"))
        return false;
    if (is(i, "atomic_load") || is(i, "atomic_load_explicit"))
        return true;
    for (int j = 0; j < body.first; j++) {
        if (!is_call(j) || !same_text(i, j) || !is(call_at(j).last + 1, "{"))
            continue;
        int open = call_at(j).last + 1;
        for (int k = open + 1; is(open + 1, "return") && k < tokens[open].partner; k++)
            if (begins(k, "atomic_load"))
                return true;
    }
    return false;
}

/* Is it part of the condition of a loop? Then nothing else reads again what a
 * compare-and-exchange finds. */
static bool in_condition(int i)
{
    for (int j = body.first; j < i; j++)
        if (is(j, "while") && is(j + 1, "(") && i < tokens[j + 1].partner)
            return true;
    return false;
}

static bool in_loop(int i)
{
    for (int j = body.first; j < i; j++) {
        if (is(j, "do")) {
            int end = is(j + 1, "{") ? tokens[j + 1].partner : j + 1;
            while (end < body.last && !is(end, "while"))
                end++;
            if (i < tokens[end + 1].partner)
                return true;
        }
        if ((is(j, "while") || is(j, "for")) && is(j + 1, "(")) {
            int end = tokens[j + 1].partner + 1;
            if (is(end, "{"))
                end = tokens[end].partner;
            while (end < body.last && !is(end, ";") && !is(end, "}"))
                end++;
            if (i <= end)
                return true;
        }
    }
    return false;
}

static bool read_before(int i)
{
    const char *text = text_of(call_at(i));
    for (int j = body.first; j < i; j++)
        if (is_load(j) && !strcmp(text, text_of(call_at(j))))
            return true;
    return false;
}

/* Something read again, in a loop or further down, has the value that the
 * function saw when it began; a failed compare-and-exchange does not tell what
 * it found. */
static void drop_reread(int i)
{
    struct range a[5];
    if (is_load(i) && (in_loop(i) || read_before(i))) {
        insert_after(body.first, " __auto_type kept = %s;", text_of(call_at(i)));
        replace(call_at(i), "kept");
        finish("re-read", call_at(i), "dropped");
    }
    if (is_exchange_call(i) && in_condition(i) && arguments_of(i, a, 5) >= 3 && is(a[1].first, "&")) {
        const char *old = text_of((struct range){a[1].first + 1, a[1].last});
        replace(a[1], "&(__typeof__(%s)){%s}", old, old);
        finish("re-read", call_at(i), "does not tell what it found");
    }
}

/* The last token of a statement that is an expression or a declaration with a
 * value; -1: something else. */
static int simple_statement(int first)
{
    static const char *const others[] = {"if",   "for",     "while", "do",     "else",  "switch",
                                         "case", "default", "goto",  "return", "break", "continue",
                                         ";",    "{",       "}",     NULL};
    bool value = is_call(first);
    if (is_one_of(first, others))
        return -1;
    for (int i = first; i < body.last; i++) {
        if (is(i, ";"))
            return value ? i : -1;
        static const char *const changes[] = {"=", "+=", "-=", "++", "--", NULL};
        value = value || is_one_of(i, changes);
        if (tokens[i].partner > i)
            i = tokens[i].partner;
    }
    return -1;
}

static bool is_declaration(int first)
{
    return is_word(first) && (is_word(first + 1) || (is(first + 1, "*") && is_word(first + 2)));
}

/* Two statements in the other order. */
static void swap_statements(int i)
{
    if (!is(i - 1, ";") && !is(i - 1, "{") && !is(i - 1, "}"))
        return;
    int middle = simple_statement(i), last = middle < 0 ? -1 : simple_statement(middle + 1);
    if (last < 0 || (is_declaration(i) && is_declaration(middle + 1)))
        return;
    if (memchr(tokens[i].at, '#', (size_t)(end_of(last) - tokens[i].at)))
        return; /* a directive of the preprocessor stays in its place */
    struct range first = {i, middle}, second = {middle + 1, last};
    replace((struct range){i, last}, "%s %s", text_of(second), text_of(first));
    finish("swap", (struct range){i, last}, "swapped");
}

/* ---- the file ---- */

static void mutate_body(void)
{
    int for_end = 0;
    for (int i = body.first + 1; i < body.last; i++) {
        if (is(i, "for") && is(i + 1, "("))
            for_end = tokens[i + 1].partner;
        weaken_order(i);
        shift_by_one(i, i < for_end);
        remove_lock(i);
        forget_to_wake(i);
        forget_call(i);
        split_change(i);
        remove_retry(i);
        drop_reread(i);
        if (i > for_end)
            swap_statements(i);
    }
}

static void mutate_functions(void)
{
    static const char *const kept[] = {"PLUMB_SETUP", "PLUMB_TEARDOWN", "PLUMB_INVARIANT", NULL};
    for (int i = 0; i < token_count; i++) {
        if (!is(i, "{") || tokens[i].partner < 0)
            continue;
        body = (struct range){i, tokens[i].partner};
        if (is(i - 1, ")") && !is_one_of(tokens[i - 1].partner - 1, kept))
            mutate_body();
        i = body.last;
    }
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t length = 0;
    if (!file)
        die("cannot read", path);
    if (getdelim(&text, &length, 0, file) < 0)
        die("cannot read", path);
    fclose(file);
    return text;
}

int main(int count, char **words)
{
    leaves_out_calls = count == 4 && !strcmp(words[3], "calls");
    if (count != 3 && !leaves_out_calls) {
        fputs("usage: mutate FILE DIRECTORY [calls]\n", stderr);
        return 2;
    }
    source = read_file(words[1]);
    directory = words[2];
    read_tokens();
    pair_brackets();
    mutate_functions();
    return 0;
}
