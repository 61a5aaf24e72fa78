// What the page about parts of K says, by template (assets/text/placement.md). Pure functions.
#pragma once

#include "viz/analysis/tile_work.h"
#include "viz/text/message.h"

#include <cstddef>
#include <vector>

namespace viz {

// The one line above the picture.
Message work_headline(const WorkFacts& facts);

// What there is to do, and how the tiles are shared out, by paragraph; `both`: how it would be otherwise is drawn, too.
std::vector<Messages> work_messages(const WorkFacts& facts, bool both);

// Above the lanes of one case: what they are, how long they take and how much of that is idle.
Messages lanes_title(const WorkFacts& facts, const WorkCase& shown);

// A part of one of the two cases; K is that of the whole product.
Message part_message(const WorkFacts& facts, const WorkCase& shown, std::size_t part, uint32_t K);

// A lane that has no work any more.
Message idle_lane_message(const WorkFacts& facts, const WorkCase& shown, std::size_t lane);

// Why there is no picture.
Message no_work(NoWork why);

} // namespace viz
