/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: statistics of a class that are not printed, increased by two threads without a lock */
#include <mutex>
#include <thread>

namespace
{
class statistics
{
  public:
    void hit()
    {
        hits++;
    }

  private:
    std::mutex lock;
    unsigned long hits = 0;
};
statistics all;
} // namespace

static void work()
{
    all.hit();
}

int main()
{
    std::thread a(work), b(work);
    a.join();
    b.join();
}
