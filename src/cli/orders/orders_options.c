/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/output.h"
#include "cli/common/report_files.h"
#include "cli/orders/orders_command.h"
#include "graph/model.h"

#include <stddef.h>

#define FIELD(name) offsetof(struct orders_settings, name)

static const struct option_entry orders_options_table[] = {
    {"test", 0, OPTION_LIST, "M", FIELD(tests), 0, 0,
     "A test of the harness in FILES that has to hold: operations of each thread, divided by '|'. Again for "
     "more."},
    {"size", 0, OPTION_TEXT, "RxC", FIELD(size), 0, 0,
     "Every test of at most R calls in each of at most C threads, as 'plumb auto' makes them."},
    {"init", 0, OPTION_TEXT, "OPS", FIELD(campaign.init), 0, 0,
     "Operations before the threads of each test start."},
    {"final", 0, OPTION_TEXT, "OPS", FIELD(campaign.final), 0, 0, "Operations after they have ended."},
    {"spec", 0, OPTION_TEXT, "NAME|FILE.c", FIELD(campaign.spec), 0, 0, "As for 'plumb check'."},
    {"quasi", 0, OPTION_TEXT, "Q", FIELD(campaign.quasi), 0, 0, "As for 'plumb check'."},
    {"per-variant", 0, OPTION_SECONDS, "S", FIELD(per_variant), 0, 0,
     "Give up on an order of a site after S seconds for all tests (20): it is not decided then."},
    {"time", 0, OPTION_SECONDS, "S", FIELD(campaign.time), 0, 0,
     "Stop after S seconds, compiling included; what was not decided is named (no limit)."},
    {"list", 0, OPTION_FLAG, NULL, FIELD(list), 0, 0,
     "Only list the atomic accesses and fences of the program with the orders they have; nothing is run."},
    {"explain", 0, OPTION_TEXT, "SITE", FIELD(explain), 0, 0,
     "Behind the table, report the error of the next weaker order at SITE (FILE:LINE[:COLUMN][/failure]) as "
     "'plumb check' "
     "does."},
    {"patch", 0, OPTION_TEXT, "F", FIELD(patch), 0, 0,
     "Write a diff of the source to F that makes the orders those of the answer."},
#define FIELD_OF(name) FIELD(campaign.name)
#include "cli/common/exploring_options.inc"
    {"jobs", 0, OPTION_NUMBER, "N", FIELD(campaign.jobs), 1, 64,
     "Worker processes that share each exploration (1). Which of several errors is reported may depend on "
     "it."},
    OUT_OPTION(FIELD(campaign.out)),
    JSON_OPTION(FIELD(campaign.json)),
    {"html", 0, OPTION_TEXT, "F", FIELD(campaign.files) + offsetof(struct report_paths, of[REPORT_HTML]), 0,
     0,
     "Write the table to F as a page for a browser, with the error of the next weaker order of each site."},
    COLOR_OPTION(FIELD(campaign.color)),
    QUIET_OPTION(FIELD(campaign.quiet)),
    {"verbose", 'v', OPTION_FLAG, NULL, FIELD(campaign.verbose), 0, 0,
     "Print which test is violated, and the command that shows it."},
};

static const struct option_section orders_sections[] = {
    {"description", "Compiles FILES (C or C++; flags for the compiler behind '--') once, and explores the "
                    "program, or tests of a harness, with one "
                    "memory order after the other changed where it stands in the source: for each atomic "
                    "access and fence the weakest order that "
                    "all tests accept, and the error that the next weaker one leads to. Then all of them "
                    "together, verified by exploring every "
                    "execution again: the weakest orders for these tests. They are not safe orders: another "
                    "test may need more.\n\n"
                    "A program that is violated as written gets a repair instead, if there is one: a "
                    "smallest set of orders to strengthen, and to "
                    "what.\n\n"
                    "Sites are named FILE:LINE:COLUMN; the order that a compare-and-exchange has when it "
                    "fails is a site of its own, with "
                    "/failure behind the name. docs/orders.md explains the table.\n"},
    {"output", "A table with a row for each site, printed as rows are found, then one line: 'holds' when "
               "everything was decided, "
               "'violated' when the program is violated as written, or 'inconclusive (why)'.\n"},
    {"exit status",
     "0 holds, and everything is decided; 1 violated as written, with or without a repair; 2 wrong usage; 3 "
     "not "
     "everything is decided, or interrupted; 4 the program does not build or cannot be run; 70 an internal "
     "error.\n"},
    {"examples", "  plumb orders queue.c --test 'enq(1) | deq' --test 'enq(1) deq | enq(2)'\n"
                 "  plumb orders stack.c --size 2x2 --patch weaker.diff\n"
                 "  plumb orders spsc.c --explain spsc.c:31:5\n"},
};

const struct option_command cli_orders_text = {
    .name = "orders",
    .summary = "Find the weakest memory orders that tests accept.",
    .operands = "FILE... [-- CFLAGS...]",
    .operands_least = 1,
    .operands_most = SIZE_MAX,
    COMMAND_TABLES(orders_options_table, orders_sections),
};

enum cli_exit orders_options_fit(struct orders_run *r)
{
    struct orders_settings *s = &r->settings;
    struct campaign_options *o = &s->campaign;
    struct diagnostic why = {0};
    o->test = s->tests.len || s->size ? "" : NULL; /* there will be one */
    bool fits = campaign_options_fit(o, &why);
    o->test = NULL;
    if (!fits) {
        output_diagnostic(NULL, &why);
        return EXIT_USAGE;
    }
    if (o->mode != WORKER_GRAPH || o->preemptions != UINT32_MAX)
        return output_error(PL_USAGE, "memory orders need --mode all, without --preemptions");
    if (model_at(o->memory)->kind == MODEL_INTERLEAVED)
        return output_error(PL_USAGE, "under sc every atomic access is seq_cst: use --memory rc11");
    if (s->tests.len && s->size)
        return output_error(PL_USAGE, "--test names tests, --size makes them: use one");
    if (campaign_goes_on(o))
        return output_error(
            PL_USAGE,
            "--races and --suppress are not for 'plumb orders': a race is what a weak order leads to");
    bool writable = (!o->json || output_check(o->json)) && (!s->patch || output_check(s->patch)) &&
                    report_files_can_write(&o->files);
    return writable ? EXIT_HOLDS : EXIT_USAGE;
}
