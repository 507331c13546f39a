/* SPDX-License-Identifier: Apache-2.0 */
#include "rt/cxx/cxx_uncaught.h"

#include "engine/engine.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

/* The mangled name follows the table pointer; a star marks a name that is compared by address. */
struct type_info {
    void **table;
    const char *name;
};

typedef bool catches(const struct type_info *caught, const struct type_info *thrown, void **object,
                     unsigned outer);
typedef const char *answers_what(const void *exception);

static struct type_info *(*current_exception_type)(void);
static const struct type_info *exception_class;
static void **(*exception_globals)(void);
static char *(*demangle)(const char *name, char *buffer, size_t *length, int *status);

void uncaught_prepare(void)
{
    *(void **)&current_exception_type = dlsym(RTLD_DEFAULT, "__cxa_current_exception_type");
    *(void **)&demangle = dlsym(RTLD_DEFAULT, "__cxa_demangle");
    exception_class = dlsym(RTLD_DEFAULT, "_ZTISt9exception");
    *(void **)&exception_globals = dlsym(RTLD_DEFAULT, "__cxa_get_globals");
}

/* The exception under way, behind its head; one that an exception_ptr threw again has its address in the head instead.
 * Places are those of the ABI. */
static void *find_exception(void)
{
    enum { HEAD = 112, KIND = HEAD - 32, DEPENDENT = 1 };
    char *head = exception_globals ? *exception_globals() : NULL;
    if (!head)
        return NULL;
    return head[KIND] == DEPENDENT ? *(void **)head : head + HEAD;
}

/* ------------------------------------------------------------------ what() of the program */

/* It is run at the end of a broken execution: it may crash, abort or wait forever. */
static const int accidents[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
enum { ACCIDENTS = sizeof accidents / sizeof *accidents, SECONDS_MOST = 2 };

static sigjmp_buf escape;

static void flee(int number)
{
    (void)number;
    siglongjmp(escape, 1);
}

static void guard(struct sigaction *before)
{
    struct sigaction fleeing = {.sa_handler = flee, .sa_flags = SA_ONSTACK | SA_NODEFER};
    struct itimerval limit = {.it_value.tv_sec = SECONDS_MOST};
    for (size_t k = 0; k < ACCIDENTS; k++)
        sigaction(accidents[k], &fleeing, &before[k]);
    setitimer(ITIMER_REAL, &limit, NULL);
}

static void end_guard(const struct sigaction *before)
{
    struct itimerval none = {0};
    setitimer(ITIMER_REAL, &none, NULL);
    for (size_t k = 0; k < ACCIDENTS; k++)
        sigaction(accidents[k], &before[k], NULL);
}

/* False, and *to empty: it answers nothing. */
static bool ask(answers_what *what, const void *object, char *to, size_t size)
{
    struct sigaction before[ACCIDENTS];
    *to = 0;
    guard(before);
    if (sigsetjmp(escape, 1) == 0) {
        const char *text = what(object);
        snprintf(to, size, "%s", text ? text : "");
    } else {
        *to = 0;
    }
    end_guard(before);
    return *to != 0;
}

/* What exceptions that derive from std::exception say. */
static bool find_what(const struct type_info *type, char *to, size_t size)
{
    enum { DO_CATCH = 4, WHAT = 2 };
    void *object = exception_class ? find_exception() : NULL;
    if (!object || !((catches *)exception_class->table[DO_CATCH])(exception_class, type, &object, 1))
        return false;
    answers_what *what;
    *(void **)&what = (*(void ***)object)[WHAT];
    return ask(what, object, to, size);
}

bool uncaught_describe(char *to, size_t size)
{
    const struct type_info *type = current_exception_type ? current_exception_type() : NULL;
    char what[201];
    int status = -1;
    if (!type)
        return false;
    engine_active = false;
    const char *mangled = type->name + (*type->name == '*');
    char *text = demangle ? demangle(mangled, NULL, NULL, &status) : NULL;
    int used = snprintf(to, size, "%s is not caught", status == 0 ? text : mangled);
    if (find_what(type, what, sizeof what) && used > 0 && (size_t)used < size)
        snprintf(to + used, size - (size_t)used, ": \"%s\"", what);
    return true;
}
