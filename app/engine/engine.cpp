#include "app/engine/engine.h"

namespace app {

template <Request R>
bool Engine::take(const Report& report, Entries<R>& entries)
{
    for (Entry<R>& one : entries) {
        if (one.ticket != report.ticket)
            continue;
        if (const Progress* progress = report.progress()) {
            one.known.progress = *progress;
            return true;
        }
        one.ticket = 0;
        one.known.busy = false;
        const Failure* const failure = report.failure();
        one.known.failure = failure == nullptr ? std::nullopt : std::optional(*failure);
        if (const auto* result = report.result<typename R::Result>())
            one.known.value = std::make_shared<const typename R::Result>(*result);
        else if (!one.known.cancelled()) // a canceled request keeps its earlier answer
            one.known.value.reset();
        return true;
    }
    return false;
}

bool Engine::poll()
{
    bool news = false;
    for (const Report& report : queue_.take())
        news |= std::apply([&](auto&... entries) { return (take(report, entries) || ...); }, entries_);
    return news;
}

// Cancels requests that were not repeated in this turn, and trims the cache. Drops failures, because a repeated request
// may succeed.
template <Request R>
void Engine::tidy(Entries<R>& entries)
{
    std::size_t kept = 0;
    entries.sort([](const Entry<R>& a, const Entry<R>& b) { return a.turn > b.turn; });
    entries.remove_if([&](const Entry<R>& one) {
        if (one.turn == turn_ || (one.ticket != 0 && always_completes<R>))
            return false;
        return (one.ticket != 0 || one.known.failure || ++kept > most_kept<R>()) && drop(one);
    });
}

void Engine::end_turn()
{
    std::apply([&](auto&... entries) { (tidy(entries), ...); }, entries_);
    ++turn_;
}

void Engine::change_device(const std::string& from, const std::string& to)
{
    Store& before = elsewhere_[from];
    Store& after = elsewhere_[to];
    const auto move = [&]<class R>(Entries<R>& entries) {
        if (always_completes<R> || from.empty()) { // no device made these answers
            if constexpr (is_of_device<R>)
                entries.splice(entries.end(), std::get<Entries<R>>(after));
            return;
        }
        for (Entry<R>& one : entries) {
            drop(one);
            one.ticket = 0;
            one.known.busy = false;
        }
        entries.remove_if([](const Entry<R>& one) { return one.known.value == nullptr || one.known.failure; });
        if constexpr (is_of_device<R>) {
            std::get<Entries<R>>(before) = std::move(entries);
            entries = std::move(std::get<Entries<R>>(after));
        } else {
            entries.clear();
        }
    };
    std::apply([&](auto&... entries) { (move(entries), ...); }, entries_);
}

} // namespace app
