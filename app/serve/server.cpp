#include "app/serve/server.h"

#include "error.h"

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast.hpp>
#include <boost/beast/ssl.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <deque>
#include <optional>
#include <type_traits>
#include <utility>

namespace app {

namespace {

namespace asio = boost::asio;
namespace ssl = asio::ssl;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using Tcp = asio::ip::tcp;
using Plain = beast::tcp_stream;
using Encrypted = beast::ssl_stream<beast::tcp_stream>;
using boost::system::error_code;
using Limits = ConnectionLimits;

// A token bucket: it fills at a constant rate up to a limit, and each take() removes an amount.
class Allowance {
public:
    Allowance(double a_second, double at_once) : a_second_(a_second), at_once_(at_once), left_(at_once) {}
    bool take(double amount)
    {
        const auto now = std::chrono::steady_clock::now();
        left_ = std::min(at_once_,
                         left_ + std::chrono::duration<double>(now - std::exchange(last_, now)).count() * a_second_);
        left_ -= amount;
        return left_ >= 0;
    }

private:
    double a_second_, at_once_, left_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

using ConnectionCount = std::shared_ptr<std::size_t>; // number of open connections
class ConnectionSlot {
public:
    explicit ConnectionSlot(ConnectionCount counter) : counter_(std::move(counter)) { ++*counter_; }
    ConnectionSlot(ConnectionSlot&& other) noexcept = default;
    ConnectionSlot(const ConnectionSlot&) = delete;
    ConnectionSlot& operator=(const ConnectionSlot&) = delete;
    ~ConnectionSlot()
    {
        if (counter_ != nullptr)
            --*counter_;
    }

private:
    ConnectionCount counter_;
};

// The WebSocket of one page, encrypted or not. All its functions run on the server's thread.
class PageSocket {
public:
    virtual ~PageSocket() = default;
    virtual asio::any_io_executor executor() = 0;
    virtual void send(Outgoing message) = 0;
    virtual void close(const std::string& why) = 0;
};

// A visitor's handle of a socket. Any thread may destroy the handle: the destructor passes its reference to the
// server's thread, so that the socket is destroyed there.
class SocketLine final : public Line {
public:
    explicit SocketLine(std::shared_ptr<PageSocket> socket) : socket_(std::move(socket)) {}
    SocketLine(const SocketLine&) = delete;
    SocketLine& operator=(const SocketLine&) = delete;
    ~SocketLine() override;
    void send(Outgoing message) override;
    void close(const std::string& why) override;

private:
    std::shared_ptr<PageSocket> socket_;
};

// Lives until its last asynchronous operation has completed and its visitor has released it.
template <class Stream>
class Socket final : public PageSocket, public std::enable_shared_from_this<Socket<Stream>> {
public:
    Socket(Stream stream, Visitors& visitors, ConnectionSlot counted, Role role)
        : socket_(std::move(stream)), visitors_(visitors), counted_(std::move(counted)), role_(role)
    {
    }

    void accept(const http::request<http::empty_body>& request)
    {
        beast::get_lowest_layer(socket_).expires_never(); // the WebSocket has time limits of its own
        websocket::stream_base::timeout limits{std::chrono::seconds(Limits::header_seconds),
                                               std::chrono::seconds(Limits::idle_seconds), true};
        socket_.set_option(limits);
        socket_.read_message_max(largest_upload + 256);
        socket_.auto_fragment(false);
        socket_.async_accept(request, [self = this->shared_from_this()](error_code error) {
            if (!error)
                self->enter();
        });
    }

    asio::any_io_executor executor() override { return socket_.get_executor(); }

    void send(Outgoing message) override
    {
        if (ends_)
            return;
        unsent_ += message.bytes.size();
        if (unsent_ > Limits::unsent_bytes) { // the page does not read what is sent to it
            ends_ = true;
            beast::get_lowest_layer(socket_).close();
            return leave();
        }
        queue_.push_back(std::move(message));
        write();
    }
    void close(const std::string& why) override
    {
        send({nlohmann::json{{"kind", "end"}, {"why", why}}.dump(-1, ' ', false,
                                                                 nlohmann::json::error_handler_t::replace),
              true});
        ends_ = true;
        write();
    }

private:
    void enter()
    {
        visitor_ = visitors_.enter(std::make_shared<SocketLine>(this->shared_from_this()), role_);
        if (!visitor_)
            return close("As many visitors are here as may be. Try it again when one has gone.");
        read();
    }

    void read()
    {
        socket_.async_read(read_, [self = this->shared_from_this()](error_code error, std::size_t bytes) {
            if (error)
                return self->leave();
            if (!self->messages_.take(1) || !self->bytes_.take(static_cast<double>(bytes)))
                return self->refuse("Too much at a time: the connection is closed.");
            self->receive();
        });
    }

    void receive()
    {
        const std::string text = beast::buffers_to_string(read_.data());
        read_.consume(read_.size());
        if (read_.capacity() > largest_message)
            read_ = beast::flat_buffer(); // frees the memory of an upload
        try {
            visitors_.receive(*visitor_, socket_.got_text() ? parse_message(text) : Input(parse_upload(text)));
        } catch (const std::exception& error) {
            return refuse(error.what());
        }
        read();
    }

    void refuse(const std::string& why)
    {
        leave();
        close(why);
    }

    void leave()
    {
        if (visitor_)
            visitors_.leave(*std::exchange(visitor_, std::nullopt));
    }

    void write()
    {
        if (writing_)
            return;
        if (queue_.empty()) {
            if (ends_)
                end();
            return;
        }
        writing_ = true;
        socket_.text(queue_.front().text);
        socket_.async_write(asio::buffer(queue_.front().bytes),
                            [self = this->shared_from_this()](error_code error, std::size_t) {
                                self->writing_ = false;
                                if (error)
                                    return self->leave();
                                self->unsent_ -= self->queue_.front().bytes.size();
                                self->queue_.pop_front();
                                self->write();
                            });
    }

    void end()
    {
        if (!std::exchange(closing_, true))
            socket_.async_close(websocket::close_code::normal,
                                [self = this->shared_from_this()](error_code) { self->leave(); });
    }

    websocket::stream<Stream> socket_;
    Visitors& visitors_;
    ConnectionSlot counted_;
    Role role_;
    std::optional<Visitors::Id> visitor_;
    beast::flat_buffer read_;
    std::deque<Outgoing> queue_;
    std::size_t unsent_ = 0;
    bool writing_ = false, ends_ = false, closing_ = false;
    Allowance messages_{Limits::messages_a_second, Limits::messages_at_once};
    Allowance bytes_{Limits::bytes_a_second, Limits::bytes_at_once};
};

SocketLine::~SocketLine()
{
    const auto executor = socket_->executor();
    asio::post(executor, [socket = std::move(socket_)] {});
}

void SocketLine::send(Outgoing message)
{
    asio::post(socket_->executor(),
               [socket = socket_, message = std::move(message)]() mutable { socket->send(std::move(message)); });
}

void SocketLine::close(const std::string& why)
{
    asio::post(socket_->executor(), [socket = socket_, why] { socket->close(why); });
}

// Serves the requests of one connection, until one of them opens a WebSocket.
template <class Stream>
class Connection : public std::enable_shared_from_this<Connection<Stream>> {
public:
    Connection(Stream stream, const Access& access, Visitors& visitors, ConnectionSlot counted)
        : stream_(std::move(stream)), access_(access), visitors_(visitors), counted_(std::move(counted))
    {
    }

    void start()
    {
        if constexpr (std::is_same_v<Stream, Encrypted>) {
            allow_seconds(Limits::header_seconds);
            stream_.async_handshake(ssl::stream_base::server, [self = this->shared_from_this()](error_code error) {
                if (!error)
                    self->read();
            });
        } else {
            read();
        }
    }

private:
    void allow_seconds(int seconds) { beast::get_lowest_layer(stream_).expires_after(std::chrono::seconds(seconds)); }

    void read()
    {
        parser_.emplace();
        parser_->header_limit(Limits::header_bytes);
        parser_->body_limit(0);
        allow_seconds(Limits::header_seconds);
        http::async_read(stream_, buffer_, *parser_, [self = this->shared_from_this()](error_code error, std::size_t) {
            if (!error)
                self->answer();
        });
    }

    void answer()
    {
        const auto& request = parser_->get();
        const auto text = [&](http::field field) { return std::string(request[field]); };
        const PageAnswer answer = access_.answer({.method = std::string(request.method_string()),
                                                  .target = std::string(request.target()),
                                                  .host = text(http::field::host),
                                                  .origin = text(http::field::origin),
                                                  .cookie = text(http::field::cookie),
                                                  .wants_socket = websocket::is_upgrade(request)});
        if (answer.opens_socket) {
            const auto socket =
                std::make_shared<Socket<Stream>>(std::move(stream_), visitors_, std::move(counted_), answer.role);
            return socket->accept(parser_->release());
        }
        response_ = {static_cast<http::status>(answer.status), request.version()};
        response_.set(http::field::content_type, answer.type);
        for (const auto& [name, value] : answer.headers)
            response_.set(name, value);
        response_.keep_alive(request.keep_alive());
        if (request.method() == http::verb::head)
            response_.content_length(answer.body.size());
        else
            response_.body() = answer.body, response_.prepare_payload();
        allow_seconds(Limits::answer_seconds);
        http::async_write(stream_, response_, [self = this->shared_from_this()](error_code error, std::size_t) {
            if (error)
                return;
            if (self->response_.keep_alive())
                return self->read();
            self->end();
        });
    }

    void end()
    {
        if constexpr (std::is_same_v<Stream, Encrypted>) {
            allow_seconds(Limits::header_seconds);
            stream_.async_shutdown([self = this->shared_from_this()](error_code) {});
        } else {
            error_code ignored;
            stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
        }
    }

    Stream stream_;
    const Access& access_;
    Visitors& visitors_;
    ConnectionSlot counted_;
    beast::flat_buffer buffer_{Limits::header_bytes * 2};
    std::optional<http::request_parser<http::empty_body>> parser_;
    http::response<http::string_body> response_;
};

// Reads the certificates and the key. Throws kernels::Error that names the option with an unusable file.
ssl::context encryption(const TlsFiles& files)
{
    ssl::context context(ssl::context::tls_server);
    context.set_options(ssl::context::default_workarounds | ssl::context::no_sslv2 | ssl::context::no_sslv3 |
                        ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1);
    error_code error;
    context.use_certificate_chain_file(files.certificate.string(), error);
    if (error)
        throw kernels::Error(
            fmt::format("--cert: {} cannot be read as certificates in the PEM format: {}. It begins with the server's "
                        "own certificate, those that signed it follow.",
                        files.certificate.string(), error.message()));
    context.use_private_key_file(files.key.string(), ssl::context::pem, error);
    if (error)
        throw kernels::Error(fmt::format("--key: {} is not the private key of {}, in the PEM format and without a "
                                         "password: {}.",
                                         files.key.string(), files.certificate.string(), error.message()));
    return context;
}

} // namespace

class Server::Listener {
public:
    Listener(ServerOptions options, Visitors& visitors)
        : options_(std::move(options)), visitors_(visitors), signals_(context_, SIGINT, SIGTERM)
    {
        try {
            Tcp::resolver resolver(context_);
            const Tcp::endpoint endpoint =
                *resolver.resolve(options_.host, std::to_string(options_.port), Tcp::resolver::passive).begin();
            acceptor_.open(endpoint.protocol());
            acceptor_.set_option(asio::socket_base::reuse_address(true));
            acceptor_.bind(endpoint);
            acceptor_.listen(asio::socket_base::max_listen_connections);
        } catch (const boost::system::system_error& error) {
            throw kernels::Error(
                fmt::format("{} port {} cannot be listened on: {}. Choose another one with --port, or 0 "
                            "for any.",
                            options_.host, options_.port, error.code().message()));
        }
        options_.access.port = acceptor_.local_endpoint().port();
        if (options_.tls)
            tls_ = encryption(*options_.tls);
        options_.access.encrypted = options_.tls.has_value();
    }

    const ServerOptions& options() const { return options_; }

    void run()
    {
        accept();
        signals_.async_wait([this](error_code error, int) {
            if (!error)
                context_.stop();
        });
        context_.run();
    }
    void stop() { context_.stop(); }

    // Sends the messages that are still queued, such as the notice that the server has stopped.
    void finish()
    {
        error_code ignored;
        acceptor_.close(ignored);
        pause_.cancel();
        context_.restart();
        context_.run_for(std::chrono::milliseconds(500));
    }

private:
    void accept()
    {
        acceptor_.async_accept([this](error_code error, Tcp::socket socket) {
            if (!acceptor_.is_open())
                return;
            if (error) { // for example, no file descriptor is left
                pause_.expires_after(std::chrono::milliseconds(100));
                return pause_.async_wait([this](error_code stopped) {
                    if (!stopped && acceptor_.is_open())
                        accept();
                });
            }
            if (*connections_ < Limits::connections) {
                socket.set_option(Tcp::no_delay(true), error);
                if (tls_)
                    serve(Encrypted(std::move(socket), *tls_));
                else
                    serve(Plain(std::move(socket)));
            }
            accept();
        });
    }

    template <class Stream>
    void serve(Stream stream)
    {
        std::make_shared<Connection<Stream>>(std::move(stream), options_.access, visitors_,
                                             ConnectionSlot(connections_))
            ->start();
    }

    ServerOptions options_;
    Visitors& visitors_;
    ConnectionCount connections_ = std::make_shared<std::size_t>(0);
    std::optional<ssl::context> tls_;
    asio::io_context context_{1};
    asio::signal_set signals_;
    Tcp::acceptor acceptor_{context_};
    asio::steady_timer pause_{context_};
};

Server::Server(ServerOptions options, Visitors& visitors)
    : listener_(std::make_unique<Listener>(std::move(options), visitors))
{
}

Server::~Server() = default;

uint16_t Server::port() const
{
    return static_cast<uint16_t>(listener_->options().access.port);
}

const Access& Server::access() const
{
    return listener_->options().access;
}

void Server::run()
{
    listener_->run();
}

void Server::stop()
{
    listener_->stop();
}

void Server::finish()
{
    listener_->finish();
}

} // namespace app
