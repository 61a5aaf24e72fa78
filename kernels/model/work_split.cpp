#include "model/work_split.h"

#include "device/raster.h"
#include "device/shares.h"

namespace model {

std::vector<WorkShare> work_split(uint32_t tiles, uint32_t k_tiles, uint32_t wave)
{
    const Shares shares(static_cast<int>(tiles), static_cast<int>(k_tiles), static_cast<int>(wave));
    std::vector<WorkShare> all;
    for (int block = 0; block < shares.blocks(); ++block)
        for (int part = 0; part < 2; ++part)
            if (const Share share = shares.part(block, part); share.phases > 0)
                all.push_back({static_cast<uint32_t>(block), static_cast<uint32_t>(share.tile),
                               static_cast<uint32_t>(share.first), static_cast<uint32_t>(share.phases)});
    return all;
}

TilePlace tile_place(uint32_t number, uint32_t rows, uint32_t cols, uint32_t group)
{
    const Place place = place_of_tile(static_cast<int>(number), static_cast<int>(rows), static_cast<int>(cols), 1, 1,
                                      static_cast<int>(group));
    return {static_cast<uint32_t>(place.row), static_cast<uint32_t>(place.col)};
}

} // namespace model
