// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: values from other threads on the GUI thread, in batches, with at most one queued call pending.
// What it must not know: what the values mean.
// Thread: made, consumed and destroyed on its owner's thread; posted to from any.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <QMetaObject>
#include <QObject>

#include "alidade/cluster_model/mailbox.hpp"

namespace alidade::models {

/// Wakes by one queued call into the receiver's event loop.
class QtWakeup final : public cluster::Wakeup {
public:
    QtWakeup(QObject* receiver, std::function<void()> call) : receiver_(receiver), call_(std::move(call)) {}

    void wake() override {
        const std::lock_guard lock(mutex_);
        if (receiver_ != nullptr) {
            QMetaObject::invokeMethod(receiver_, call_, Qt::QueuedConnection);
        }
    }
    /// After this no call is posted any more; those already posted die with the receiver.
    void detach() {
        const std::lock_guard lock(mutex_);
        receiver_ = nullptr;
    }

private:
    std::mutex mutex_;
    QObject* receiver_;
    std::function<void()> call_;
};

/// A mailbox with its consumer. Producers keep mailbox(); what they post after the inbox is gone is never seen.
template <class T>
class Inbox {
public:
    explicit Inbox(std::function<void(std::vector<T>)> consume) : consume_(std::move(consume)) {
        wakeup_ = std::make_shared<QtWakeup>(&receiver_, [this] { drainNow(); });
        mailbox_ = std::make_shared<cluster::Mailbox<T>>(wakeup_);
    }
    ~Inbox() { wakeup_->detach(); }
    Inbox(const Inbox&) = delete;
    Inbox& operator=(const Inbox&) = delete;

    [[nodiscard]] const std::shared_ptr<cluster::Mailbox<T>>& mailbox() const noexcept { return mailbox_; }
    /// A function that producers on any thread may call, also after the inbox is gone.
    [[nodiscard]] std::function<void(T)> poster() const {
        return [box = mailbox_](T value) { box->post(std::move(value)); };
    }
    /// Drains at once, on the owner's thread.
    void drainNow() {
        auto values = mailbox_->drain();
        if (!values.empty()) {
            consume_(std::move(values));
        }
    }

private:
    QObject receiver_;
    std::function<void(std::vector<T>)> consume_;
    std::shared_ptr<QtWakeup> wakeup_;
    std::shared_ptr<cluster::Mailbox<T>> mailbox_;
};

} // namespace alidade::models
