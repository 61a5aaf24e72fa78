// The page with what published ladders claim: what is shown of it.
#pragma once

#include <string>

namespace app {

struct ClaimPage {
    bool open = false;
    std::string chosen; // id of the claim that is explained; empty: the first that does not hold
};

} // namespace app
