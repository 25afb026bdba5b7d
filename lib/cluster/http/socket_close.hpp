// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Letting go of a socket from within one of its own signals: it is closed and deleted from the event loop, since
// QSslSocket goes on working after it has emitted readyRead. The caller has taken away the receivers of its signals.
#include <QMetaObject>
#include <QTcpSocket>

#include <sys/socket.h>

namespace alidade::http {

inline void closeLater(QTcpSocket* socket, bool reset = false) {
    QMetaObject::invokeMethod(
        socket,
        [socket, reset] {
            if (const auto fd = static_cast<int>(socket->socketDescriptor()); reset && fd >= 0) {
                const linger now{1, 0};
                ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
            }
            socket->abort();
            socket->deleteLater();
        },
        Qt::QueuedConnection);
}

} // namespace alidade::http
