// Randomly changes what 'gemmscope serve' receives: messages of a page that contain locations, uploads, and HTTP
// requests. Each must be accepted, or refused with a sentence. A request without the token must get neither the page
// nor the socket. Nothing may crash or access memory out of bounds (preset `sanitizers`).
//
//   fuzz_messages [--messages 1000000] [--seed 1]
#include "app/serve/access.h"
#include "app/serve/protocol.h"
#include "app/workspace/patch.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <random>
#include <string>
#include <string_view>
#include <variant>

namespace {

using namespace app;

const std::string token = "0123456789abcdef0123456789abcdef";

const std::array messages = {
    R"({"kind":"hello","width":1600,"height":1000,"density":2,"light":true,"place":"stage=swizzled compare=vectorized view=banks step=12"})",
    R"({"kind":"go","place":"stage=naive view=flow lane=3 warp=1 time=2.5 parameter=BM:64 size=96x80x64 lesson=banks:2"})",
    R"({"kind":"size","width":412,"height":915,"density":2.625})",
    R"({"kind":"move","x":-3.5,"y":17})",
    R"({"kind":"button","x":1,"y":2,"button":1,"down":true,"shift":true})",
    R"({"kind":"wheel","x":0,"y":-1.5,"control":true})",
    R"({"kind":"key","key":"ArrowLeft","down":true,"repeated":true,"alt":true})",
    R"({"kind":"paste","text":"naive"})",
    R"({"kind":"shown","number":12})",
};
const std::array targets = {
    "/", "/?token=", "/socket", "/user/x/proxy/8017/socket?token=a&token=", "/frames.js", "/../access.cpp"};

class Changer {
public:
    explicit Changer(uint64_t seed) : random_(seed) {}

    std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_); }

    std::string changed(std::string text)
    {
        for (std::size_t changes = below(5); changes > 0; --changes) {
            text += text.empty() ? " " : "";
            const std::size_t at = below(text.size());
            switch (below(4)) {
            case 0: text[at] = static_cast<char>(below(256)); break;
            case 1: text.insert(at, text.substr(below(text.size()), below(20))); break;
            case 2: text.insert(at, std::to_string(random_() >> below(64))); break;
            default: text.erase(at, 1 + below(5)); break;
            }
        }
        return text;
    }

private:
    std::mt19937_64 random_;
};

void take(const Input& input)
{
    if (const auto* hello = std::get_if<Hello>(&input))
        parse_patch(hello->place);
    else if (const auto* where = std::get_if<GoTo>(&input))
        parse_patch(where->place);
    else if (const auto* upload = std::get_if<Upload>(&input);
             upload != nullptr &&
             (upload->name.empty() || upload->name[0] == '.' || upload->name.find('/') < upload->name.size()))
        throw std::logic_error("An upload is named " + upload->name + ".");
}

void request(Changer& changer)
{
    const Access access{.token = token, .base = changer.below(2) == 0 ? "/" : "/user/x/proxy/8017/"};
    PageRequest request{.method = changer.below(8) == 0 ? changer.changed("GET") : "GET",
                        .target = changer.changed(targets[changer.below(targets.size())]),
                        .host = changer.changed("127.0.0.1:8017"),
                        .origin = changer.changed("http://127.0.0.1:8017"),
                        .cookie = changer.changed("other=1; gemmscope_8017="),
                        .wants_socket = changer.below(2) == 0};
    const PageAnswer answer = access.answer(request);
    if (answer.opens_socket || answer.body.find("<canvas") < answer.body.size())
        throw std::logic_error("A request without the token got in: " + request.target + ", " + request.cookie);
    for (const auto& [name, value] : answer.headers)
        if (value.find_first_of("\r\n") < value.size())
            throw std::logic_error("A header has a line's end: " + value);
}

struct Options {
    uint64_t messages = 1'000'000, seed = 1;
};

Options chosen(int argc, char** argv)
{
    Options options;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view name = argv[i], value = argv[i + 1];
        if (name != "--messages" && name != "--seed")
            throw kernels::Error(fmt::format("There is no option {}; see the top of fuzz_messages.cpp.", name));
        std::from_chars(value.data(), value.data() + value.size(), name == "--seed" ? options.seed : options.messages);
    }
    return options;
}

} // namespace

int main(int argc, char** argv)
try {
    const Options options = chosen(argc, argv);
    Changer changer(options.seed);
    uint64_t refused = 0;
    for (uint64_t i = 0; i < options.messages; ++i) {
        try {
            switch (i % 4) {
            case 0: request(changer); break;
            case 1: take(parse_upload(changer.changed(std::string("\x0a") + "race.gstate" + "content"))); break;
            default: take(parse_message(changer.changed(messages[changer.below(messages.size())]))); break;
            }
        } catch (const kernels::Error&) {
            ++refused;
        }
    }
    fmt::print("{} messages, {} refused\n", options.messages, refused);
    return 0;
} catch (const std::exception& error) {
    fmt::print(stderr, "fuzz_messages: {}\n", error.what());
    return 1;
}
