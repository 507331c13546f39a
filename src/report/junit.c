/* SPDX-License-Identifier: Apache-2.0 */
/* JUnit's XML, which most build servers read: a test case for each input or test. What was not decided is an
 * error there: it is neither a failure of the program nor a success. */
#include "report/documents.h"
#include "report/xml.h"

#include <string.h>

static void add_attribute(struct text *out, const char *name, const char *value)
{
    text_printf(out, " %s=\"", name);
    xml_add(out, value);
    text_puts(out, "\"");
}

static void add_problem(struct text *out, const char *element, const char *type, const char *message,
                        const char *body)
{
    text_printf(out, "    <%s", element);
    add_attribute(out, "type", type);
    if (message)
        add_attribute(out, "message", message);
    text_puts(out, ">");
    xml_add(out, body ? body : message ? message : type);
    text_printf(out, "</%s>\n", element);
}

void junit_add_case(struct report_documents *d, const struct report_case *c)
{
    struct text *out = &d->parts[REPORT_JUNIT];
    bool violated = c->verdict == VERDICT_VIOLATED;
    bool passed = c->verdict == VERDICT_HOLDS || c->verdict == VERDICT_SURVIVED;
    text_puts(out, "  <testcase");
    add_attribute(out, "name", c->name);
    text_printf(out, " classname=\"plumb\" time=\"%.3f\">\n", c->seconds);
    if (violated)
        add_problem(out, "failure", "violated", c->found_count ? c->found[0]->one_line : c->message, c->text);
    else if (!passed)
        add_problem(out, "error", verdict_name(c->verdict), c->message, NULL);
    if (c->output && !violated) {
        text_puts(out, "    <system-out>");
        xml_add(out, c->output);
        text_puts(out, "</system-out>\n");
    }
    text_puts(out, "  </testcase>\n");
}

void junit_render(struct text *out, const struct report_documents *d, const struct report_run *run)
{
    text_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite");
    text_printf(out, " name=\"plumb %s\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" time=\"%.3f\">\n",
                run->command, d->case_count, d->failure_count, d->error_count, d->seconds);
    text_puts(out, d->parts[REPORT_JUNIT].len ? d->parts[REPORT_JUNIT].data : "");
    text_puts(out, "</testsuite>\n");
}
