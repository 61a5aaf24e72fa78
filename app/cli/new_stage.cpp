#include "app/catalogue/config_folder.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/own_stages.h"
#include "app/shell/opening.h"
#include "app/text/tell.h"

#include "error.h"
#include "own/copy.h"
#include "own/own_stage.h"
#include "own/samples.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace app {

std::vector<kernels::Stage> ladder_with_own()
{
    std::vector<std::string> problems;
    std::vector<kernels::Stage> ladder = kernels::ladder_with_own(own_stages_folder(), problems);
    for (const std::string& problem : problems)
        tell("gemmscope: {}\n", problem);
    return ladder;
}

bool is_own_stage(const std::string& name)
{
    const std::vector<std::filesystem::path> files = kernels::own_stage_files(own_stages_folder());
    return std::ranges::any_of(files, [&](const auto& file) { return file.stem() == name; });
}

void take_own_stage(std::string& stage, std::filesystem::path& file)
{
    for (const std::filesystem::path& one : kernels::own_stage_files(own_stages_folder()))
        if (one.stem() == stage) {
            file = one;
            stage = Patch().stage();
            return;
        }
}

namespace {

struct NewOptions {
    std::string name, from;
};

int make_new_stage(const NewOptions& options)
{
    const auto& [name, from] = options;
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const auto sample = std::ranges::find(kernels::samples(), from, &kernels::Sample::name);
    const bool is_sample = sample != kernels::samples().end();
    if (const std::string why = kernels::why_no_name(ladder, name); !why.empty())
        throw kernels::Error(why);
    const std::filesystem::path folder = own_stages_folder(), file = folder / (name + ".cu");
    if (folder.empty())
        throw kernels::Error("There is no folder for stages of your own: set HOME or GEMMSCOPE_STAGES.");
    if (std::filesystem::exists(file))
        throw kernels::Error(fmt::format("There is a file {} already; give another name.", file.string()));
    if (is_sample) {
        write_kept(file, sample->text);
        write_out("{0}\n\n{1}; change it, then:\n  gemmscope trace {0} -o x.gscope\n  gemmscope open {0}    # the "
                  "window, which runs it again at every save\n",
                  file.string(), sample->title);
        return 0;
    }
    const kernels::Stage& base = kernels::find_stage(ladder, from);
    write_kept(file, kernels::copied_stage(base, name));
    write_out("{}\n\nA copy of {}; change it, then:\n  gemmscope verify {}\n  gemmscope --stage {}    # the window, "
              "which runs "
              "it again at every save\n",
              file.string(), from, name, name);
    return 0;
}

} // namespace

void add_new_command(CLI::App& program, int& status)
{
    const auto [command, options] = add_command<NewOptions>(
        program, status, "new", "make a stage of your own: a file, a copy of one of the ladder's", make_new_stage);
    command->add_option("name", options->name, "of the stage: small letters, digits, underscores")->required();
    command
        ->add_option("--from", options->from,
                     "the stage to begin with, or a plain kernel: transpose, reduction, product")
        ->default_val("shared_tile");
}

} // namespace app
