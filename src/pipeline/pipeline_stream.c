/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/pipeline_parts.h"

#include "formats/binary_follow.h"
#include "history/line_input.h"
#include "monitor/stream/stream.h"
#include "spec/registry.h"

#include <poll.h>
#include <string.h>

enum {
    SAMPLE = 4096, /* events from which specifications are inferred */
    IDLE_MS = 100, /* a pause in which what came so far is looked at */
    PATIENCE_MS = 1000,
    LAST_STEPS = 1 << 20, /* after an interruption */
    GROWING_MS = 20,      /* between looks at the end of a file that grows */
};

struct follower {
    struct pipeline_input *in;
    const struct pipeline_question *question;
    const struct plumb_spec *spec; /* null: inferred */
    struct budget *budget;
    struct stream *stream;
    struct event_reader reader;
    VEC(struct history_event) sample; /* until specifications are known */
    bool specs_known;
    size_t spec_count; /* objects whose specification the stream knows */
    uint64_t line;
    struct line_input input;
    bool looked; /* at all that came */
    bool cut;    /* the last line is not whole */
    bool is_binary;
    struct binary_follower binary;
    bool is_at_end; /* of a file that may grow */
    unsigned idle;  /* looks at the end that found nothing new */
    double beat, start;
    uint64_t beat_events;
};

/* ---- specifications ---- */

static bool use_initial(struct follower *f, uint32_t object)
{
    struct pipeline_input *in = f->in;
    return !f->question->init || initial_value_read(in->specs[object], f->question->init, in->history->values,
                                                    &in->spec_options.initial, &in->error);
}

/* An object that was not there before: with inference it is like the others, if those are all alike. */
static bool know_object(struct follower *f, uint32_t object, uint64_t line)
{
    struct pipeline_input *in = f->in;
    const struct plumb_spec *spec = f->spec ? f->spec : f->spec_count ? in->specs[0] : NULL;
    for (size_t k = 1; !f->spec && k < f->spec_count; k++)
        if (in->specs[k] != spec)
            return diagnostic_set(&in->error, PL_NO_SPEC, line, 1,
                                  "a new object after %d events, and the others differ; name a specification",
                                  SAMPLE);
    in->specs = base_realloc(in->specs, (object + 1) * sizeof *in->specs);
    for (; f->spec_count <= object; f->spec_count++) {
        in->specs[f->spec_count] = spec;
        stream_set_spec(f->stream, (uint32_t)f->spec_count, spec);
    }
    return use_initial(f, object);
}

/* The operations of the sample as far as they are known. */
static void list_sample(struct follower *f)
{
    struct history *h = f->in->history;
    uint32_t *open = NEW_ZEROED(uint32_t, h->thread_names.len);
    for (size_t k = 0; k < f->sample.len; k++) {
        const struct history_event *e = &f->sample.data[k];
        struct history_op op = {.arg = e->arg, .result = PLUMB_ANY, .thread = e->thread, .op = e->op};
        if (!e->is_return) {
            history_add(h, op, e->object);
            open[e->thread] = (uint32_t)h->ops.len;
        } else if (open[e->thread]) {
            history_change(h, open[e->thread] - 1)->result = e->result;
        }
    }
    free(open);
}

static bool infer_specs(struct follower *f)
{
    struct pipeline_input *in = f->in;
    struct history *h = in->history;
    in->specs = NEW_ZEROED(const struct plumb_spec *, h->object_names.len + 1);
    list_sample(f);
    bool known = spec_infer_all(h, in->specs, &in->error);
    vec_clear(&h->ops);
    vec_clear(&h->objects);
    for (uint32_t k = 0; known && k < h->object_names.len; k++) {
        stream_set_spec(f->stream, k, in->specs[k]);
        f->spec_count++;
        known = use_initial(f, k);
    }
    return known;
}

/* ---- events ---- */

static bool feed(struct follower *f, const struct history_event *e)
{
    uint32_t objects = (uint32_t)f->in->history->object_names.len;
    if (objects > f->spec_count && !know_object(f, objects - 1, e->line))
        return false;
    f->looked = false;
    return stream_event(f->stream, e, &f->in->error);
}

static bool feed_sample(struct follower *f)
{
    f->specs_known = true;
    if (!infer_specs(f))
        return false;
    for (size_t k = 0; k < f->sample.len && !stream_is_over(f->stream); k++)
        if (!feed(f, &f->sample.data[k]))
            return false;
    vec_free(&f->sample);
    return true;
}

static bool take_event(struct follower *f, const struct history_event *e)
{
    if (f->specs_known)
        return feed(f, e);
    vec_push(&f->sample, *e);
    return f->sample.len < SAMPLE || feed_sample(f);
}

/* ---- lines ---- */

static bool take_lines(struct follower *f, const char *end)
{
    struct history_event e;
    for (const char *p = f->input.data; p < end && !stream_is_over(f->stream); p = strchr(p, '\n') + 1) {
        enum event_found found = event_read(&f->reader, p, ++f->line, &e);
        if (found == LINE_BAD || (found == LINE_EVENT && !take_event(f, &e)))
            return false;
    }
    return true;
}

/* ---- blocks ---- */

static bool take_binary_event(void *context, const struct history_event *e)
{
    struct follower *f = context;
    return stream_is_over(f->stream) || take_event(f, e);
}

/* All that was read; the follower keeps what is not complete. */
static bool take_blocks(struct follower *f)
{
    size_t length = f->input.len;
    f->input.len = f->input.searched = 0;
    if (length && !binary_follow_bytes(&f->binary, f->input.data, length))
        return false;
    if (f->specs_known && f->binary.has_begun)
        stream_advance(f->stream, f->binary.decoder.promise);
    return true;
}

/* Events are counted like lines, which a binary file does not have. */
static void forget_lines(struct follower *f)
{
    struct history *h = f->in->history;
    for (size_t k = 0; k < h->lines.len; k++)
        h->lines.data[k] = 0;
    f->in->error.line = f->in->error.column = 0;
}

/* ---- the buffer ---- */

/* All whole lines or blocks. */
static bool take_buffer(struct follower *f)
{
    if (f->is_binary)
        return take_blocks(f);
    const char *end = line_input_end(&f->input);
    if (!end)
        return true;
    if (!take_lines(f, end))
        return false;
    line_input_drop(&f->input, end);
    return true;
}

/* What is behind the last newline: an event, or a part of one. */
static void take_rest(struct follower *f)
{
    if (f->is_binary) {
        binary_follow_end(&f->binary);
        return;
    }
    const char *end = stream_is_over(f->stream) ? NULL : line_input_last(&f->input);
    if (!end || take_lines(f, end))
        return;
    f->cut = f->in->error.code == PL_SYNTAX;
    if (f->cut)
        f->in->error = (struct diagnostic){0};
}

/* ---- waiting ---- */

static void beat(struct follower *f)
{
    const struct pipeline_listener *l = &f->question->listener;
    double now = base_now();
    if (!l->beats || now < f->beat)
        return;
    struct stream_stats s = stream_stats(f->stream);
    double passed = now - (f->beat - l->every);
    l->beats(l->context,
             &(struct pipeline_progress){.name = f->in->name,
                                         .seconds = now - f->start,
                                         .events_per_second = (double)(s.events - f->beat_events) / passed,
                                         .events = s.events,
                                         .open = s.open,
                                         .undecided = s.kept});
    f->beat_events = s.events;
    f->beat = now + l->every;
}

static bool is_stopped(const struct follower *f)
{
    const volatile sig_atomic_t *stop = f->question->listener.stop;
    return (stop && *stop) || budget_time_is_up(f->budget);
}

/* Nothing came for a while: looks at all that did, once. */
static void look_once(struct follower *f)
{
    if (!f->looked && f->specs_known)
        stream_look(f->stream);
    f->looked = true;
}

/* A file is always ready to be read: at its end it is looked at again and again. */
static bool poll_input(struct follower *f)
{
    if (f->is_at_end) {
        poll(NULL, 0, GROWING_MS);
        if (++f->idle * GROWING_MS >= IDLE_MS)
            look_once(f);
        return true;
    }
    struct pollfd p = {.fd = f->input.fd, .events = POLLIN};
    int ready = poll(&p, 1, f->looked ? PATIENCE_MS : IDLE_MS);
    if (ready == 0)
        look_once(f);
    return ready > 0;
}

/* Until there are bytes, or the end. False: stopped, or time is up, or all is known. */
static bool wait_for_input(struct follower *f)
{
    for (;;) {
        beat(f);
        if (is_stopped(f))
            return false;
        if (f->input.head_left)
            return true;
        bool is_ready = poll_input(f);
        if (stream_is_over(f->stream))
            return false;
        if (is_ready)
            return true;
    }
}

/* More bytes. False: there are none, or an error. */
static bool read_more(struct follower *f, bool *ended)
{
    bool more = true;
    if (!line_input_read(&f->input, &more, &f->in->error))
        return false;
    f->is_at_end = !more && f->question->follow;
    if (more)
        f->idle = 0;
    *ended = !more && !f->question->follow;
    return !*ended;
}

/* Nothing may follow the end mark; but a file that is still written to ends with it. */
static bool has_end(const struct follower *f)
{
    return f->is_binary && (f->question->follow ? binary_follow_is_over(&f->binary) : f->binary.cut != NULL);
}

/* True: the input is at its end. */
static bool follow(struct follower *f)
{
    bool ended = false;
    while (take_buffer(f) && !stream_is_over(f->stream))
        if ((ended = has_end(f)) || !wait_for_input(f) || !read_more(f, &ended))
            return ended;
    return false;
}

/* ---- the whole ---- */

/* What was taken of a binary file that is cut is a beginning of what happened. */
static void conclude_binary(struct follower *f)
{
    f->in->reading.cut = f->binary.cut;
    f->binary.cut = NULL;
    pipeline_judge_cut(f->in);
    forget_lines(f);
}

static void conclude(struct follower *f, bool ended)
{
    struct pipeline_input *in = f->in;
    stream_finish(f->stream, ended && !f->cut, &in->result);
    stream_get_specs(f->stream, in->specs, f->spec_count);
    if (f->is_binary)
        conclude_binary(f);
    if (f->cut && in->result.verdict != VERDICT_VIOLATED) {
        free(in->result.limit);
        const char *limit = "the stream ends in the middle of a line";
        in->result.limit = base_strndup(limit, strlen(limit));
        in->result.verdict = VERDICT_INCONCLUSIVE;
    }
    if (in->result.verdict != VERDICT_VIOLATED || !f->question->moment)
        return;
    const struct plumb_spec *start = stream_start_spec(f->stream),
                            **specs = NEW_ARRAY(const struct plumb_spec *, in->history->object_names.len);
    for (size_t k = 0; k < in->history->object_names.len; k++)
        specs[k] = start;
    struct monitor_settings settings = {.options = &in->spec_options, .specs = specs, .budget = f->budget};
    in->has_moment = monitor_earliest(in->history, &settings, &in->moment);
    free(specs);
}

static bool check_not_empty(struct follower *f)
{
    const char *cut = f->binary.cut;
    return !f->is_binary || f->sample.len ||
           diagnostic_set(&f->in->error, PL_EMPTY_FILE, 0, 0, "the input has no operation%s%s",
                          cut ? ": " : "", cut ? cut : "");
}

/* What has come so far is looked at once more, but not for long. */
static void end_soon(struct budget *budget)
{
    budget->stop = NULL;
    budget->ticks_max = budget->ticks + LAST_STEPS;
}

static void run(struct follower *f)
{
    f->budget->stop = f->question->listener.stop;
    bool ended = follow(f);
    if (!ended)
        end_soon(f->budget);
    if (ended)
        take_rest(f);
    if (!f->in->error.code && !f->specs_known && check_not_empty(f))
        feed_sample(f);
    if (!f->in->error.code)
        conclude(f, ended);
    else if (f->is_binary)
        forget_lines(f);
}

void pipeline_stream_follow(struct pipeline_input *in, int fd, struct text head,
                            const struct plumb_spec *spec, const struct pipeline_question *question,
                            struct budget *budget)
{
    struct follower f = {.in = in,
                         .question = question,
                         .spec = spec,
                         .specs_known = spec != NULL,
                         .budget = budget,
                         .input = {.head = head.data, .head_left = head.len, .fd = fd},
                         .start = base_now()};
    const struct pipeline_listener *l = &question->listener;
    in->is_stream = true;
    in->inferred = !spec;
    in->spec_options = (struct plumb_spec_options){.values = in->history->values, .initial = PLUMB_OK};
    f.reader =
        (struct event_reader){.scan = {.values = in->history->values, .d = &in->error}, .names = in->history};
    f.stream = stream_create(in->history, &(struct stream_settings){&in->spec_options, budget});
    f.beat = f.start + l->every;
    f.input.line_count = &f.line;
    f.is_binary = format_detect(head.data, head.len) == FORMAT_BINARY;
    if (f.is_binary)
        in->reading.format = FORMAT_BINARY;
    f.binary = (struct binary_follower){.h = in->history,
                                        .d = &in->error,
                                        .take = take_binary_event,
                                        .context = &f,
                                        .memory_max = question->memory_limit / 2};
    run(&f);
    stream_destroy(f.stream);
    binary_follower_free(&f.binary);
    jsonl_scan_free(&f.reader.scan);
    vec_free(&f.sample);
    line_input_free(&f.input);
    text_free(&head);
}
