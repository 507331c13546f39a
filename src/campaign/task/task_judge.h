/* SPDX-License-Identifier: Apache-2.0 */
/* The answer to one property of a task: true, false or unknown. A verdict on a program names what it leaves out; these
 * answers cannot, so whatever is left out makes them unknown. */
#ifndef CAMPAIGN_TASK_JUDGE_H
#define CAMPAIGN_TASK_JUDGE_H

#include "campaign/campaign.h"
#include "campaign/task/task_file.h"
#include "campaign/task/task_words.h"

enum task_answer { TASK_UNKNOWN, TASK_TRUE, TASK_FALSE };

struct task_judged {
    enum task_answer answer;
    const char *violated;               /* of FALSE: "valid-deref" */
    const struct campaign_error *error; /* of FALSE: of the campaign below */
    struct text reason;                 /* of UNKNOWN */
    struct text trace;                  /* the name of the file that an error is saved in */
    struct campaign campaign;           /* the run that decided; frees with task_judged_free */
};

/* `options`: as the user gave them; those that the property needs are set. `flags`: of the user, for the compiler. False: after
 * `why`, which is an error of the files. To be freed in either case. */
struct task_question {
    const char *path;
    const struct task_file *task;
    const struct task_words *words;
    const struct task_property *property;
    const struct campaign_options *options;
    const char *const *flags;
    size_t flag_count;
};

bool task_judge(const struct task_question *q, struct task_judged *j, struct diagnostic *why);
void task_judged_free(struct task_judged *j);

/* "true", "false(valid-deref)", "unknown" */
void task_add_answer(struct text *out, const struct task_judged *j);

/* Of FALSE: what is violated, in the language of property files. */
void task_add_formula(struct text *out, const struct task_judged *j);

/* Is this what the task expects, as far as it expects anything? Unknown is never wrong. */
bool task_is_as_expected(const struct task_property *p, const struct task_judged *j);

#endif
