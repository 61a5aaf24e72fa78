#include "app/learn/saved_state.h"

#include "app/catalogue/config_folder.h"
#include "app/catalogue/crc32.h"
#include "app/catalogue/fields_json.h"
#include "app/learn/words.h"
#include "app/text/base64.h"

#include "error.h"
#include "recording/disk.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

namespace app {

namespace {

using Json = nlohmann::json;

constexpr uint32_t version = 1;
constexpr uint64_t largest_file = uint64_t{16} << 20;
constexpr std::size_t most_steps = 10000;

struct LessonInFile {
    std::string slug;
    std::size_t step = 0;
};
void fields(auto& visit, kernels::Like<LessonInFile> auto& lesson)
{
    visit("slug", lesson.slug);
    visit("step", lesson.step, kernels::between(std::size_t{0}, most_steps));
}

// As the file has it, but for its version and its checksum.
struct StateInFile {
    std::string place, command; // the command shows the same and is not read back
    Panels panels;
    std::optional<LessonInFile> lesson;
    std::optional<std::string> quiz, packed, packed_second; // packed: base 64
};
void fields(auto& visit, kernels::Like<StateInFile> auto& state)
{
    using kernels::unless_empty;
    visit("place", state.place);
    visit("command", state.command, kernels::may_be_missing);
    visit("panels", state.panels);
    visit("lesson", state.lesson, unless_empty);
    visit("quiz", state.quiz, unless_empty);
    visit("packed", state.packed, unless_empty);
    visit("packed_second", state.packed_second, unless_empty);
}

// Of all fields but itself.
uint32_t checksum_of(Json json)
{
    json.erase("checksum");
    return crc32(json.dump());
}

bool has_bytes(const std::filesystem::path& file, const std::string& bytes)
try {
    return recording::read_whole(file, largest_packed) == bytes;
} catch (const kernels::Error&) {
    return false; // larger, or not to be read
}

// The name tells the content: what was unpacked once is found again.
std::filesystem::path unpack(const std::filesystem::path& name, const std::string& bytes,
                             const std::filesystem::path& folder)
{
    if (folder.empty())
        throw kernels::Error("there is no folder to unpack its file into: set HOME or XDG_DATA_HOME");
    std::filesystem::path file = folder / fmt::format("{:08x}", crc32(bytes)) / name.filename();
    if (!has_bytes(file, bytes))
        write_kept(file, bytes);
    return file;
}

// Where it is on this machine, for a file of the place.
void find_file(std::filesystem::path& file, const std::optional<std::string>& packed,
               const std::filesystem::path& folder)
{
    if (packed && !has_bytes(file, *packed))
        file = unpack(file, *packed, folder);
    else if (!file.empty() && !std::filesystem::exists(file))
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

// With the bytes of a small one.
std::optional<std::string> pack(std::filesystem::path& file, bool packs)
{
    if (file.empty())
        return {};
    file = std::filesystem::absolute(file);
    std::error_code ignored; // what cannot be packed is told where it is opened and missing
    const uintmax_t size = std::filesystem::file_size(file, ignored);
    if (!packs || ignored || size > largest_packed)
        return {};
    return recording::read_whole(file, largest_packed);
}

} // namespace

std::string command_of(const SavedState& state)
{
    std::string options;
    const auto add = [&](const std::string& option) { options += (options.empty() ? "" : " ") + option; };
    if (!state.lesson.empty())
        add(fmt::format("--lesson {}:{}", state.lesson, state.lesson_step + 1));
    if (state.quiz)
        add("--lesson " + for_shell("quiz " + text_of(*state.quiz)));
    if (!state.panels.code.empty())
        add("--code " + state.panels.code);
    Place place = state.place;
    if (state.packed_second) // no command can name it
        place.second_file.clear();
    return command_of(place, options);
}

std::string name_of(const SavedState& state)
{
    const Place& place = state.place;
    const std::string first = place.file.empty() ? place.stage : place.file.stem().string();
    const std::string compared = place.second_file.empty() ? place.compare : place.second_file.stem().string();
    const std::string second = compared.empty() ? "" : "_" + compared;
    const std::string third = place.third.empty() ? "" : "_" + place.third;
    return first + second + third + "_" + place.view;
}

std::string to_text(const SavedState& state)
{
    StateInFile file{.place = text_of(state.place), .command = command_of(state), .panels = state.panels};
    if (!state.lesson.empty())
        file.lesson = {state.lesson, state.lesson_step};
    if (state.quiz)
        file.quiz = text_of(*state.quiz);
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
    SavedState state;
    const auto file = from_named_json<StateInFile>(json);
    state.place = parse_place(file.place);
    state.panels = file.panels;
    if (std::exchange(state.panels.source_of_second, false))
        state.panels.source_column = 1;
    if (file.lesson) {
        state.lesson = file.lesson->slug;
        state.lesson_step = file.lesson->step;
    }
    if (file.quiz)
        state.quiz = parse_quiz_place(*file.quiz);
    state.packed = unpacked_text(file.packed, state.place.file);
    state.packed_second = unpacked_text(file.packed_second, state.place.second_file);
    return state;
}

void write_state(SavedState state, const std::filesystem::path& path, bool packs)
{
    state.packed = pack(state.place.file, packs);
    if (!state.packed_second) // a version of the file that lies nowhere
        state.packed_second = pack(state.place.second_file, packs);
    recording::write_atomically(path, to_text(state));
}

SavedState read_state(const std::filesystem::path& path, const std::filesystem::path& folder)
try {
    SavedState state = from_text(recording::read_whole(path, largest_file));
    find_file(state.place.file, state.packed, folder);
    find_file(state.place.second_file, state.packed_second, folder);
    return state;
} catch (const kernels::Error& error) {
    const std::string why = error.what();
    if (why.find(path.string()) != std::string::npos) // a sentence of its own
        throw;
    throw kernels::Error(fmt::format("{} cannot be opened: {}{}", path.string(), why, why.ends_with('.') ? "" : "."));
}

bool is_state_file(const std::filesystem::path& path)
{
    return path.extension() == ".gstate";
}

} // namespace app
