import type { Attempt, AttemptId } from "@skein/contracts";
import type { KeyboardEvent, ReactNode } from "react";
import { useText } from "../i18n/locale.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { agentName } from "./agent-name.ts";

export interface AttemptTabsProps {
  attempts: readonly Attempt[];
  shown: AttemptId;
  running: boolean;
  /** At the end of the bar. */
  aside: ReactNode;
  onShow(id: AttemptId): void;
}

/** `#2 Claude Code`, one tab each; the arrow keys move between them. */
export function AttemptTabs({ attempts, shown, running, aside, onShow }: AttemptTabsProps) {
  const text = useText();
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = attempts[attempts.findIndex(({ id }) => id === shown) + step];
    if (step === 0 || !next) return;
    event.preventDefault();
    onShow(next.id);
    event.currentTarget.querySelector<HTMLElement>(`[data-attempt-id="${CSS.escape(next.id)}"]`)?.focus();
  };
  const current = attempts.find(({ id }) => id === shown);
  return (
    <div className="flex h-10 shrink-0 items-center gap-3 border-line border-b px-2 sm:px-3">
      <div aria-label={text.task.attempts} className="scroll-quiet flex min-w-0 gap-1 overflow-x-auto" onKeyDown={onKeyDown} role="tablist">
        {attempts.map((attempt) => (
          <button
            aria-label={`${text.attempt.label(attempt.number)}, ${agentName(attempt.agent)}${attempt.model ? ` ${attempt.model}` : ""}${attempt.active ? `, ${text.attempt.active}` : ""}${attempt.active && running ? `, ${text.attempt.running}` : ""}`}
            aria-selected={attempt.id === shown}
            className="flex h-7 pointer-coarse:h-9 shrink-0 items-center gap-1.5 rounded-md px-2 text-ink-soft text-sm hover:bg-hover aria-selected:bg-active aria-selected:text-ink"
            data-attempt-id={attempt.id}
            key={attempt.id}
            onClick={() => onShow(attempt.id)}
            role="tab"
            tabIndex={attempt.id === shown ? 0 : -1}
            type="button"
          >
            <span className="text-ink-faint tabular-nums">#{attempt.number}</span>
            {agentName(attempt.agent)}
            {attempt.active && running && <Spinner className="text-accent" size={12} />}
            {attempt.active && !running && attempts.length > 1 && <span aria-hidden="true" className="size-1.5 rounded-full bg-accent" />}
          </button>
        ))}
      </div>
      {current && (
        <span className="ms-auto flex min-w-0 items-center gap-3 text-ink-faint text-xs max-xl:hidden">
          {current.branch && (
            <span className="flex min-w-0 items-center gap-1" title={current.directory}>
              <Icon name="branch" size={13} />
              <span className="truncate font-mono">{current.branch}</span>
            </span>
          )}
        </span>
      )}
      <span className="ms-auto shrink-0 xl:ms-0">{aside}</span>
    </div>
  );
}
