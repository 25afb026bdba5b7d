// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Certificates with keys in each of the forms that kubeconfigs hold, made at test time.
#include <memory>
#include <string>
#include <string_view>

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "alidade/guard/text.hpp"

namespace alidade::http::test {

struct KeyPair {
    std::string certPem;
    std::string keyPem;
};

inline std::shared_ptr<const guard::Secret<std::string>> secret(const std::string& text) {
    return std::make_shared<const guard::Secret<std::string>>(text);
}

template<class Write>
std::string pem(Write write) {
    BIO* const bio = BIO_new(BIO_s_mem());
    write(bio);
    char* data = nullptr;
    const auto size = static_cast<std::size_t>(BIO_get_mem_data(bio, &data));
    std::string text(data, size);
    BIO_free_all(bio);
    return text;
}

/// A self-signed certificate for "bob". The form is the key's kind and encoding.
inline KeyPair makePair(std::string_view form) {
    const bool rsa = form.substr(0, 3) == "rsa";
    const bool edwards = form == "ed25519";
    EVP_PKEY* const key = rsa       ? EVP_RSA_gen(2048)
                          : edwards ? EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")
                                    : EVP_EC_gen("P-256");
    X509* const certificate = X509_new();
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -60);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, key);
    X509_NAME* const name = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("bob"), -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    X509_sign(certificate, key, edwards ? nullptr : EVP_sha256());

    KeyPair pair;
    pair.certPem = pem([&](BIO* bio) { PEM_write_bio_X509(bio, certificate); });
    auto* const word = reinterpret_cast<const unsigned char*>("word");
    pair.keyPem = pem([&](BIO* bio) {
        if (form == "rsa-pkcs1" || form == "ec-sec1") {
            PEM_write_bio_PrivateKey_traditional(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
        } else if (form == "ec-sec1-params") { // what `openssl ecparam -genkey` writes
            // the curve's name, prime256v1, in DER
            BIO_puts(bio, "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n");
            PEM_write_bio_PrivateKey_traditional(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
        } else if (form == "rsa-encrypted-traditional") {
            PEM_write_bio_PrivateKey_traditional(bio, key, EVP_aes_128_cbc(), word, 4, nullptr, nullptr);
        } else if (form == "rsa-encrypted-pkcs8") {
            PEM_write_bio_PKCS8PrivateKey(bio, key, EVP_aes_128_cbc(), "word", 4, nullptr, nullptr);
        } else {
            PEM_write_bio_PKCS8PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
        }
    });
    X509_free(certificate);
    EVP_PKEY_free(key);
    return pair;
}

} // namespace alidade::http::test
