/* SPDX-License-Identifier: Apache-2.0 */
/* The refinement checker against brute force, on the models with mistakes in their text.
 * refine_mutants [--count N] [--seed S] [--models FOLDER] [-v] */
#include "support/model_mutants.h"
#include "promela/promela.h"
#include "support/refine/refine_campaign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct subject {
    const char *model, *spec, *removal;
    const char *defines[4];
    uint32_t events;
};

static const struct subject subjects[] = {
    {"segmented_queue.pml", "queue", "deq", {"FACTOR=1", "SEGMENTS=2"}, 7},
    {"segmented_queue.pml", "queue", "deq", {"FACTOR=1", "SEGMENTS=2", "THREADS=1"}, 13},
    {"segmented_queue.pml", "queue", "deq", {"FACTOR=2", "SEGMENTS=1", "THREADS=1"}, 13},
    {"segmented_queue_fine.pml", "queue", "deq", {"FACTOR=1", "SEGMENTS=2"}, 5},
    {"queue.pml", "queue", "deq", {"CAPACITY=2"}, 7},
    {"queue_clustered.pml", "queue", "deq", {"FACTOR=1", "SEGMENTS=2"}, 7},
    {"queue_two_lock.pml", "queue", "deq", {"NODES=3"}, 5},
    {"queue_ms.pml", "queue", "deq", {"NODES=3"}, 5},
    {"stack.pml", "stack", "pop", {"CAPACITY=2"}, 7},
    {"stack_treiber.pml", "stack", "pop", {"NODES=2"}, 6},
    {"stack_quasi.pml", "stack", "pop", {"REFUSE", "CAPACITY=3"}, 7},
    {"pqueue_quasi.pml", "pqueue", "delete_min", {"REFUSE", "FACTOR=1", "CAPACITY=3"}, 7},
    {"register.pml", "register", NULL, {"THREADS=2"}, 7},
    {"counter.pml", "counter", NULL, {"MOST=3"}, 6},
    {"set.pml", "set", NULL, {"KEYS=2"}, 5},
    {"set_list.pml", "set", NULL, {"KEYS=2"}, 5},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = calloc(1, 1 << 16);
    if (!f || !text || fread(text, 1, (1 << 16) - 1, f) == 0) {
        fprintf(stderr, "refine_mutants: cannot read %s\n", path);
        exit(2);
    }
    fclose(f);
    return text;
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    if (!f || fputs(text, f) < 0 || fclose(f) != 0) {
        fprintf(stderr, "refine_mutants: cannot write %s\n", path);
        exit(2);
    }
}

static char *mutate(const struct campaign *c, const struct subject *s, struct prng *random)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", c->folder, s->model);
    char *text = read_text(path), *made = model_mutant(text, random);
    free(text);
    if (prng_below(random, 2)) {
        text = made;
        made = model_without_points(text);
        free(text);
    }
    return made;
}

static struct refine_system *load_mutant(struct campaign *c, const struct subject *s, const char *path,
                                         struct prng *random, struct diagnostic *d)
{
    struct promela_settings settings = {.defines = s->defines};
    while (settings.define_count < 4 && s->defines[settings.define_count])
        settings.define_count++;
    char *text = mutate(c, s, random);
    write_text(path, text);
    struct refine_system *system = promela_load(path, &settings, d);
    if (!system) { /* a mark where none is allowed? */
        char *plain = model_without_points(text);
        write_text(path, plain);
        system = promela_load(path, &settings, d);
        free(plain);
    }
    free(text);
    return system;
}

/* Are items of no meaning to the model, and are they what its removals answer? */
static bool may_be_distinct(const struct subject *s, const struct refine_system *system, const char *path)
{
    struct diagnostic d = {0};
    char answer[32], *text = read_text(path);
    snprintf(answer, sizeof answer, "RET(%s, item)", s->removal ? s->removal : "read");
    bool answers_items = strstr(text, answer);
    free(text);
    return answers_items && promela_is_data_independent(system, strcmp(s->spec, "pqueue") == 0, &d);
}

static void ask_about_mutant(struct campaign *c, const char *path)
{
    struct prng random = prng_start(c->seed, c->number);
    const struct subject *s = &subjects[c->number % SUBJECTS];
    struct diagnostic d = {0};
    snprintf(c->name, sizeof c->name, "mutant %llu of %s", (unsigned long long)c->number, s->model);
    struct refine_system *system = load_mutant(c, s, path, &random, &d);
    if (!system) {
        campaign_refuse(c, d.message);
        return;
    }
    char quasi[32];
    snprintf(quasi, sizeof quasi, "%s=%u", s->removal ? s->removal : "", prng_below(&random, 3));
    struct refine_oracle_question q = {.system = system,
                                       .spec = s->spec,
                                       .quasi = s->removal ? quasi : NULL,
                                       .events = s->events,
                                       .most = 1500};
    q.free_values =
        may_be_distinct(s, system, path) && prng_below(&random, 3) ? 0 : 1 + prng_below(&random, 2);
    campaign_ask(c, &q, &random);
    system->destroy(system);
}

int main(int argc, char **argv)
{
    struct campaign c = {.seed = 1, .count = 64, .folder = "models"};
    char path[] = "/tmp/refine_mutants_XXXXXX";
    if (!campaign_read(&c, argc, argv))
        return 2;
    int file = mkstemp(path);
    if (file < 0)
        abort();
    close(file);
    for (; c.number < c.count; c.number++)
        ask_about_mutant(&c, path);
    unlink(path);
    campaign_report(&c);
    return 0;
}
