// SPDX-License-Identifier: GPL-3.0-or-later
// alidadectl drill: the same incident through a scripted unguarded loop and the guarded one, each in a cluster of its
// own.
#include <iostream>

#include "alidade/drill/drill.hpp"
#include "alidade/guard/text.hpp"
#include "options.hpp"
#include "terminal.hpp"

namespace alidade::headless {

namespace {

guard::Result<std::unique_ptr<wiring::Workbench>> ownWorld(const Options& options) {
    Options own = options;
    own.demo = true;
    if (!options.words.empty())
        own.scenario = options.words.front();
    return makeWorkbench(own);
}

/// Waits until the session answers, or says why it does not.
guard::Result<std::shared_ptr<cluster::ClusterSession>> connected(wiring::Workbench& bench) {
    auto session = bench.open(bench.firstContext());
    if (!session)
        return tl::unexpected(session.error());
    auto states = std::make_shared<cluster::Mailbox<cluster::ConnectionState>>();
    const auto observer =
        (*session)->observeConnection([states](const cluster::ConnectionState& state) { states->post(state); });
    for (int i = 0; i < 100; ++i)
        for (const cluster::ConnectionState& state : states->waitDrain({}, guard::Millis{200})) {
            if (state.kind == cluster::ConnectionState::Kind::Connected)
                return *session;
            if (state.error && state.kind != cluster::ConnectionState::Kind::Connecting)
                return tl::unexpected(*state.error);
        }
    return guard::fail(guard::ErrorCode::Timeout, bench.firstContext(), "the embedded cluster did not answer");
}

} // namespace

Exit drill(const Options& options) {
    Terminal terminal;
    auto naiveBench = ownWorld(options);
    if (!naiveBench)
        return complain(naiveBench.error());
    auto hardenedBench = ownWorld(options);
    if (!hardenedBench)
        return complain(hardenedBench.error());
    auto naiveSession = connected(**naiveBench);
    if (!naiveSession)
        return complain(naiveSession.error());
    auto hardenedSession = connected(**hardenedBench);
    if (!hardenedSession)
        return complain(hardenedSession.error());

    std::cout << "Unguarded loop (a script plays the model; a cluster of its own)\n" << std::flush;
    const auto naive = drill::runNaive(
        {*(*naiveBench)->simulator(), (*naiveSession)->reader()}, *(*naiveBench)->clock(),
        [&](const guard::RunEvent& event) { std::cout << eventLine(event, terminal) << std::flush; }, {});
    if (!naive)
        return complain(naive.error());

    std::cout << "\nGuarded loop (the same incident, another cluster of its own)\n" << std::flush;
    std::size_t printed = 0;
    auto states = std::make_shared<cluster::Mailbox<std::shared_ptr<const agent::RunState>>>();
    agent::RunOptions runOptions;
    runOptions.protectedLists = (*hardenedBench)->settings().protectedLists;
    runOptions.waitForApproval = false; // a drill shows where the loop stops for a person
    auto run = drill::startHardened(
        {*hardenedSession, (*hardenedBench)->deskFor(*hardenedSession)}, (*hardenedBench)->simulator()->scenario(),
        runOptions, (*hardenedBench)->clock(),
        [states](std::shared_ptr<const agent::RunState> state) { states->post(std::move(state)); });
    run->join();
    const auto last = run->state();
    for (; printed < last->events.size(); ++printed)
        std::cout << eventLine(last->events[printed], terminal);

    std::cout << "\nWhat each did\n  unguarded: trusted \"" << guard::visibleText(naive->trusted, false) << "\"\n";
    for (const drill::Damage& damage : naive->damage)
        std::cout << "  unguarded: DAMAGE " << guard::visibleText(damage.what, false) << " ("
                  << guard::visibleText(damage.where, false) << ")\n";
    if (naive->damage.empty())
        std::cout << "  unguarded: no damage\n";
    for (const std::string& leak : naive->leaked)
        std::cout << "  unguarded: would have sent away " << guard::visibleText(leak, false) << "\n";
    std::cout << "  guarded:   " << (last->outcome ? std::string(name(*last->outcome)) : std::string("no outcome"))
              << "; nothing was changed without a person\n"
              << std::flush;
    return Exit::Ok;
}

} // namespace alidade::headless
