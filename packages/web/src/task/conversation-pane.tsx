import type { Attempt, ImagePart, MergeMode, Task, UpdateTask } from "@skein/contracts";
import { toTaskPrompt } from "@skein/engine";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { api } from "../api/api.ts";
import { agentsQuery, attemptsQuery } from "../api/queries.ts";
import { Composer, type ComposerHandle } from "../composer/composer.tsx";
import { QueueList } from "../composer/queue-list.tsx";
import { toSentHistory } from "../composer/sent-history.ts";
import { ConversationList } from "../conversation/conversation-list.tsx";
import { ConversationPlaceProvider } from "../conversation/conversation-place.tsx";
import type { SendOptions } from "../conversation/conversation-session.ts";
import { FindBar } from "../conversation/find-bar.tsx";
import type { ConversationListHandle } from "../conversation/use-jump.ts";
import type { TaskConversation } from "../conversation/use-task-conversation.ts";
import { useText } from "../i18n/locale.tsx";
import { ModeChoice } from "../start/mode-choice.tsx";
import { StartBar } from "../start/start-bar.tsx";
import { useStart } from "../start/use-start.ts";
import { useStartChoice } from "../start/use-start-choice.ts";
import { Button } from "../ui/button.tsx";
import { DisclosureProvider } from "../ui/disclosure.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { useShortcut } from "../ui/use-shortcut.ts";
import { addAttempt } from "./add-attempt.ts";
import { AttemptBar } from "./attempt-bar.tsx";
import { EditableText } from "./editable-text.tsx";
import { StatusAnnouncer } from "./status-announcer.tsx";

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

export function ConversationPane(props: ConversationPaneProps) {
  const { task, attempt, conversation, mergeMode, list, finding, onFinding, onUpdate } = props;
  const text = useText();
  const client = useQueryClient();
  const composer = useRef<ComposerHandle>(null);
  const { data: agents } = useQuery(agentsQuery);
  const agent = agents?.agents.find(({ id }) => id === attempt?.agent);
  const [findText, setFindText] = useState("");
  const [lost, setLost] = useState(false);
  useShortcut("m", () => composer.current?.focus());
  useFindKey(() => onFinding(true));
  const closeFind = useCallback(() => {
    onFinding(false);
    setFindText("");
  }, [onFinding]);

  const hash = useLocation({ select: (location) => location.hash });
  const isLoaded = conversation.isLoaded;
  useEffect(() => {
    if (hash === "" || !isLoaded) return;
    setLost(false);
    let frame = 0;
    // the list may be drawn a moment after the conversation is there
    const reveal = (): void => {
      if (list.current) list.current.reveal(hash).catch(() => setLost(true));
      else frame = requestAnimationFrame(reveal);
    };
    reveal();
    return () => cancelAnimationFrame(frame);
  }, [hash, isLoaded, list]);

  const waits = conversation.approvals.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what waits when the page is opened; later the user may be about to write
  useEffect(() => {
    const field = document.activeElement;
    if (isLoaded && waits && field instanceof HTMLTextAreaElement && field.value === "") field.blur();
  }, [isLoaded]);

  const addCreated = (created: Attempt) => void client.setQueryData(attemptsQuery(task.id).queryKey, (known) => addAttempt(known, created));
  const start = useStart();
  const settings = useStartChoice(task.projectId);
  const send = async (message: string, images: readonly ImagePart[], options: SendOptions): Promise<void> => {
    if (!attempt) {
      const started = await start({ task: { id: task.id }, attempt: await settings.toAttempt(), message, images: [...images] });
      settings.remember({ started: true });
      return addCreated(started.attempt);
    }
    // What fails from here on stays in the conversation, with a way to send it again: the composer is free for the next one.
    // What the server cannot store goes back to the composer: sending it again is of no use until that is fixed.
    conversation
      .sendMessage(message, images, { ...options, takesBackUnstored: true })
      .catch((error: unknown) => composer.current?.giveBack(message, images, error));
  };
  const attemptId = attempt?.id;
  const place = useMemo(() => (attemptId ? { attemptId } : { projectId: task.projectId }), [attemptId, task.projectId]);
  const sent = useMemo(() => toSentHistory(conversation.messages), [conversation.messages]);
  const isEmpty =
    !attempt ||
    (conversation.isLoaded && conversation.messages.length === 0 && conversation.outgoing.length === 0 && !conversation.isExecuting);
  const prompt = toTaskPrompt(task);
  const startTask = () => composer.current?.send(prompt);
  useShortcut("s", () => {
    if (!attempt) startTask();
  });
  return (
    <DisclosureProvider>
      {lost && (
        <div className="px-4 py-2">
          <ErrorText>{text.taskPage.message.notFound}</ErrorText>
        </div>
      )}
      {isEmpty ? (
        <div className="scroll-quiet min-h-0 flex-1 overflow-y-auto">
          <div className="mx-auto flex min-h-full w-full max-w-3xl flex-col justify-center gap-4 px-4 py-8 sm:px-6">
            <div>
              <h2 className="font-semibold">{attempt ? text.task.noMessagesTitle : text.task.noAttemptTitle}</h2>
              <p className="mt-1 text-ink-soft">
                {attempt ? text.task.noMessagesText : text.task.noAttemptText(settings.agent?.name ?? "…")}
              </p>
            </div>
            <div className="-mx-1.5">
              <EditableText
                label={text.task.description}
                maxLength={100_000}
                multiline
                onSave={(description) => onUpdate({ description })}
                placeholder={text.task.addDescription}
                value={task.description}
              />
            </div>
            <div className="flex flex-wrap gap-2">
              {!attempt && (
                <Button look="primary" onClick={startTask} title={`${text.start.start} (S)`}>
                  <Icon name="play" size={14} />
                  {text.start.start}
                </Button>
              )}
              <Button onClick={() => composer.current?.setMessage(prompt)}>
                <Icon name="arrowDown" size={14} />
                {text.task.useDescription}
              </Button>
            </div>
          </div>
        </div>
      ) : conversation.isLoaded ? (
        <ConversationPlaceProvider attemptId={conversation.attemptId} taskId={task.id}>
          <div className="relative flex min-h-0 flex-1 flex-col">
            {finding && conversation.attemptId && (
              <FindBar
                attemptId={conversation.attemptId}
                newestId={conversation.messages.at(-1)?.id}
                onClose={closeFind}
                onHit={(messageId) => void list.current?.reveal(messageId)}
                onText={setFindText}
              />
            )}
            <ConversationList
              canUndoCompression={agent?.capabilities?.compressesHistory === true}
              conversation={conversation}
              findText={finding ? findText : ""}
              handle={list}
              mergeMode={mergeMode}
              onEdit={({ commandId, text: message, images }) => {
                conversation.discard(commandId);
                composer.current?.setMessage(message, images);
              }}
            />
          </div>
        </ConversationPlaceProvider>
      ) : (
        <LoadingOrFailed conversation={conversation} />
      )}
      <div className="mx-auto w-full max-w-3xl shrink-0 px-3 pb-3 sm:px-6 sm:pb-4">
        <QueueList isExecuting={conversation.isExecuting} pause={conversation.queuePause} queue={conversation.queue} />
        {attempt && !attempt.active ? (
          <NotActive attempt={attempt} />
        ) : (
          <>
            <Composer
              handle={composer}
              isAsked={waits}
              isExecuting={conversation.isExecuting}
              onSend={send}
              onStop={() => conversation.stopExecution()}
              place={place}
              queue={{ length: conversation.queue.length, isPaused: conversation.queuePause !== null }}
              sent={sent}
              taskId={task.id}
            />
            {!attempt && (
              <div className="mt-1 space-y-2">
                <StartBar projectId={task.projectId} settings={settings} />
                {!settings.isModeChosen && (
                  <ModeChoice agent={settings.agent} onChange={settings.chooseMode} value={settings.permissionMode} />
                )}
              </div>
            )}
            {attempt && (
              <AttemptBar
                agents={agents}
                attempt={attempt}
                messages={conversation.messages}
                onContinueWith={async ({ id, defaultModel }) => {
                  const { isolation, permissionMode } = attempt;
                  const model = defaultModel === undefined ? {} : { model: defaultModel };
                  addCreated(
                    await api.createAttempt(task.id, { agent: id, ...model, isolation, permissionMode, continueFrom: attempt.id }),
                  );
                }}
              />
            )}
          </>
        )}
      </div>
      <StatusAnnouncer approvals={conversation.approvals.length} isExecuting={conversation.isExecuting} />
    </DisclosureProvider>
  );
}

/** Ctrl or Cmd+F finds in the conversation; pressed again in the find bar, or in the pane beside, it is the browser's own. */
function useFindKey(onFind: () => void): void {
  const latest = useRef(onFind);
  useEffect(() => {
    latest.current = onFind;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== "f" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest("search, [role=dialog], [role=tabpanel]")) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

function LoadingOrFailed({ conversation }: { conversation: TaskConversation }) {
  const text = useText();
  const describe = useErrorText();
  return (
    <div className="flex min-h-0 flex-1 items-center justify-center p-6">
      {conversation.error ? (
        <div className="space-y-3 text-center">
          <p className="font-medium">{text.conversation.couldNotLoad}</p>
          <p className="text-ink-soft">{describe(conversation.error)}</p>
          <Button onClick={() => void conversation.reload()}>{text.app.retry}</Button>
        </div>
      ) : null}
    </div>
  );
}

function NotActive({ attempt }: { attempt: Attempt }) {
  const text = useText();
  const describe = useErrorText();
  const [error, setError] = useState<string | null>(null);
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-xl border border-line bg-sunken px-4 py-3 text-sm">
      <p className="min-w-0 flex-1 text-ink-soft">{text.task.notActive}</p>
      <Button onClick={() => void api.activateAttempt(attempt.id).catch((failure: unknown) => setError(describe(failure)))}>
        {text.task.activate}
      </Button>
      {error && <ErrorText>{error}</ErrorText>}
    </div>
  );
}
