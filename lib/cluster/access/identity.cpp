// SPDX-License-Identifier: GPL-3.0-or-later
#include "access/identity.hpp"

#include "access/proxy.hpp"
#include "kubeconfig/base64.hpp"
#include "kubeconfig/read_file.hpp"

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QSslCertificate>
#include <QSslKey>

namespace alidade::cluster {
namespace {

using guard::ErrorCode;
using guard::Secret;

constexpr std::size_t kMaxPemBytes = 4UL * 1024 * 1024;

QByteArray view(const std::string& text) {
    return QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size()));
}

/// Data wins over the file.
guard::Result<std::string> pem(const std::string& data, const std::string& file, const std::string& entry,
                               const std::string& field) {
    if (!data.empty() || file.empty()) {
        return data;
    }
    auto text = readFile(file, kMaxPemBytes);
    if (!text) {
        return guard::fail(ErrorCode::Config, entry,
                           field + " " + file + ": " + text.error().detail +
                               ". Put the file there or correct the path.");
    }
    return text;
}

guard::Result<void> takeCa(Identity& identity, const ClusterEntry& cluster) {
    auto ca = pem(cluster.caData, cluster.caFile, identity.clusterEntry, "certificate-authority");
    if (!ca) {
        return tl::unexpected(ca.error());
    }
    if (!ca->empty() && QSslCertificate::fromData(view(*ca), QSsl::Pem).isEmpty()) {
        return guard::fail(ErrorCode::Config, identity.clusterEntry,
                           "the certificate authority holds no PEM certificate. Write it again with "
                           "kubectl config set-cluster --certificate-authority.");
    }
    identity.endpoint.caPem = std::move(*ca);
    return {};
}

bool isEncryptedKey(const std::string& key) {
    return key.find("BEGIN ENCRYPTED PRIVATE KEY") != std::string::npos ||
           (key.find("Proc-Type:") != std::string::npos && key.find("ENCRYPTED") != std::string::npos);
}

guard::Result<void> takeClientCertificate(Identity& identity) {
    const UserEntry& user = identity.user;
    if (user.certData.empty() && user.certFile.empty()) {
        return {};
    }
    auto certificate = pem(user.certData, user.certFile, identity.userEntry, "client-certificate");
    if (!certificate) {
        return tl::unexpected(certificate.error());
    }
    auto key =
        pem(user.keyData ? user.keyData->reveal() : std::string(), user.keyFile, identity.userEntry, "client-key");
    if (!key) {
        return tl::unexpected(key.error());
    }
    Secret<std::string> keyPem(std::move(*key));
    const auto chain = QSslCertificate::fromData(view(*certificate), QSsl::Pem);
    if (chain.isEmpty()) {
        return guard::fail(ErrorCode::Config, identity.userEntry,
                           "the client certificate holds no PEM certificate. Get a new one.");
    }
    if (isEncryptedKey(keyPem.reveal())) {
        return guard::fail(ErrorCode::Config, identity.userEntry,
                           "the client key is encrypted, and kubectl cannot use it either. Store it without a pass "
                           "phrase: openssl pkey -in KEY -out PLAIN-KEY");
    }
    if (QSslKey(view(keyPem.reveal()), QSsl::Rsa).isNull() && QSslKey(view(keyPem.reveal()), QSsl::Ec).isNull()) {
        return guard::fail(ErrorCode::Config, identity.userEntry,
                           "the client key is not a PEM key of kind RSA or EC. Get a new certificate with such a key.");
    }
    identity.certificateExpires =
        guard::WallTime(std::chrono::milliseconds(chain.first().expiryDate().toMSecsSinceEpoch()));
    identity.endpoint.clientCertPem = std::move(*certificate);
    identity.endpoint.clientKeyPem = std::make_shared<Secret<std::string>>(std::move(keyPem));
    return {};
}

std::vector<std::pair<std::string, std::string>> impersonationOf(const UserEntry& user) {
    std::vector<std::pair<std::string, std::string>> headers;
    if (user.as.empty()) {
        return headers;
    }
    headers.emplace_back("Impersonate-User", user.as);
    if (!user.asUid.empty()) {
        headers.emplace_back("Impersonate-Uid", user.asUid);
    }
    for (const std::string& group : user.asGroups) {
        headers.emplace_back("Impersonate-Group", group);
    }
    for (const auto& [key, values] : user.asExtra) {
        for (const std::string& value : values) {
            headers.emplace_back("Impersonate-Extra-" + http::percentEncode(key), value);
        }
    }
    return headers;
}

nlohmann::json execClusterOf(const ClusterEntry& cluster, const Identity& identity) {
    nlohmann::json info = {{"server", identity.info.server}, {"config", cluster.execConfig}};
    if (!cluster.tlsServerName.empty()) {
        info["tls-server-name"] = cluster.tlsServerName;
    }
    if (cluster.insecure) {
        info["insecure-skip-tls-verify"] = true;
    }
    if (!identity.endpoint.caPem.empty()) {
        info["certificate-authority-data"] = encodeBase64(identity.endpoint.caPem);
    }
    if (!cluster.proxyUrl.empty()) {
        info["proxy-url"] = cluster.proxyUrl;
    }
    return info;
}

/// Without a scheme: https as soon as the entry speaks of TLS, as client-go decides.
std::string serverUrl(const ClusterEntry& cluster, const UserEntry& user) {
    if (cluster.server.find("://") != std::string::npos) {
        return cluster.server;
    }
    const bool tls = cluster.insecure || !cluster.caData.empty() || !cluster.caFile.empty() || !user.certData.empty() ||
                     !user.certFile.empty();
    return (tls ? "https://" : "http://") + cluster.server;
}

} // namespace

guard::Result<Identity> resolveIdentity(const Kubeconfig& config, const std::string& contextName, const std::string& ns,
                                        const std::map<std::string, std::string>& environment) {
    const Kubeconfig::Impl& impl = *config.impl();
    const auto chosen = config.contextToOpen(contextName);
    if (!chosen) {
        return tl::unexpected(chosen.error());
    }
    const ContextValue* context = impl.context(*chosen);
    if (auto problem = problemOf(impl, *context)) {
        return tl::unexpected(std::move(*problem));
    }
    const ClusterEntry& cluster = *impl.cluster(context->cluster);
    Identity identity;
    if (const UserEntry* user = impl.user(context->user); user != nullptr && !context->user.empty()) {
        identity.user = *user;
        identity.userEntry = entryName(*user);
    }
    identity.contextName = "context " + context->name;
    identity.clusterEntry = entryName(cluster);

    const auto url = http::parseUrl(serverUrl(cluster, identity.user));
    if (!url) {
        return guard::fail(ErrorCode::Config, identity.clusterEntry, "the server address is not an http or https URL");
    }
    const std::string host = url->host.find(':') == std::string::npos ? url->host : "[" + url->host + "]";
    identity.basePath = url->path;
    identity.info.context = context->name;
    identity.info.cluster = cluster.name;
    identity.info.server = url->scheme + "://" + host + ":" + std::to_string(url->port) + url->path;
    identity.info.user = identity.user.name;
    identity.info.ns = !ns.empty() ? ns : context->ns.empty() ? "default" : context->ns;
    identity.info.tlsVerified = url->scheme == "https" && !cluster.insecure;

    http::Endpoint& endpoint = identity.endpoint;
    endpoint.tls = url->scheme == "https";
    endpoint.host = url->host;
    endpoint.port = url->port;
    endpoint.insecureSkipVerify = cluster.insecure;
    endpoint.tlsServerName = cluster.tlsServerName;
    endpoint.label = identity.contextName;
    auto proxy = proxyFor(*url, cluster.proxyUrl, environment, identity.clusterEntry);
    if (!proxy) {
        return tl::unexpected(proxy.error());
    }
    endpoint.proxy = std::move(*proxy);
    identity.sendCredentials = endpoint.tls;
    if (endpoint.tls) {
        if (auto taken = takeCa(identity, cluster); !taken) {
            return tl::unexpected(taken.error());
        }
        if (auto taken = takeClientCertificate(identity); !taken) {
            return tl::unexpected(taken.error());
        }
        identity.impersonation = impersonationOf(identity.user);
    }
    if (identity.user.exec && identity.user.exec->provideClusterInfo) {
        identity.execCluster = execClusterOf(cluster, identity);
    }
    return identity;
}

} // namespace alidade::cluster
