/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <mutex>
#include <string>
#include <thread>

class person
{
  public:
    void rename(const char *n)
    {
        std::lock_guard<std::mutex> guard(lock);
        name = n;
    }
    std::string get()
    {
        std::lock_guard<std::mutex> guard(lock);
        return name;
    }

  private:
    std::mutex lock;
    std::string name{"ann"};
};
static person who;
size_t seen;

static void one()
{
    who.rename("bob");
}

static void two()
{
    seen = who.get().size();
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
