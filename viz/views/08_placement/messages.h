// What the placement view says of a launch, by template (assets/text/placement.md). Pure functions.
#pragma once

#include "recording/measured.h"
#include "viz/analysis/placement.h"
#include "viz/speed.h"
#include "viz/text/message.h"

#include <optional>
#include <utility>

namespace viz {

// The one line above the picture.
Message headline(const PlacementPicture& picture);

// The same while two launches race: how far this one is at that time, when it ends, and then who was through first.
// `timed`: GFLOPS as the ladder has them, where they are known.
Message race_headline(const LaunchRunner& own, const LaunchRunner& other, double ns,
                      const recording::Measured<double>& timed);

// What the race adds to the two kernels, and what these give as they are timed.
Messages race_messages(const recording::Recording& first, const recording::Recording& second,
                       const std::pair<Speed, Speed>& timed);

// Why two launches are no race.
Message no_race(const recording::Recording& own, const recording::Recording& other);

// How the blocks fill the GPU, wave by wave.
Messages wave_messages(const recording::Recording& recording, const PlacementPicture& picture);

// How long blocks take, and for how long SMs stand empty.
Messages balance_messages(const recording::Recording& recording, const PlacementPicture& picture);

// Which SMs have no block at that time; and the same of one of them.
Message idle_message(const PlacementPicture& picture, double ns);
Message idle_sm_message(const PlacementPicture& picture, uint32_t sm, double ns);

// Where and, where that is known of the launch, when it ran.
Message block_message(const recording::Recording& recording, const PlacedBlock& block);

// Why there is no picture.
enum class Elsewhere : uint8_t { nowhere, above, behind_tiny }; // where launches of a GPU are
Message no_placement(const recording::Recording& recording, Elsewhere others);

} // namespace viz
