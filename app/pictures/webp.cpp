#include "app/pictures/webp.h"

#include "error.h"
#include "recording/disk.h"

#include <webp/encode.h>
#include <webp/mux.h>

#include <span>
#include <string>
#include <utility>

namespace app {

namespace {

[[noreturn]] void fail_webp(const char* why)
{
    throw kernels::Error(std::string("The WebP could not be made: ") + why + ".");
}

} // namespace

struct WebP::Encoder {
    WebPAnimEncoder* animation = nullptr;
    WebPConfig config;
    int now = 0; // milliseconds

    explicit Encoder(const Picture& first)
    {
        constexpr int effort = 2; // of 9; more is slower and hardly smaller
        if (WebPConfigInit(&config) == 0 || WebPConfigLosslessPreset(&config, effort) == 0)
            fail_webp("libwebp is of another version");
        WebPAnimEncoderOptions options;
        if (WebPAnimEncoderOptionsInit(&options) == 0)
            fail_webp("libwebpmux is of another version");
        animation = WebPAnimEncoderNew(static_cast<int>(first.width), static_cast<int>(first.height), &options);
        if (animation == nullptr)
            fail_webp("it is too large");
    }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    ~Encoder() { WebPAnimEncoderDelete(animation); }
};

WebP::WebP(std::filesystem::path file) : file_(std::move(file)) {}
WebP::~WebP() = default;

void WebP::add(const Picture& picture, int milliseconds)
{
    if (encoder_ == nullptr)
        encoder_ = std::make_unique<Encoder>(picture);
    WebPPicture frame;
    if (WebPPictureInit(&frame) == 0)
        fail_webp("libwebp is of another version");
    frame.use_argb = 1;
    frame.width = static_cast<int>(picture.width);
    frame.height = static_cast<int>(picture.height);
    const auto* bytes = reinterpret_cast<const uint8_t*>(picture.pixels.data());
    const bool added = WebPPictureImportRGBA(&frame, bytes, frame.width * 4) != 0 &&
                       WebPAnimEncoderAdd(encoder_->animation, &frame, encoder_->now, &encoder_->config) != 0;
    WebPPictureFree(&frame);
    if (!added)
        fail_webp(WebPAnimEncoderGetError(encoder_->animation));
    encoder_->now += milliseconds;
}

void WebP::finish()
{
    if (encoder_ == nullptr)
        fail_webp("it has no picture");
    WebPData data;
    WebPDataInit(&data);
    if (WebPAnimEncoderAdd(encoder_->animation, nullptr, encoder_->now, nullptr) == 0 ||
        WebPAnimEncoderAssemble(encoder_->animation, &data) == 0)
        fail_webp(WebPAnimEncoderGetError(encoder_->animation));
    const std::unique_ptr<WebPData, decltype(&WebPDataClear)> owned(&data, WebPDataClear);
    recording::write_atomically(file_, std::as_bytes(std::span(data.bytes, data.size)));
}

} // namespace app
