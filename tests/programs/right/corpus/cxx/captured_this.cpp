/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <memory>
#include <thread>

class worker
{
  public:
    worker() : thread([this] { value = 1; })
    {
    }
    ~worker()
    {
        thread.join();
    }

  private:
    int value = 0;
    std::thread thread;
};

int main()
{
    auto w = std::make_unique<worker>();
    w.reset();
}
