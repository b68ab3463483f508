import type { AttemptId, HistoryEntry } from "@skein/contracts";
import { formatMessages, type UIPart, type UIToolPart } from "@skein/engine";
import { useQueries } from "@tanstack/react-query";
import { attemptApi } from "../api/attempt-api.ts";
import { toImageUrl } from "../text/safe-url.ts";
import { JsonView } from "../tools/renderers/json-view.tsx";
import { Spinner } from "../ui/icon.tsx";
import { ChangeBadges, Tokens } from "./badges.tsx";
import type { ContextRow, ShownResult } from "./context-rows.ts";
import { PlainText } from "./plain-text.tsx";
import { useContextText } from "./use-context-text.ts";

type MessageRowData = Extract<ContextRow, { kind: "message" }>;

/** The complete content of a message, as the model gets it. Parts that the list has truncated are loaded now. */
export function MessageParts({ attemptId, row }: { attemptId: AttemptId; row: MessageRowData }) {
  const text = useContextText();
  const { parts, isLoading } = useWholeParts(attemptId, row);
  return (
    <div className="space-y-2 ps-8 pe-2 pb-3">
      {isLoading && (
        <p className="flex items-center gap-1.5 text-ink-faint text-xs" role="status">
          <Spinner size={12} />
          {text.shortened}
        </p>
      )}
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a message do not change places
        <Part id={`${row.key}:${index}`} key={index} part={part} result={row.results.get(index)} />
      ))}
    </div>
  );
}

function useWholeParts(
  attemptId: AttemptId,
  { entry, message, results }: MessageRowData,
): { parts: readonly UIPart[]; isLoading: boolean } {
  const entries = [entry, ...[...results.values()].map((result) => result.entry)];
  const shortened = entries.filter(({ isShortened }) => isShortened);
  const loaded = useQueries({
    queries: shortened.map(({ id, isLive }) => ({
      queryKey: ["history-message", attemptId, id, isLive],
      queryFn: ({ signal }: { signal: AbortSignal }) => attemptApi.getHistoryMessage(attemptId, id, signal),
    })),
  });
  const whole = new Map(loaded.flatMap(({ data }): [string, HistoryEntry][] => (data === undefined ? [] : [[data.id, data]])));
  if (whole.size < shortened.length) return { parts: message.parts, isLoading: loaded.some(({ isLoading }) => isLoading) };
  if (shortened.length === 0) return { parts: message.parts, isLoading: false };
  const formatted = formatMessages(entries.map((one) => whole.get(one.id) ?? one));
  return { parts: formatted.messages.find(({ id }) => id === entry.id)?.parts ?? message.parts, isLoading: false };
}

function Part({ id, part, result }: { id: string; part: UIPart; result: ShownResult | undefined }) {
  const text = useContextText();
  switch (part.type) {
    case "text":
      return part.text === "" ? null : <PlainText text={part.text} />;
    case "reasoning":
      return (
        <section>
          <Heading>{text.reasoning}</Heading>
          <PlainText text={part.text} tone="faint" />
        </section>
      );
    case "image": {
      const url = toImageUrl(part);
      return url && <img alt={text.image} className="max-h-48 rounded-lg" src={url} />;
    }
    case "tool":
      return <ToolPart id={id} part={part} result={result} />;
  }
}

function ToolPart({ id, part, result }: { id: string; part: UIToolPart; result: ShownResult | undefined }) {
  const text = useContextText();
  return (
    <section className="rounded-lg border border-line p-2">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <code className="font-semibold">{part.name || text.role.tool}</code>
        {result !== undefined && <Tokens size={result.entry.size} />}
        {result !== undefined && result.changes.length > 0 && (
          <ul className="flex flex-wrap gap-1 text-xs">
            <ChangeBadges changes={result.changes} />
          </ul>
        )}
      </p>
      {part.input !== null && (
        <>
          <Heading>{text.call}</Heading>
          <div className="rounded-md bg-code">
            <JsonView id={`${id}:input`} value={part.input} />
          </div>
        </>
      )}
      {part.state === "tool_use" ? (
        <p className="mt-1 text-ink-faint text-xs">{text.noResult}</p>
      ) : (
        <>
          <Heading>{part.isError ? text.error : text.result}</Heading>
          {typeof part.result === "string" ? (
            <PlainText text={part.result} />
          ) : (
            part.result.map((piece, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a result do not change places
              <Part id={`${id}:${index}`} key={index} part={piece} result={undefined} />
            ))
          )}
        </>
      )}
    </section>
  );
}

function Heading({ children }: { children: string }) {
  return <p className="mt-1 mb-0.5 text-ink-faint text-xs">{children}</p>;
}
