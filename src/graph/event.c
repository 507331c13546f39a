/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/event.h"

const char *event_kind_text(enum event_kind kind)
{
    static const char *const texts[] = {
#define X(name, text) text,
        EVENT_KINDS(X)
#undef X
    };
    return kind < EVENT_KIND_COUNT ? texts[kind] : "?";
}

const char *event_order_text(unsigned order)
{
    static const char *const texts[] = {"rlx", "con", "acq", "rel", "acq_rel", "sc", ""};
    return order < sizeof texts / sizeof *texts ? texts[order] : "?";
}
