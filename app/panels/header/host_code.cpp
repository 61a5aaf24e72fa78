#include "app/panels/panels.h"

#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace app {

void draw_host_code_question(const Snapshot& snapshot, Session& session, State& state)
{
    const auto& asked = snapshot.question;
    if (!asked)
        return;
    const viz::Theme& theme = state.theme;
    const std::string name = asked->file.filename().string();
    if (asked->unanswered) {
        std::error_code ignored; // a relative path has no folder in words
        const std::filesystem::path folder = std::filesystem::absolute(asked->file, ignored).parent_path();
        text_wrapped(
            theme.ink_quiet,
            fmt::format("{}, {}, has host code: from line {} on at the right, and all else outside its kernels. It "
                        "would run here as a program with your rights. Its kernel alone runs in a sandbox: the PTX "
                        "machine, or the GPU.",
                        name, asked->unpacked ? "which a saved state brought along" : "from " + folder.string(),
                        asked->line));
    } else {
        text_wrapped(theme.ink_quiet, fmt::format("Only the kernel of {} runs.", name));
    }
    if (button(state, "Run the program (Y)", "host code:run"))
        session.run_host_code();
    hint(state, "Compile and run the file's host code, now and whenever its text is the same.");
    if (asked->unanswered) {
        ImGui::SameLine();
        if (button(state, "Only the kernel (J)", "host code:kernel"))
            session.run_only_kernel();
        hint(state, "Run the kernel alone, where the file is a copy of a rung whose description was not changed. Ask "
                    "again later.");
    }
    ImGui::Dummy({0, theme.px(4)});
}

} // namespace app
