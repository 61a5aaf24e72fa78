// The text that is shown where something is missing.
#pragma once

#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <string>

namespace test {

inline std::string said(const recording::Reasons& reasons)
{
    return viz::plain(viz::in_sentences(reasons));
}

} // namespace test
