// Texts about the provenance of a figure, and about the reason why it is missing (facts from recording/measured.h).
#pragma once

#include "viz/text/message.h"

#include "recording/measured.h"

#include <string>

namespace viz {

using recording::How;
using recording::Measured;
using recording::Missing;
using recording::Provenance;
using recording::Reason;
using recording::Reasons;

// Returns "NVIDIA H200", or "NVIDIA H200, 2026-11-21".
std::string device_and_date(const Provenance& from);

// Returns "measured here on NVIDIA H200 at 4096³, median of 12".
Rich how_had(const Provenance& from);

// Returns the origin mark for a provenance.
NumberOrigin origin_of(const Provenance& from);

Rich in_short(const Reason& reason);      // "no GPU here"
Rich in_a_sentence(const Reason& reason); // "There is no NVIDIA driver: ..."
Rich in_sentences(const Reasons& reasons);

} // namespace viz
