/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose accesses no line of the table can say: `xNAME` in library.h. */
#ifndef RT_LIBRARY_SPECIAL_H
#define RT_LIBRARY_SPECIAL_H

#include "rt/library/library.h"

/* clang-format off */
#define LIBRARY_SPECIALS(X) \
    X(strtok) X(strtok_r) X(strsep) X(wcstok) X(strcat) X(strncat) X(wcscat) X(wcsncat) X(strcpy) \
    X(wcscpy) X(memccpy) X(mbsrtowcs) X(mbsnrtowcs) X(wcsrtombs) X(wcsnrtombs) X(state3) X(state4) \
    X(state5) X(iconv) X(strings) X(options) X(sendmsg) X(recvmsg) X(sendmmsg) X(recvmmsg) \
    X(address2) X(address4) X(address5) X(insque) X(remque) X(lfind) X(lsearch) X(bsearch) \
    X(tsearch) X(tfind) X(memstream) X(fmemopen) X(flush) X(close) X(getsubopt) X(swab) X(getline) \
    X(dlsym) X(setlocale) X(tmpnam) X(stdin) X(stdout) X(fesetenv) X(fesetmode) X(string2) X(path1) \
    X(path2) X(path_made) X(path_changed) X(to_chars) X(from_chars) X(input) X(input_string) \
    X(input_array) X(ios_words) X(ios_callbacks) X(locale_made) X(environment) X(msgsnd) X(msgrcv)
/* clang-format on */

#define X(name) library_special library_do_##name;
LIBRARY_SPECIALS(X)
#undef X

#endif
