import type { Attempt, MergeMode, Task, UpdateTask } from "@skein/contracts";
import { toTaskPrompt } from "@skein/engine";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { agentsQuery } from "../api/queries.ts";
import { Composer } from "../composer/composer.tsx";
import { QueueList } from "../composer/queue-list.tsx";
import { toSentHistory } from "../composer/sent-history.ts";
import type { ComposerHandle } from "../composer/use-composer.ts";
import type { ConversationListHandle } from "../conversation/use-jump.ts";
import type { TaskConversation } from "../conversation/use-task-conversation.ts";
import { WorkerNotice } from "../hosts/worker-notice.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { ModeChoice } from "../start/mode-choice.tsx";
import { StartBar } from "../start/start-bar.tsx";
import { useStartChoice } from "../start/use-start-choice.ts";
import { ReadOnlyNote } from "../team/read-only.tsx";
import { useReadOnlyPlace } from "../team/read-only-place.ts";
import { DisclosureProvider } from "../ui/disclosure.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { useKeptHeight } from "../ui/use-kept-height.ts";
import { usePainted } from "../ui/use-painted.ts";
import { useShortcut } from "../ui/use-shortcut.ts";
import { AttemptBar } from "./attempt-bar.tsx";
import { ConversationMessages } from "./conversation-messages.tsx";
import { toConversationStage } from "./conversation-stage.ts";
import { LoadingOrFailed, NotActive } from "./conversation-states.tsx";
import { EmptyConversation } from "./empty-conversation.tsx";
import { StatusAnnouncer } from "./status-announcer.tsx";
import { useFindKey } from "./use-find-key.ts";
import { useLinkedMessage } from "./use-linked-message.ts";
import { useSendMessage } from "./use-send-message.ts";

export interface ConversationPaneProps {
  task: Task;
  attempt: Attempt | undefined;
  conversation: TaskConversation;
  mergeMode: MergeMode;
  list: RefObject<ConversationListHandle | null>;
  finding: boolean;
  onFinding(finding: boolean): void;
  onUpdate(changes: UpdateTask): Promise<void>;
}

/** About, with one line of text and the settings. */
const composerHeight = 134;

/** The conversation of an attempt, or the way to start one, above the composer. */
export function ConversationPane(props: ConversationPaneProps) {
  const { task, attempt, conversation, mergeMode, list, finding, onFinding, onUpdate } = props;
  const text = useTaskText();
  const composer = useRef<ComposerHandle>(null);
  const isViewer = useReadOnlyPlace();
  const { data: agents } = useQuery(agentsQuery);
  const agent = agents?.agents.find(({ id }) => id === attempt?.agent);
  const settings = useStartChoice(task.projectId);
  const { send, continueWith } = useSendMessage({ task, attempt, conversation, composer, settings });
  const isMissing = useLinkedMessage(list, conversation.isLoaded);
  const prompt = toTaskPrompt(task);
  const startTask = () => composer.current?.send(prompt);
  const attemptId = attempt?.id;
  const place = useMemo(() => (attemptId ? { attemptId } : { projectId: task.projectId }), [attemptId, task.projectId]);
  const sent = useMemo(() => toSentHistory(conversation.messages), [conversation.messages]);
  useFindKey(() => onFinding(true));
  useShortcut("m", () => composer.current?.focus());
  useShortcut("s", () => {
    if (!attempt && !isViewer) startTask();
  });
  const stage = toConversationStage(attempt, conversation);
  // Messages come first: what is below them is mounted when they are on the screen.
  const [startsEmpty] = useState(stage === "empty");
  const isPainted = usePainted();
  const hasComposer = startsEmpty || isPainted;
  useLeaveFieldForApproval(conversation, { hasComposer });
  const kept = useKeptHeight("composer", { isMounted: hasComposer, atFirst: composerHeight });
  return (
    <DisclosureProvider>
      {isMissing && (
        <div className="px-4 py-2">
          <ErrorText>{text.taskPage.message.notFound}</ErrorText>
        </div>
      )}
      {stage === "empty" && (
        <EmptyConversation
          agentName={settings.agent?.name}
          hasAttempt={attempt !== undefined}
          onDescription={(description) => onUpdate({ description })}
          onStart={startTask}
          onUseDescription={() => composer.current?.setMessage(prompt)}
          task={task}
        />
      )}
      {stage === "messages" && (
        <ConversationMessages
          canUndoCompression={agent?.capabilities?.compressesHistory === true}
          conversation={conversation}
          finding={finding}
          list={list}
          mergeMode={mergeMode}
          onEdit={(message, images) => composer.current?.setMessage(message, images)}
          onFinding={onFinding}
          taskId={task.id}
        />
      )}
      {stage === "loading" && <LoadingOrFailed conversation={conversation} />}
      <div className="mx-auto w-full max-w-3xl shrink-0 px-3 pb-3 sm:px-6 sm:pb-4" ref={kept.ref} style={kept.style}>
        {hasComposer && (
          <>
            {conversation.currentExecution?.status === "running" && attempt?.hostId && (
              <WorkerNotice executionId={conversation.currentExecution.id} />
            )}
            <QueueList
              isExecuting={conversation.isExecuting}
              // not on a phone, where it would open the keyboard
              onResumed={() => !matchMedia("(pointer: coarse)").matches && composer.current?.focus()}
              pause={conversation.queuePause}
              queue={conversation.queue}
            />
            {isViewer ? (
              <ReadOnlyNote className="rounded-xl border border-line bg-sunken px-3 py-2" />
            ) : attempt && !attempt.active ? (
              <NotActive attempt={attempt} />
            ) : (
              <>
                <Composer
                  handle={composer}
                  isAsked={conversation.approvals.length > 0}
                  isExecuting={conversation.isExecuting}
                  onSend={send}
                  onStop={() => conversation.stopExecution()}
                  place={place}
                  queue={{ length: conversation.queue.length, isPaused: conversation.queuePause !== null }}
                  sent={sent}
                  taskId={task.id}
                />
                {attempt ? (
                  <AttemptBar agents={agents} attempt={attempt} messages={conversation.messages} onContinueWith={continueWith} />
                ) : (
                  <div className="mt-1 space-y-2">
                    <StartBar projectId={task.projectId} settings={settings} />
                    {!settings.isModeChosen && (
                      <ModeChoice agent={settings.agent} onChange={settings.chooseMode} value={settings.permissionMode} />
                    )}
                  </div>
                )}
              </>
            )}
          </>
        )}
      </div>
      <StatusAnnouncer approvals={conversation.approvals.length} isExecuting={isAtWork(conversation)} />
    </DisclosureProvider>
  );
}

/** An approval that waits when the page is opened gets the keys, unless a message is being written. One that comes later does not. */
function useLeaveFieldForApproval({ isLoaded, approvals }: TaskConversation, { hasComposer }: { hasComposer: boolean }): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page is opened; later the user may be about to write
  useEffect(() => {
    const field = document.activeElement;
    if (isLoaded && approvals.length > 0 && field instanceof HTMLTextAreaElement && field.value === "") field.blur();
  }, [isLoaded, hasComposer]);
}

/** Its agent was started: one that waits for a slot does nothing yet. */
function isAtWork({ isExecuting, currentExecution }: Pick<TaskConversation, "isExecuting" | "currentExecution">): boolean {
  return isExecuting && !(currentExecution?.status === "running" && currentExecution.wait !== undefined);
}
