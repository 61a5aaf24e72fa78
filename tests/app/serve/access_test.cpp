#include "app/serve/access.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

namespace app {

namespace {

const Access access_of_test{.token = "0123456789abcdef0123456789abcdef", .base = "/", .port = 8017};
const std::string with_token = "?token=" + access_of_test.token;

PageRequest get(const std::string& target)
{
    return {.method = "GET", .target = target, .host = "127.0.0.1:8017"};
}

PageRequest socket_from(const std::string& origin, const std::string& query = with_token)
{
    PageRequest request = get("/socket" + query);
    request.origin = origin;
    request.wants_socket = true;
    return request;
}

std::string header(const PageAnswer& answer, const std::string& name)
{
    const auto found = std::ranges::find(answer.headers, name, &std::pair<std::string, std::string>::first);
    return found == answer.headers.end() ? "" : found->second;
}

TEST(Token, HasAHundredAndTwentyEightRandomBits)
{
    const std::string one = make_token(), other = make_token();
    EXPECT_EQ(one.size(), 32u);
    EXPECT_EQ(one.find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_NE(one, other);
}

TEST(Token, IsTheSameOnlyAsAWhole)
{
    const std::string token = access_of_test.token;
    EXPECT_TRUE(same_token(token, token));
    EXPECT_FALSE(same_token("", token));
    EXPECT_FALSE(same_token("", ""));
    EXPECT_FALSE(same_token(token.substr(1), token));
    EXPECT_FALSE(same_token(token + token, token));
    for (std::size_t i = 0; i < token.size(); ++i) {
        std::string wrong = token;
        wrong[i] = 'x';
        EXPECT_FALSE(same_token(wrong, token)) << i;
    }
}

TEST(PageAnswers, ThePageIsForWhoeverHasTheToken)
{
    EXPECT_EQ(access_of_test.answer(get("/")).status, 403);
    EXPECT_EQ(access_of_test.answer(get("/?token=wrong")).status, 403);
    EXPECT_EQ(access_of_test.answer(get("/?nottoken=" + access_of_test.token)).status, 403);
    const PageAnswer page = access_of_test.answer(get("/" + with_token));
    EXPECT_EQ(page.status, 200);
    EXPECT_NE(page.body.find("<canvas"), std::string::npos);
    const std::string cookie = header(page, "Set-Cookie");
    for (const char* part : {"gemmscope_8017=", "SameSite=Strict", "HttpOnly", "Path=/"})
        EXPECT_NE(cookie.find(part), std::string::npos) << part;
}

TEST(PageAnswers, TheCookieStandsForTheToken)
{
    PageRequest request = get("/");
    request.cookie = "other=1; gemmscope_8017=" + access_of_test.token;
    EXPECT_EQ(access_of_test.answer(request).status, 200);
    request.cookie = "gemmscope_8018=" + access_of_test.token; // the cookie of a server on another port
    EXPECT_EQ(access_of_test.answer(request).status, 403);
}

TEST(PageAnswers, OneLinkOfAClassLeadsAndAnotherFollows)
{
    Access of_class = access_of_test;
    of_class.followers = "fedcba9876543210fedcba9876543210";
    const auto role_of = [&](const std::string& token, const std::string& cookie = "") {
        PageRequest request = socket_from("http://127.0.0.1:8017", token.empty() ? "" : "?token=" + token);
        request.cookie = cookie.empty() ? "" : "gemmscope_8017=" + cookie;
        const PageAnswer answer = of_class.answer(request);
        return answer.opens_socket ? std::optional(answer.role) : std::nullopt;
    };
    EXPECT_EQ(role_of(of_class.token), Role::leader);
    EXPECT_EQ(role_of(of_class.followers), Role::follower);
    EXPECT_EQ(role_of("", of_class.token), Role::leader);
    EXPECT_EQ(role_of("", of_class.followers), Role::follower);
    EXPECT_EQ(role_of(of_class.followers, of_class.token), Role::follower)
        << "the token in the link takes precedence over the cookie";
    EXPECT_EQ(role_of("wrong"), std::nullopt);
    EXPECT_EQ(role_of(""), std::nullopt);
    const std::string cookie = header(of_class.answer(get("/?token=" + of_class.followers)), "Set-Cookie");
    EXPECT_NE(cookie.find(of_class.followers), std::string::npos);
    EXPECT_EQ(cookie.find(of_class.token), std::string::npos) << "a follower must not get the leader's token";
    EXPECT_EQ(access_of_test.answer(socket_from("http://127.0.0.1:8017")).role, Role::alone) << "there is no class";
    EXPECT_FALSE(access_of_test.answer(socket_from("http://127.0.0.1:8017", "?token=")).opens_socket);
}

TEST(PageAnswers, EachHasAPolicyThatAllowsNoInlineCode)
{
    for (const char* target : {"/", "/page.js", "/nothing"}) {
        const std::string policy = header(access_of_test.answer(get(target)), "Content-Security-Policy");
        EXPECT_NE(policy.find("default-src 'none'; script-src 'self'; style-src 'self'"), std::string::npos) << target;
        EXPECT_EQ(policy.find("unsafe"), std::string::npos) << target;
    }
    const std::string page = access_of_test.answer(get("/" + with_token)).body;
    EXPECT_EQ(page.find("<script>"), std::string::npos);
    EXPECT_EQ(page.find(" style="), std::string::npos);
    EXPECT_EQ(page.find(" onclick"), std::string::npos);
}

TEST(PageAnswers, AHostWithOtherCharactersComesIntoNoHeader)
{
    PageRequest request = get("/page.js");
    request.host = "evil; script-src *";
    EXPECT_EQ(header(access_of_test.answer(request), "Content-Security-Policy").find("evil"), std::string::npos);
}

TEST(PageAnswers, OnlyTheFilesOfThePageAreThere)
{
    EXPECT_EQ(access_of_test.answer(get("/page.js")).status, 200);
    EXPECT_NE(access_of_test.answer(get("/page.js")).type.find("javascript"), std::string::npos);
    for (const char* target :
         {"/../../etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd", "/page.js/", "/%70age.js", "x"})
        EXPECT_EQ(access_of_test.answer(get(target)).status, 404) << target;
    PageRequest post = get("/" + with_token);
    post.method = "POST";
    EXPECT_EQ(access_of_test.answer(post).status, 405);
}

TEST(PageAnswers, ASocketIsForThePageOfThisServerAlone)
{
    EXPECT_TRUE(access_of_test.answer(socket_from("http://127.0.0.1:8017")).opens_socket);
    for (const char* origin : {"http://evil.example", "http://127.0.0.1:8018", "http://127.0.0.1", "null", ""}) {
        EXPECT_FALSE(access_of_test.answer(socket_from(origin)).opens_socket) << origin;
        EXPECT_EQ(access_of_test.answer(socket_from(origin)).status, 403) << origin;
    }
    EXPECT_FALSE(access_of_test.answer(socket_from("http://127.0.0.1:8017", "?token=0")).opens_socket);
    EXPECT_EQ(access_of_test.answer(get("/socket" + with_token)).status, 403); // it has no origin
}

TEST(PageAnswers, AProxysPathAndOriginAreTaken)
{
    Access proxied = access_of_test;
    proxied.base = "/user/x/proxy/8017/";
    proxied.origin = "https://hub.example";
    EXPECT_EQ(proxied.answer(get(proxied.base + with_token)).status, 200);
    EXPECT_EQ(proxied.answer(get("/" + with_token)).status, 200); // the proxy removes the base path
    EXPECT_NE(header(proxied.answer(get(proxied.base + with_token)), "Set-Cookie").find("Path=/user/x/proxy/8017/;"),
              std::string::npos);
    PageRequest socket = socket_from("https://hub.example");
    socket.target = proxied.base + "socket" + with_token;
    EXPECT_TRUE(proxied.answer(socket).opens_socket);
    socket.origin = "https://evil.example";
    EXPECT_FALSE(proxied.answer(socket).opens_socket);
}

} // namespace

} // namespace app
