import type { FilePlace } from "../api/attempt-api.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { ErrorText } from "../ui/error-text.tsx";
import { ComposerButtons } from "./composer-buttons.tsx";
import { type QueueFacts, toComposerHints } from "./composer-hints.ts";
import { composerAction } from "./composer-keys.ts";
import { isEmptyDraft } from "./draft.ts";
import { MessageField } from "./message-field.tsx";
import { type ComposerActions, useComposer } from "./use-composer.ts";

export interface ComposerProps extends ComposerActions {
  /** The attempt or project whose files and commands are completed. */
  place: FilePlace;
  /** Sent messages, the newest last. */
  sent: readonly string[];
  isExecuting: boolean;
  /** The agent waits for an answer. */
  isAsked: boolean;
  queue: QueueFacts;
}

export function Composer({ place, sent, isExecuting, isAsked, queue, ...actions }: ComposerProps) {
  const text = useTaskText();
  const { field, draft, setDraft, busy, error, setError, send, stop } = useComposer(actions);
  const hints = toComposerHints({ isExecuting, isAsked, queue }, text);
  return (
    <div>
      {error && (
        <div className="mb-2">
          <ErrorText>{error}</ErrorText>
        </div>
      )}
      <MessageField
        buttons={
          <ComposerButtons
            busy={busy}
            hints={hints}
            isEmpty={isEmptyDraft(draft)}
            isExecuting={isExecuting}
            onSend={() => send()}
            onSteer={() => send({ steer: true })}
            onStop={stop}
          />
        }
        field={field}
        hint={hints.line}
        images={draft.images}
        label={text.composer.label}
        onImages={(images) => setDraft({ images })}
        onKey={(event) => {
          const { key, shiftKey, ctrlKey, metaKey } = event;
          const action = composerAction(
            { key, shiftKey, ctrlKey, metaKey, isComposing: event.nativeEvent.isComposing },
            { isExecuting, isAsked },
          );
          if (action === "none") return;
          event.preventDefault();
          if (action === "stop") stop();
          else if (action === "leave") field.current?.blur();
          else send({ steer: action === "steer" });
        }}
        onProblem={setError}
        onText={(text) => setDraft({ text })}
        place={place}
        placeholder={hints.placeholder}
        sent={sent}
        text={draft.text}
      />
    </div>
  );
}
