#include "app/panels/header/host_code.h"

#include "app/panels/widgets.h"

#include "viz/draw/prose.h"
#include "viz/text/templates.h"

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
        const viz::Message from = asked->unpacked
                                      ? viz::Message{"host_code.from_state"}
                                      : viz::Message{"host_code.from_folder", {{"folder", folder.string()}}};
        viz::Prose(theme)
            .write({"host_code.question", {{"file", name}, {"from", from}, {"line", viz::index(asked->line)}}})
            .draw(ImGui::GetContentRegionAvail().x);
    } else {
        viz::Prose(theme).write({"host_code.only_kernel", {{"file", name}}}).draw(ImGui::GetContentRegionAvail().x);
    }
    if (button(state, "Run the program (Y)", "host code:run"))
        session.run_host_code();
    hint(state, {"host_code.run"});
    if (asked->unanswered) {
        ImGui::SameLine();
        if (button(state, "Only the kernel (J)", "host code:kernel"))
            session.run_only_kernel();
        hint(state, {"host_code.kernel"});
    }
    ImGui::Dummy({0, theme.px(4)});
}

} // namespace app
