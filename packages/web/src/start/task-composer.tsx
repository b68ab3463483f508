import type { ProjectId } from "@skein/contracts";
import { type RefObject, useEffect, useImperativeHandle, useMemo, useRef } from "react";
import { composerAction } from "../composer/composer-keys.ts";
import { isEmptyDraft } from "../composer/draft.ts";
import { MessageField } from "../composer/message-field.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { Spinner } from "../ui/icon.tsx";
import { ModeChoice } from "./mode-choice.tsx";
import { StartBar } from "./start-bar.tsx";
import { TemplateChoice, TemplateVariables } from "./template-choice.tsx";
import { useTaskComposer } from "./use-task-composer.ts";

const nothingSent: readonly string[] = [];

export interface TaskComposerProps {
  projectId: ProjectId;
  handle?: RefObject<{ focus(): void } | null>;
  /** The task was created, and started or not. */
  onDone?(): void;
}

/** Everything that starts a task, in one place: what to do, and optionally its title, agent, model, permissions and base branch. */
export function TaskComposer({ projectId, handle, onDone }: TaskComposerProps) {
  const { start: words } = useTaskText();
  const field = useRef<HTMLTextAreaElement>(null);
  const { fromTemplate, draft, setDraft, settings, busy, error, setError, create, createAndStart } = useTaskComposer({ projectId, onDone });
  const place = useMemo(() => ({ projectId }), [projectId]);
  useImperativeHandle(handle, () => ({ focus: () => field.current?.focus() }));
  useEffect(() => {
    if (!matchMedia("(pointer: coarse)").matches) field.current?.focus({ preventScroll: true });
  }, []);
  const isEmpty = isEmptyDraft(draft);
  const hasImages = draft.images.length > 0;
  return (
    <div className="space-y-3">
      {error && <ErrorText>{error}</ErrorText>}
      <MessageField
        buttons={
          <>
            <Button
              disabled={isEmpty || busy !== null || hasImages}
              onClick={() => void create()}
              title={hasImages ? words.createNeedsNoImages : words.createHint}
            >
              {busy === "creating" && <Spinner size={14} />}
              {words.create}
            </Button>
            <Button disabled={isEmpty || busy !== null} look="primary" onClick={() => void createAndStart()}>
              {busy === "starting" && <Spinner size={14} />}
              {settings.others.length === 0 ? words.createAndStart : words.race.start(settings.others.length + 1)}
            </Button>
          </>
        }
        field={field}
        hint={words.keys}
        images={draft.images}
        label={words.prompt}
        onImages={(images) => setDraft({ images })}
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
        onText={(text) => setDraft({ text })}
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
              onChange={(event) => setDraft({ title: event.target.value })}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
                event.preventDefault();
                void createAndStart();
              }}
              placeholder={words.titlePlaceholder}
              value={draft.title}
            />
            <TemplateVariables names={fromTemplate.variables} onChange={fromTemplate.setValue} values={fromTemplate.values} />
            <StartBar
              first={<TemplateChoice onChange={fromTemplate.chooseTemplate} projectId={projectId} value={fromTemplate.template} />}
              projectId={projectId}
              settings={settings}
            />
          </div>
        }
        text={draft.text}
      />
      {!settings.isModeChosen && <ModeChoice agent={settings.agent} onChange={settings.chooseMode} value={settings.permissionMode} />}
    </div>
  );
}
