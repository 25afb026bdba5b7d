// SPDX-License-Identifier: GPL-3.0-or-later
#include "ports.hpp"

#include "diff.hpp"
#include "render.hpp"

namespace alidade::cluster::writer {

using guard::ErrorCode;
using nlohmann::json;

namespace {
template<class T>
class Waiting final : public guard::Pending<T> {
public:
    using Finish = std::function<Result<T>(guard::MonoTime deadline)>;
    explicit Waiting(Finish finish) : finish_(std::move(finish)) {}
    Result<T> wait(guard::MonoTime deadline) override { return finish_(deadline); }

private:
    Finish finish_;
};
template<class T>
std::unique_ptr<guard::Pending<T>> waiting(typename Waiting<T>::Finish finish) {
    return std::make_unique<Waiting<T>>(std::move(finish));
}
tl::unexpected<guard::Error> late(const std::string& what) {
    return guard::fail(ErrorCode::Timeout, what, "no answer in time");
}

std::string textAt(const json& object, std::initializer_list<const char*> path) {
    const json* here = &object;
    for (const char* key : path) {
        if (!here->is_object())
            return {};
        const auto found = here->find(key);
        if (found == here->end())
            return {};
        here = &*found;
    }
    return here->is_string() ? here->get<std::string>() : std::string();
}
bool annotated(const json& object) {
    return textAt(object, {"metadata", "annotations", std::string(guard::protectedAnnotation).c_str()}) == "true";
}

/// The controller that owns an object, of the kinds that own workloads and pods.
std::optional<ObjectKey> controllerOf(const json& object) {
    const auto metadata = object.is_object() ? object.find("metadata") : object.end();
    if (!object.is_object() || metadata == object.end() || !metadata->is_object())
        return std::nullopt;
    const auto owners = metadata->find("ownerReferences");
    if (owners == metadata->end() || !owners->is_array())
        return std::nullopt;
    static const std::vector<KindId> known{guard::kinds::replicaSets(),
                                           guard::kinds::deployments(),
                                           guard::kinds::statefulSets(),
                                           guard::kinds::daemonSets(),
                                           KindId{"batch", "v1", "Job", "jobs", true},
                                           KindId{"batch", "v1", "CronJob", "cronjobs", true}};
    for (const json& owner : *owners) {
        if (!owner.is_object() || !owner.contains("controller") || owner["controller"] != true)
            continue;
        for (const KindId& kind : known)
            if (kind.kind == textAt(owner, {"kind"}) && kind.apiVersion() == textAt(owner, {"apiVersion"}))
                return ObjectKey{kind, textAt(object, {"metadata", "namespace"}), textAt(owner, {"name"})};
    }
    return std::nullopt;
}

/// Walks up the owners, three at most, until one carries the annotation.
void findProtection(const std::shared_ptr<const Writer>& writer, const json& object, int steps,
                    guard::TargetState state, const SlotPtr<guard::TargetState>& slot) {
    const std::optional<ObjectKey> owner = steps > 0 ? controllerOf(object) : std::nullopt;
    if (!owner || !guard::validObjectName(owner->name))
        return slot->complete(std::move(state));
    writer->object(*owner)->then(
        [writer, owner, steps, state = std::move(state), slot](const Result<json>& read) mutable {
            if (!read) {
                // An owner that is gone protects nothing; one that cannot be read might.
                if (read.error().code == ErrorCode::NotFound)
                    return slot->complete(std::move(state));
                return slot->complete(tl::unexpected(read.error()));
            }
            if (annotated(*read)) {
                state.annotatedProtected = true;
                state.protectedWhy = "by annotation of " + owner->text() + ", which owns it";
                return slot->complete(std::move(state));
            }
            findProtection(writer, *read, steps - 1, std::move(state), slot);
        });
}

struct Dry {
    guard::WriteRequest request;
    json before;
    writer::Answer answer;
};
/// Shared between the chain on the I/O thread and the one who waits: the request may be there when the answer is not.
struct PreviewState {
    std::mutex mutex;
    std::optional<guard::WriteRequest> request;
    SlotPtr<Dry> slot = std::make_shared<Slot<Dry>>();
};

/// Groups whose server is Kubernetes itself, so that dryRun is honoured.
bool builtinGroup(const std::string& group) {
    if (group.size() >= 14 && group.substr(group.size() - 14) == "metrics.k8s.io")
        return false;
    return group.find('.') == std::string::npos || (group.size() > 7 && group.substr(group.size() - 7) == ".k8s.io");
}

void dryRun(const std::shared_ptr<const Writer>& writer, const std::shared_ptr<PreviewState>& state,
            const guard::WriteRequest& request, json before) {
    writer->preview(DryRunRequest(request))
        ->then([state, request, before = std::move(before)](const Result<writer::Answer>& answer) {
            if (!answer)
                return state->slot->complete(tl::unexpected(answer.error()));
            state->slot->complete(Dry{request, before, *answer});
        });
}

void renderAndTry(const std::shared_ptr<const Writer>& writer, const std::shared_ptr<PreviewState>& state,
                  const guard::Action& action, const Seen& seen) {
    std::string uid = textAt(seen.object, {"metadata", "uid"});
    if (uid.empty())
        uid = action.target.uid;
    Result<guard::WriteRequest> request = render(action, uid, seen, writer->clock()->wall());
    if (!request)
        return state->slot->complete(tl::unexpected(request.error()));
    {
        const std::lock_guard lock(state->mutex);
        state->request = *request;
    }
    json before = action.kind() == guard::ActionKind::Scale ? seen.scale : seen.object;
    const KindId& kind = action.target.key.kind;
    if (builtinGroup(kind.group))
        return dryRun(writer, state, *request, std::move(before));
    // A custom resource is served by Kubernetes, an aggregated API by somebody who may not know dryRun.
    const std::string service =
        "/apis/apiregistration.k8s.io/v1/apiservices/" + http::percentEncode(kind.version + "." + kind.group);
    writer->read(service)->then(
        [writer, state, request = *request, before = std::move(before)](const Result<json>& read) mutable {
            if (!read || !read->is_object() || !read->contains("spec") || !(*read)["spec"].is_object() ||
                ((*read)["spec"].contains("service") && !(*read)["spec"]["service"].is_null()))
                return state->slot->complete(
                    guard::fail(ErrorCode::Unavailable, "dry run",
                                "this kind may be served by an aggregated API, where a dry run might not be one"));
            dryRun(writer, state, request, std::move(before));
        });
}
} // namespace

SlotPtr<json> Ports::object(const ObjectKey& key) {
    SlotPtr<json>& slot = objects_[key];
    if (!slot)
        slot = writer_->object(key);
    return slot;
}

std::unique_ptr<guard::Pending<guard::AccessReview>> Ports::startAccessReview(const guard::Action& action) {
    auto slot = std::make_shared<Slot<guard::AccessReview>>();
    const ObjectKey& key = action.target.key;
    const bool remove = action.kind() == guard::ActionKind::Delete;
    if (const auto session = writer_->session())
        session->reader()->access(remove ? "delete" : "patch", key.kind,
                                  action.kind() == guard::ActionKind::Scale ? "scale" : "", key.ns, key.name,
                                  filling(slot));
    return waiting<guard::AccessReview>(
        [slot, clock = writer_->clock()](guard::MonoTime deadline) -> Result<guard::AccessReview> {
            const Result<guard::AccessReview>* answer = slot->wait(deadline, *clock);
            if (!answer)
                return late("access review");
            return *answer;
        });
}

std::unique_ptr<guard::Pending<guard::TargetState>> Ports::startTarget(const guard::Action& action) {
    auto slot = std::make_shared<Slot<guard::TargetState>>();
    object(action.target.key)->then([slot, writer = writer_](const Result<json>& read) {
        if (!read)
            return slot->complete(tl::unexpected(read.error()));
        guard::TargetState state;
        state.uid = textAt(*read, {"metadata", "uid"});
        state.annotatedProtected = annotated(*read);
        if (state.annotatedProtected) {
            state.protectedWhy = "by annotation";
            return slot->complete(std::move(state));
        }
        findProtection(writer, *read, 3, std::move(state), slot);
    });
    return waiting<guard::TargetState>(
        [slot, clock = writer_->clock()](guard::MonoTime deadline) -> Result<guard::TargetState> {
            const Result<guard::TargetState>* answer = slot->wait(deadline, *clock);
            if (!answer)
                return late("reading the target");
            return *answer;
        });
}

std::unique_ptr<guard::Pending<guard::WriteGatePorts::Rendered>> Ports::startPreview(const guard::Action& action) {
    auto state = std::make_shared<PreviewState>();
    const std::shared_ptr<const Writer> writer = writer_;
    object(action.target.key)->then([state, writer, action](const Result<json>& read) {
        auto seen = std::make_shared<Seen>();
        if (read)
            seen->object = *read;
        // A delete and a scale need not see the whole object; the others change what they saw.
        const bool needed = action.kind() == guard::ActionKind::Rollback || action.kind() == guard::ActionKind::Restart;
        if (!read && (needed || read.error().code == ErrorCode::NotFound))
            return state->slot->complete(tl::unexpected(read.error()));
        if (action.kind() == guard::ActionKind::Rollback) {
            const ObjectRef ref{action.target.key, textAt(seen->object, {"metadata", "uid"})};
            auto revisions = std::make_shared<Slot<guard::Answer<std::vector<Revision>>>>();
            revisions->then([state, writer, action, seen](const Result<guard::Answer<std::vector<Revision>>>& answer) {
                if (!answer)
                    return state->slot->complete(tl::unexpected(answer.error()));
                seen->revisions = answer->partial();
                seen->revisionsComplete = answer->complete();
                renderAndTry(writer, state, action, *seen);
            });
            auto fill = filling(revisions); // cancelled, should the session be gone
            if (const auto session = writer->session())
                session->reader()->revisions(ref, std::move(fill));
        } else if (action.kind() == guard::ActionKind::Scale &&
                   !(action.target.key.kind == guard::kinds::daemonSets())) {
            writer->read(objectPath(action.target.key) + "/scale")
                ->then([state, writer, action, seen](const Result<json>& scale) {
                    if (!scale && scale.error().code != ErrorCode::NotFound)
                        return state->slot->complete(tl::unexpected(scale.error()));
                    if (scale)
                        seen->scale = *scale;
                    renderAndTry(writer, state, action, *seen);
                });
        } else {
            renderAndTry(writer, state, action, *seen);
        }
    });
    return waiting<Rendered>([state, clock = writer_->clock()](guard::MonoTime deadline) -> Result<Rendered> {
        const Result<Dry>* dry = state->slot->wait(deadline, *clock);
        Rendered rendered;
        {
            const std::lock_guard lock(state->mutex);
            if (state->request)
                rendered.request = *state->request;
        }
        const bool prepared = !rendered.request.method.empty();
        const auto unavailable = [&](const guard::Error& error) -> Result<Rendered> {
            if (!prepared)
                return tl::unexpected(error);
            rendered.preview.unavailableReason = error.text();
            return rendered;
        };
        if (!dry)
            return unavailable(guard::Error(ErrorCode::Timeout, "dry run", "no answer in time"));
        if (!*dry)
            return prepared ? unavailable(dry->error()) : Result<Rendered>(tl::unexpected(dry->error()));
        const Dry& result = **dry;
        rendered.preview.warnings = result.answer.warnings;
        if (result.answer.status >= 400 && result.answer.status < 500 && result.answer.error) {
            const guard::Error& error = *result.answer.error;
            // A webhook with side effects cannot take part in a dry run: the server says so with a 400, and has no
            // reason code for it. Throttling refuses nothing either.
            const bool cannot =
                error.code == ErrorCode::Throttled ||
                (error.code == ErrorCode::BadRequest && error.detail.find("dry run") != std::string::npos);
            if (!cannot)
                return tl::unexpected(error);
            return unavailable(error);
        }
        if (result.answer.error)
            return unavailable(*result.answer.error);
        if (rendered.request.method == "DELETE") {
            rendered.preview.available = true;
            return rendered;
        }
        const json after = json::parse(result.answer.body, nullptr, false);
        if (!after.is_object())
            return unavailable(guard::Error(ErrorCode::Protocol, "dry run", "the answer is no object"));
        const guard::Redactor redactor(guard::Redactor::Options{.personalData = false});
        Difference diff = difference(result.before, applied(rendered.request, result.before), after, redactor);
        rendered.preview.available = true;
        rendered.preview.diff = std::move(diff.fields);
        rendered.preview.unifiedDiff = std::move(diff.unified);
        return rendered;
    });
}

std::unique_ptr<guard::Pending<guard::Impact>> Ports::startImpact(const guard::Action& action) {
    auto graph = std::make_shared<Slot<guard::Answer<Graph>>>();
    const ObjectKey& key = action.target.key;
    const ListScope scope{key.ns, "", ""};
    const auto session = writer_->session(); // the desk's own: this is its thread
    session->reader()->relations(action.target, scope, guard::Limits::impactHops, filling(graph));
    using Objects = guard::Answer<std::vector<guard::Raw<json>>>;
    SlotPtr<Objects> autoscalers;
    if (action.kind() == guard::ActionKind::Scale) {
        autoscalers = std::make_shared<Slot<Objects>>();
        session->reader()->list(
            KindId{"autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", true}, scope, 500,
            filling(autoscalers));
    }
    const SlotPtr<json> target = object(key);
    return waiting<guard::Impact>([graph, autoscalers, target, action,
                                   clock = writer_->clock()](guard::MonoTime deadline) -> Result<guard::Impact> {
        guard::Impact impact;
        if (const Result<guard::Answer<Graph>>* answer = graph->wait(deadline, *clock); answer && *answer)
            impact = impactOf(action, **answer);
        else
            impact.gaps.push_back({"relations of " + action.target.key.text(),
                                   answer ? guard::coverageOf(answer->error().code) : guard::Coverage::Failed,
                                   answer ? answer->error().text() : "no answer in time"});
        if (const Result<json>* object = target->wait(deadline, *clock); object && *object)
            for (std::string& note : notesOn(action, **object))
                impact.notes.push_back(std::move(note));
        if (autoscalers) {
            const Result<Objects>* listed = autoscalers->wait(deadline, *clock);
            if (listed && *listed) {
                std::vector<json> objects;
                for (const guard::Raw<json>& raw : (*listed)->partial())
                    objects.push_back(raw.value());
                for (std::string& note : autoscalerNotes(action, objects))
                    impact.notes.push_back(std::move(note));
                for (const guard::Gap& gap : (*listed)->gaps())
                    impact.gaps.push_back(gap);
            } else {
                impact.gaps.push_back({"autoscalers in " + action.target.key.ns,
                                       listed ? guard::coverageOf(listed->error().code) : guard::Coverage::Failed,
                                       listed ? listed->error().text() : "no answer in time"});
            }
        }
        return impact;
    });
}

} // namespace alidade::cluster::writer
