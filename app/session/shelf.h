// Facts of the shipped recordings of every stage, for views that show the whole ladder: read once, beside the window.
#pragma once

#include "app/session/recorder.h"

#include "stage.h"

#include "viz/analysis/roofline.h"

#include <filesystem>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <vector>

namespace app {

// Of one stage, with the parameters that its recordings were made with.
struct ShelfEntry {
    std::string slug;
    std::vector<recording::Parameter> parameters;
    std::optional<viz::Traffic> traffic; // of the larger launch, where there is one
    std::string traffic_origin;
    std::optional<viz::ReuseTile> tile;
    std::optional<recording::Resources> resources;
    RecordingPtr tall;   // SLUG-tall.gscope there: few tiles of C and a long K
    RecordingPtr launch; // SLUG.gscope in the folder `launches`: many blocks, none in full
};

// What cannot be read is left out: showing it says so.
std::vector<ShelfEntry> read_shelf(const std::filesystem::path& folder, const std::vector<std::string>& slugs,
                                   std::stop_token stop);

// "counted at 2048³ on NVIDIA H200, 2026-11-21, shipped with gemmscope"
std::string counted_words(const recording::Recording& recording, kernels::Operation operation, bool shipped);

class Shelf {
public:
    // `wake` is called, on another thread, when the entries are there.
    Shelf(std::filesystem::path folder, std::vector<std::string> slugs, std::function<void()> wake);

    bool poll(); // true once: they have come
    // None until then, and where nothing with these parameters is shipped.
    const ShelfEntry* find(std::string_view slug, const std::vector<recording::Parameter>& parameters) const;
    bool settled() const { return !reading_.valid(); }

private:
    std::vector<ShelfEntry> entries_;
    std::promise<std::vector<ShelfEntry>> read_;
    std::future<std::vector<ShelfEntry>> reading_;
    std::jthread thread_;
};

} // namespace app
