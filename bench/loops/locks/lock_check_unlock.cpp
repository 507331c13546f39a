/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: polls a container under its mutex, with a guard in every turn */
#include <cassert>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

class mailbox
{
  public:
    void put(int v)
    {
        std::lock_guard guard(m_);
        items_.push_back(v);
    }

    std::optional<int> poll()
    {
        std::lock_guard guard(m_);
        if (items_.empty())
            return std::nullopt;
        const int v = items_.front();
        items_.pop_front();
        return v;
    }

  private:
    std::mutex m_;
    std::deque<int> items_;
};

int main()
{
    mailbox box;
    std::thread consumer([&] {
        for (int i = 1; i <= 2; ++i) {
            std::optional<int> v;
            while (!(v = box.poll()))
                std::this_thread::yield();
            assert(*v == i);
        }
    });
    box.put(1);
    box.put(2);
    consumer.join();
}
