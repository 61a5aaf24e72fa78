#include "app/pictures/packed_words.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace app {

namespace {

// Reads what assets/player/player.js reads.
class WordsReader {
public:
    explicit WordsReader(const std::string& bytes) : bytes_(bytes) {}

    std::vector<std::string> texts()
    {
        std::vector<std::string> all;
        for (uint64_t forms = number(); forms > 0; --forms) {
            std::vector<std::string> parts(number());
            for (std::string& part : parts) {
                part = bytes_.substr(at_ + 1, static_cast<unsigned char>(bytes_[at_])); // all are short here
                at_ += 1 + part.size();
            }
            std::vector<uint64_t> digits(parts.size() - 1);
            for (uint64_t& one : digits)
                one = number();
            std::vector<std::string> texts_of_form(number(), parts.front());
            for (std::size_t i = 0; i < digits.size(); ++i)
                add_column(texts_of_form, digits[i], parts[i + 1]);
            all.insert(all.end(), texts_of_form.begin(), texts_of_form.end());
        }
        EXPECT_EQ(at_, bytes_.size());
        return all;
    }

private:
    void add_column(std::vector<std::string>& texts_of_form, uint64_t digits, const std::string& part)
    {
        const bool plain = number() == 1;
        int64_t before = 0;
        for (std::string& text : texts_of_form) {
            const uint64_t sent = number();
            int64_t value = static_cast<int64_t>(sent >> 1) ^ -static_cast<int64_t>(sent & 1);
            value += plain ? 0 : before;
            before = value;
            std::string shown = std::to_string(value < 0 ? -value : value);
            while (shown.size() < digits + 1)
                shown.insert(0, "0");
            if (digits > 0)
                shown.insert(shown.size() - digits, ".");
            text += (value < 0 ? "-" : "") + shown + part;
        }
    }
    uint64_t number()
    {
        uint64_t value = 0;
        for (int shift = 0;; shift += 7) {
            const auto byte = static_cast<unsigned char>(bytes_.at(at_++));
            value |= static_cast<uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80)
                return value;
        }
    }

    const std::string& bytes_;
    std::size_t at_ = 0;
};

TEST(PackedWordsTest, EachTextIsReadAsItWas)
{
    const std::vector<std::string> texts{"A(3, 5) = -0.7069 at bank 16",
                                         "A(3, 6) = 0.0512 at bank 17",
                                         "",
                                         "no number",
                                         "-0.0 and 007 and 1.",
                                         "12,345 bytes, 1,024 more",
                                         "-5",
                                         "3-4",
                                         "0.5.1",
                                         "123456789012345678901234567890",
                                         "A(4, 6) = -0.0000 at bank 1"};
    const PackedWords packed(texts);
    const std::vector<std::string> read = WordsReader(packed.bytes()).texts();
    ASSERT_EQ(read.size(), texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i)
        EXPECT_EQ(read.at(packed.place(i)), texts[i]);
}

TEST(PackedWordsTest, TextsThatDifferInNumbersTakeFewBytes)
{
    std::vector<std::string> texts;
    for (int i = 0; i < 1000; ++i)
        texts.push_back("As(" + std::to_string(i / 32) + ", " + std::to_string(i % 32) + ") is word " +
                        std::to_string(i));
    EXPECT_LT(PackedWords(texts).bytes().size(), 4 * texts.size());
}

} // namespace

} // namespace app
