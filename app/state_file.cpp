#include "app/state_file.h"

#include "app/position.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace app {

namespace {

constexpr std::size_t most_cells = 64;

nlohmann::json rectangle(ImVec2 min, ImVec2 max)
{
    const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
    return {min.x * scale.x, min.y * scale.y, (max.x - min.x) * scale.x, (max.y - min.y) * scale.y};
}

} // namespace

std::unique_ptr<StateFile> StateFile::from_environment()
{
    const char* path = std::getenv("GEMMSCOPE_WINDOW_STATE");
    return path == nullptr || *path == '\0' ? nullptr : std::make_unique<StateFile>(path);
}

void StateFile::frame_begins(Shell& shell)
{
    marks_ = {};
    shell.state().marks = &marks_;
}

nlohmann::json StateFile::describe(Shell& shell, const WindowSize& pixels) const
{
    const State& state = shell.state();
    const viz::Subject* second = shell.session().second();
    nlohmann::json result = {
        {"settled", shell.settled()},
        {"width", pixels.width},
        {"height", pixels.height},
        {"scale", state.theme.scale},
        {"theme", state.theme.dark ? "dark" : "light"},
        {"stage", shell.session().first().slug},
        {"compare", second == nullptr ? std::string() : second->slug},
        {"view", state.views[state.view]->name()},
        {"step", state.selection.step},
        {"line", state.selection.line.value_or(0)},
        {"code", static_cast<int>(state.code)},
        {"steps", state.first.steps()},
        {"playing", state.playback.playing()},
        {"help", state.help},
        {"hint", state.hint},
        {"origin", origin_text(shell.session(), state)},
        {"status", shell.session().first().recording == nullptr ? shell.session().first().status : std::string()},
        {"widgets", nlohmann::json::object()},
        {"cells", nlohmann::json::array()},
    };
    for (const viz::Marks::Widget& widget : marks_.widgets)
        result["widgets"][widget.name] = rectangle(widget.min, widget.max);
    for (const viz::Marks::Cell& cell : marks_.cells) {
        if (result["cells"].size() == most_cells)
            break;
        result["cells"].push_back({{"line", cell.line},
                                   {"step", cell.step},
                                   {"value", cell.value},
                                   {"share", cell.share},
                                   {"rect", rectangle(cell.min, cell.max)}});
    }
    return result;
}

double StateFile::median_milliseconds() const
{
    std::array<double, std::tuple_size_v<decltype(milliseconds_)>> sorted = milliseconds_;
    const std::size_t count = std::min(frames_, sorted.size());
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(sorted.begin(), middle, sorted.begin() + static_cast<std::ptrdiff_t>(count));
    return *middle;
}

void StateFile::frame_shown(Shell& shell, const WindowSize& pixels, double milliseconds)
{
    milliseconds_[frames_ % milliseconds_.size()] = milliseconds;
    ++frames_;
    nlohmann::json state = describe(shell, pixels);
    shell.state().marks = nullptr;
    if (state == written_)
        return;
    written_ = state;
    state["frame"] = frames_;
    state["frame_ms"] = median_milliseconds();
    // Beside the file first: who reads it finds it whole, old or new.
    const std::filesystem::path beside = path_.string() + ".tmp";
    std::ofstream(beside) << state;
    std::error_code ignored; // a state that cannot be written is the reader's to miss
    std::filesystem::rename(beside, path_, ignored);
}

} // namespace app
