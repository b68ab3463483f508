import type { ImagePart, ProjectId, Task } from "@skein/contracts";
import { toTaskTitle } from "@skein/engine";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type RefObject, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import { api } from "../api/api.ts";
import { toNewTask } from "../api/to-new-task.ts";
import { composerAction } from "../composer/composer-keys.ts";
import { createDraftStore } from "../composer/draft-store.ts";
import { MessageField } from "../composer/message-field.tsx";
import { useText } from "../i18n/locale.tsx";
import { setTask } from "../live/apply-event-to-cache.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Spinner } from "../ui/icon.tsx";
import { showToast } from "../ui/toast.ts";
import { ModeChoice } from "./mode-choice.tsx";
import { StartBar } from "./start-bar.tsx";
import { useStart } from "./use-start.ts";
import { useStartChoice } from "./use-start-choice.ts";

const drafts = createDraftStore(globalThis.localStorage);
const nothingSent: readonly string[] = [];

export interface TaskComposerProps {
  projectId: ProjectId;
  handle?: RefObject<{ focus(): void } | null>;
  /** The task was created, and started or not. */
  onDone?(): void;
}

/** Everything that starts a task, in one place: what to do, and optionally its title, agent, model, permissions and base branch. */
export function TaskComposer({ projectId, handle, onDone }: TaskComposerProps) {
  const text = useText();
  const words = text.start;
  const describe = useErrorText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const start = useStart();
  const settings = useStartChoice(projectId);
  const field = useRef<HTMLTextAreaElement>(null);
  const draftKey = `new.${projectId}`;
  const [prompt, setPromptState] = useState(() => drafts.read(draftKey));
  const [title, setTitle] = useState("");
  const [images, setImages] = useState<readonly ImagePart[]>([]);
  const [busy, setBusy] = useState<"creating" | "starting" | null>(null);
  const [error, setError] = useState<string | null>(null);
  const place = useMemo(() => ({ projectId }), [projectId]);
  useImperativeHandle(handle, () => ({ focus: () => field.current?.focus() }));
  useEffect(() => {
    if (!matchMedia("(pointer: coarse)").matches) field.current?.focus({ preventScroll: true });
  }, []);

  const setPrompt = (value: string) => {
    setPromptState(value);
    drafts.write(draftKey, value);
  };
  const isEmpty = prompt.trim() === "" && images.length === 0;
  const act = async (kind: "creating" | "starting", action: () => Promise<Task>) => {
    if (isEmpty || busy !== null) return;
    setBusy(kind);
    setError(null);
    try {
      const task = await action();
      setPrompt("");
      setTitle("");
      setImages([]);
      onDone?.();
      const open = () => navigate({ to: "/t/$taskId", params: { taskId: task.id } });
      if (kind === "starting") await open();
      else showToast({ text: words.created(task.title), tone: "plain", action: { label: words.open, run: () => void open() } });
    } catch (failure) {
      setError(describe(failure));
    } finally {
      setBusy(null);
    }
  };
  // a message of images alone has no words for a title
  const titleOf = title.trim() || toTaskTitle(prompt) || words.untitled;
  const createAndStart = () =>
    act("starting", async () => {
      const attempt = await settings.toAttempt();
      const { task } = await start({ task: { projectId, title: titleOf }, attempt, message: prompt, images: [...images] });
      settings.remember({ started: true });
      return task;
    });
  const create = () =>
    act("creating", async () => {
      const description = prompt.trim() === titleOf ? "" : prompt;
      const task = await api.createTask({ projectId, title: titleOf, description });
      setTask(client, toNewTask(task));
      settings.remember({ started: false });
      return task;
    });
  return (
    <div className="space-y-3">
      {error && <ErrorText>{error}</ErrorText>}
      <MessageField
        buttons={
          <>
            <Button
              disabled={isEmpty || busy !== null || images.length > 0}
              onClick={() => void create()}
              title={images.length > 0 ? words.createNeedsNoImages : words.createHint}
            >
              {busy === "creating" && <Spinner size={14} />}
              {words.create}
            </Button>
            <Button disabled={isEmpty || busy !== null} look="primary" onClick={() => void createAndStart()}>
              {busy === "starting" && <Spinner size={14} />}
              {words.createAndStart}
            </Button>
          </>
        }
        field={field}
        hint={words.keys}
        images={images}
        label={words.prompt}
        onImages={setImages}
        onKey={(event) => {
          const { key, shiftKey, ctrlKey, metaKey } = event;
          const action = composerAction(
            { key, shiftKey, ctrlKey, metaKey, isComposing: event.nativeEvent.isComposing },
            { isExecuting: false, isAsked: false },
          );
          if (action === "none") return;
          event.preventDefault();
          void createAndStart();
        }}
        onProblem={setError}
        onText={setPrompt}
        place={place}
        placeholder={words.placeholder}
        roomy
        sent={nothingSent}
        settings={
          <div className="space-y-0.5 px-1.5 pb-1">
            <input
              aria-label={words.title}
              autoComplete="off"
              className="h-8 pointer-coarse:h-10 w-full rounded-md bg-transparent px-2 text-sm outline-none placeholder:text-ink-faint focus-visible:bg-hover"
              maxLength={500}
              onChange={(event) => setTitle(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
                event.preventDefault();
                void createAndStart();
              }}
              placeholder={words.titlePlaceholder}
              value={title}
            />
            <StartBar projectId={projectId} settings={settings} />
          </div>
        }
        text={prompt}
      />
      {!settings.isModeChosen && <ModeChoice agent={settings.agent} onChange={settings.chooseMode} value={settings.permissionMode} />}
    </div>
  );
}
