// SPDX-License-Identifier: GPL-3.0-or-later
#include "approval/input_calibration.hpp"

#include <QCoreApplication>
#include <QInputEvent>
#include <QMouseEvent>

#include "alidade/ui/appearance.hpp"

namespace alidade::ui {

void installInputCalibration(std::shared_ptr<const guard::Clock> clock) {
    if (InputCalibration::installed() == nullptr)
        new InputCalibration(std::move(clock), QCoreApplication::instance()); // owned by the application
}

InputCalibration::InputCalibration(std::shared_ptr<const guard::Clock> clock, QObject* application)
    : QObject(application), clock_(std::move(clock)) {
    application->installEventFilter(this);
}

InputCalibration* InputCalibration::installed() {
    return QCoreApplication::instance()->findChild<InputCalibration*>(QString(), Qt::FindDirectChildrenOnly);
}

std::optional<InputCalibration::Stamped> InputCalibration::stamped(const QEvent& event) {
    switch (event.type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseMove:
        return Stamped{guard::DeviceClass::Pointer,
                       static_cast<std::uint32_t>(static_cast<const QInputEvent&>(event).timestamp())};
    case QEvent::KeyPress:
    case QEvent::KeyRelease:
        return Stamped{guard::DeviceClass::Key,
                       static_cast<std::uint32_t>(static_cast<const QInputEvent&>(event).timestamp())};
    case QEvent::TouchBegin:
    case QEvent::TouchUpdate:
    case QEvent::TouchEnd:
        return Stamped{guard::DeviceClass::Touch,
                       static_cast<std::uint32_t>(static_cast<const QInputEvent&>(event).timestamp())};
    default: return std::nullopt;
    }
}

bool InputCalibration::eventFilter(QObject* watched, QEvent* event) {
    const auto input = stamped(*event);
    if (input && input->stamp != 0 && event->spontaneous() && (dialogs_ == 0 || event->type() == QEvent::MouseMove)) {
        if (event != last_ || input->stamp != lastStamp_) {
            stamps_.observe(input->device, input->stamp, clock_->now());
            last_ = event;
            lastStamp_ = input->stamp;
        }
    }
    return QObject::eventFilter(watched, event);
}

} // namespace alidade::ui
