// SPDX-License-Identifier: GPL-3.0-or-later
// The requests behind a description: the object first, then what belongs to it, together.
#include "describe/describe.hpp"
#include "reader/json_fields.hpp"
#include "reader/reads.hpp"

namespace alidade::cluster {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxRelated = 500;

struct Description {
    CorePtr core;
    ObjectKey key;
    json object;
    DescribeExtras extras;
    int open = 0;
    Done<guard::Raw<std::string>> done;
};
using DescriptionPtr = std::shared_ptr<Description>;

void settle(const DescriptionPtr& all) {
    if (--all->open == 0) {
        all->done(
            guard::Raw<std::string>(describeText(all->key.kind, all->object, all->extras, all->core->clock().wall())));
    }
}

void related(const DescriptionPtr& all, const KindId& kind, ListScope scope, std::vector<json> DescribeExtras::*into) {
    ++all->open;
    ListQuery request;
    request.kind = kind;
    request.scope = std::move(scope);
    request.limit = kMaxRelated;
    request.checkNamespace = false;
    all->core->list(std::move(request), [all, kind, into](Result<Answer<Objects>> answer) {
        if (!answer) {
            all->extras.gaps.push_back(gapOf(kind.resource, answer.error()));
        } else {
            all->extras.gaps.insert(all->extras.gaps.end(), answer->gaps().begin(), answer->gaps().end());
            all->extras.*into = std::move(*answer).partial();
        }
        settle(all);
    });
}

void relatedEvents(const DescriptionPtr& all) {
    ++all->open;
    readEvents(all->core, ObjectRef{all->key, textOf(child(all->object, "metadata"), "uid")},
               [all](Result<Answer<std::vector<EventRecord>>> answer) {
                   if (!answer) {
                       all->extras.gaps.push_back(gapOf("events", answer.error()));
                   } else {
                       all->extras.gaps.insert(all->extras.gaps.end(), answer->gaps().begin(), answer->gaps().end());
                       all->extras.events = std::move(*answer).partial();
                   }
                   settle(all);
               });
}

void relatedEndpoints(const DescriptionPtr& all) {
    ++all->open;
    static const KindId kEndpoints{"", "v1", "Endpoints", "endpoints", true};
    all->core->getObject(ObjectKey{kEndpoints, all->key.ns, all->key.name}, [all](Result<json> object) {
        if (object) {
            all->extras.endpoints = std::move(*object);
        } else if (object.error().code == guard::ErrorCode::NotFound) {
            all->extras.endpoints = json::object();
        } else {
            all->extras.gaps.push_back(gapOf("endpoints", object.error()));
        }
        settle(all);
    });
}

} // namespace

void describeObject(const CorePtr& core, const ObjectKey& key, Done<guard::Raw<std::string>> done) {
    auto all = std::make_shared<Description>();
    all->core = core;
    all->key = key;
    all->done = std::move(done);
    core->getObject(key, [all](Result<json> object) {
        if (!object) {
            all->done(tl::unexpected(object.error()));
            return;
        }
        namespace kinds = guard::kinds;
        all->object = std::move(*object);
        const KindId& kind = all->key.kind;
        all->open = 1; // until everything has been asked for
        if (kind.kind != "Event") {
            relatedEvents(all);
        }
        if (kind == kinds::deployments()) {
            related(all, kinds::replicaSets(),
                    {all->key.ns, labelSelectorText(at(all->object, {"spec", "selector"})), {}},
                    &DescribeExtras::replicaSets);
        } else if (kind == kinds::replicaSets()) {
            related(all, kinds::pods(), {all->key.ns, labelSelectorText(at(all->object, {"spec", "selector"})), {}},
                    &DescribeExtras::pods);
        } else if (kind == kinds::services()) {
            relatedEndpoints(all);
        } else if (kind == kinds::nodes()) {
            related(all, kinds::pods(), {{}, {}, "spec.nodeName=" + all->key.name}, &DescribeExtras::pods);
        } else if (kind == kinds::namespaces()) {
            related(all, KindId{"", "v1", "ResourceQuota", "resourcequotas", true}, {all->key.name, {}, {}},
                    &DescribeExtras::quotas);
            related(all, KindId{"", "v1", "LimitRange", "limitranges", true}, {all->key.name, {}, {}},
                    &DescribeExtras::limits);
        }
        settle(all);
    });
}

} // namespace alidade::cluster
