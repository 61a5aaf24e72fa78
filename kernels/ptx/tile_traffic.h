// What WMMA's loads and stores move. PTX leaves open which lane takes which element of a tile, so their requests, sectors and
// wavefronts are not known, and no total counts them.
#pragma once

#include "traced/builder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ptx {

class TileTraffic {
public:
    void take(const traced::Step& step);
    void join(const TileTraffic& other);

    // A sentence for global memory and one for shared memory, where there was any.
    void write(std::vector<std::string>& notes) const;

private:
    struct Traffic {
        uint64_t loads = 0, stores = 0; // instructions of warps
        uint64_t sectors = 0;           // in which the rows of their tiles lie
        void add(const Traffic& other);
    };
    Traffic global_, shared_;
};

} // namespace ptx
