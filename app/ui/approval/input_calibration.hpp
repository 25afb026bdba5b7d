// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Feeds guard::StampCalibration with every stamped input event of the application, and translates events for the gate.
#include <memory>
#include <optional>

#include <QObject>

#include "alidade/guard/clock.hpp"
#include "alidade/guard/input_gate.hpp"

class QEvent;

namespace alidade::ui {

class InputCalibration final : public QObject {
    Q_OBJECT

public:
    InputCalibration(std::shared_ptr<const guard::Clock> clock, QObject* application);
    /// The one of this application; null before installInputCalibration().
    [[nodiscard]] static InputCalibration* installed();
    [[nodiscard]] guard::StampCalibration& stamps() noexcept { return stamps_; }

    /// Device and stamp of a press, release or key event; nullopt for anything else.
    struct Stamped {
        guard::DeviceClass device;
        std::uint32_t stamp;
    };
    [[nodiscard]] static std::optional<Stamped> stamped(const QEvent& event);

    /// While an approval dialog is open its own filter judges presses and keys before they are learnt from, so that the
    /// first stamp ever seen cannot vouch for itself; this filter then learns from pointer moves only.
    void dialogOpened() noexcept { ++dialogs_; }
    void dialogClosed() noexcept { --dialogs_; }

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::shared_ptr<const guard::Clock> clock_;
    guard::StampCalibration stamps_;
    int dialogs_ = 0;
    const QEvent* last_ = nullptr; ///< one event passes the filter once per receiver; it is counted once
    std::uint32_t lastStamp_ = 0;
};

} // namespace alidade::ui
