// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_session.hpp"

namespace alidade::test {
namespace {

guard::Error missing(const std::string& what) { return {guard::ErrorCode::NotFound, what, "not found"}; }

} // namespace

FakeSession::FakeSession(std::string context, std::string ns) {
    session.epoch = {1};
    session.context = std::move(context);
    session.cluster = session.context;
    session.server = "https://127.0.0.1:6443";
    session.user = "admin";
    session.ns = std::move(ns);
    connection_.kind = cluster::ConnectionState::Kind::Connected;
    connection_.serverVersion = "v1.27.3";
    for (const auto* kind : {&guard::kinds::pods(), &guard::kinds::deployments(), &guard::kinds::replicaSets(),
                             &guard::kinds::statefulSets(), &guard::kinds::daemonSets(), &guard::kinds::services(),
                             &guard::kinds::endpointSlices(), &guard::kinds::configMaps(), &guard::kinds::secrets(),
                             &guard::kinds::persistentVolumeClaims(), &guard::kinds::serviceAccounts(),
                             &guard::kinds::nodes(), &guard::kinds::namespaces(), &guard::kinds::events()}) {
        cluster::ResourceKind each;
        each.id = *kind;
        each.verbs = {"get", "list", "watch"};
        served.kinds.push_back(std::move(each));
    }
    served.serverVersion = connection_.serverVersion;
}

void FakeSession::setRows(const guard::KindId& kind, cluster::DeltaBatch batch) {
    batch.reset = true;
    rows_[kind] = batch;
    push(kind, std::move(batch));
}

void FakeSession::push(const guard::KindId& kind, cluster::DeltaBatch batch) {
    for (const auto& subscriber : subscribers_) {
        if (subscriber.kind == kind && !subscriber.alive.expired()) {
            cluster::DeltaBatch copy = batch;
            copy.subscription = subscriber.subscription;
            subscriber.mailbox->post(std::move(copy));
        }
    }
}

void FakeSession::setObject(const std::string& uid, nlohmann::json object) {
    objects_[uid] = object;
    for (const auto& watcher : watchers_) {
        if (watcher.uid == uid && !watcher.alive.expired()) {
            watcher.call(guard::Raw<nlohmann::json>(object));
        }
    }
}

void FakeSession::removeObject(const std::string& uid) {
    objects_.erase(uid);
    for (const auto& watcher : watchers_) {
        if (watcher.uid == uid && !watcher.alive.expired()) {
            watcher.call(tl::unexpected(missing(uid)));
        }
    }
}

void FakeSession::setLog(const std::string& name, std::string text) { logs_[name] = std::move(text); }

void FakeSession::setConnection(cluster::ConnectionState state) {
    connection_ = std::move(state);
    for (const auto& observer : observers_) {
        if (!observer.alive.expired()) {
            observer.call(connection_);
        }
    }
}

std::shared_ptr<void> FakeSession::subscribe(const guard::KindId& kind, const cluster::ListScope&,
                                             std::shared_ptr<cluster::Mailbox<cluster::DeltaBatch>> mailbox,
                                             std::uint64_t subscription) {
    auto handle = std::make_shared<int>(0);
    subscribers_.push_back({kind, mailbox, subscription, handle});
    cluster::DeltaBatch first;
    if (const auto it = rows_.find(kind); it != rows_.end()) {
        first = it->second;
    } else {
        first.reset = true;
        first.schema = std::make_shared<const std::vector<cluster::Column>>(
            std::vector<cluster::Column>{{"NAME", cluster::ColumnType::Text, false, ""}});
        first.freshness.state = cluster::Freshness::State::Live;
    }
    first.subscription = subscription;
    mailbox->post(std::move(first));
    return handle;
}

std::shared_ptr<void>
FakeSession::watchObject(const guard::ObjectRef& ref,
                         std::function<void(guard::Result<guard::Raw<nlohmann::json>>)> onChange) {
    auto handle = std::make_shared<int>(0);
    const auto it = objects_.find(ref.uid);
    if (it != objects_.end()) {
        onChange(guard::Raw<nlohmann::json>(it->second));
    } else {
        onChange(tl::unexpected(missing(ref.key.text())));
    }
    watchers_.push_back({ref.uid, std::move(onChange), handle});
    return handle;
}

std::shared_ptr<void> FakeSession::followLogs(const guard::ObjectKey& pod, const cluster::LogOptions& options,
                                              std::shared_ptr<cluster::Mailbox<cluster::LogChunk>> mailbox,
                                              std::uint64_t stream) {
    cluster::LogChunk chunk;
    chunk.stream = stream;
    if (const auto it = logs_.find(pod.name + '/' + options.container); it != logs_.end()) {
        chunk.bytes = it->second;
    } else {
        chunk.ended = tl::unexpected(missing("log of " + pod.name));
    }
    mailbox->post(std::move(chunk));
    followers_.emplace_back(std::move(mailbox), stream);
    return std::make_shared<int>(0);
}

void FakeSession::pushLog(cluster::LogChunk chunk) {
    for (const auto& [mailbox, stream] : followers_) {
        chunk.stream = stream;
        mailbox->post(chunk);
    }
}

std::shared_ptr<void> FakeSession::observeConnection(std::function<void(const cluster::ConnectionState&)> call) {
    auto handle = std::make_shared<int>(0);
    call(connection_);
    observers_.push_back({std::move(call), handle});
    return handle;
}

void FakeSession::get(const guard::ObjectKey& key, cluster::Done<guard::Raw<nlohmann::json>> done) {
    for (const auto& [uid, object] : objects_) {
        if (object.value("/metadata/name"_json_pointer, std::string()) == key.name) {
            done(guard::Raw<nlohmann::json>(object));
            return;
        }
    }
    done(tl::unexpected(missing(key.text())));
}
void FakeSession::list(const guard::KindId&, const cluster::ListScope&, std::size_t,
                       cluster::Done<guard::Answer<std::vector<guard::Raw<nlohmann::json>>>> done) {
    done(guard::Answer<std::vector<guard::Raw<nlohmann::json>>>({}, "nothing"));
}
void FakeSession::events(const guard::ObjectRef&,
                         cluster::Done<guard::Answer<std::vector<cluster::EventRecord>>> done) {
    done(guard::Answer<std::vector<cluster::EventRecord>>({}, "nothing"));
}
void FakeSession::logs(const guard::ObjectKey& pod, const cluster::LogOptions& options,
                       cluster::Done<guard::Raw<guard::LogText>> done) {
    const auto it = logs_.find(pod.name + '/' + options.container + (options.previous ? "/previous" : ""));
    if (it == logs_.end()) {
        done(tl::unexpected(missing("log of " + pod.name)));
    } else {
        done(guard::Raw<guard::LogText>({it->second}));
    }
}
void FakeSession::revisions(const guard::ObjectRef&,
                            cluster::Done<guard::Answer<std::vector<cluster::Revision>>> done) {
    done(guard::Answer<std::vector<cluster::Revision>>(revisionList, "revisions"));
}
void FakeSession::describe(const guard::ObjectKey& key, cluster::Done<guard::Raw<std::string>> done) {
    done(tl::unexpected(missing(key.text())));
}
void FakeSession::catalog(cluster::Done<guard::Answer<cluster::Catalog>> done) {
    done(guard::Answer<cluster::Catalog>(served, "discovery"));
}
void FakeSession::access(std::string, const guard::KindId&, std::string, std::string, std::string,
                         cluster::Done<guard::AccessReview> done) {
    done(guard::AccessReview{});
}
void FakeSession::relations(std::optional<guard::ObjectRef>, const cluster::ListScope&, int,
                            cluster::Done<guard::Answer<cluster::Graph>> done) {
    done(related);
}

guard::Result<std::shared_ptr<cluster::ClusterSession>> FakeSessions::open(const std::string& context) {
    if (refuse) {
        return tl::unexpected(*refuse);
    }
    const auto it = sessions.find(context);
    if (it == sessions.end()) {
        return guard::fail(guard::ErrorCode::Config, "context " + context, "no such entry");
    }
    return std::shared_ptr<cluster::ClusterSession>(it->second);
}

} // namespace alidade::test
