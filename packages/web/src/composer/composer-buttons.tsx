import { useTaskText } from "../i18n/task-text.ts";
import { Icon, Spinner } from "../ui/icon.tsx";

export interface ComposerButtonsProps {
  isExecuting: boolean;
  isEmpty: boolean;
  busy: "sending" | "stopping" | null;
  hints: { send: string; stop: string };
  onSend(): void;
  /** Sends to the agent at work instead of queueing. */
  onSteer(): void;
  onStop(): void;
}

export function ComposerButtons({ isExecuting, isEmpty, busy, hints, onSend, onSteer, onStop }: ComposerButtonsProps) {
  const { composer: text } = useTaskText();
  return (
    <>
      {isExecuting && !isEmpty && (
        <button
          className="flex h-8 pointer-coarse:h-10 shrink-0 items-center rounded-full px-3 font-medium text-accent text-sm hover:bg-hover disabled:text-ink-faint"
          disabled={busy === "sending"}
          onClick={onSteer}
          title={text.sendNowHint}
          type="button"
        >
          {text.sendNow}
        </button>
      )}
      {isExecuting && (
        <button
          aria-label={text.stop}
          className="flex h-8 pointer-coarse:h-10 items-center gap-1.5 rounded-full border border-line-strong px-3 font-medium text-sm hover:bg-hover"
          disabled={busy === "stopping"}
          onClick={onStop}
          title={hints.stop}
          type="button"
        >
          {busy === "stopping" ? <Spinner size={13} /> : <Icon className="fill-current" name="stop" size={12} />}
          {text.stop}
        </button>
      )}
      <button
        aria-label={text.send}
        className="flex size-8 pointer-coarse:size-10 items-center justify-center rounded-full bg-accent text-accent-ink hover:bg-accent-strong disabled:bg-active disabled:text-ink-faint"
        disabled={isEmpty || busy === "sending"}
        onClick={onSend}
        title={hints.send}
        type="button"
      >
        {busy === "sending" ? <Spinner size={14} /> : <Icon name="arrowUp" />}
      </button>
    </>
  );
}
