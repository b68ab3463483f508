import type { Attempt, AttemptId, Task, UpdateTask } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { isNotFound } from "../api/api-error.ts";
import { attemptsQuery, runningQuery, taskQuery } from "../api/queries.ts";
import { FailedPage, NotFoundPage } from "../app/message-pages.tsx";
import type { TaskView } from "../app/router.tsx";
import { lastTask } from "../board/last-task.ts";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { lazyComponent } from "../ui/lazy-component.ts";
import { useShortcut } from "../ui/use-shortcut.ts";
import { useTitle } from "../ui/use-title.ts";
import { addAttempt } from "./add-attempt.ts";
import { AttemptTabs } from "./attempt-tabs.tsx";
import { ConversationPane } from "./conversation-pane.tsx";
import { TaskDetails } from "./task-details.tsx";
import { TaskHeader } from "./task-header.tsx";
import { useUpdateTask } from "./use-update-task.ts";

const NewAttemptDialog = lazyComponent(() => import("./new-attempt-dialog.tsx"), "NewAttemptDialog").Component;
const ChangesPane = lazyComponent(() => import("./changes-pane.tsx"), "ChangesPane").Component;

export function TaskPage() {
  const { taskId } = useParams({ from: "/t/$taskId" });
  const { data: task, error } = useQuery(taskQuery(taskId));
  const { data: attempts } = useQuery(attemptsQuery(taskId));
  if (error && !task) return isNotFound(error) ? <NotFoundPage /> : <FailedPage error={error} />;
  if (!task || !attempts) return null;
  return <LoadedTask attempts={attempts} key={task.id} task={task} />;
}

function LoadedTask({ task, attempts }: { task: Task; attempts: readonly Attempt[] }) {
  const search = useSearch({ from: "/t/$taskId" });
  const navigate = useNavigate();
  const client = useQueryClient();
  const describe = useErrorText();
  const update = useUpdateTask();
  const [creating, setCreating] = useState(false);
  const [detailsOpen, setDetailsOpen] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { data: running = false } = useQuery({ ...runningQuery(task.id), enabled: attempts.length > 0 });
  const active = attempts.find((attempt) => attempt.active) ?? attempts.at(-1);
  const shown = attempts.find((attempt) => attempt.id === search.attempt) ?? active;
  const view: TaskView = search.view ?? "conversation";

  const go = (next: { attempt?: AttemptId | undefined; view?: TaskView }) => {
    const attempt = next.attempt ?? search.attempt;
    const chosen = next.view ?? view;
    void navigate({
      to: "/t/$taskId",
      params: { taskId: task.id },
      search: { ...(attempt && attempt !== active?.id ? { attempt } : {}), ...(chosen === "changes" ? { view: chosen } : {}) },
    });
  };
  useTitle(task.title, { mark: running ? "…" : "" });
  useEffect(() => lastTask.write(task.id), [task.id]);
  useShortcut("n", () => setCreating(true));
  useShortcut("d", () => shown && go({ view: view === "changes" ? "conversation" : "changes" }));

  const save = async (changes: UpdateTask) => {
    setFailure(null);
    await update(task, changes).catch((problem: unknown) => setFailure(describe(problem)));
  };

  return (
    <div className="flex h-full flex-col">
      <TaskHeader
        attempt={shown}
        detailsOpen={detailsOpen}
        onNewAttempt={() => setCreating(true)}
        onDetails={setDetailsOpen}
        onUpdate={save}
        onView={(next) => go({ view: next })}
        task={task}
        view={view}
      />
      {detailsOpen && <TaskDetails attempt={shown} onUpdate={save} task={task} />}
      {failure && (
        <div className="px-4 py-2">
          <ErrorText>{failure}</ErrorText>
        </div>
      )}
      {shown && <AttemptTabs attempts={attempts} onShow={(attempt) => go({ attempt })} running={running} shown={shown.id} />}
      <div className="flex min-h-0 flex-1">
        <div className={`flex min-w-0 flex-1 flex-col ${view === "changes" ? "max-xl:hidden" : ""}`}>
          <ConversationPane attempt={shown} key={shown && !shown.active ? shown.id : "active"} onUpdate={save} task={task} />
        </div>
        {view === "changes" && shown && (
          <div className="min-w-0 flex-1 border-line xl:border-s">
            <Suspense>
              <ChangesPane attemptId={shown.id} key={shown.id} />
            </Suspense>
          </div>
        )}
      </div>
      <Suspense>
        {creating && (
          <NewAttemptDialog
            like={shown}
            onCreated={(attempt) => {
              client.setQueryData(attemptsQuery(task.id).queryKey, (known) => addAttempt(known, attempt));
              void navigate({ to: "/t/$taskId", params: { taskId: task.id } });
            }}
            onOpenChange={setCreating}
            open
            taskId={task.id}
          />
        )}
      </Suspense>
    </div>
  );
}
