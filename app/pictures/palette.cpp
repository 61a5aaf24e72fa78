#include "app/pictures/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace app {

namespace {

constexpr uint32_t rgb = 0x00ffffff;

double channel(uint32_t colour, std::size_t index)
{
    return static_cast<double>(colour >> (8 * index) & 0xff);
}

struct Counted {
    uint32_t colour = 0;
    double weight = 0; // grows more slowly than the count, so that small colored areas count too
    uint64_t count = 0;
};

// A set of colors that will share one palette color.
struct Box {
    std::span<Counted> colours;
    std::array<double, 3> mean{}, spread{}; // spread: weight times variance

    explicit Box(std::span<Counted> some) : colours(some)
    {
        double weight = 0;
        for (const Counted& one : colours) {
            weight += one.weight;
            for (std::size_t i = 0; i < 3; ++i)
                mean[i] += one.weight * channel(one.colour, i);
        }
        for (double& value : mean)
            value /= weight;
        for (const Counted& one : colours)
            for (std::size_t i = 0; i < 3; ++i)
                spread[i] += one.weight * std::pow(channel(one.colour, i) - mean[i], 2);
    }

    std::size_t widest() const { return static_cast<std::size_t>(std::ranges::max_element(spread) - spread.begin()); }

    uint32_t colour() const
    {
        const Counted& first = *std::ranges::max_element(colours, {}, &Counted::count);
        uint64_t all = 0;
        for (const Counted& one : colours)
            all += one.count;
        if (first.count * 2 >= all)
            return first.colour;
        uint32_t result = 0;
        for (std::size_t i = 0; i < 3; ++i)
            result |= static_cast<uint32_t>(std::lround(mean[i])) << (8 * i);
        return result;
    }
};

} // namespace

void ColourCounts::add(const Picture& picture)
{
    // Counts runs, because large parts of a picture have one color.
    for (std::size_t i = 0; i < picture.pixels.size();) {
        const uint32_t colour = picture.pixels[i] & rgb;
        const std::size_t begin = i;
        while (i < picture.pixels.size() && (picture.pixels[i] & rgb) == colour)
            ++i;
        counts_[colour] += i - begin;
    }
}

std::vector<uint32_t> ColourCounts::palette(std::size_t most) const
{
    std::vector<Counted> colours;
    for (const auto& [colour, count] : counts_)
        colours.push_back({colour, std::sqrt(static_cast<double>(count)), count});
    if (colours.empty())
        return {0};
    std::ranges::sort(colours, {}, &Counted::colour); // makes the palette the same in each run
    std::vector<Box> boxes{Box(colours)};
    while (boxes.size() < most) {
        const auto next = std::ranges::max_element(boxes, {}, [](const Box& box) { return box.spread[box.widest()]; });
        const std::size_t axis = next->widest();
        if (next->spread[axis] <= 0)
            break;
        const double at = next->mean[axis];
        const std::span<Counted> all = next->colours;
        const auto middle = std::stable_partition(all.begin(), all.end(),
                                                  [&](const Counted& one) { return channel(one.colour, axis) <= at; });
        *next = Box({all.begin(), middle});
        boxes.push_back(Box({middle, all.end()}));
    }
    std::vector<uint32_t> result;
    for (const Box& box : boxes)
        result.push_back(box.colour());
    return result;
}

std::size_t NearestColour::find(uint32_t colour)
{
    const auto [found, is_new] = known_.try_emplace(colour & rgb, 0);
    if (is_new) {
        const auto away = [&](uint32_t other) {
            double sum = 0;
            for (std::size_t i = 0; i < 3; ++i)
                sum += std::pow(channel(other, i) - channel(colour, i), 2);
            return sum;
        };
        found->second = static_cast<std::size_t>(std::ranges::min_element(palette_, {}, away) - palette_.begin());
    }
    return found->second;
}

} // namespace app
