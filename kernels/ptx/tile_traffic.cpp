#include "ptx/tile_traffic.h"

#include <fmt/format.h>

#include <set>

namespace ptx {

void TileTraffic::take(const traced::Step& step)
{
    const bool loads = step.op == recording::Op::tile_load;
    if (!loads && step.op != recording::Op::tile_store)
        return;
    const bool in_shared = step.space == recording::Space::shared;
    Traffic& traffic = in_shared ? shared_ : global_;
    ++(loads ? traffic.loads : traffic.stores);
    if (in_shared)
        return;
    constexpr uint64_t sector_bytes = 32;
    std::set<uint64_t> sectors;
    for (uint32_t row = 0; row < recording::warp_size; ++row)
        if ((step.mask >> row & 1) != 0)
            for (uint64_t sector = step.address[row] / sector_bytes;
                 sector <= (step.address[row] + step.width - 1) / sector_bytes; ++sector)
                sectors.insert(sector);
    traffic.sectors += sectors.size();
}

void TileTraffic::Traffic::add(const Traffic& other)
{
    loads += other.loads;
    stores += other.stores;
    sectors += other.sectors;
}

void TileTraffic::join(const TileTraffic& other)
{
    global_.add(other.global_);
    shared_.add(other.shared_);
}

void TileTraffic::write(std::vector<std::string>& notes) const
{
    if (global_.loads + global_.stores > 0)
        notes.push_back(fmt::format(
            "WMMA moves tiles of global memory by {} loads and {} stores of warps. PTX leaves open which lane takes "
            "which "
            "element, so that no request and no sector of theirs is counted; the rows of the tiles lie in {} sectors.",
            global_.loads, global_.stores, global_.sectors));
    if (shared_.loads + shared_.stores > 0)
        notes.push_back(
            fmt::format("WMMA moves tiles of shared memory by {} loads and {} stores of warps. PTX leaves open "
                        "which lane takes which element, so that no wavefront of theirs is counted.",
                        shared_.loads, shared_.stores));
}

} // namespace ptx
