/* SPDX-License-Identifier: Apache-2.0 */
/* Found before libstdc++'s own header of this name, which every header of that library includes first.
 * Strings, streams and facets of locales are then compiled with the program, under instrumentation, instead
 * of being taken from the library, where what they access is not seen. No include guard: libstdc++'s header
 * has one, and what follows may be done again. Vectors say which part of their capacity they use. */
#pragma GCC system_header
#include_next <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#ifndef _GLIBCXX_SANITIZE_VECTOR
#define _GLIBCXX_SANITIZE_STD_ALLOCATOR 1
#define _GLIBCXX_SANITIZE_VECTOR 1
#endif
