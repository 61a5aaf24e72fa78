#include "app/serve/font_shelf.h"

#include "app/platform/gui.h"

#include <imgui.h>

namespace app {

std::shared_ptr<const ShelvedFonts> FontShelf::use(viz::Theme& theme)
{
    std::erase_if(by_scale_, [](const auto& one) { return one.second.expired(); });
    std::shared_ptr<const ShelvedFonts> shelved = by_scale_[theme.scale].lock();
    if (shelved == nullptr) {
        auto made = std::make_shared<ShelvedFonts>();
        made->atlas = std::make_shared<ImFontAtlas>();
        ImGui::GetIO().Fonts = made->atlas.get();
        load_typefaces(theme);
        made->atlas->SetTexID(made->atlas.get()); // an ID that no OpenGL texture has
        made->theme = theme;
        by_scale_[theme.scale] = shelved = made;
    }
    ImGui::GetIO().Fonts = shelved->atlas.get();
    theme.text = shelved->theme.text;
    theme.heading = shelved->theme.heading;
    theme.mono = shelved->theme.mono;
    theme.mono_bold = shelved->theme.mono_bold;
    apply_style(theme);
    return shelved;
}

} // namespace app
