// Requests to the worker, each answered once: asked again, the same request costs nothing.
//
// A turn follows each change of what is shown. In it the session asks for everything that it needs, and gets what is known: a
// value, the progress, or the reason why there is no value. A request that was not asked in a turn is cancelled. Answers are cached; of
// each kind of request the most recently asked ones. Nothing here waits. Used from one thread.
#pragma once

#include "app/worker/task_queue.h"

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

// What is known of a request.
template <Request R>
struct Loadable {
    std::shared_ptr<const typename R::Result> value; // null: there is none
    std::optional<Failure> failure;                  // why there is none, or no newer one
    Progress progress;                               // of what is under way
    bool busy = false;                               // it waits or runs; a value beside that is from before

    bool cancelled() const { return failure && failure->kind == Failure::Kind::cancelled; }
    bool failed() const { return failure && !cancelled(); }
};

// A request may say of itself:
//   of_device   its answer belongs to the device that gave it, and is kept for when that one is chosen again
//   completes   it is not cancelled, also where a turn does not ask for it: a file is written to its end
//   most_kept   how many answers stay in the cache that the last turn did not ask for
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
        uint64_t turn = 0; // in which it was asked for last
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

    // What is known of the request, which is handed to the worker where it was not yet, and not before `due`. The reference holds
    // until the end of the turn.
    template <Request R>
    const Loadable<R>& ask(const R& request, Lane lane, Clock::time_point due = {})
    {
        Entry<R>* entry = find(request);
        if (entry == nullptr)
            submit(*(entry = &all<R>().emplace_front(Entry<R>{request, 0, turn_, {}})), lane, due);
        entry->turn = turn_;
        return entry->known;
    }

    // Asks anew, whatever is known and also where it is under way. What was known stays until there is another answer.
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

    // As ask(), of what was begun before by renew(): null where it is forgotten.
    template <Request R>
    const Loadable<R>* follow(const R& request)
    {
        Entry<R>* const entry = find(request);
        if (entry == nullptr)
            return nullptr;
        entry->turn = turn_;
        return &entry->known;
    }

    // What is known, without asking; null: nothing.
    template <Request R>
    const Loadable<R>* known(const R& request) const
    {
        for (const Entry<R>& one : std::get<Entries<R>>(entries_))
            if (one.request == request)
                return &one.known;
        return nullptr;
    }

    // Stops it where it is under way; its end comes nevertheless, as a failure or as what there was till then.
    template <Request R>
    void cancel(const R& request)
    {
        if (const Entry<R>* entry = find(request); entry != nullptr && entry->ticket != 0)
            queue_.cancel(entry->ticket);
    }

    // Stops all of the kind that are under way. What was known of them before stays.
    template <Request R>
    void withdraw()
    {
        all<R>().remove_if([&](Entry<R>& one) {
            if (one.ticket != 0)
                queue_.cancel(std::exchange(one.ticket, 0)); // its report finds no entry
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
    void forget() // all of the kind
    {
        all<R>().remove_if([&](const Entry<R>& one) { return drop(one); });
    }

    template <Request R>
    void each(const std::function<void(const R&, const Loadable<R>&)>& told) const
    {
        for (const Entry<R>& one : std::get<Entries<R>>(entries_))
            told(one.request, one.known);
    }

    bool poll();     // takes what has come; whether something did
    void end_turn(); // cancels what was not asked in this turn

    // Another device answers from now on. Answers of the one before are kept for it, or forgotten; those of the new one come back.
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
            queue_.cancel(entry.ticket); // its report finds no entry
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
