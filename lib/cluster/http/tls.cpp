// SPDX-License-Identifier: GPL-3.0-or-later
#include "tls.hpp"

#include "openssl_ptr.hpp"

#include <QDateTime>
#include <QHostAddress>
#include <QSslCertificate>
#include <QSslConfiguration>

#include <openssl/err.h>
#include <openssl/pem.h>

namespace alidade::http {
namespace {

using guard::ErrorCode;

tl::unexpected<guard::Error> configError(std::string detail) {
    return guard::fail(ErrorCode::Config, {}, std::move(detail));
}

QByteArray bytesOf(const std::string& text) { return QByteArray(text.data(), static_cast<qsizetype>(text.size())); }

guard::Result<QList<QSslCertificate>> loadCertificates(const std::string& pem, const char* what) {
    auto certificates = QSslCertificate::fromData(bytesOf(pem), QSsl::Pem);
    if (certificates.isEmpty()) {
        return configError(std::string(what) + " holds no PEM certificate");
    }
    return certificates;
}

int refuseToAsk(char*, int, int, void* asked) {
    *static_cast<bool*>(asked) = true;
    return -1;
}

QString subjectOf(const QSslCertificate& certificate) {
    auto name = certificate.subjectInfo(QSslCertificate::CommonName).join(QLatin1Char(' '));
    if (name.isEmpty()) {
        name = certificate.subjectInfo(QSslCertificate::Organization).join(QLatin1Char(' '));
    }
    return name.isEmpty() ? QStringLiteral("(no name)") : name;
}

std::string namesOf(const QSslCertificate& certificate) {
    QStringList names;
    const auto alternatives = certificate.subjectAlternativeNames();
    for (auto it = alternatives.begin(); it != alternatives.end(); ++it) {
        names << it.value();
    }
    if (names.isEmpty()) {
        names << subjectOf(certificate);
    }
    names.sort();
    constexpr qsizetype kMost = 12;
    if (names.size() > kMost) {
        names = names.mid(0, kMost) << QStringLiteral("...");
    }
    return names.join(QStringLiteral(", ")).toStdString();
}

int rankOf(QSslError::SslError error) {
    switch (error) {
    case QSslError::CertificateExpired:
    case QSslError::CertificateNotYetValid: return 0;
    case QSslError::SelfSignedCertificate:
    case QSslError::SelfSignedCertificateInChain:
    case QSslError::UnableToGetIssuerCertificate:
    case QSslError::UnableToGetLocalIssuerCertificate:
    case QSslError::UnableToVerifyFirstCertificate:
    case QSslError::CertificateUntrusted:
    case QSslError::CertificateSignatureFailed: return 1;
    case QSslError::HostNameMismatch: return 2;
    default: return 3;
    }
}

} // namespace

guard::Result<QSslKey> loadKey(const guard::Secret<std::string>& pem, const std::string& certPem) {
    bool passphraseAsked = false;
    const auto bio = readBio(pem.reveal());
    const KeyPtr key(PEM_read_bio_PrivateKey(bio.get(), nullptr, refuseToAsk, &passphraseAsked));
    ERR_clear_error();
    if (passphraseAsked) {
        return guard::fail(ErrorCode::Unsupported, {},
                           "the client key is encrypted with a pass phrase; give it decrypted (openssl pkey -in "
                           "key.pem -out plain.pem)");
    }
    if (!key) {
        return configError("the private key is not a PEM key (PKCS#1, SEC1 or PKCS#8)");
    }
    QSsl::KeyAlgorithm algorithm = QSsl::Rsa;
    switch (EVP_PKEY_base_id(key.get())) {
    case EVP_PKEY_RSA: break;
    case EVP_PKEY_EC: algorithm = QSsl::Ec; break;
    case EVP_PKEY_ED25519:
    case EVP_PKEY_ED448:
        return guard::fail(ErrorCode::Unsupported, {},
                           "the private key is an Ed25519 or Ed448 key, which this program cannot use for TLS; use an "
                           "RSA or EC key");
    default: return guard::fail(ErrorCode::Unsupported, {}, "the private key is neither an RSA nor an EC key");
    }
    const auto certBio = readBio(certPem);
    const CertPtr certificate(PEM_read_bio_X509(certBio.get(), nullptr, nullptr, nullptr));
    const bool fits = certificate && X509_check_private_key(certificate.get(), key.get()) == 1;
    ERR_clear_error();
    if (!fits) {
        return configError("the private key does not belong to the certificate");
    }
    auto bytes = bytesOf(pem.reveal());
    QSslKey loaded(bytes, algorithm, QSsl::Pem, QSsl::PrivateKey);
    guard::wipe(bytes.data(), static_cast<std::size_t>(bytes.size()));
    if (loaded.isNull()) {
        return guard::fail(ErrorCode::Unsupported, {}, "the private key's form is not supported");
    }
    return loaded;
}

guard::Result<QSslConfiguration> clientTls(const Endpoint& endpoint) {
    auto tls = QSslConfiguration::defaultConfiguration();
    tls.setProtocol(QSsl::TlsV1_2OrLater);
    tls.setAllowedNextProtocols({QByteArrayLiteral("http/1.1")});
    tls.setPeerVerifyMode(QSslSocket::VerifyPeer);
    if (endpoint.insecureSkipVerify) {
        tls.setPeerVerifyMode(
            QSslSocket::VerifyNone); // lint: allow tls: the kubeconfig says so; shown in the title bar
    }
    if (!endpoint.caPem.empty()) {
        const auto authorities = loadCertificates(endpoint.caPem, "the certificate authority");
        if (!authorities) {
            return tl::unexpected(authorities.error());
        }
        tls.setCaCertificates(*authorities);
    }
    if (!endpoint.clientCertPem.empty()) {
        const auto chain = loadCertificates(endpoint.clientCertPem, "the client certificate");
        if (!chain) {
            return tl::unexpected(chain.error());
        }
        if (!endpoint.clientKeyPem || endpoint.clientKeyPem->empty()) {
            return configError("there is a client certificate but no client key");
        }
        const auto key = loadKey(*endpoint.clientKeyPem, endpoint.clientCertPem);
        if (!key) {
            return tl::unexpected(key.error());
        }
        tls.setLocalCertificateChain(*chain);
        tls.setPrivateKey(*key);
    } else if (endpoint.clientKeyPem && !endpoint.clientKeyPem->empty()) {
        return configError("there is a client key but no client certificate");
    }
    return tls;
}

guard::Result<QSslConfiguration> serverTls(const ServerOptions& options) {
    auto tls = QSslConfiguration::defaultConfiguration();
    tls.setProtocol(QSsl::TlsV1_2OrLater);
    tls.setAllowedNextProtocols({QByteArrayLiteral("http/1.1")});
    const auto chain = loadCertificates(options.certPem, "the server certificate");
    if (!chain) {
        return tl::unexpected(chain.error());
    }
    const auto key = loadKey(*options.keyPem, options.certPem);
    if (!key) {
        return tl::unexpected(key.error());
    }
    tls.setLocalCertificateChain(*chain);
    tls.setPrivateKey(*key);
    tls.setPeerVerifyMode(QSslSocket::VerifyNone); // lint: allow tls: a server that asks for no client certificate
    tls.setCaCertificates({});
    if (!options.clientCaPem.empty()) {
        const auto authorities = loadCertificates(options.clientCaPem, "the client certificate authority");
        if (!authorities) {
            return tl::unexpected(authorities.error());
        }
        tls.setCaCertificates(*authorities);
        tls.setPeerVerifyMode(options.requireClientCertificate ? QSslSocket::VerifyPeer : QSslSocket::QueryPeer);
    }
    return tls;
}

std::string explain(const QList<QSslError>& errors, const std::string& verifiedName) {
    const QSslError* worst = nullptr;
    for (const auto& error : errors) {
        if (worst == nullptr || rankOf(error.error()) < rankOf(worst->error())) {
            worst = &error;
        }
    }
    if (worst == nullptr) {
        return "the TLS handshake failed";
    }
    const auto certificate = worst->certificate();
    const auto subject = "'" + subjectOf(certificate).toStdString() + "'";
    switch (worst->error()) {
    case QSslError::CertificateExpired:
        return "the certificate " + subject + " expired on " +
               certificate.expiryDate().toUTC().toString(Qt::ISODate).toStdString() +
               "; the server's certificate must be renewed (or this computer's clock is wrong)";
    case QSslError::CertificateNotYetValid:
        return "the certificate " + subject + " is valid only from " +
               certificate.effectiveDate().toUTC().toString(Qt::ISODate).toStdString() +
               "; this computer's clock may be wrong";
    case QSslError::HostNameMismatch:
        return "the server's certificate is not for '" + verifiedName + "' but for " + namesOf(certificate) +
               "; if this is the right server, set tls-server-name to one of these";
    default: break;
    }
    if (rankOf(worst->error()) == 1) {
        const auto issuer = certificate.issuerInfo(QSslCertificate::CommonName).join(QLatin1Char(' ')).toStdString();
        return "the server's certificate is not signed by the certificate authority configured for it (certificate " +
               subject + (certificate.isSelfSigned() ? ", self-signed)" : ", issued by '" + issuer + "')") +
               "; get a new kubeconfig, or correct certificate-authority. If neither has changed, something may be "
               "standing between here and the server";
    }
    return "the server's certificate was refused: " + worst->errorString().toStdString();
}

} // namespace alidade::http
