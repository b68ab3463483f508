import type { Attempt, TaskId, UpdateTask } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useEffect, useId, useMemo, useRef, useState } from "react";
import { isNotFound } from "../api/api-error.ts";
import { attemptsQuery, taskQuery } from "../api/queries.ts";
import type { KnownTask } from "../api/task-activity.ts";
import { lastTask } from "../board/last-task.ts";
import { ConversationTools } from "../conversation/conversation-tools.tsx";
import { useMergeMode } from "../conversation/merge-mode.ts";
import { isMarked } from "../conversation/message-marks.ts";
import type { ConversationListHandle } from "../conversation/use-jump.ts";
import { type TaskConversation, useTaskConversation } from "../conversation/use-task-conversation.ts";
import { useClearOpened } from "../inbox/use-clear-opened.ts";
import { useRole } from "../team/me.ts";
import { ReadOnlyPlace } from "../team/read-only-place.ts";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { lazyComponent } from "../ui/lazy-component.ts";
import { FailedPage, NotFoundPage } from "../ui/message-pages.tsx";
import { usePainted } from "../ui/use-painted.ts";
import { useShortcut } from "../ui/use-shortcut.ts";
import { useTitle } from "../ui/use-title.ts";
import { addAttempt } from "./add-attempt.ts";
import { AttemptTabs } from "./attempt-tabs.tsx";
import { ConversationPane } from "./conversation-pane.tsx";
import { SidePaneFrame } from "./side-pane-frame.tsx";
import { TaskDetails } from "./task-details.tsx";
import { TaskHeader } from "./task-header.tsx";
import { findShownAttempt } from "./task-search.ts";
import { useTaskView } from "./use-task-view.ts";
import { useUpdateTask } from "./use-update-task.ts";

export { preopenConversation } from "../conversation/use-task-conversation.ts";

const NewAttemptDialog = lazyComponent(() => import("./new-attempt-dialog.tsx"), "NewAttemptDialog").Component;
const SidePane = lazyComponent(() => import("./side-pane.tsx"), "SidePane").Component;

export function TaskPage() {
  const { taskId } = useParams({ from: "/t/$taskId" });
  return <TaskOf key={taskId} taskId={taskId} />;
}

/** Loads the conversation at the same time as the task and its attempts. */
function TaskOf({ taskId }: { taskId: TaskId }) {
  const { attempt: named } = useSearch({ from: "/t/$taskId" });
  const { data: task, error } = useQuery(taskQuery(taskId));
  const { data: attempts } = useQuery(attemptsQuery(taskId));
  const shown = attempts && findShownAttempt(attempts, named);
  // Named when it is not the active one: the active one is followed, whichever it becomes.
  const conversation = useTaskConversation(taskId, attempts === undefined ? named : shown?.active === false ? shown.id : undefined);
  if (error && !task) return isNotFound(error) ? <NotFoundPage /> : <FailedPage error={error} />;
  if (!task || !attempts) return null;
  return <LoadedTask attempts={attempts} conversation={conversation} task={task} />;
}

function LoadedTask({ task, attempts, conversation }: { task: KnownTask; attempts: readonly Attempt[]; conversation: TaskConversation }) {
  const { shown, view, go, showActive } = useTaskView(task.id, attempts);
  const client = useQueryClient();
  const describe = useErrorText();
  const update = useUpdateTask();
  const [creating, setCreating] = useState(false);
  const [detailsOpen, setDetailsOpen] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [finding, setFinding] = useState(false);
  const [mergeMode, setMergeMode] = useMergeMode();
  const list = useRef<ConversationListHandle>(null);
  const hasErrors = useMemo(() => conversation.messages.some((message) => isMarked(message, "error")), [conversation.messages]);
  const sideId = useId();
  const isPainted = usePainted();
  useClearOpened(shown?.id);
  useTitle(task.title, { mark: task.activity?.executing ? "…" : "" });
  useEffect(() => lastTask.write(task.id), [task.id]);
  const isViewer = useRole(task.projectId) === "viewer";
  useShortcut("n", () => !isViewer && setCreating(true));

  const save = async (changes: UpdateTask) => {
    setFailure(null);
    await update(task, changes).catch((problem: unknown) => setFailure(describe(problem)));
  };

  return (
    <ReadOnlyPlace value={isViewer}>
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
        {shown && (
          <AttemptTabs
            aside={
              isPainted ? (
                <ConversationTools
                  attemptId={shown.id}
                  hasErrors={hasErrors}
                  list={list}
                  mergeMode={mergeMode}
                  onFind={() => setFinding(true)}
                  onMergeMode={setMergeMode}
                />
              ) : (
                <div className="h-7 w-14 sm:w-30" />
              )
            }
            activity={task.activity}
            attempts={attempts}
            onShow={(attempt) => go({ attempt })}
            shown={shown.id}
            taskId={task.id}
          />
        )}
        <div className="flex min-h-0 flex-1">
          <div className={`flex min-w-0 flex-1 flex-col ${view === "conversation" ? "" : "max-lg:hidden"}`} data-pane="conversation">
            <ConversationPane
              attempt={shown}
              conversation={conversation}
              finding={finding}
              key={shown && !shown.active ? shown.id : "active"}
              list={list}
              mergeMode={mergeMode}
              onFinding={setFinding}
              onUpdate={save}
              task={task}
            />
          </div>
          {view !== "conversation" && shown && (
            <SidePaneFrame id={sideId}>
              <SidePane
                attempt={shown}
                conversation={conversation}
                id={sideId}
                onReveal={(messageId) => {
                  // On a narrow screen only one of the two is shown.
                  if (!matchMedia("(min-width: 64rem)").matches) go({ view: "conversation" });
                  void list.current?.reveal(messageId);
                }}
                onView={(next) => go({ view: next })}
                view={view}
              />
            </SidePaneFrame>
          )}
        </div>
        <Suspense>
          {creating && (
            <NewAttemptDialog
              like={shown}
              onCreated={(attempt) => {
                client.setQueryData(attemptsQuery(task.id).queryKey, (known) => addAttempt(known, attempt));
                showActive();
              }}
              onOpenChange={setCreating}
              open
              task={task}
            />
          )}
        </Suspense>
      </div>
    </ReadOnlyPlace>
  );
}
