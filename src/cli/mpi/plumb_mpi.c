/* SPDX-License-Identifier: Apache-2.0 */
/* `mpirun -n 64 plumb-mpi check queue.c`: the ranks of an MPI job share the work of one command. Every rank starts `plumb` with the same
 * words, which works for it through a socket (campaign/cluster/cluster_frames.h); rank 0 also has the coordinator. A rank itself never
 * runs the program under test, so whatever that does, no rank dies of it. */
#include "autotest/autotest.h"
#include "base/budget.h"
#include "base/interruption.h"
#include "campaign/cluster/coordinator.h"
#include "cli/check/check_litmus.h"
#include "cli/check/check_options.h"
#include "cli/common/output.h"
#include "cli/common/output_paths.h"
#include "cli/merge/merge_report.h"
#include "cli/mpi/mpi_launch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <mpi.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TAG_REQUEST, TAG_STOP, TAG_ANSWER, TAG_LOST };
enum { LOOK_MS = 2 };
static const double SAVE_SECONDS = 3;

/* ------------------------------------------------------------------ the process that works */

struct helper {
    pid_t pid; /* 0: there is none */
    int socket;
    bool is_busy; /* with a request that it has not answered */
    char *const *words;
};

static void add_own_folder(struct text *path)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    char *name = strrchr(self, '/');
    text_add(path, self, name ? (size_t)(name + 1 - self) : 0);
}

static _Noreturn void become_plumb(char *const *words, int socket)
{
    struct text path = {0}, number = {0};
    add_own_folder(&path);
    text_puts(&path, "plumb");
    if (socket >= 0) {
        text_printf(&number, "%d", socket);
        setenv(FRAMES_VARIABLE, number.data, 1);
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, STDIN_FILENO);
        dup2(nothing, STDOUT_FILENO);
    }
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    execv(path.data, words);
    _exit(127);
}

static bool start_helper(struct helper *h)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    h->pid = fork();
    if (h->pid == 0)
        become_plumb(h->words, ends[1]);
    close(ends[1]);
    h->socket = ends[0];
    return h->pid > 0;
}

/* The exit code; -1: it was killed, or ended without a reason. */
static int end_helper(struct helper *h, bool kills)
{
    int status = 0;
    if (h->pid <= 0)
        return -1;
    if (kills)
        kill(h->pid, SIGTERM);
    close(h->socket);
    while (waitpid(h->pid, &status, 0) < 0 && errno == EINTR)
        ;
    h->pid = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* False: it is gone. */
static bool ask_helper(struct helper *h, const struct text *request)
{
    h->is_busy = true;
    return (h->pid > 0 || start_helper(h)) && frames_write(h->socket, request->data, request->len);
}

enum helper_news { NEWS_NONE, NEWS_ANSWER, NEWS_GONE };

static enum helper_news look_at_helper(struct helper *h, struct text *answer)
{
    struct pollfd look = {.fd = h->pid > 0 ? h->socket : -1, .events = POLLIN};
    if (poll(&look, 1, LOOK_MS) <= 0)
        return NEWS_NONE;
    bool was_busy = h->is_busy;
    h->is_busy = false;
    if (frames_read(h->socket, answer))
        return NEWS_ANSWER;
    if (was_busy)
        return NEWS_GONE;
    end_helper(h, false); /* another one is started for the next request */
    return NEWS_NONE;
}

/* ------------------------------------------------------------------ messages */

static void send_bytes(const struct text *t, int rank, int tag)
{
    MPI_Send(t->len ? t->data : "", (int)t->len, MPI_CHAR, rank, tag, MPI_COMM_WORLD);
}

/* False: there is no message. */
static bool receive(struct text *t, MPI_Status *status)
{
    int is_there, length;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, status);
    if (!is_there)
        return false;
    MPI_Get_count(status, MPI_CHAR, &length);
    char *bytes = malloc((size_t)length + 1);
    MPI_Recv(bytes, length, MPI_CHAR, status->MPI_SOURCE, status->MPI_TAG, MPI_COMM_WORLD, status);
    text_clear(t);
    text_add(t, bytes, (size_t)length);
    free(bytes);
    return true;
}

/* ------------------------------------------------------------------ ranks but the first */

static void tell_lost(int code)
{
    struct text t = {0};
    text_printf(&t, "%d", code);
    send_bytes(&t, 0, TAG_LOST);
    text_free(&t);
}

static void follow(struct helper *h)
{
    struct text t = {0};
    MPI_Status status;
    for (;;) {
        if (receive(&t, &status)) {
            if (status.MPI_TAG == TAG_STOP)
                break;
            if (!ask_helper(h, &t))
                tell_lost(end_helper(h, false));
        }
        switch (look_at_helper(h, &t)) {
        case NEWS_NONE: break;
        case NEWS_ANSWER: send_bytes(&t, 0, TAG_ANSWER); break;
        case NEWS_GONE: tell_lost(end_helper(h, false));
        }
    }
    end_helper(h, true);
    text_free(&t);
}

/* ------------------------------------------------------------------ the first */

struct leader {
    struct coordinator work;
    struct helper *helper;
    int ranks;
    const char *checkpoint; /* or null */
    double deadline;        /* base_now(); 0: never */
    double saved;           /* base_now() then */
    bool is_changed, is_stopped;
    int failed; /* exit code of a process that cannot do any work; 0: none */
};

static void lose(struct leader *l, int rank, int code)
{
    bool is_final = code == EXIT_USAGE || code == EXIT_CANNOT_RUN || code == EXIT_BUG;
    if (is_final)
        l->failed = code; /* and it has said why */
    else
        coordinator_lose(&l->work, (uint64_t)rank);
}

static void take_answer(struct leader *l, int rank, const struct text *answer)
{
    coordinator_answer(&l->work, (uint64_t)rank, answer);
    l->is_changed = true;
}

static void hand_out(struct leader *l)
{
    struct text request = {0};
    for (int rank = 0; rank < l->ranks; rank++) {
        if (!coordinator_next(&l->work, (uint64_t)rank, &request))
            continue;
        if (rank > 0)
            send_bytes(&request, rank, TAG_REQUEST);
        else if (!ask_helper(l->helper, &request))
            lose(l, 0, end_helper(l->helper, false));
    }
    text_free(&request);
}

static void collect(struct leader *l)
{
    struct text t = {0};
    MPI_Status status;
    switch (look_at_helper(l->helper, &t)) {
    case NEWS_NONE: break;
    case NEWS_ANSWER: take_answer(l, 0, &t); break;
    case NEWS_GONE: lose(l, 0, end_helper(l->helper, false));
    }
    while (receive(&t, &status))
        if (status.MPI_TAG == TAG_ANSWER)
            take_answer(l, status.MPI_SOURCE, &t);
        else
            lose(l, status.MPI_SOURCE, atoi(t.data));
    text_free(&t);
}

static void save(struct leader *l, bool now)
{
    struct text t = {0};
    bool is_time = now || base_now() >= l->saved + SAVE_SECONDS;
    if (!l->checkpoint || !l->is_changed || !is_time || !l->work.has_begun)
        return;
    coordinator_save(&l->work, &t);
    if (!checkpoint_replace_file(l->checkpoint, &t))
        output_error(PL_CANNOT_OPEN, "cannot write the checkpoint '%.200s': %s", l->checkpoint,
                     strerror(errno));
    l->is_changed = false;
    l->saved = base_now();
    text_free(&t);
}

static bool resume(struct leader *l)
{
    struct text t = {0};
    struct diagnostic *why = &l->work.why;
    if (!l->checkpoint || (!checkpoint_read_bytes(&t, l->checkpoint, why) && !why->code))
        return true;
    bool fine = !why->code && coordinator_load(&l->work, t.data ? t.data : "", t.len);
    if (!fine)
        output_diagnostic(l->checkpoint, &l->work.why);
    else
        fprintf(stderr, "going on from %s: %" PRIu64 " execution%s done\n", l->checkpoint,
                l->work.total.numbers[SHARD_EXECUTIONS],
                l->work.total.numbers[SHARD_EXECUTIONS] == 1 ? " was" : "s were");
    text_free(&t);
    return fine;
}

static void lead(struct leader *l)
{
    while (l->work.state == COORDINATOR_WORKS && !l->failed && !l->is_stopped) {
        hand_out(l);
        collect(l);
        save(l, false);
        l->is_stopped = interruption_came() || (l->deadline > 0 && base_now() >= l->deadline);
    }
    if (l->work.state == COORDINATOR_WORKS || l->work.state == COORDINATOR_CUT)
        save(l, true);
    for (int rank = 1; rank < l->ranks; rank++)
        MPI_Send("", 0, MPI_CHAR, rank, TAG_STOP, MPI_COMM_WORLD);
    end_helper(l->helper, true);
}

/* ------------------------------------------------------------------ the command line */

typedef VEC(char *) word_list;

struct words {
    bool is_auto;
    struct auto_options options; /* those of check are its campaign */
    struct operand_list files;
    const char *checkpoint; /* or null */
    word_list all;          /* without that */
    word_list own;          /* for the processes that work */
};

static const struct option_command *command_of(const struct words *w)
{
    return w->is_auto ? &cli_auto_text : &cli_check_text;
}

static void *settings_of(struct words *w)
{
    return w->is_auto ? (void *)&w->options : (void *)&w->options.campaign;
}

/* Is it one of these options, whose value may be the next word? */
static bool is_option(const char *word, const char *const *names)
{
    for (; *names; names++) {
        size_t length = strlen(*names);
        if (strncmp(word, *names, length) == 0 && (!word[length] || word[length] == '='))
            return true;
    }
    return false;
}

/* All words but these options, as far as the flags of the compiler; the value of the last one that was there. */
static const char *copy_words(word_list *to, char *const *words, const char *const *but)
{
    const char *value = NULL;
    bool is_flag = false;
    for (; *words; words++) {
        is_flag |= strcmp(*words, "--") == 0;
        if (is_flag || !is_option(*words, but)) {
            vec_push(to, *words);
            continue;
        }
        const char *same = strchr(*words, '=');
        value = same ? same + 1 : words[1];
        words += !same && words[1];
    }
    vec_push(to, NULL);
    return value;
}

/* What rank 0 does for all is not for the processes that work; and each is one process, unless more are asked for. */
static void divide_words(struct words *w, char **words)
{
    static const char *const checkpoint[] = {"--checkpoint", NULL}, *const leading[] = {"--json", "--time",
                                                                                        NULL};
    static char program[] = "plumb", jobs[] = "--jobs=1";
    vec_push(&w->all, program);
    w->checkpoint = copy_words(&w->all, words, checkpoint);
    vec_push(&w->own, program);
    vec_push(&w->own, w->all.data[1]);
    vec_push(&w->own, jobs);
    copy_words(&w->own, w->all.data + 2, leading);
}

static bool has_tasks(const struct words *w)
{
    for (size_t k = 0; k < w->files.len; k++) {
        const char *end = strrchr(w->files.data[k], '.');
        if (check_litmus_is(w->files.data[k]) || (end && strcmp(end, ".yml") == 0))
            return true;
    }
    return false;
}

/* Null: ranks can share it. */
static const char *why_alone(struct words *w)
{
    static struct diagnostic why;
    static struct campaign_piece piece;
    struct campaign_options o = w->options.campaign;
    if (report_paths_wanted(&o.files) || w->options.table || w->options.observations || o.observations)
        return "--html, --junit, --sarif, --table and --observations";
    if (o.shard.words || w->options.shard.words)
        return "--shard";
    if (w->is_auto)
        return NULL;
    if (has_tasks(w))
        return "litmus tests and tasks of SV-COMP";
    o.piece = &piece;
    bool fits = !o.loops && !o.executions && !o.symmetry && !o.opaque_items && !o.count_histories &&
                campaign_options_fit(&o, &why);
    return fits ? NULL : "these options";
}

/* False: `plumb` itself says what is wrong with it, or what there is to say. */
static bool parse(struct words *w, char **words)
{
    struct diagnostic why = {0};
    bool is_check = *words && strcmp(*words, "check") == 0;
    w->is_auto = *words && strcmp(*words, "auto") == 0;
    if (!is_check && !w->is_auto)
        return false;
    w->options.campaign = campaign_options_default;
    divide_words(w, words);
    char *const *rest = w->all.data + 2;
    int own = check_own_words((int)w->all.len - 3, rest);
    return options_parse(command_of(w), own, rest, settings_of(w), &w->files, &why) == OPTIONS_RUN;
}

static int run_alone(char *const *words)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0)
        become_plumb(words, -1);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_BUG;
}

/* ------------------------------------------------------------------ the end */

static void add_limit(struct leader *l, const char *words)
{
    struct shard_record *total = &l->work.total;
    shard_add_text(&total->limits, words);
    if (total->answer != VERDICT_VIOLATED)
        total->answer = VERDICT_INCONCLUSIVE;
}

static int report(struct leader *l, const struct words *w)
{
    struct shard_record *total = &l->work.total;
    const struct campaign_options *o = &w->options.campaign;
    struct merge_options options = {.json = o->json, .out = o->out, .quiet = o->quiet};
    if (l->failed)
        return l->failed;
    if (l->work.state == COORDINATOR_FAILED) {
        output_diagnostic(NULL, &l->work.why);
        return EXIT_USAGE;
    }
    if (l->is_stopped)
        add_limit(l, interruption_or_time());
    for (size_t k = 0; k < l->work.reasons.len; k++)
        add_limit(l, l->work.reasons.data[k]);
    if (!total->tool) { /* it was stopped before there was an answer */
        total->tool = strdup(PLUMB_VERSION);
        total->command = strdup(command_of(w)->name);
        total->name = strdup(w->files.data[0]);
        total->count = 1;
    }
    total->path = strdup(total->name);
    if (l->checkpoint && l->work.state == COORDINATOR_DONE)
        unlink(l->checkpoint);
    else if (l->checkpoint && l->work.has_begun)
        fprintf(stderr, "the same command continues from %s\n", l->checkpoint);
    return (int)merge_report(total, 1, &options);
}

/* `is_alone`: one process has to do it after all. */
static int run_leader(struct words *w, struct helper *h, int ranks, bool *is_alone)
{
    struct leader l = {.helper = h, .ranks = ranks, .checkpoint = w->checkpoint};
    double time = w->options.campaign.time;
    l.deadline = time > 0 ? base_now() + time : 0;
    struct checkpoint_lock lock = {0};
    struct diagnostic why = {0};
    coordinator_begin(&l.work, (uint64_t)ranks, w->is_auto);
    bool is_ours = !l.checkpoint || checkpoint_lock(&lock, l.checkpoint, &why);
    if (!is_ours)
        output_diagnostic(l.checkpoint, &why);
    l.failed = is_ours && resume(&l) ? 0 : EXIT_USAGE;
    lead(&l);
    *is_alone = l.work.state == COORDINATOR_GIVEN_UP && !l.failed && !l.is_stopped;
    int code = *is_alone ? EXIT_HOLDS : report(&l, w);
    checkpoint_unlock(&lock);
    coordinator_free(&l.work);
    return code;
}

static int run(int rank, int ranks, char **argv)
{
    static char program[] = "plumb";
    struct words w = {0};
    bool is_parsed = parse(&w, argv + 1), is_alone = true;
    const char *alone = is_parsed ? why_alone(&w) : "";
    struct helper helper = {.words = w.own.data};
    int code = EXIT_HOLDS;
    argv[0] = program;
    if (rank > 0 && !alone)
        follow(&helper);
    if (rank > 0)
        return EXIT_HOLDS;
    if (alone && *alone)
        fprintf(stderr, "plumb-mpi: not shared by the ranks: %s\n", alone);
    if (!alone)
        code = run_leader(&w, &helper, ranks, &is_alone);
    if (!alone && is_alone)
        fprintf(stderr, "plumb-mpi: a lock is more than a mutex, which all have to know: one process begins "
                        "again\n");
    if (is_alone)
        code = run_alone(alone ? argv : w.all.data);
    vec_free(&w.all);
    vec_free(&w.own);
    vec_free(&w.files);
    return code;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    if (mpi_launch_is_asked(argv))
        return (int)output_finish((enum cli_exit)mpi_launch(argv));
    bool is_launched = mpi_launch_is_rank(&argc, argv);
    signal(SIGPIPE, SIG_IGN);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0)
        interruption_begin();
    int code = run(rank, ranks, argv);
    code = rank == 0 ? (int)output_finish((enum cli_exit)code) : code;
    MPI_Finalize();
    return is_launched && rank == 0 ? mpi_launch_code(code) : code;
}
