#include "app/cli/own_stages.h"

#include "app/catalogue/config_folder.h"
#include "app/cli/tell.h"

#include "error.h"
#include "own/copy.h"
#include "own/own_stage.h"

#include <fmt/format.h>

namespace app {

std::vector<kernels::Stage> ladder_with_own()
{
    std::vector<std::string> problems;
    std::vector<kernels::Stage> ladder = kernels::ladder_with_own(own_stages_folder(), problems);
    for (const std::string& problem : problems)
        tell("gemmscope: {}\n", problem);
    return ladder;
}

std::optional<std::filesystem::path> own_stage_file(const std::string& name)
{
    for (const std::filesystem::path& file : kernels::own_stage_files(own_stages_folder()))
        if (file.stem() == name)
            return file;
    return std::nullopt;
}

int make_new_stage(const std::string& name, const std::string& from)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const kernels::Stage& base = kernels::find_stage(ladder, from);
    if (const std::string why = kernels::why_no_name(ladder, name); !why.empty())
        throw kernels::Error(why);
    const std::filesystem::path folder = own_stages_folder(), file = folder / (name + ".cu");
    if (folder.empty())
        throw kernels::Error("There is no folder for stages of your own: set HOME or GEMMSCOPE_STAGES.");
    if (std::filesystem::exists(file))
        throw kernels::Error(fmt::format("There is a file {} already; give another name.", file.string()));
    write_kept(file, kernels::copied_stage(base, name));
    fmt::print("{}\n\nA copy of {}; change it, then:\n  gemmscope verify {}\n  gemmscope --stage {}    # the window, "
               "which runs "
               "it again at every save\n",
               file.string(), from, name, name);
    return 0;
}

} // namespace app
