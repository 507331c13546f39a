/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated exception|abort */
/* mode: all */
/* note: both workers set the value of one promise */
#include <atomic>
#include <future>
#include <thread>

static std::promise<int> answer;
static std::atomic<bool> answered;

static void work()
{
    answer.set_value(1);
}

int main()
{
    std::thread a(work), b(work);
    a.join();
    b.join();
}
