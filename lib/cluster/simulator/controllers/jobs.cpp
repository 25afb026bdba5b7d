// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs (completions, parallelism, back-off limit, deadline) and CronJobs.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>

#include "controllers/controllers.hpp"

namespace alidade::simulator {

namespace {

bool finished(const Json& job) {
    for (const auto& condition : items(at(job, {"status", "conditions"})))
        if ((str(at(condition, "type")) == "Complete" || str(at(condition, "type")) == "Failed") &&
            str(at(condition, "status")) == "True")
            return true;
    return false;
}

/// One field of a cron expression: "*", "*/5", "1-5", "1,2,3", "10-50/10".
bool cronField(const std::string& field, int value, int least, int most) {
    std::size_t from = 0;
    while (from <= field.size()) {
        const auto comma = std::min(field.find(',', from), field.size());
        const auto part = field.substr(from, comma - from);
        from = comma + 1;
        const auto slash = part.find('/');
        const auto range = part.substr(0, slash);
        const int step = slash == std::string::npos ? 1 : std::max(1, std::atoi(part.c_str() + slash + 1));
        int low = least;
        int high = most;
        if (range != "*") {
            low = std::atoi(range.c_str());
            const auto dash = range.find('-');
            high = dash != std::string::npos    ? std::atoi(range.c_str() + dash + 1)
                   : slash == std::string::npos ? low
                                                : most;
        }
        if (value >= low && value <= high && (value - low) % step == 0)
            return true;
    }
    return false;
}

std::optional<WallTime> nextRun(std::string schedule, WallTime after) {
    if (schedule == "@hourly")
        schedule = "0 * * * *";
    if (schedule == "@daily" || schedule == "@midnight")
        schedule = "0 0 * * *";
    if (schedule == "@weekly")
        schedule = "0 0 * * 0";
    if (schedule == "@monthly")
        schedule = "0 0 1 * *";
    if (schedule == "@yearly" || schedule == "@annually")
        schedule = "0 0 1 1 *";
    std::vector<std::string> fields;
    std::size_t from = 0;
    while (from < schedule.size()) {
        const auto space = std::min(schedule.find(' ', from), schedule.size());
        if (space > from)
            fields.push_back(schedule.substr(from, space - from));
        from = space + 1;
    }
    if (fields.size() != 5)
        return std::nullopt;
    auto time = std::chrono::floor<std::chrono::minutes>(after) + std::chrono::minutes(1);
    for (int i = 0; i < 60 * 24 * 366; ++i, time += std::chrono::minutes(1)) {
        const std::time_t seconds = std::chrono::system_clock::to_time_t(
            std::chrono::time_point_cast<std::chrono::system_clock::duration>(time));
        std::tm tm{};
        gmtime_r(&seconds, &tm);
        if (!cronField(fields[0], tm.tm_min, 0, 59) || !cronField(fields[1], tm.tm_hour, 0, 23) ||
            !cronField(fields[3], tm.tm_mon + 1, 1, 12))
            continue;
        const bool day = cronField(fields[2], tm.tm_mday, 1, 31);
        const bool week = cronField(fields[4], tm.tm_wday, 0, 6) ||
                          (tm.tm_wday == 0 && cronField(fields[4], 7, 0, 7) && fields[4] != "*");
        const bool either = fields[2] != "*" && fields[4] != "*";
        if (either ? day || week : day && week)
            return WallTime(time);
    }
    return std::nullopt;
}

} // namespace

void Controllers::job(const EntryPtr& entry) {
    if (finished(entry->doc()))
        return;
    const Json& spec = at(entry->doc(), "spec");
    const auto now = world_.now();
    std::int64_t active = 0;
    std::int64_t succeeded = 0;
    std::int64_t failed = 0;
    std::int64_t ready = 0;
    std::vector<EntryPtr> running;
    for (const auto& pod : podsOf(entry)) {
        const auto phase = str(pod->doc(), {"status", "phase"});
        if (phase == "Succeeded")
            ++succeeded;
        else if (phase == "Failed")
            ++failed;
        else if (!pod->deleting()) {
            ++active;
            running.push_back(pod);
            for (const auto& status : items(at(pod->doc(), {"status", "containerStatuses"})))
                failed += str(at(spec, {"template", "spec", "restartPolicy"})) == "OnFailure"
                              ? integer(at(status, "restartCount"))
                              : 0;
            if (isReady(pod->doc()))
                ++ready;
        }
    }
    const auto completions = integer(at(spec, "completions"), 1);
    const auto limit = integer(at(spec, "backoffLimit"), 6);
    const auto start = guard::parseRfc3339(str(entry->doc(), {"status", "startTime"})).value_or(now);
    const Json& deadline = at(spec, "activeDeadlineSeconds");
    const bool late = deadline.is_number() && now >= start + std::chrono::seconds(integer(deadline));
    std::string end;
    std::string reason;
    std::string message;
    if (succeeded >= completions) {
        end = "Complete";
        reason = "CompletionsReached";
        message = "Reached expected number of succeeded pods";
    } else if (failed > limit) {
        end = "Failed";
        reason = "BackoffLimitExceeded";
        message = "Job has reached the specified backoff limit";
    } else if (late) {
        end = "Failed";
        reason = "DeadlineExceeded";
        message = "Job was active longer than specified deadline";
    }
    if (!end.empty()) {
        for (const auto& pod : running)
            (void)registry_.remove(pod);
        active = 0;
        ready = 0;
        recorder_.record(*entry, end == "Failed", end == "Failed" ? reason : "Completed",
                         end == "Failed" ? message : "Job completed", "job-controller");
    } else if (!boolean(at(spec, "suspend"))) {
        const auto want = std::min(integer(at(spec, "parallelism"), 1), completions - succeeded);
        // A failed pod is followed by a new one after 10 s, 20 s, 40 s, ...
        const Key key{"job-backoff " + std::to_string(failed), entry->ns(), entry->name()};
        const bool waits = failed > 0 && active < want && integer(entry->doc(), {"status", "failed"}) < failed;
        if (waits && delayed_.insert(key).second) {
            world_.clock().after(Millis(10000LL << std::min<std::int64_t>(5, failed - 1)), [this, key] {
                delayed_.erase(key);
                enqueue("jobs", std::get<1>(key), std::get<2>(key));
            });
        }
        if (!waits && delayed_.count(key) == 0)
            for (; active < want; ++active) {
                std::string error;
                const auto pod = createPod(entry, at(spec, "template"), "", entry->name() + "-", error);
                if (!pod)
                    break;
                recorder_.record(*entry, false, "SuccessfulCreate", "Created pod: " + pod->name(), "job-controller");
            }
    }
    if (deadline.is_number() && end.empty()) {
        const Key key{"job-deadline", entry->ns(), entry->name()};
        if (delayed_.insert(key).second)
            world_.clock().at(start + std::chrono::seconds(integer(deadline)), [this, key] {
                delayed_.erase(key);
                enqueue("jobs", std::get<1>(key), std::get<2>(key));
            });
    }
    registry_.amend(entry->kind(), entry->ns(), entry->name(), [&](Json& doc) {
        Json& status = object(doc, "status");
        if (!status.contains("startTime"))
            status["startTime"] = stamp(now);
        const auto put = [&](const char* key, std::int64_t value) {
            if (value > 0)
                status[key] = value;
            else
                status.erase(key);
        };
        put("active", active);
        put("succeeded", succeeded);
        put("failed", failed);
        status["ready"] = ready;
        if (!end.empty()) {
            if (end == "Complete") {
                status["completionTime"] = stamp(now);
                setCondition(status, "SuccessCriteriaMet", "True", reason, message, now, false);
            } else {
                setCondition(status, "FailureTarget", "True", reason, message, now, false);
            }
            setCondition(status, end, "True", reason, message, now, false);
        }
    });
}

void Controllers::cronJob(const EntryPtr& entry) {
    const Json& spec = at(entry->doc(), "spec");
    std::vector<EntryPtr> jobs;
    Json active = Json::array();
    for (const auto& child : world_.dependents(entry->uid())) {
        if (child->kind().resource != "jobs")
            continue;
        jobs.push_back(child);
        if (!finished(child->doc()))
            active.push_back({{"apiVersion", "batch/v1"},
                              {"kind", "Job"},
                              {"namespace", child->ns()},
                              {"name", child->name()},
                              {"uid", child->uid()}});
    }
    const auto last = guard::parseRfc3339(str(entry->doc(), {"status", "lastScheduleTime"}));
    const auto created =
        guard::parseRfc3339(str(entry->doc(), {"metadata", "creationTimestamp"})).value_or(world_.now());
    const auto due =
        boolean(at(spec, "suspend")) ? std::nullopt : nextRun(str(at(spec, "schedule")), last.value_or(created));
    if (due && *due <= world_.now() && (active.empty() || str(at(spec, "concurrencyPolicy")) != "Forbid")) {
        const auto minute = std::chrono::duration_cast<std::chrono::minutes>(due->time_since_epoch()).count();
        Json made = {{"metadata", at(spec, {"jobTemplate", "metadata"})}, {"spec", at(spec, {"jobTemplate", "spec"})}};
        object(made, "metadata")["name"] = entry->name() + "-" + std::to_string(minute);
        made["metadata"]["ownerReferences"] = Json::array({ownerReference(*entry)});
        made["metadata"].erase("creationTimestamp");
        made["metadata"]["annotations"]["batch.kubernetes.io/cronjob-scheduled-timestamp"] = stamp(*due);
        if (const auto job = registry_.create(world_.kind("jobs"), entry->ns(), std::move(made))) {
            recorder_.record(*entry, false, "SuccessfulCreate", "Created job " + (*job)->name(), "cronjob-controller");
            active.push_back({{"apiVersion", "batch/v1"},
                              {"kind", "Job"},
                              {"namespace", entry->ns()},
                              {"name", (*job)->name()},
                              {"uid", (*job)->uid()}});
        }
    } else if (due) {
        const Key key{"cron " + stamp(*due), entry->ns(), entry->name()};
        if (delayed_.insert(key).second)
            world_.clock().at(*due, [this, key] {
                delayed_.erase(key);
                enqueue("cronjobs", std::get<1>(key), std::get<2>(key));
            });
    }
    const auto prune = [&](const char* outcome, std::size_t keep) {
        std::vector<EntryPtr> old;
        for (const auto& one : jobs)
            for (const auto& condition : items(at(one->doc(), {"status", "conditions"})))
                if (str(at(condition, "type")) == outcome && str(at(condition, "status")) == "True")
                    old.push_back(one);
        std::sort(old.begin(), old.end(), [](const EntryPtr& a, const EntryPtr& b) { return a->name() < b->name(); });
        for (std::size_t i = 0; i + keep < old.size(); ++i)
            (void)registry_.remove(old[i]);
    };
    prune("Complete", static_cast<std::size_t>(integer(at(spec, "successfulJobsHistoryLimit"), 3)));
    prune("Failed", static_cast<std::size_t>(integer(at(spec, "failedJobsHistoryLimit"), 1)));
    registry_.amend(entry->kind(), entry->ns(), entry->name(), [&](Json& doc) {
        Json& status = object(doc, "status");
        if (active.empty())
            status.erase("active");
        else
            status["active"] = active;
        if (due && *due <= world_.now())
            status["lastScheduleTime"] = stamp(*due);
        for (const auto& one : jobs)
            if (const auto done = str(one->doc(), {"status", "completionTime"});
                !done.empty() && done > str(at(status, "lastSuccessfulTime")))
                status["lastSuccessfulTime"] = done;
    });
}

} // namespace alidade::simulator
