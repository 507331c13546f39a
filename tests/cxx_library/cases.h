/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads use one object of the C++ library: see run.sh. A case is a struct with the object and what each of the
 * threads does; the environment says which case (CASE), and whether both hold a lock meanwhile (LOCKED).
 * With -DEVERY=N only one of N cases is compiled, which takes most of the time. */
#ifndef CASES_H
#define CASES_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

inline thread_local volatile long sink; // for what a thread has found: no object of both

template <typename T> void use(const T &value)
{
    if (value)
        sink = 1;
}

template <typename Case> void run(bool locked)
{
    Case c;
    std::mutex m;
    auto guarded = [&](auto &&body) {
        if (locked) {
            std::lock_guard<std::mutex> guard(m);
            body();
        } else {
            body();
        }
    };
    std::thread first([&] { guarded([&] { c.first(); }); });
    std::thread second([&] { guarded([&] { c.second(); }); });
    first.join();
    second.join();
}

#ifndef EVERY
#define EVERY 1
#endif

struct entry {
    const char *name;
    void (*run)(bool locked); // null: not in the sample
};

/* Code of what is not in the sample is not made. */
template <typename Case, bool in_sample> constexpr auto sampled() -> void (*)(bool)
{
    if constexpr (in_sample)
        return run<Case>;
    else
        return nullptr;
}

/* OBJECT is a declaration; FIRST and SECOND are statements. */
#define COMMA ,
#define CASE(name, object, first_does, second_does) \
    struct name {                                   \
        object;                                     \
        void first()                                \
        {                                           \
            first_does;                             \
        }                                           \
        void second()                               \
        {                                           \
            second_does;                            \
        }                                           \
    };

int run_case(const entry *entries, const entry *end)
{
    const char *name = std::getenv("CASE"), *locked = std::getenv("LOCKED");
    for (const entry *e = entries; e != end; e++) {
        if (!e->run)
            continue;
        if (!name)
            std::puts(e->name);
        else if (std::strcmp(e->name, name) == 0)
            return e->run(locked != nullptr), 0;
    }
    return name ? 2 : 0;
}

#define CASES(...)                                                            \
    static const entry entries[] = {__VA_ARGS__};                             \
    int main()                                                                \
    {                                                                         \
        return run_case(entries, entries + sizeof entries / sizeof *entries); \
    }

#define ENTRY(name)                                        \
    {                                                      \
#name, sampled < name, __COUNTER__ % EVERY == 0>() \
    }

#endif
