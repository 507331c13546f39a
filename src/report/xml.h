/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_XML_H
#define REPORT_XML_H

#include "base/text.h"

/* Adds text as the content of an element or of an attribute in double quotes. */
void xml_add(struct text *out, const char *s);

#endif
