/* A layer around atomics, in a file of the program. */
#pragma once
#include <atomic>
#include <string>
inline void wrapped_store(std::atomic<int> *a, int v) { a->store(v, std::memory_order_release); }
