import type { Approval, ConversationMessage, Execution, ToolSummary } from "@skein/contracts";
import { toToolSummary } from "../tools/tool-summary.ts";
import { joinSpans, type Range, sumSpans } from "./join-spans.ts";

export type SpanKind = "tool" | "model" | "waiting";

export interface TimelineSpan {
  key: string;
  kind: SpanKind;
  /** What the tool does; null where there is none. */
  summary: ToolSummary | null;
  toolName: string;
  state: string;
  /** Milliseconds from the start of the execution. */
  from: number;
  to: number;
  isRunning: boolean;
  /** The card with the details. */
  messageId: string | null;
}

export interface Timeline {
  durationMs: number;
  spans: TimelineSpan[];
  /** Time that each kind took; what overlaps counts once. */
  totals: Record<SpanKind, number>;
}

/**
 * What happened when in one execution. Agents report when tools start and end, and we know how long a question waited: the
 * time in between is the model's.
 */
export function toTimeline(input: {
  execution: Execution;
  messages: readonly ConversationMessage[];
  approvals: readonly Approval[];
  now: number;
}): Timeline {
  const { execution, now } = input;
  const start = execution.startedAt;
  const end = execution.status === "running" ? Math.max(now, start) : execution.endedAt;
  const within = (at: number): number => Math.min(Math.max(at, start), end) - start;
  const cards = input.messages.filter((message) => message.metadata?.executionId === execution.id);
  const cardOf = new Map(
    cards.flatMap((card) => (card.messageType === "tool_execution" ? [[card.metadata.toolUseId, card.id] as const] : [])),
  );
  const tools: TimelineSpan[] = [];
  for (const card of cards) {
    if (card.messageType !== "tool_execution") continue;
    const { state, toolName } = card.metadata;
    const isRunning = card.metadata.state === "running";
    const until = card.metadata.state === "running" ? end : card.timestamp + card.metadata.durationMs;
    const common = {
      key: card.id,
      kind: "tool" as const,
      summary: toToolSummary(card),
      toolName,
      state,
      isRunning,
      messageId: card.id,
    };
    tools.push({ ...common, from: within(card.timestamp), to: within(until) });
  }
  const waits = input.approvals
    .filter((approval) => approval.executionId === execution.id)
    .map((approval): TimelineSpan => {
      const isRunning = approval.status === "pending";
      const until = approval.status === "pending" ? end : approval.resolvedAt;
      return {
        key: approval.id,
        kind: "waiting",
        summary: null,
        toolName: approval.toolName,
        state: approval.status,
        from: within(approval.requestedAt),
        to: within(until),
        isRunning,
        messageId: cardOf.get(approval.toolUseId) ?? null,
      };
    });
  const busy = joinSpans([...tools, ...waits]);
  const said = cards.filter(({ messageType, role }) => role === "assistant" && (messageType === "text" || messageType === "thinking"));
  let next = 0;
  const models = gapsOf(busy, end - start).map(([from, to], index): TimelineSpan => {
    while (next < said.length && within(said[next]?.timestamp ?? 0) < from) next++;
    const first = said[next];
    const isRunning = execution.status === "running" && to === end - start;
    const messageId = first !== undefined && within(first.timestamp) <= to ? first.id : null;
    return { key: `model:${index}`, kind: "model", summary: null, toolName: "", state: "", from, to, isRunning, messageId };
  });
  const spans = [...tools, ...waits, ...models].sort((a, b) => a.from - b.from || a.to - b.to);
  return { durationMs: end - start, spans, totals: { tool: sumSpans(tools), waiting: sumSpans(waits), model: sumSpans(models) } };
}

/** Shorter ones are the time between a result and the next line, not a call of a model. */
const shortestGap = 5;

function gapsOf(busy: readonly Range[], end: number): Range[] {
  const gaps: Range[] = [];
  let at = 0;
  for (const [from, to] of [...busy, [end, end] as const]) {
    if (from - at >= shortestGap) gaps.push([at, from]);
    at = Math.max(at, to);
  }
  return gaps;
}
