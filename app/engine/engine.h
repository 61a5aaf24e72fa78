// Sends requests to the worker and caches the answers, so that repeating a request costs nothing.
//
// Each change of what is shown is followed by a turn. During a turn the session asks for everything that it needs and
// gets what is known: a value, the progress, or the reason why there is no value. A request that is not repeated in a
// turn is canceled. The cache keeps the most recently requested answers of each kind. No function blocks. Use the
// engine from one thread.
#pragma once

#include "app/engine/task_queue.h"

#include <concepts>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace app {

template <class T>
concept Request = std::equality_comparable<T> && requires
{
    typename T::Result;
};

// The state of a request.
template <Request R>
struct Loadable {
    std::shared_ptr<const typename R::Result> value; // null: no value
    std::optional<Failure> failure;                  // why there is no value, or no newer one
    Progress progress;                               // progress of the current run
    bool busy = false;                               // waiting or running; then `value` is an older one

    bool cancelled() const { return failure && failure->kind == Failure::Kind::cancelled; }
    bool failed() const { return failure && !cancelled(); }
};

// A request type may define:
// of_device   the answer belongs to the device that gave it, and is restored when that device is chosen again
// completes   the request is not canceled even if a turn does not repeat it: a file is written completely
// most_kept   number of cached answers beyond those that the last turn requested
template <class R>
inline constexpr bool is_of_device = requires
{
    requires R::of_device;
};
template <class R>
inline constexpr bool always_completes = requires
{
    requires R::completes;
};
template <class R>
constexpr std::size_t most_kept()
{
    if constexpr (requires { R::most_kept; })
        return R::most_kept;
    else
        return is_of_device<R> ? SIZE_MAX : 16;
}

class Engine {
    template <Request R>
    struct Entry {
        R request;
        Ticket ticket = 0; // 0: answered
        uint64_t turn = 0; // turn of the last request
        Loadable<R> known;
    };
    template <Request R>
    using Entries = std::list<Entry<R>>; // latest first
    template <class... Each>
    static std::tuple<Entries<Each>...> entries_of(const std::variant<Each...>&);
    using Store = decltype(entries_of(std::declval<Task>()));

public:
    using Clock = TaskQueue::Clock;
    Engine(TaskQueue::Work work, std::function<void()> wake) : queue_(std::move(work), std::move(wake)) {}

    // Returns the state of the request. Submits it to the worker, not before `due`, if it is new. The reference is
    // valid until the end of the turn.
    template <Request R>
    const Loadable<R>& ask(const R& request, Lane lane, Clock::time_point due = {})
    {
        Entry<R>* entry = find(request);
        if (entry == nullptr)
            submit(*(entry = &all<R>().emplace_front(Entry<R>{request, 0, turn_, {}})), lane, due);
        entry->turn = turn_;
        return entry->known;
    }

    // Repeats the request even if it is answered or in progress. The known answer stays until the new one arrives.
    template <Request R>
    void renew(const R& request, Lane lane, Clock::time_point due = {})
    {
        Entry<R>* entry = find(request);
        if (entry == nullptr)
            entry = &all<R>().emplace_front(Entry<R>{request, 0, turn_, {}});
        drop(*entry);
        entry->turn = turn_;
        submit(*entry, lane, due);
    }

    // Like ask(), for a request that renew() began. Returns null if the request was forgotten.
    template <Request R>
    const Loadable<R>* follow(const R& request)
    {
        Entry<R>* const entry = find(request);
        if (entry == nullptr)
            return nullptr;
        entry->turn = turn_;
        return &entry->known;
    }

    // Returns the state without requesting anything, or null if there is none.
    template <Request R>
    const Loadable<R>* known(const R& request) const
    {
        for (const Entry<R>& one : std::get<Entries<R>>(entries_))
            if (one.request == request)
                return &one.known;
        return nullptr;
    }

    // Stops the request if it is in progress. It still ends, with a failure or with the partial result.
    template <Request R>
    void cancel(const R& request)
    {
        if (const Entry<R>* entry = find(request); entry != nullptr && entry->ticket != 0)
            queue_.cancel(entry->ticket);
    }

    // Stops all requests of the kind that are in progress. Their earlier answers stay.
    template <Request R>
    void withdraw()
    {
        all<R>().remove_if([&](Entry<R>& one) {
            if (one.ticket != 0)
                queue_.cancel(std::exchange(one.ticket, 0)); // the report will find no entry
            one.known.busy = false;
            return one.known.value == nullptr && !one.known.failure;
        });
    }

    template <Request R>
    void forget(const R& request)
    {
        all<R>().remove_if([&](const Entry<R>& one) { return one.request == request && drop(one); });
    }
    template <Request R>
    void forget() // all requests of the kind
    {
        all<R>().remove_if([&](const Entry<R>& one) { return drop(one); });
    }

    template <Request R>
    void each(const std::function<void(const R&, const Loadable<R>&)>& told) const
    {
        for (const Entry<R>& one : std::get<Entries<R>>(entries_))
            told(one.request, one.known);
    }

    bool poll();     // takes arrived reports; returns whether there were any
    void end_turn(); // cancels what was not requested in this turn

    // Switches to another device. Saves or forgets the answers of the old device, and restores the saved answers of the
    // new one.
    void change_device(const std::string& from, const std::string& to);

private:
    template <Request R>
    Entries<R>& all()
    {
        return std::get<Entries<R>>(entries_);
    }
    template <Request R>
    Entry<R>* find(const R& request)
    {
        for (Entry<R>& one : all<R>())
            if (one.request == request)
                return &one;
        return nullptr;
    }
    template <Request R>
    void submit(Entry<R>& entry, Lane lane, Clock::time_point due)
    {
        entry.known.busy = true;
        entry.known.progress = {};
        entry.ticket = queue_.submit(lane, entry.request, due);
    }
    template <Request R>
    bool drop(const Entry<R>& entry)
    {
        if (entry.ticket != 0)
            queue_.cancel(entry.ticket); // the report will find no entry
        return true;
    }
    template <Request R>
    bool take(const Report& report, Entries<R>& entries);
    template <Request R>
    void tidy(Entries<R>& entries);

    uint64_t turn_ = 1;
    Store entries_;
    std::map<std::string, Store> elsewhere_; // answers of other devices
    TaskQueue queue_;
};

} // namespace app
