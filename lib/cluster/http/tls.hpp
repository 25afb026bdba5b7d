// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// PEM text to Qt's TLS configuration, and Qt's TLS errors to sentences that say what is wrong.
#include <memory>
#include <string>

#include <QList>
#include <QSslConfiguration>
#include <QSslError>
#include <QSslKey>

#include "alidade/guard/result.hpp"
#include "alidade/guard/text.hpp"
#include "alidade/http/client.hpp"
#include "alidade/http/server.hpp"

namespace alidade::http {

using SecretPem = std::shared_ptr<const guard::Secret<std::string>>;

/// RSA or EC in PKCS#1, SEC1 or PKCS#8; checked to belong to the first certificate of `certPem`.
/// Errors (Config, Unsupported) have no `where` yet.
[[nodiscard]] guard::Result<QSslKey> loadKey(const guard::Secret<std::string>& pem, const std::string& certPem);

[[nodiscard]] guard::Result<QSslConfiguration> clientTls(const Endpoint& endpoint);
[[nodiscard]] guard::Result<QSslConfiguration> serverTls(const ServerOptions& options);

/// One sentence for the worst of the verification errors. `verifiedName` is the name that was asked for.
[[nodiscard]] std::string explain(const QList<QSslError>& errors, const std::string& verifiedName);

} // namespace alidade::http
