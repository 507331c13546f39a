/* A layer around atomics, in a file of the program. */
#pragma once
#include <atomic>
#include <string>
inline void wrapped_store(std::atomic<int> *a, int v)
{
    a->store(v, std::memory_order_release);
}

/* The same as a class */
template <class T> class Value
{
    std::atomic<T> held{};

  public:
    T load_relaxed() const
    {
        return held.load(std::memory_order_relaxed);
    }
};

/* No layer: an algorithm that is given a location */
inline void wrapped_twice(std::atomic<int> &a)
{
    int seen = a.load();
    a.store(seen + 1);
    a.store(seen + 2);
}
