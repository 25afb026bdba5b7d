// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubeconfig/base64.hpp"

#include <QByteArray>

namespace alidade::cluster {

std::optional<std::string> decodeBase64(std::string_view text) {
    QByteArray packed;
    packed.reserve(static_cast<qsizetype>(text.size()));
    for (const char c : text) {
        if (c != '\n' && c != '\r') {
            packed.append(c);
        }
    }
    if (packed.size() % 4 != 0) {
        return std::nullopt;
    }
    auto decoded =
        QByteArray::fromBase64Encoding(packed, QByteArray::Base64Encoding | QByteArray::AbortOnBase64DecodingErrors);
    packed.fill('\0');
    if (!decoded) {
        return std::nullopt;
    }
    std::string bytes(decoded.decoded.constData(), static_cast<std::size_t>(decoded.decoded.size()));
    decoded.decoded.fill('\0');
    return bytes;
}

std::string encodeBase64(std::string_view bytes) {
    return QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size())).toBase64().toStdString();
}

} // namespace alidade::cluster
