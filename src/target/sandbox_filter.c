/* SPDX-License-Identifier: Apache-2.0 */
#include "target/sandbox_filter.h"

#include "base/check.h"
#include "target/sandbox_calls.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* ------------------------------------------------------------------ instructions */

static void add(struct sandbox_filter *f, unsigned code, uint32_t value, uint8_t if_true, uint8_t if_false)
{
    CHECK(f->length < SANDBOX_INSTRUCTIONS_MAX);
    f->list[f->length++] = (struct sock_filter){(uint16_t)code, if_true, if_false, value};
}

static void load(struct sandbox_filter *f, size_t offset)
{
    add(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* Of the numbers and bits below the kernel looks at the low half only, and both sides are little-endian: it comes first. */
static void load_argument(struct sandbox_filter *f, unsigned number)
{
    load(f, offsetof(struct seccomp_data, args) + number * sizeof(uint64_t));
}

static void permit(struct sandbox_filter *f)
{
    add(f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

static void refuse(struct sandbox_filter *f, int error)
{
    add(f, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error, 0, 0);
}

/* The number of the call is loaded where a rule begins; the instructions of a rule end with an answer. */
static unsigned short begin_rule(struct sandbox_filter *f, long call)
{
    add(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 0);
    return (unsigned short)(f->length - 1);
}

static void end_rule(struct sandbox_filter *f, unsigned short begin)
{
    unsigned distance = f->length - begin - 1u;
    CHECK(distance <= UINT8_MAX);
    f->list[begin].jf = (uint8_t)distance;
}

/* ------------------------------------------------------------------ rules */

static void permit_call(struct sandbox_filter *f, long call)
{
    unsigned short begin = begin_rule(f, call);
    permit(f);
    end_rule(f, begin);
}

static void refuse_call(struct sandbox_filter *f, long call, int error)
{
    unsigned short begin = begin_rule(f, call);
    refuse(f, error);
    end_rule(f, begin);
}

/* Unless the argument has one of the bits. */
static void permit_without_bits(struct sandbox_filter *f, long call, unsigned argument, uint32_t bits,
                                int error)
{
    unsigned short begin = begin_rule(f, call);
    load_argument(f, argument);
    add(f, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    refuse(f, error);
    permit(f);
    end_rule(f, begin);
}

/* Answers if the loaded argument is one of the values. */
static void permit_values(struct sandbox_filter *f, const uint32_t *values, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        add(f, BPF_JMP | BPF_JEQ | BPF_K, values[k], 0, 1);
        permit(f);
    }
}

/* The same for a process: 0 and the caller's own number. */
static void permit_own(struct sandbox_filter *f, unsigned argument)
{
    const uint32_t self[] = {0, 0};
    load_argument(f, argument);
    CHECK(f->own_count < SANDBOX_OWN_PLACES_MAX);
    f->own_places[f->own_count++] = (unsigned short)(f->length + 2u);
    permit_values(f, self, COUNT(self));
}

static void permit_with_values(struct sandbox_filter *f, long call, unsigned argument, const uint32_t *values,
                               size_t count)
{
    unsigned short begin = begin_rule(f, call);
    load_argument(f, argument);
    permit_values(f, values, count);
    refuse(f, EPERM);
    end_rule(f, begin);
}

static void permit_own_only(struct sandbox_filter *f, long call)
{
    unsigned short begin = begin_rule(f, call);
    permit_own(f, 0);
    refuse(f, EPERM);
    end_rule(f, begin);
}

/* The first argument says what the second one is. */
static void permit_own_of_kind(struct sandbox_filter *f, long call, const uint32_t *kind)
{
    unsigned short begin = begin_rule(f, call);
    load_argument(f, 0);
    add(f, BPF_JMP | BPF_JEQ | BPF_K, *kind, 1, 0);
    refuse(f, EPERM);
    permit_own(f, 1);
    refuse(f, EPERM);
    end_rule(f, begin);
}

/* O_ASYNC sends signals to whichever process F_SETOWN, or the terminal, names. */
static void permit_fcntl(struct sandbox_filter *f)
{
    unsigned short begin = begin_rule(f, SYS_fcntl);
    load_argument(f, 1);
    permit_values(f, fcntl_commands, COUNT(fcntl_commands));
    add(f, BPF_JMP | BPF_JEQ | BPF_K, F_SETFL, 1, 0);
    refuse(f, EPERM);
    load_argument(f, 2);
    add(f, BPF_JMP | BPF_JSET | BPF_K, O_ASYNC, 0, 1);
    refuse(f, EPERM);
    permit(f);
    end_rule(f, begin);
}

/* To all processes there are never: -1. */
static void permit_signals(struct sandbox_filter *f, bool scoped)
{
    for (size_t k = 0; k < COUNT(signals); k++) {
        if (!scoped) {
            permit_own_only(f, signals[k]);
            continue;
        }
        unsigned short begin = begin_rule(f, signals[k]);
        load_argument(f, 0);
        add(f, BPF_JMP | BPF_JEQ | BPF_K, UINT32_MAX, 0, 1);
        refuse(f, EPERM);
        permit(f);
        end_rule(f, begin);
    }
}

static void begin(struct sandbox_filter *f)
{
    load(f, offsetof(struct seccomp_data, arch));
    add(f, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    refuse(f, ENOSYS); /* 32-bit calls, which have other numbers */
    load(f, offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
    add(f, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); /* so has x32 */
    refuse(f, ENOSYS);
#endif
}

static void add_argument_rules(struct sandbox_filter *f, bool scoped)
{
#if defined(__x86_64__)
    permit_without_bits(f, SYS_open, 1, open_refused, EACCES);
#endif
    permit_without_bits(f, SYS_openat, 2, open_refused, EACCES);
    permit_without_bits(f, SYS_clone, 0, clone_refused, EPERM);
    permit_fcntl(f);
    permit_with_values(f, SYS_ioctl, 1, ioctl_requests, COUNT(ioctl_requests));
    permit_with_values(f, SYS_prctl, 0, prctl_options, COUNT(prctl_options));
    permit_own_of_kind(f, SYS_setpriority, this_process);
    permit_own_of_kind(f, SYS_ioprio_set, this_for_io);
    for (size_t k = 0; k < COUNT(own_only); k++)
        permit_own_only(f, own_only[k]);
    permit_signals(f, scoped);
}

void sandbox_filter_build(struct sandbox_filter *f, bool scoped)
{
    *f = (struct sandbox_filter){0};
    begin(f);
    for (size_t k = 0; k < COUNT(permitted); k++)
        permit_call(f, permitted[k]);
    add_argument_rules(f, scoped);
    for (size_t k = 0; k < COUNT(file_calls); k++)
        refuse_call(f, file_calls[k], EACCES);
    for (size_t k = 0; k < COUNT(other_calls); k++)
        refuse_call(f, other_calls[k], EPERM);
    refuse(f, ENOSYS);
}

void sandbox_filter_set_own(struct sandbox_filter *f, uint32_t process)
{
    for (unsigned k = 0; k < f->own_count; k++)
        f->list[f->own_places[k]].k = process;
}
