// SPDX-License-Identifier: GPL-3.0-or-later
#include "access/exec_plugin.hpp"

#include "alidade/guard/text.hpp"

#include <QByteArray>
#include <QSslCertificate>

#include <nlohmann/json.hpp>

namespace alidade::cluster {
namespace {

using guard::ErrorCode;
using guard::Secret;
using nlohmann::json;

constexpr guard::Millis kPluginLimit{60'000}; // a browser login may be part of it
constexpr std::size_t kMaxAnswerBytes = 1024UL * 1024;
constexpr std::size_t kMaxComplaint = 2000;

/// The end of standard error: plugins put what matters last.
std::string complaint(const std::string& errorOutput) {
    std::string text = guard::visibleText(errorOutput);
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
        text.pop_back();
    }
    if (text.size() > kMaxComplaint) {
        text = guard::validUtf8("..." + text.substr(text.size() - kMaxComplaint));
    }
    return text;
}

SecretText secretField(const json& object, const char* field) {
    const auto found = object.find(field);
    if (found == object.end() || !found->is_string() || found->get_ref<const std::string&>().empty()) {
        return nullptr;
    }
    return std::make_shared<Secret<std::string>>(found->get<std::string>());
}

} // namespace

guard::ProcessRequest execRequest(const Identity& identity, const std::map<std::string, std::string>& environment) {
    const ExecSpec& exec = *identity.user.exec;
    json spec = {{"interactive", false}};
    if (exec.provideClusterInfo) {
        spec["cluster"] = identity.execCluster;
    }
    guard::ProcessRequest request;
    request.program = exec.command;
    request.arguments = exec.arguments;
    request.environment = environment;
    for (const auto& [name, value] : exec.environment) {
        request.environment[name] = value;
    }
    request.environment["KUBERNETES_EXEC_INFO"] =
        json({{"apiVersion", exec.apiVersion}, {"kind", "ExecCredential"}, {"spec", std::move(spec)}})
            .dump(-1, ' ', false, json::error_handler_t::replace);
    request.timeout = kPluginLimit;
    request.maxOutputBytes = kMaxAnswerBytes;
    return request;
}

guard::Result<ExecCredential> execAnswer(const Identity& identity, const guard::Result<guard::ProcessResult>& result) {
    const ExecSpec& exec = *identity.user.exec;
    const std::string plugin = "the credential plugin \"" + exec.command + "\"";
    const auto bad = [&](ErrorCode code, const std::string& why) {
        return guard::fail(code, identity.userEntry, plugin + " " + why);
    };
    if (!result) {
        const guard::Error& error = result.error();
        switch (error.code) {
        case ErrorCode::NotFound:
            return bad(ErrorCode::Config,
                       "was not found: " + error.detail + ". " +
                           (exec.installHint.empty() ? "Install it, or correct exec.command."
                                                     : guard::visibleText(exec.installHint.substr(0, kMaxComplaint))));
        case ErrorCode::Timeout:
            return bad(ErrorCode::Timeout, "did not finish within " + std::to_string(kPluginLimit.count() / 1000) +
                                               " s and was stopped. Run it in a terminal to see what it waits for.");
        default:
            return bad(error.code == ErrorCode::Cancelled ? ErrorCode::Cancelled : ErrorCode::Config,
                       "failed: " + error.detail);
        }
    }
    const std::string words = complaint(result->errorOutput);
    const std::string said = words.empty() ? std::string(" It said nothing.") : "\n" + words;
    if (result->exitCode != 0 || result->killedBySignal) {
        return bad(ErrorCode::NeedsLogin, "failed (exit code " + std::to_string(result->exitCode) +
                                              "). Log in with it in a terminal, then try again." + said);
    }
    const json answer = json::parse(result->output, nullptr, false);
    if (!answer.is_object()) {
        return bad(ErrorCode::Config,
                   "did not print an ExecCredential in JSON. Update it or correct its arguments." + said);
    }
    const auto field = [](const json& object, const char* name) {
        const auto found = object.find(name);
        return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    if (field(answer, "kind") != "ExecCredential" || field(answer, "apiVersion") != exec.apiVersion) {
        return bad(ErrorCode::Config,
                   "answered with " +
                       guard::visibleText((field(answer, "apiVersion") + " " + field(answer, "kind")).substr(0, 200)) +
                       ", and " + exec.apiVersion +
                       " ExecCredential was asked for. Set exec.apiVersion to what it speaks." + said);
    }
    const auto status = answer.find("status");
    if (status == answer.end() || !status->is_object()) {
        return bad(ErrorCode::NeedsLogin,
                   "gave no credentials (no status). Log in with it in a terminal, then try again." + said);
    }
    ExecCredential credential;
    credential.token = secretField(*status, "token");
    credential.certPem = field(*status, "clientCertificateData");
    credential.keyPem = secretField(*status, "clientKeyData");
    if (credential.certPem.empty() != (credential.keyPem == nullptr)) {
        return bad(ErrorCode::Config,
                   "gave a client certificate without its key, or a key without its certificate." + said);
    }
    if (credential.token == nullptr && credential.certPem.empty()) {
        return bad(ErrorCode::NeedsLogin,
                   "gave neither a token nor a certificate. Log in with it in a terminal, then try "
                   "again." +
                       said);
    }
    if (!credential.certPem.empty() &&
        QSslCertificate::fromData(QByteArray::fromStdString(credential.certPem), QSsl::Pem).isEmpty()) {
        return bad(ErrorCode::Config, "gave a client certificate that is not PEM." + said);
    }
    if (const std::string expires = field(*status, "expirationTimestamp"); !expires.empty()) {
        credential.expires = guard::parseRfc3339(expires);
        if (!credential.expires) {
            return bad(ErrorCode::Config, "gave an expirationTimestamp that is not a time." + said);
        }
    }
    return credential;
}

} // namespace alidade::cluster
