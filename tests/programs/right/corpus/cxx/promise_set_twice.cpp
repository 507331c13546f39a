/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <atomic>
#include <future>
#include <thread>

static std::promise<int> answer;
static std::atomic<bool> answered;

static void work()
{
    if (!answered.exchange(true))
        answer.set_value(1);
}

int main()
{
    std::thread a(work), b(work);
    a.join();
    b.join();
}
