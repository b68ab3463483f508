import { type KeyboardEvent, useState } from "react";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { firstLine } from "../text/first-line.ts";
import { Spinner } from "../ui/icon.tsx";
import { toTicks } from "./axis-ticks.ts";
import { barLook } from "./bar-look.ts";
import type { Timeline, TimelineSpan } from "./to-timeline.ts";

/** One row each; the arrow keys move, Enter leads to the card. What is hovered or focused is described below. */
export function TimelineRows({ timeline, onReveal }: { timeline: Timeline; onReveal(messageId: string): void }) {
  const text = useTaskText();
  const words = text.taskPage.timeline;
  const format = useFormats();
  const [focused, setFocused] = useState(0);
  const [shownKey, setShownKey] = useState<string | null>(null);
  const { spans, durationMs } = timeline;
  const last = spans.length - 1;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const next = { ArrowDown: focused + 1, ArrowUp: focused - 1, Home: 0, End: last }[event.key];
    if (next === undefined || next < 0 || next > last) return;
    event.preventDefault();
    setFocused(next);
    event.currentTarget.querySelectorAll<HTMLElement>("[data-span]")[next]?.focus();
  };
  const ticks = toTicks(durationMs);
  const place = (at: number) => `${durationMs === 0 ? 0 : (at / durationMs) * 100}%`;
  const shown = spans.find(({ key }) => key === shownKey);
  return (
    <>
      <div aria-hidden="true" className="flex h-6 shrink-0 border-line border-b text-[0.7rem] text-ink-faint tabular-nums">
        <span className="w-[38%] shrink-0" />
        <span className="relative me-4 flex-1">
          {ticks.map((tick) => (
            <span
              className="absolute top-1 whitespace-nowrap border-line border-s ps-1 max-sm:even:hidden"
              key={tick}
              style={{ insetInlineStart: place(tick) }}
            >
              {tick / durationMs < 0.85 && format.duration(tick)}
            </span>
          ))}
        </span>
      </div>
      <ol aria-label={words.rows} className="scroll-quiet min-h-0 flex-1 overflow-y-auto py-1" onKeyDown={onKeyDown}>
        {spans.map((span, index) => (
          <li className="[content-visibility:auto]" key={span.key}>
            <button
              aria-label={describeSpan(span, text, format)}
              className="flex h-6 pointer-coarse:h-9 w-full items-center text-start text-xs hover:bg-hover focus-visible:bg-hover"
              data-kind={span.kind}
              data-span=""
              onClick={() => span.messageId && onReveal(span.messageId)}
              onFocus={() => {
                setFocused(index);
                setShownKey(span.key);
              }}
              onPointerEnter={() => setShownKey(span.key)}
              tabIndex={index === Math.min(focused, last) ? 0 : -1}
              type="button"
            >
              <span className={`w-[38%] shrink-0 truncate ps-3 pe-2 ${toneOf(span)}`}>{nameOf(span, text)}</span>
              <span className="relative me-4 h-full flex-1">
                <span
                  className={`absolute top-1/2 h-2.5 min-w-[3px] -translate-y-1/2 rounded-xs ${isBad(span) ? "bg-bad" : barLook[span.kind]}`}
                  style={{ insetInlineStart: place(span.from), width: place(span.to - span.from) }}
                />
                {span.isRunning && <Spinner className="-translate-y-1/2 absolute end-0 top-1/2 text-accent" size={12} />}
              </span>
            </button>
          </li>
        ))}
      </ol>
      <p className="min-h-8 shrink-0 truncate border-line border-t px-3 py-1.5 text-ink-soft text-xs tabular-nums">
        {shown ? describeSpan(shown, text, format) : words.hint}
      </p>
    </>
  );
}

type Text = ReturnType<typeof useTaskText>;

function nameOf(span: TimelineSpan, { taskPage: { timeline }, tool }: Text): string {
  if (span.kind === "model") return timeline.model;
  if (span.kind === "waiting") return timeline.waited(span.toolName);
  return span.summary === null ? span.toolName : firstLine(tool.summary(span.summary));
}

function describeSpan(span: TimelineSpan, text: Text, format: ReturnType<typeof useFormats>): string {
  const words = text.taskPage.timeline;
  const took = span.isRunning ? words.running : `${words.took} ${format.duration(span.to - span.from)}`;
  return `${nameOf(span, text)} · ${words.from} ${format.duration(span.from)} · ${took}`;
}

const isBad = ({ kind, state }: TimelineSpan): boolean => kind === "tool" && !["running", "completed"].includes(state);

function toneOf(span: TimelineSpan): string {
  if (isBad(span)) return "text-bad";
  return span.kind === "tool" ? "text-ink" : "text-ink-faint";
}
