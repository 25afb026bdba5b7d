// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <ctime>

#include "api/convert.hpp"
#include "api/protobuf.hpp"
#include "api/watcher.hpp"

namespace alidade::simulator {

ApiServer::ApiServer(Registry& registry, Kubelet& kubelet, Access& access, Options options)
    : registry_(registry), world_(registry.world()), kubelet_(kubelet), access_(access), options_(std::move(options)) {
    world_.listen([this](const Change& change) {
        for (auto it = watchers_.begin(); it != watchers_.end();) {
            const auto watcher = *it++; // it may leave the list on the way
            if (watcher->kind().index == change.kind->index)
                watcher->change(change);
        }
    });
}

namespace {

std::vector<std::string> segmentsOf(const std::string& path) {
    std::vector<std::string> out;
    std::size_t from = 0;
    while (from < path.size()) {
        const auto slash = std::min(path.find('/', from), path.size());
        if (slash > from)
            out.push_back(path.substr(from, slash - from));
        from = slash + 1;
    }
    return out;
}

std::string httpDate(WallTime time) {
    const std::time_t seconds = std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
    std::tm tm{};
    gmtime_r(&seconds, &tm);
    std::array<char, 64> text{};
    std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &tm);
    return text.data();
}

} // namespace

http::Headers ApiServer::headers(std::string_view type) const {
    http::Headers out;
    out.add("Content-Type", std::string(type));
    out.add("Cache-Control", "no-cache, private");
    out.add("Date", httpDate(world_.now()));
    return out;
}

void ApiServer::answerBytes(const Call& call, int status, std::string bytes, std::string_view type) {
    call.out->send(status, headers(type), std::move(bytes));
}

void ApiServer::answer(const Call& call, int status, const Json& json) { answerBytes(call, status, dump(json) + "\n"); }

void ApiServer::refuse(const Call& call, const Refusal& refusal) {
    auto fields = headers("application/json");
    if (refusal.code == 429 || refusal.code == 504)
        fields.add("Retry-After", "1");
    call.out->send(refusal.code, std::move(fields), dump(statusJson(refusal)) + "\n");
}

void ApiServer::answerObject(const Call& call, int status, const Entry& entry) {
    const auto shape = negotiate(call.request);
    if (!shape || shape->form == Form::Object)
        return answerBytes(call, status, shownBytes(*call.served, entry) + "\n");
    if (shape->form == Form::Metadata)
        return answer(call, status, partialMetadata(entry));
    const auto table = tableFor(world_, *call.served->kind);
    Json row = {{"cells", table.cells(entry, world_.now())}};
    if (shape->include == Include::Metadata)
        row["object"] = partialMetadata(entry);
    if (shape->include == Include::Object)
        row["object"] = shown(*call.served, entry);
    answer(call, status,
           {{"kind", "Table"},
            {"apiVersion", "meta.k8s.io/v1"},
            {"metadata", {{"resourceVersion", std::to_string(entry.rv())}}},
            {"columnDefinitions", columnJson(table.columns)},
            {"rows", Json::array({row})}});
}

Outcome<Json> ApiServer::body(const Call& call) const {
    if (mediaType(call.request) == "application/vnd.kubernetes.protobuf") {
        if (auto decoded = decodeProtobuf(call.request.body))
            return std::move(*decoded);
        return tl::unexpected(unsupportedMedia("application/json"));
    }
    Json json = Json::parse(call.request.body, nullptr, false);
    if (json.is_discarded() || !(json.is_object() || json.is_array()))
        return tl::unexpected(badRequest("the object provided is unrecognized (must be of type " +
                                         (call.served != nullptr ? call.served->kind->kind : std::string("Object")) +
                                         "): couldn't get version/kind; json parse error"));
    return json;
}

Outcome<EntryPtr> ApiServer::target(const Call& call) const {
    if (auto entry = world_.find(*call.served->kind, call.ns, call.name))
        return entry;
    return tl::unexpected(notFound(*call.served->kind, call.name));
}

Actor ApiServer::actor(const Call& call) const {
    auto manager = param(call.request, "fieldManager");
    if (manager.empty()) {
        const auto agent = call.request.headers.get("User-Agent").value_or("unknown");
        manager = std::string(agent.substr(0, agent.find('/')));
    }
    return {manager, call.served->apiVersion(), false};
}

/// Fills in where the request goes; false when there is no such address.
bool ApiServer::route(Call& call, const std::vector<std::string>& s) {
    std::size_t i = 0;
    std::string group;
    std::string version;
    if (s.size() >= 3 && s[0] == "api") {
        version = s[1];
        i = 2;
    } else if (s.size() >= 4 && s[0] == "apis") {
        group = s[1];
        version = s[2];
        i = 3;
    } else {
        return false;
    }
    const bool scoped = s[i] == "namespaces" && s.size() > i + 2 &&
                        !(group.empty() && (s[i + 2] == "status" || s[i + 2] == "finalize") && s.size() == i + 3);
    if (scoped) {
        call.ns = s[i + 1];
        i += 2;
    }
    call.served = world_.kinds().served(group, version, s[i]);
    if (call.served == nullptr || s.size() > i + 3)
        return false;
    if (call.served->kind->namespaced != scoped && (scoped || s.size() > i + 1))
        return false;
    if (s.size() > i + 1)
        call.name = s[i + 1];
    if (s.size() > i + 2)
        call.subresource = s[i + 2];
    if (!call.subresource.empty() && !call.served->kind->serves(call.subresource))
        return false;
    const auto& method = call.request.method;
    if (method == "GET" || method == "HEAD")
        call.verb = !call.name.empty() ? "get" : flag(call.request, "watch") ? "watch" : "list";
    else if (method == "POST")
        call.verb = "create";
    else if (method == "PUT")
        call.verb = "update";
    else if (method == "PATCH")
        call.verb = "patch";
    else if (method == "DELETE")
        call.verb = call.name.empty() ? "deletecollection" : "delete";
    return true;
}

void ApiServer::handle(http::ServerRequest request, ResponderPtr out, std::string* user) {
    Call call;
    call.request = std::move(request);
    call.out = std::move(out);
    const auto segments = segmentsOf(call.request.path);
    const bool open = !segments.empty() && (segments[0] == "healthz" || segments[0] == "livez" ||
                                            segments[0] == "readyz" || segments[0] == "version");
    const auto who = access_.authenticate(call.request.headers.get("Authorization").value_or(""));
    if (!who && !open)
        return refuse(call, unauthorized());
    call.user = who.value_or("system:anonymous");
    if (const auto as = call.request.headers.get("Impersonate-User"); as && who) {
        if (!access_.allowed(call.user, {"impersonate", "", "users", "", "", std::string(*as), ""}))
            return refuse(call, access_.refusal(call.user, {"impersonate", "", "users", "", "", std::string(*as), ""}));
        call.user = std::string(*as);
    }
    if (user != nullptr)
        *user = call.user;
    if (open) {
        if (segments[0] != "version")
            return answerBytes(call, 200, "ok", "text/plain; charset=utf-8");
        return answer(call, 200,
                      {{"major", "1"},
                       {"minor", "32"},
                       {"gitVersion", options_.version + "-simulator"},
                       {"gitCommit", ""},
                       {"gitTreeState", "clean"},
                       {"buildDate", stamp(WallTime{})},
                       {"goVersion", ""},
                       {"compiler", ""},
                       {"platform", "linux/amd64"}});
    }
    if (discovery(call, segments))
        return;
    if (segments.size() == 4 && segments[0] == "apis" &&
        (segments[1] == "authorization.k8s.io" || segments[1] == "authentication.k8s.io") && segments[2] == "v1")
        return review(std::move(call), segments[1], segments[3]);
    if (metrics(call, segments))
        return;
    if (!route(call, segments))
        return answerBytes(call, 404, "404 page not found\n", "text/plain; charset=utf-8");
    if (call.verb.empty())
        return refuse(call, methodNotAllowed());
    Attributes attributes{
        call.verb, call.served->group, call.served->kind->resource, call.subresource, call.ns, call.name, ""};
    // Reading a namespace is authorised in that namespace.
    if (call.served->kind->resource == "namespaces" && !call.name.empty())
        attributes.ns = call.name;
    if (!access_.allowed(call.user, attributes))
        return refuse(call, access_.refusal(call.user, attributes));
    dispatch(std::move(call));
}

void ApiServer::dispatch(Call call) {
    if (call.subresource == "scale")
        return scale(call);
    if (call.subresource == "log")
        return call.verb == "get" ? log(call) : refuse(call, methodNotAllowed());
    if (call.subresource == "eviction")
        return call.verb == "create" ? evict(call) : refuse(call, methodNotAllowed());
    if (call.subresource == "binding")
        return call.verb == "create" ? bind(call) : refuse(call, methodNotAllowed());
    if (call.verb == "get")
        return get(call);
    if (call.verb == "list")
        return list(call);
    if (call.verb == "watch")
        return watch(call);
    if (call.verb == "update")
        return update(call);
    if (call.verb == "patch")
        return patch(call);
    if (!call.subresource.empty())
        return refuse(call, methodNotAllowed());
    if (call.verb == "create")
        return call.name.empty() ? create(call) : refuse(call, methodNotAllowed());
    if (call.verb == "delete")
        return remove(call);
    return removeCollection(call);
}

/// The self-review APIs: nothing is stored.
void ApiServer::review(Call call, const std::string& group, const std::string& resource) {
    if (call.request.method != "POST")
        return refuse(call, methodNotAllowed());
    auto sent = body(call);
    if (!sent)
        return refuse(call, sent.error());
    Json& doc = *sent;
    doc["metadata"] = Json::object();
    doc["apiVersion"] = group + "/v1";
    if (resource == "selfsubjectaccessreviews" || resource == "subjectaccessreviews") {
        const Json& a = at(doc, {"spec", "resourceAttributes"});
        Attributes wanted{str(at(a, "verb")),
                          str(at(a, "group")),
                          str(at(a, "resource")),
                          str(at(a, "subresource")),
                          str(at(a, "namespace")),
                          str(at(a, "name")),
                          ""};
        if (!a.is_object())
            wanted = {str(doc, {"spec", "nonResourceAttributes", "verb"}),     "", "", "", "", "",
                      str(doc, {"spec", "nonResourceAttributes", "path"}, "/")};
        const auto who = resource == "subjectaccessreviews" ? str(doc, {"spec", "user"}) : call.user;
        const bool allowed = access_.allowed(who, wanted);
        doc["kind"] = resource == "subjectaccessreviews" ? "SubjectAccessReview" : "SelfSubjectAccessReview";
        doc["status"] = {{"allowed", allowed}};
        if (allowed)
            doc["status"]["reason"] = "RBAC: allowed by a scripted rule of user \"" + who + "\"";
    } else if (resource == "selfsubjectrulesreviews") {
        doc["kind"] = "SelfSubjectRulesReview";
        doc["status"] = access_.rules(call.user, str(doc, {"spec", "namespace"}, "default"));
    } else if (resource == "selfsubjectreviews") {
        doc["kind"] = "SelfSubjectReview";
        Json groups = Json::array({"system:authenticated"});
        if (call.user == "admin")
            groups.push_back("system:masters");
        doc["status"] = {{"userInfo", {{"username", call.user}, {"groups", groups}}}};
    } else {
        return answerBytes(call, 404, "404 page not found\n", "text/plain; charset=utf-8");
    }
    answer(call, 201, doc);
}

} // namespace alidade::simulator
