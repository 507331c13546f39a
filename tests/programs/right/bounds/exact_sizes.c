/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags: -D_GNU_SOURCE -lm -Wno-deprecated-declarations */
/* note: variables of just the size that functions want */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fenv.h>
#include <glob.h>
#include <math.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static void times_and_files(void)
{
    struct stat s;
    struct statvfs v;
    struct utsname u;
    struct rusage r;
    struct rlimit l;
    struct sysinfo i;
    struct tms t;
    struct timespec now;
    struct tm tm;
    time_t seconds = 1000;
    char text[26], year[5], path[2], name[65];
    stat("/", &s);
    lstat("/", &s);
    statvfs("/", &v);
    uname(&u);
    getrusage(RUSAGE_SELF, &r);
    getrlimit(RLIMIT_NOFILE, &l);
    sysinfo(&i);
    times(&t);
    clock_getres(CLOCK_REALTIME, &now);
    gmtime_r(&seconds, &tm);
    localtime_r(&seconds, &tm);
    mktime(&tm);
    asctime_r(&tm, text);
    ctime_r(&seconds, text);
    strftime(year, sizeof year, "%Y", &tm);
    realpath("/", path);
    gethostname(name, sizeof name);
}

static void numbers(void)
{
    int e, quotient;
    double whole, sine, cosine;
    float part;
    long double wide;
    char *end, digits[3];
    unsigned seed = 1;
    unsigned short state[3] = {1, 2, 3}, all[7] = {1};
    struct drand48_data data;
    long number;
    double real;
    fenv_t environment;
    wchar_t letter, letters[3];
    mbstate_t shift;
    memset(&shift, 0, sizeof shift);
    frexp(3.5, &e);
    modf(3.5, &whole);
    modff(3.5f, &part);
    modfl(3.5L, &wide);
    remquo(7, 2, &quotient);
    sincos(1, &sine, &cosine);
    lgamma_r(2.5, &e);
    strtol("12", &end, 10);
    strtod("1.5", &end);
    rand_r(&seed);
    erand48(state);
    nrand48(state);
    lcong48(all);
    srand48_r(1, &data);
    lrand48_r(&data, &number);
    drand48_r(&data, &real);
    fegetenv(&environment);
    mbtowc(&letter, "a", 1);
    mbrtowc(&letter, "a", 1, &shift);
    mbstowcs(letters, "ab", 3);
    wcstombs(digits, L"ab", 3);
    swprintf(letters, 3, L"%d", 12);
    snprintf(digits, 3, "%d", 123456);
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void objects(void)
{
    regex_t expression;
    regmatch_t match[1];
    glob_t files;
    struct hsearch_data table;
    struct passwd user, *found;
    struct in_addr four;
    struct in6_addr six;
    char buffer[512], dotted[8], *sorted[2] = {"b", "a"};
    int list[3] = {3, 1, 2}, key = 1;
    Dl_info info;
    void *frames[2];
    memset(&table, 0, sizeof table);
    if (regcomp(&expression, "a", 0) == 0) {
        regexec(&expression, "a", 1, match, 0);
        regfree(&expression);
    }
    if (glob("/", 0, NULL, &files) == 0)
        globfree(&files);
    if (hcreate_r(4, &table))
        hdestroy_r(&table);
    getpwuid_r(0, &user, buffer, sizeof buffer, &found);
    inet_aton("1.2.3.4", &four);
    inet_pton(AF_INET, "1.2.3.4", &four);
    inet_pton(AF_INET6, "::1", &six);
    inet_ntop(AF_INET, &four, dotted, sizeof dotted);
    qsort(list, 3, sizeof *list, compare);
    bsearch(&key, list, 3, sizeof *list, compare);
    dladdr((void *)printf, &info);
    backtrace(frames, 2);
    memcpy(buffer, sorted, sizeof sorted);
}

static void threads_and_signals(void)
{
    sigset_t set, old;
    struct sigaction action, before;
    pthread_attr_t attributes;
    pthread_mutexattr_t kind;
    pthread_condattr_t clock;
    size_t size;
    int number;
    struct sched_param priority;
    cpu_set_t processors;
    fd_set descriptors;
    struct timeval nothing = {0, 0};
    uid_t users[3];
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, &old);
    sigpending(&set);
    memset(&action, 0, sizeof action);
    sigaction(SIGUSR2, &action, &before);
    pthread_attr_init(&attributes);
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_getdetachstate(&attributes, &number);
    pthread_attr_destroy(&attributes);
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_gettype(&kind, &number);
    pthread_condattr_init(&clock);
    pthread_condattr_getclock(&clock, &number);
    sched_getparam(0, &priority);
    sched_getaffinity(0, sizeof processors, &processors);
    FD_ZERO(&descriptors);
    getresuid(&users[0], &users[1], &users[2]);
    (void)nothing;
}

int main(void)
{
    times_and_files();
    numbers();
    objects();
    threads_and_signals();
    return 0;
}
