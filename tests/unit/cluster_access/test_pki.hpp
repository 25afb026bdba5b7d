// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: client certificates below an intermediate, their P-256 key in every PEM form.
// What it must not know: the product.
// Thread: any.
#pragma once

#include <string>

namespace alidade::test {

struct ClientPki {
    std::string rootPem;
    std::string chainPem; ///< leaf, then the intermediate
    std::string sec1;
    std::string pkcs8;
    std::string encrypted; ///< PKCS#8 with the pass phrase "x"
    std::string rsaKey;    ///< another key, which does not belong to the certificate
};
ClientPki makeClientPki(const std::string& commonName);

} // namespace alidade::test
