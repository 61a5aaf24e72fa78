#include "recording/measured.h"

namespace recording {

Provenance provenance_of(const Recording& recording, bool shipped)
{
    return {.how = How::recorded,
            .shipped = shipped,
            .device = recording.device.name,
            .date = recording.recorded_at.substr(0, 10),
            .problem = recording.problem};
}

} // namespace recording
