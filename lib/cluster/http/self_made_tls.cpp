// SPDX-License-Identifier: GPL-3.0-or-later
// A CA and its certificates, made in memory (RFC 5280 profiles as TLS clients check them).
#include "alidade/http/server.hpp"

#include "openssl_ptr.hpp"

#include <array>
#include <cstring>
#include <ctime>

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>

namespace alidade::http {
namespace {

using guard::ErrorCode;
using SecretPem = std::shared_ptr<const guard::Secret<std::string>>;

struct Issued {
    CertPtr certificate;
    KeyPtr key;
};

struct Wanted {
    std::string commonName;
    std::string alternatives; // as OpenSSL's configuration syntax has it
    const char* usage;
    const char* extendedUsage; // null for a CA
    long from;
    long until;
};

bool addExtension(X509* certificate, X509* issuer, int nid, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    const ExtensionPtr extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
    return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool setSerial(X509* certificate) {
    std::array<unsigned char, 16> bytes{};
    if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) {
        return false;
    }
    bytes[0] &= 0x7FU; // positive
    const std::unique_ptr<BIGNUM, FreeWith<&BN_free>> number(
        BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
    return number && BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

/// A certificate with a fresh P-256 key; signed by `issuer`, or by itself when that is null.
std::optional<Issued> issue(const Wanted& wanted, const Issued* issuer) {
    Issued made{CertPtr(X509_new()), KeyPtr(EVP_EC_gen("P-256"))};
    X509* const certificate = made.certificate.get();
    if (certificate == nullptr || !made.key || X509_set_version(certificate, 2) != 1 || !setSerial(certificate)) {
        return std::nullopt;
    }
    X509_gmtime_adj(X509_getm_notBefore(certificate), wanted.from);
    X509_gmtime_adj(X509_getm_notAfter(certificate), wanted.until);
    X509_set_pubkey(certificate, made.key.get());
    const NamePtr name(X509_NAME_new());
    if (X509_NAME_add_entry_by_txt(name.get(), "CN", MBSTRING_UTF8,
                                   reinterpret_cast<const unsigned char*>(wanted.commonName.data()),
                                   static_cast<int>(wanted.commonName.size()), -1, 0) != 1) {
        return std::nullopt;
    }
    X509* const parent = issuer != nullptr ? issuer->certificate.get() : certificate;
    X509_set_subject_name(certificate, name.get());
    X509_set_issuer_name(certificate, X509_get_subject_name(parent));
    bool good = addExtension(certificate, parent, NID_basic_constraints,
                             wanted.extendedUsage == nullptr ? "critical,CA:TRUE" : "critical,CA:FALSE") &&
                addExtension(certificate, parent, NID_key_usage, wanted.usage) &&
                addExtension(certificate, parent, NID_subject_key_identifier, "hash") &&
                addExtension(certificate, parent, NID_authority_key_identifier, "keyid");
    if (good && wanted.extendedUsage != nullptr) {
        good = addExtension(certificate, parent, NID_ext_key_usage, wanted.extendedUsage);
    }
    if (good && !wanted.alternatives.empty()) {
        good = addExtension(certificate, parent, NID_subject_alt_name, wanted.alternatives);
    }
    EVP_PKEY* const signer = issuer != nullptr ? issuer->key.get() : made.key.get();
    if (!good || X509_sign(certificate, signer, EVP_sha256()) == 0) {
        return std::nullopt;
    }
    return made;
}

std::string pemOf(X509* certificate) {
    const BioPtr bio(BIO_new(BIO_s_mem()));
    PEM_write_bio_X509(bio.get(), certificate);
    return textOf(bio.get());
}

SecretPem pemOf(EVP_PKEY* key) {
    const BioPtr bio(BIO_new(BIO_s_secmem()));
    PEM_write_bio_PKCS8PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
    return std::make_shared<const guard::Secret<std::string>>(textOf(bio.get()));
}

bool isAddress(const std::string& name) {
    const std::unique_ptr<ASN1_OCTET_STRING, FreeWith<&ASN1_OCTET_STRING_free>> parsed(a2i_IPADDRESS(name.c_str()));
    ERR_clear_error();
    return parsed != nullptr;
}

} // namespace

guard::Result<SelfMadeTls> makeSelfMadeTls(const SelfMadeTlsOptions& options) {
    std::string alternatives;
    for (const auto& name : options.names) {
        if (name.empty() ||
            name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:-*") !=
                std::string::npos) {
            return guard::fail(ErrorCode::Config, "self-made certificate",
                               "'" + name + "' is not a host name or address");
        }
        alternatives += (alternatives.empty() ? "" : ",") + std::string(isAddress(name) ? "IP:" : "DNS:") + name;
    }
    const long from = options.validFromSeconds;
    const long until = from + options.validForSeconds;
    const auto failed = [] {
        char text[256] = "";
        ERR_error_string_n(ERR_get_error(), text, sizeof text);
        ERR_clear_error();
        return guard::fail(ErrorCode::Internal, "self-made certificate", text);
    };
    // Two CAs with one name would be taken for each other by software that looks issuers up by name.
    std::array<unsigned char, 4> tag{};
    RAND_bytes(tag.data(), static_cast<int>(tag.size()));
    std::string caName = "alidade throw-away CA ";
    for (const unsigned char byte : tag) {
        caName += "0123456789abcdef"[byte >> 4U];
        caName += "0123456789abcdef"[byte & 0xFU];
    }
    const auto authority =
        issue({caName, {}, "critical,keyCertSign,cRLSign", nullptr, std::min(from, -3600L), std::max(until, 86400L)},
              nullptr);
    if (!authority) {
        return failed();
    }
    const auto server = issue({options.names.empty() ? "server" : options.names.front(), alternatives,
                               "critical,digitalSignature", "serverAuth", from, until},
                              &*authority);
    if (!server) {
        return failed();
    }
    SelfMadeTls made;
    made.caPem = pemOf(authority->certificate.get());
    made.certPem = pemOf(server->certificate.get());
    made.keyPem = pemOf(server->key.get());
    if (!options.clientCommonName.empty()) {
        const auto client =
            issue({options.clientCommonName, {}, "critical,digitalSignature", "clientAuth", from, until}, &*authority);
        if (!client) {
            return failed();
        }
        made.clientCertPem = pemOf(client->certificate.get());
        made.clientKeyPem = pemOf(client->key.get());
    }
    return made;
}

} // namespace alidade::http
