// SPDX-License-Identifier: GPL-3.0-or-later
#include "access/credentials.hpp"

#include "access/exec_plugin.hpp"
#include "kubeconfig/base64.hpp"
#include "kubeconfig/read_file.hpp"

#include <chrono>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace alidade::cluster {
namespace {

using guard::ErrorCode;
using guard::Secret;
using namespace std::chrono_literals;

SecretText bearer(const std::string& token) { return std::make_shared<Secret<std::string>>("Bearer " + token); }

class FixedCredentials final : public Credentials {
public:
    explicit FixedCredentials(Authentication authentication) : authentication_(std::move(authentication)) {}
    void get(Ready ready) override { ready(authentication_); }
    void refresh(std::function<void(guard::Result<void>)> done) override { done({}); }

private:
    Authentication authentication_;
};

/// Read again every half minute and after a refusal; the last good value outlives the file.
class TokenFileCredentials final : public Credentials {
public:
    TokenFileCredentials(std::string path, std::shared_ptr<const guard::Clock> clock)
        : path_(std::move(path)), clock_(std::move(clock)) {}

    guard::Result<void> read() {
        readAt_ = clock_->now();
        auto text = readFile(path_, 1024UL * 1024);
        if (!text) {
            return tl::unexpected(text.error());
        }
        while (!text->empty() && std::isspace(static_cast<unsigned char>(text->back())) != 0) {
            text->pop_back();
        }
        if (text->empty()) {
            return guard::fail(ErrorCode::Io, path_, "the file is empty");
        }
        authentication_.authorization = bearer(*text);
        guard::wipe(text->data(), text->size());
        return {};
    }
    void get(Ready ready) override {
        if (clock_->now() - readAt_ >= 30s) {
            static_cast<void>(read());
        }
        ready(authentication_);
    }
    void refresh(std::function<void(guard::Result<void>)> done) override {
        static_cast<void>(read());
        done({});
    }

private:
    std::string path_;
    std::shared_ptr<const guard::Clock> clock_;
    guard::MonoTime readAt_{};
    Authentication authentication_;
};

/// Runs the plugin when there is nothing valid, once for all who wait. An outcome younger than `kSettled` is not asked
/// for again: ten watches that were refused together run it once, and a plugin that fails is not run in a loop.
class ExecCredentials final : public Credentials {
public:
    ExecCredentials(Identity identity, CredentialPorts ports)
        : identity_(std::move(identity)), ports_(std::move(ports)) {}
    ~ExecCredentials() override {
        worker_.request_stop(); // ends the plugin; its answer is dropped with alive_
    }

    void get(Ready ready) override {
        if (!running_ && current_ && !expired()) {
            ready(*current_);
            return;
        }
        waiting_.push_back(std::move(ready));
        if (running_) {
            return;
        }
        if (failure_ && settled()) {
            answerAll(tl::unexpected(*failure_));
            return;
        }
        run();
    }
    void refresh(std::function<void(guard::Result<void>)> done) override {
        if (!running_ && settled()) {
            done(failure_ ? guard::Result<void>(tl::unexpected(*failure_)) : guard::Result<void>());
            return;
        }
        waiting_.push_back([done = std::move(done)](const guard::Result<Authentication>& result) {
            done(result ? guard::Result<void>() : guard::Result<void>(tl::unexpected(result.error())));
        });
        if (!running_) {
            run();
        }
    }

private:
    static constexpr auto kSettled = 5s;

    [[nodiscard]] bool expired() const { return expires_ && ports_.clock->wall() >= *expires_; }
    [[nodiscard]] bool settled() const { return endedAt_ && ports_.clock->now() - *endedAt_ < kSettled; }

    void run() {
        running_ = true;
        worker_ = std::jthread([request = execRequest(identity_, ports_.environment), processes = ports_.processes,
                                io = ports_.io, alive = std::weak_ptr<int>(alive_), this](std::stop_token stop) {
            auto result = processes->run(request, std::move(stop));
            io->post([alive, this, result = std::move(result)] {
                if (alive.lock()) {
                    finished(result);
                }
            });
        });
    }
    void finished(const guard::Result<guard::ProcessResult>& result) {
        running_ = false;
        endedAt_ = ports_.clock->now();
        auto credential = execAnswer(identity_, result);
        if (!credential) {
            failure_ = credential.error();
            current_.reset();
            answerAll(tl::unexpected(credential.error()));
            return;
        }
        failure_.reset();
        expires_ = credential->expires;
        Authentication authentication;
        if (credential->token) {
            authentication.authorization = bearer(credential->token->reveal());
        }
        authentication.certPem = std::move(credential->certPem);
        authentication.keyPem = std::move(credential->keyPem);
        current_ = std::move(authentication);
        answerAll(*current_);
    }
    void answerAll(const guard::Result<Authentication>& result) {
        const std::weak_ptr<int> alive = alive_;
        for (Ready& ready : std::exchange(waiting_, {})) {
            if (alive.expired()) {
                return; // one of them dropped us
            }
            ready(result);
        }
    }

    Identity identity_;
    CredentialPorts ports_;
    std::shared_ptr<int> alive_ = std::make_shared<int>(0);
    std::optional<Authentication> current_;
    std::optional<guard::Error> failure_;
    std::optional<guard::WallTime> expires_;
    std::optional<guard::MonoTime> endedAt_;
    std::vector<Ready> waiting_;
    bool running_ = false;
    std::jthread worker_;
};

} // namespace

guard::Result<std::unique_ptr<Credentials>> makeCredentials(const Identity& identity, CredentialPorts ports) {
    const UserEntry& user = identity.user;
    if (!identity.sendCredentials) {
        return std::make_unique<FixedCredentials>(Authentication{});
    }
    if (!user.tokenFile.empty()) {
        auto credentials = std::make_unique<TokenFileCredentials>(user.tokenFile, ports.clock);
        if (auto read = credentials->read(); !read) {
            return guard::fail(ErrorCode::Config, identity.userEntry,
                               "tokenFile " + user.tokenFile + ": " + read.error().detail +
                                   ". Put the file there or correct the path.");
        }
        return credentials;
    }
    if (user.token) {
        return std::make_unique<FixedCredentials>(Authentication{bearer(user.token->reveal()), {}, {}});
    }
    if (!user.username.empty() || user.password) {
        const Secret<std::string> plain(user.username + ":" +
                                        (user.password ? user.password->reveal() : std::string()));
        return std::make_unique<FixedCredentials>(
            Authentication{std::make_shared<Secret<std::string>>("Basic " + encodeBase64(plain.reveal())), {}, {}});
    }
    if (user.exec) {
        return std::make_unique<ExecCredentials>(identity, std::move(ports));
    }
    return std::make_unique<FixedCredentials>(Authentication{});
}

} // namespace alidade::cluster
