/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the C++ library: see library.h. P(pattern, "items") is a line for all names that match the pattern of a
 * shell; F lines come first. What matches nothing is not known, and named in the result when it is called. */

F(_ZSt11_Hash_bytesPKvmm, "r1:@2")

/* exceptions, run-time types, operators new and delete */
P("__cxa_*", "")
P("__gxx_personality_*", "")
P("__dynamic_cast", "")
P("_Unwind_*", "")
P("_Zn[wa]*", "")
P("_Zd[la]*", "")
P("_ZSt*__throw_*", "")
P("_ZSt9terminatev", "")
P("_ZSt*uncaught_exception*", "")
P("_ZSt*current_exception*", "")
P("_ZSt*rethrow_exception*", "")
P("_ZNKSt*4whatEv", "")
P("_ZNSt*exception*", "")
P("_ZNSt*_errorC[12]*", "")
P("_ZNSt*_errorD[012]*", "")
P("_ZNSt9bad_alloc*", "")
P("_ZNSt9type_info*", "")
P("_ZNKSt9type_info*", "")
P("_ZSt*_categoryv", "")

/* threads and clocks: the runtime sees what they call */
P("_ZNSt6thread*", "")
P("_ZNSt18condition_variable*", "")
P("_ZSt25notify_all_at_thread_exit*", "")
P("_ZNSt13__future_base*", "")
P("_ZSt*__once_*", "")
P("__once_proxy", "")
P("_ZNSt6chrono*3nowEv", "")
P("_ZNSt11this_thread*", "")
P("_ZNSt13random_device*", "")
P("_ZNSt8ios_base4Init*", "")
