#include "own/own_stage.h"

#include "error.h"
#include "own/description.h"
#include "recording/disk.h"
#include "traced/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace kernels {

namespace {

namespace fs = std::filesystem;

void require_consistent(const Stage& stage, const std::string& name)
{
    if (stage.slug != name)
        throw Error(fmt::format("{0}.cu describes a stage '{1}'; .slug must be \"{0}\", as the file is called.", name,
                                stage.slug));
    if (const std::string why = stage.refusal(stage.standard_parameters()); !why.empty())
        throw Error(
            fmt::format("{}.cu refuses its own standard parameters, the first of its variants: {}.", name, why));
}

// Rejects names with unusual characters: the name becomes part of the compiled text, and could otherwise inject code.
void require_name(const std::string& name)
{
    const bool begins = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
    if (!begins || !std::ranges::all_of(name, traced::is_word))
        throw Error(
            fmt::format("A stage is called as its file, and '{}' is no name in C++: rename the file to letters, "
                        "digits and underscores, such as my_tile.cu.",
                        name));
}

} // namespace

bool is_stage_file(std::string_view text)
{
    return text.find("StageInfo<") != std::string_view::npos;
}

Stage load_own_stage(const std::string& name, const std::string& text)
{
    require_name(name);
    Stage stage = own::described_stage(name, text);
    require_consistent(stage, name);
    return stage;
}

std::vector<fs::path> own_stage_files(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->path().extension() == ".cu" && at->path().filename().string().front() != '.')
            files.push_back(at->path());
    std::ranges::sort(files);
    return files;
}

std::vector<Stage> ladder_with_own(const fs::path& folder, std::vector<std::string>& problems)
{
    std::vector<Stage> ladder = make_ladder();
    for (const fs::path& file : own_stage_files(folder)) {
        const std::string name = file.stem().string();
        try {
            const std::string text = recording::read_whole(file, recording::largest_source);
            if (!is_stage_file(text)) // another kernel, which is traced instead
                continue;
            if (std::ranges::find(ladder, name, &Stage::slug) != ladder.end())
                throw Error(fmt::format("The ladder has a stage {} already; give the file another name.", name));
            ladder.push_back(load_own_stage(name, text));
        } catch (const Error& error) {
            problems.push_back(fmt::format("{} is left out. {}", file.string(), error.what()));
        }
    }
    return ladder;
}

} // namespace kernels
