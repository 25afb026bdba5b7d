// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_pki.hpp"

#include <functional>
#include <memory>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

namespace alidade::test {
namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

Key newKey() { return {EVP_EC_gen("P-256"), &EVP_PKEY_free}; }

std::string written(const std::function<void(BIO*)>& write) {
    const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()), &BIO_free);
    write(bio.get());
    char* data = nullptr;
    const long size = BIO_get_mem_data(bio.get(), &data);
    return {data, static_cast<std::size_t>(size)};
}

Certificate sign(const std::string& name, EVP_PKEY* key, X509* issuer, EVP_PKEY* issuerKey, bool authority,
                 long serial) {
    Certificate certificate(X509_new(), &X509_free);
    X509* x = certificate.get();
    X509_set_version(x, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(x), serial);
    X509_gmtime_adj(X509_getm_notBefore(x), -3600);
    X509_gmtime_adj(X509_getm_notAfter(x), 86400);
    X509_set_pubkey(x, key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    X509_set_issuer_name(x, X509_get_subject_name(issuer == nullptr ? x : issuer));
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer == nullptr ? x : issuer, x, nullptr, nullptr, 0);
    const auto extend = [&](int nid, const char* value) {
        X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value);
        X509_add_ext(x, extension, -1);
        X509_EXTENSION_free(extension);
    };
    extend(NID_basic_constraints, authority ? "critical,CA:TRUE" : "critical,CA:FALSE");
    extend(NID_key_usage, authority ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature");
    if (!authority) {
        extend(NID_ext_key_usage, "clientAuth");
    }
    X509_sign(x, issuerKey, EVP_sha256());
    return certificate;
}

std::string pem(X509* certificate) {
    return written([&](BIO* bio) { PEM_write_bio_X509(bio, certificate); });
}

} // namespace

ClientPki makeClientPki(const std::string& commonName) {
    const Key rootKey = newKey();
    const Key middleKey = newKey();
    const Key key = newKey();
    const Certificate root = sign("test root", rootKey.get(), nullptr, rootKey.get(), true, 1);
    const Certificate middle = sign("test intermediate", middleKey.get(), root.get(), rootKey.get(), true, 2);
    const Certificate leaf = sign(commonName, key.get(), middle.get(), middleKey.get(), false, 3);
    ClientPki pki;
    pki.rootPem = pem(root.get());
    pki.chainPem = pem(leaf.get()) + pem(middle.get());
    pki.sec1 = written(
        [&](BIO* bio) { PEM_write_bio_PrivateKey_traditional(bio, key.get(), nullptr, nullptr, 0, nullptr, nullptr); });
    pki.pkcs8 =
        written([&](BIO* bio) { PEM_write_bio_PrivateKey(bio, key.get(), nullptr, nullptr, 0, nullptr, nullptr); });
    char phrase[] = "x";
    pki.encrypted = written([&](BIO* bio) {
        PEM_write_bio_PKCS8PrivateKey(bio, key.get(), EVP_aes_256_cbc(), phrase, 1, nullptr, nullptr);
    });
    const Key other(EVP_RSA_gen(2048), &EVP_PKEY_free);
    pki.rsaKey =
        written([&](BIO* bio) { PEM_write_bio_PrivateKey(bio, other.get(), nullptr, nullptr, 0, nullptr, nullptr); });
    return pki;
}

} // namespace alidade::test
