#include "app/workspace/state_file.h"

#include "app/data/config_folder.h"
#include "app/data/fields_json.h"
#include "app/text/command_words.h"

#include "error.h"
#include "recording/disk.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace app {

namespace {

using Json = nlohmann::json;

constexpr uint32_t version = 2;
constexpr std::size_t most_steps = 10000;
constexpr uint64_t largest_file = uint64_t{16} << 20;

// Content of the file, except its version and checksum.
struct StateInFile {
    std::string show, command;                        // `command` shows the same state for readers and is not parsed
    std::optional<std::string> packed, packed_second; // base64
};
void fields(auto& visit, kernels::Like<StateInFile> auto& state)
{
    visit("show", state.show);
    visit("command", state.command, kernels::may_be_missing);
    visit("packed", state.packed, kernels::unless_empty);
    visit("packed_second", state.packed_second, kernels::unless_empty);
}

// Reads version 1. Files from before 2026-11-27 have panels, lesson and quiz as separate members. They are now words of
// the patch.
Patch patch_of_version_1(const Json& json)
{
    const auto panels = json.find("panels");
    if (panels == json.end() || !panels->is_object())
        throw kernels::Error("it is damaged: it says nothing of the panels");
    std::vector<kernels::Word> words;
    for (const auto& [name, value] : panels->items()) {
        if (name == "source_of_second") { // from before columns had numbers
            if (value == true)
                words.push_back({"source_column", "1"});
        } else if (value.is_boolean()) {
            words.push_back({name, value.get<bool>() ? "" : "no"});
        } else if (const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
                   !text.empty()) {
            words.push_back({name, text});
        }
    }
    if (const auto lesson = json.find("lesson"); lesson != json.end()) {
        const std::size_t step = field_of<std::size_t>(*lesson, "step", kernels::between(std::size_t{0}, most_steps));
        words.push_back({"lesson", fmt::format("{}:{}", field_of<std::string>(*lesson, "slug"), step + 1)});
    }
    if (const auto quiz = field_of<std::optional<std::string>>(json, "quiz"))
        words.push_back({"quiz", *quiz});
    // The place comes last, so that its page overrides the page among the panels.
    return parse_patch(kernels::text_of(words) + " " + field_of<std::string>(json, "place"));
}

// Returns the checksum of all fields except "checksum".
uint32_t checksum_of(Json json)
{
    json.erase("checksum");
    return crc32(json.dump());
}

bool has_bytes(const std::filesystem::path& file, const std::string& bytes)
try {
    return recording::read_whole(file, largest_packed) == bytes;
} catch (const kernels::Error&) {
    return false; // too large or not readable
}

// Unpacks the file. The path contains a checksum of the content, so that an unpacked file is found again.
std::filesystem::path unpack(const std::filesystem::path& name, const std::string& bytes,
                             const std::filesystem::path& folder)
{
    if (folder.empty())
        throw kernels::Error("there is no folder to unpack its file into: set HOME or XDG_DATA_HOME");
    std::filesystem::path file = folder / fmt::format("{:08x}", crc32(bytes)) / name.filename();
    if (!has_bytes(file, bytes))
        write_whole(file, bytes);
    return file;
}

// Replaces the path of a patch's file by its path on this machine.
void find_file(std::filesystem::path& file, const std::optional<std::string>& packed,
               const std::filesystem::path& folder, const MayLook& may_look)
{
    const bool looks = !may_look || may_look(file);
    if (packed && !(looks && has_bytes(file, *packed)))
        file = unpack(file, *packed, folder);
    else if (!packed && !file.empty() && !(looks && std::filesystem::exists(file)))
        throw kernels::Error(fmt::format(
            "it shows {}, which is not here and was too large to be packed in: copy it there", file.string()));
}

std::optional<std::string> unpacked_text(const std::optional<std::string>& packed, const std::filesystem::path& file)
{
    if (!packed)
        return {};
    std::optional<std::string> bytes = from_base64(*packed);
    if (!bytes || file.filename().empty())
        throw kernels::Error("it is damaged: the file packed into it cannot be taken out");
    return bytes;
}

// Returns the content of a small file.
std::optional<std::string> pack(std::filesystem::path& file, bool packs)
{
    if (file.empty())
        return {};
    file = std::filesystem::absolute(file);
    // A file that was not packed is reported when the state is opened and the file is missing.
    std::error_code ignored;
    const uintmax_t size = std::filesystem::file_size(file, ignored);
    if (!packs || ignored || size > largest_packed)
        return {};
    return recording::read_whole(file, largest_packed);
}

} // namespace

std::string command_of(const SavedState& state)
{
    Patch patch = state.patch;
    patch.panels = {};       // panels are personal to the user who copies the command
    if (state.packed_second) // a command cannot name a packed file
        patch.columns[1].file.clear();
    return command_of(patch);
}

std::string name_of(const SavedState& state)
{
    std::string name;
    for (const Patch::Column& column : state.patch.columns) {
        const std::string shown = column.file.empty() ? column.stage : column.file.stem().string();
        name += shown.empty() ? "" : shown + "_";
    }
    return name + state.patch.view;
}

std::string to_text(const SavedState& state)
{
    StateInFile file{.show = text_of(state.patch), .command = command_of(state), .packed = {}, .packed_second = {}};
    if (state.packed)
        file.packed = to_base64(*state.packed);
    if (state.packed_second)
        file.packed_second = to_base64(*state.packed_second);
    Json json = to_named_json(file);
    json["gemmscope_state"] = version;
    json["checksum"] = checksum_of(json);
    return json.dump(1) + "\n";
}

SavedState from_text(std::string_view text)
{
    const Json json = parse_json(text);
    const auto written = field_of<std::optional<uint32_t>>(json, "gemmscope_state");
    if (!written)
        throw kernels::Error("it is no saved state of gemmscope");
    if (*written > version)
        throw kernels::Error("it was written by a newer gemmscope: open it with that one");
    if (field_of<uint32_t>(json, "checksum") != checksum_of(json))
        throw kernels::Error("it is damaged, or was changed by hand: take the line \"command\" from it instead");
    SavedState state{.patch =
                         *written == 1 ? patch_of_version_1(json) : parse_patch(field_of<std::string>(json, "show"))};
    state.packed = unpacked_text(field_of<std::optional<std::string>>(json, "packed"), state.patch.columns[0].file);
    state.packed_second =
        unpacked_text(field_of<std::optional<std::string>>(json, "packed_second"), state.patch.columns[1].file);
    return state;
}

void write_state(SavedState state, const std::filesystem::path& path, bool packs)
{
    state.packed = pack(state.patch.columns[0].file, packs);
    if (!state.packed_second) // otherwise it already holds the text of a file version, which has no file on disk
        state.packed_second = pack(state.patch.columns[1].file, packs);
    recording::write_atomically(path, to_text(state));
}

SavedState read_state(const std::filesystem::path& path, const std::filesystem::path& folder, const MayLook& may_look)
try {
    SavedState state = from_text(recording::read_whole(path, largest_file));
    find_file(state.patch.columns[0].file, state.packed, folder, may_look);
    find_file(state.patch.columns[1].file, state.packed_second, folder, may_look);
    return state;
} catch (const kernels::Error& error) {
    const std::string why = error.what();
    if (why.find(path.string()) != std::string::npos) // already a complete sentence
        throw;
    throw kernels::Error(fmt::format("{} cannot be opened: {}{}", path.string(), why, why.ends_with('.') ? "" : "."));
}

bool is_state_file(const std::filesystem::path& path)
{
    return path.extension() == ".gstate";
}

void remember(Settings& settings, const std::filesystem::path& opened)
{
    std::error_code ignored; // on an error the path stays relative
    const std::filesystem::path whole = std::filesystem::absolute(opened, ignored);
    const std::string name = ignored ? opened.string() : whole.lexically_normal().string();
    std::erase(settings.recent, name);
    settings.recent.insert(settings.recent.begin(), name);
    settings.recent.resize(std::min(settings.recent.size(), most_recent));
}

std::filesystem::path settings_path()
{
    const std::filesystem::path folder = config_folder();
    return folder.empty() ? folder : folder / "settings.json";
}

Settings load_settings(const std::filesystem::path& path)
try {
    Settings settings;
    const nlohmann::json json = read_json(path);
    if (!json.is_object())
        return settings;
    TolerantReader visit(json);
    fields(visit, settings);
    std::erase_if(settings.workers,
                  [](const NamedWorker& worker) { return worker.name.empty() || worker.command.empty(); });
    settings.workers.resize(std::min(settings.workers.size(), most_workers));
    settings.recent.resize(std::min(settings.recent.size(), most_recent));
    return settings;
} catch (const std::exception&) {
    return {};
}

std::string save_settings(const Settings& settings, const std::filesystem::path& path) noexcept
try {
    if (!path.empty())
        write_whole(path, to_named_json(settings).dump(4) + "\n");
    return "";
} catch (const std::exception& error) {
    return error.what();
}

} // namespace app
