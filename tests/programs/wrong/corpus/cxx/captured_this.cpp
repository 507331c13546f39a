/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free|race */
/* mode: all */
/* note: a thread of an object is detached; the object does not wait for it */
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
        thread.detach();
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
