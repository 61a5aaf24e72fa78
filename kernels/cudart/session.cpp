#include "cudart/session.h"

#include <algorithm>

namespace cudart {

void Session::add(SeenLaunch launch)
{
    launch.first = ++count_;
    const auto same = std::ranges::find_if(launches, [&](const SeenLaunch& one) {
        return one.name == launch.name && one.launch == launch.launch && one.cluster == launch.cluster &&
               one.resources == launch.resources;
    });
    if (same == launches.end()) {
        launches.push_back(std::move(launch));
        return;
    }
    ++same->count;
    same->executed += launch.executed;
    same->steps += launch.steps;
    same->milliseconds += launch.milliseconds;
}

void Session::fail(const std::string& sentence)
{
    failures.push_back(sentence);
    tell(sentence);
}

} // namespace cudart
