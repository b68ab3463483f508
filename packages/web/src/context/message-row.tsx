import type { AttemptId, HistoryEntry, TokenFigure } from "@skein/contracts";
import type { UIMessage, UIPart } from "@skein/engine";
import { memo } from "react";
import { useDisclosure } from "../ui/disclosure.tsx";
import { Chevron } from "../ui/disclosure-button.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Badge, ChangeBadges, Tokens } from "./badges.tsx";
import type { ContextRow, ShownChange } from "./context-rows.ts";
import { MessageParts } from "./message-parts.tsx";
import { useContextText } from "./use-context-text.ts";

const icons: Record<UIMessage["role"], IconName> = { system: "gear", user: "edit", assistant: "agent", tool: "tool" };

type MessageRowData = Extract<ContextRow, { kind: "message" }>;

/** One message: its role, its size, and what a request makes of it; its parts when it is opened. */
export const MessageRow = memo(
  function MessageRow({ attemptId, row }: { attemptId: AttemptId; row: MessageRowData }) {
    const text = useContextText();
    const { message, entry, changes, results } = row;
    const [open, setOpen] = useDisclosure(row.key);
    const resultChanges = [...results.values()].flatMap((result) => result.changes);
    return (
      <article
        aria-label={text.role[message.role]}
        className={`px-2 ${entry.isSummarized ? "ms-4 border-accent/40 border-s-2" : ""}`}
        data-message-id={entry.id}
        data-role={message.role}
      >
        <button
          aria-expanded={open}
          className="flex min-h-9 pointer-coarse:min-h-11 w-full min-w-0 items-center gap-2 rounded-md px-2 py-1 text-start text-sm hover:bg-hover"
          onClick={() => setOpen(!open)}
          type="button"
        >
          <Icon className="text-ink-faint" name={icons[message.role]} size={14} />
          <span className="w-20 shrink-0 font-medium max-sm:w-auto">{text.role[message.role]}</span>
          <span className="min-w-0 flex-1 truncate text-ink-soft">{toPreview(message.parts) || text.empty}</span>
          {entry.model !== undefined && (
            <span className="max-w-40 shrink-0 truncate text-ink-faint text-xs max-sm:hidden" title={entry.model}>
              {entry.model.slice(entry.model.indexOf("/") + 1)}
            </span>
          )}
          <Tokens size={toRowSize(row)} />
          <Chevron open={open} />
        </button>
        <Badges changes={[...changes, ...resultChanges]} entry={entry} />
        {open && <MessageParts attemptId={attemptId} row={row} />}
      </article>
    );
  },
  (before, after) => before.attemptId === after.attemptId && isSameRow(before.row, after.row),
);

function Badges({ entry, changes }: { entry: HistoryEntry; changes: readonly ShownChange[] }) {
  const text = useContextText();
  if (!entry.isInherited && !entry.isLive && !entry.isSummarized && changes.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-1 ps-8 pb-1 text-xs">
      {entry.isInherited && <Badge hint={text.inheritedHint}>{text.inherited}</Badge>}
      {entry.isLive && <Badge hint={text.liveHint}>{text.live}</Badge>}
      {entry.isSummarized && <Badge>{text.replaced}</Badge>}
      <ChangeBadges changes={changes} />
    </ul>
  );
}

/** A message and the results that are shown in it. */
function toRowSize({ entry, results }: MessageRowData): TokenFigure {
  const sizes = [entry.size, ...[...results.values()].map((result) => result.entry.size)];
  return {
    tokens: sizes.reduce((sum, { tokens }) => sum + tokens, 0),
    isEstimate: sizes.some(({ isEstimate }) => isEstimate),
  };
}

const longestPreview = 300;

/** The first words, then the tools that are called. */
function toPreview(parts: readonly UIPart[]): string {
  const said = parts.flatMap((part) => (part.type === "text" || part.type === "reasoning" ? [part.text.trim()] : [])).find(Boolean);
  const tools = parts.flatMap((part) => (part.type === "tool" ? [part.name] : []));
  return [(said ?? "").slice(0, longestPreview).replaceAll(/\s+/g, " "), tools.join(", ")].filter((text) => text !== "").join(" · ");
}

/** Entries and UI messages that did not change are the same objects, page after page. */
function isSameRow(a: MessageRowData, b: MessageRowData): boolean {
  if (a.message !== b.message || a.entry !== b.entry || a.results.size !== b.results.size) return false;
  if (JSON.stringify(a.changes) !== JSON.stringify(b.changes)) return false;
  return [...a.results].every(([index, result]) => {
    const other = b.results.get(index);
    return other !== undefined && other.entry === result.entry && JSON.stringify(other.changes) === JSON.stringify(result.changes);
  });
}
