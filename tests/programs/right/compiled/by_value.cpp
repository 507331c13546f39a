/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: structures passed by value, in memory: constant ones, neighbours, those of the thread itself and those of arguments */
#include <cassert>
#include <thread>

struct record {
    long fields[5];
};
struct wide {
    long double numbers[2];
};
static const record constant = {{1, 2, 3, 4, 5}};
static record neighbours[2];

static __attribute__((noinline)) long last(record r, int depth)
{
    record *address = &r;
    return depth ? last(*address, depth - 1) + 1 : r.fields[4];
}
static __attribute__((noinline)) long sum(wide w, record r)
{
    return static_cast<long>(w.numbers[1]) + r.fields[0];
}

int main()
{
    std::thread t([] {
        record own = neighbours[1], *address = &own;
        own.fields[4] = last(constant, 2);
        assert(last(*address, 1) == 8 && last(neighbours[1], 0) == 0);
    });
    neighbours[0].fields[4] = last(constant, 0);
    neighbours[0].fields[0] = sum(wide{{1, 2}}, record{{7}});
    t.join();
    assert(neighbours[0].fields[0] == 9);
}
