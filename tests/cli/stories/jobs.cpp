/* SPDX-License-Identifier: Apache-2.0 */
#include <mutex>
#include <thread>
#include <vector>

class jobs
{
    mutable std::mutex mutex;
    std::vector<int> waiting{5};

  public:
    bool empty() const
    {
        std::lock_guard<std::mutex> hold(mutex);
        return waiting.empty();
    }

    int take()
    {
        std::lock_guard<std::mutex> hold(mutex);
        int job = waiting.at(waiting.size() - 1);
        waiting.pop_back();
        return job;
    }
};

static jobs all;
static int done[2];

static void work(int number)
{
    while (!all.empty())
        done[number] += all.take();
}

int main()
{
    std::thread other(work, 0);
    work(1);
    other.join();
    return done[0] + done[1] == 5 ? 0 : 1;
}
