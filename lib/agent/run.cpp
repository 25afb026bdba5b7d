// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/agent/run.hpp"

#include <thread>

#include "loop/loop.hpp"
#include "loop/trail.hpp"

namespace alidade::agent {

struct Run::Impl {
    RunOptions options;
    RunPorts ports;
    Trail trail;
    std::jthread thread; ///< last: it uses all of the above

    Impl(Incident incident, RunOptions o, RunPorts p)
        : options(std::move(o)), ports(std::move(p)),
          trail(std::move(incident), ports.session->info().context, ports.clock, ports.onChange) {}
};

Run::Run(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

std::unique_ptr<Run> Run::start(Incident incident, RunOptions options, RunPorts ports) {
    if (incident.ns.empty())
        incident.ns =
            incident.about && !incident.about->key.ns.empty() ? incident.about->key.ns : ports.session->info().ns;
    auto impl = std::make_unique<Impl>(std::move(incident), std::move(options), std::move(ports));
    Impl& at = *impl;
    at.thread = std::jthread([&at](std::stop_token stop) { Loop(at.trail, at.options, at.ports, {}).run(stop); });
    return std::unique_ptr<Run>(new Run(std::move(impl)));
}

Run::~Run() {
    cancel();
    join();
}

void Run::cancel() { impl_->thread.request_stop(); }

std::shared_ptr<const RunState> Run::state() const { return impl_->trail.snapshot(); }

void Run::join() {
    if (impl_->thread.joinable())
        impl_->thread.join();
}

} // namespace alidade::agent
