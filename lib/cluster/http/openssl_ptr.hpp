// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// OpenSSL's objects as unique_ptrs, and PEM in and out.
#include <memory>
#include <string>
#include <string_view>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

namespace alidade::http {

template<auto Free>
struct FreeWith {
    template<class T>
    void operator()(T* object) const noexcept {
        Free(object);
    }
};

using BioPtr = std::unique_ptr<BIO, FreeWith<&BIO_free_all>>;
using KeyPtr = std::unique_ptr<EVP_PKEY, FreeWith<&EVP_PKEY_free>>;
using CertPtr = std::unique_ptr<X509, FreeWith<&X509_free>>;
using NamePtr = std::unique_ptr<X509_NAME, FreeWith<&X509_NAME_free>>;
using ExtensionPtr = std::unique_ptr<X509_EXTENSION, FreeWith<&X509_EXTENSION_free>>;

[[nodiscard]] inline BioPtr readBio(std::string_view text) {
    return BioPtr(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

[[nodiscard]] inline std::string textOf(BIO* bio) {
    char* data = nullptr;
    const long size = BIO_get_mem_data(bio, &data);
    return size > 0 ? std::string(data, static_cast<std::size_t>(size)) : std::string();
}

} // namespace alidade::http
