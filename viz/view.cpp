#include "viz/view.h"

namespace viz {

std::string_view name(ViewGroup group)
{
    switch (group) {
    case ViewGroup::who: return "Who";
    case ViewGroup::flow: return "Flow";
    case ViewGroup::memory: return "Memory";
    case ViewGroup::inside: return "Inside";
    case ViewGroup::speed: return "Speed";
    }
    return "";
}

} // namespace viz
