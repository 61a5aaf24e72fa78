// An animated WebP, without loss, that repeats for ever.
#pragma once

#include "app/pictures/animation.h"

namespace app {

class WebP final : public Animation {
public:
    explicit WebP(std::filesystem::path file);
    ~WebP() override;
    void add(const Picture& picture, int milliseconds) override;
    void finish() override;

private:
    struct Encoder;
    std::filesystem::path file_;
    std::unique_ptr<Encoder> encoder_;
};

} // namespace app
