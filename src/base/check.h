/* SPDX-License-Identifier: Apache-2.0 */
/* Assertions that stay on in release builds: an internal error ends the
 * process with a message and exit code 70 instead of producing a wrong verdict. */
#ifndef BASE_CHECK_H
#define BASE_CHECK_H

_Noreturn void base_bug(const char *file, int line, const char *what);

#define CHECK(condition) ((condition) ? (void)0 : base_bug(__FILE__, __LINE__, #condition))

#endif
