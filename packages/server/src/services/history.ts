import type { Attempt, AttemptId, Compression, ExecutionId, HistoryEntry, HistoryPage, StoredMessage } from "@skein/contracts";
import { applyPruning, countRanges, createTokenCounter, listInheritedRanges, sliceRanges, type TokenCounter } from "@skein/engine";
import { openInheritedPaths } from "../executions/inherited-paths.ts";
import { getAttempt, missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import { shortenBody } from "./shorten-body.ts";
import type { AttemptService } from "./task-services.ts";

/** The messages that requests are built from, described without building a request. Reads no more than it returns. */
export function createHistoryService(context: ServiceContext): Pick<AttemptService, "history" | "historyMessage"> {
  const { storage, supervisor } = context;
  /** Of the running execution: messages read later may be ordered before earlier ones. Lists only positions that may still change. */
  async function findUnsettled(attemptId: AttemptId, executionId: ExecutionId): Promise<Unsettled> {
    const uncommitted = new Map(supervisor.uncommittedMessages(attemptId).map((message) => [message.id, message]));
    const from = Math.min(...[...uncommitted.values()].map(({ position }) => position));
    // one snapshot: a commit between count and list would be in only one of them
    const { count, places } = await storage.snapshot(async (reader) => ({
      count: (await reader.countMessages({ attemptId })).find((one) => one.executionId === executionId)?.count ?? 0,
      places: uncommitted.size === 0 ? [] : await reader.listMessagePlaces({ executionId, from }),
    }));
    const first = count - places.length;
    const stored = places.flatMap(({ id, position }, index) => (uncommitted.has(id) ? [] : [{ position, index: first + index }]));
    const added = [...uncommitted.values()].map((message) => ({ position: message.position, message }));
    return { first, rest: [...stored, ...added].sort((a, b) => a.position - b.position) };
  }

  async function readUnsettled(part: readonly UnsettledPlace[], from: { attemptId: AttemptId; offset: number }): Promise<StoredMessage[]> {
    const stored = part.flatMap((one) => ("index" in one ? [one.index] : []));
    const first = stored[0] ?? 0;
    const limit = (stored.at(-1) ?? -1) - first + 1;
    const read = limit === 0 ? [] : await storage.read.listMessages({ ...from, offset: from.offset + first, limit });
    return part.flatMap((one) => ("index" in one ? (read[one.index - first] ?? []) : one.message));
  }

  return {
    async history(id, { offset: asked, limit }) {
      const attempt = await getAttempt(storage.read, id);
      const [running] = await storage.read.listRunningExecutions({ attemptId: id });
      const inherited = await listInheritedRanges(storage.read, attempt);
      const counts = await storage.read.countMessages({ attemptId: id });
      const ownSettled = counts.reduce((sum, { executionId, count }) => (executionId === running?.id ? sum : sum + count), 0);
      const settled = countRanges(inherited) + ownSettled;
      const unsettled = running === undefined ? nothingUnsettled : await findUnsettled(id, running.id);
      const total = settled + unsettled.first + unsettled.rest.length;

      const offset = asked < 0 ? Math.max(0, total + asked) : asked;
      const end = offset + limit;
      const page: StoredMessage[] = [];
      const stored = [...inherited, { attemptId: id, offset: 0, count: ownSettled }];
      for (const { attemptId, count, ...range } of sliceRanges(stored, offset, end)) {
        page.push(...(await storage.read.listMessages({ attemptId, offset: range.offset, limit: count })));
      }
      const part = sliceUnsettled(unsettled, Math.max(0, offset - settled), Math.max(0, end - settled));
      page.push(...(await readUnsettled(part, { attemptId: id, offset: ownSettled })));

      const paths = await openInheritedPaths(context, attempt);
      const compression = paths.moveCompression(await storage.read.getCompression({ attemptId: id }));
      const describe = createDescription(attempt, { compression, runningId: running?.id });
      const messages = page.map(paths.move).map((message) => describe(message, shortenBody(message.body)));
      return { offset, messages, total, settled, ...describeCompression(compression) };
    },

    async historyMessage(id, messageId) {
      const attempt = await getAttempt(storage.read, id);
      const uncommitted = supervisor.uncommittedMessages(id).find((message) => message.id === messageId);
      const message = uncommitted ?? (await storage.read.findMessage({ id: messageId })) ?? missing("message", messageId);
      // of this attempt, or of one that it continues
      const owner = message.attemptId === id ? attempt : await storage.read.findAttempt({ id: message.attemptId });
      if (owner?.taskId !== attempt.taskId) return missing("message", messageId);
      const [running] = await storage.read.listRunningExecutions({ attemptId: id });
      const compression = await storage.read.getCompression({ attemptId: id });
      const shown = (await openInheritedPaths(context, attempt)).move(message);
      return createDescription(attempt, { compression, runningId: running?.id })(shown, shown.body);
    },
  };
}

/** A message of the running execution: an uncommitted one, or the index of a stored one after the first. */
type UnsettledPlace = { index: number } | { message: StoredMessage };

/** Messages of the running execution: `first` stored ones, then those whose order depends on uncommitted messages. */
interface Unsettled {
  first: number;
  rest: UnsettledPlace[];
}

const nothingUnsettled: Unsettled = { first: 0, rest: [] };

function sliceUnsettled({ first, rest }: Unsettled, start: number, end: number): UnsettledPlace[] {
  const stored = Array.from({ length: Math.max(0, Math.min(end, first) - start) }, (_, i) => ({ index: start + i }));
  return [...stored, ...rest.slice(Math.max(0, start - first), Math.max(0, end - first))];
}

function createDescription(
  attempt: Attempt,
  { compression, runningId }: { compression: Compression; runningId: string | undefined },
): (message: StoredMessage, body: StoredMessage["body"]) => HistoryEntry {
  const counter = createTokenCounter({ model: attempt.model ?? "" });
  const summarized = new Set<string>(compression.summary?.messageIds);
  return (message, body) => ({
    id: message.id,
    executionId: message.executionId,
    body,
    isShortened: body !== message.body,
    ...(message.model === undefined ? {} : { model: message.model }),
    createdAt: message.createdAt,
    size: toSize(message, counter),
    isInherited: message.attemptId !== attempt.id,
    isLive: message.executionId === runningId,
    isSummarized: summarized.has(message.id),
    pruned: summarized.has(message.id) ? [] : toPruned(message, { compression, counter }),
  });
}

/** Providers report the size of their output; everything else is estimated. */
function toSize({ body, usage }: StoredMessage, counter: TokenCounter): HistoryEntry["size"] {
  const reported = body.role === "assistant" ? usage?.outputTokens : undefined;
  return reported === undefined ? { tokens: counter.count(body), isEstimate: true } : { tokens: reported, isEstimate: false };
}

function toPruned(
  message: StoredMessage,
  { compression, counter }: { compression: Compression; counter: TokenCounter },
): HistoryEntry["pruned"] {
  const [after] = applyPruning([message], compression.pruning);
  const { body } = message;
  if (body.role !== "tool" || after === undefined || after === message || after.body.role !== "tool") return [];
  return after.body.content.flatMap((part, i) => {
    const before = body.content[i];
    if (before === undefined || before === part) return [];
    const count = (one: typeof part) => counter.count({ role: "tool", content: [one] });
    return [{ toolCallId: part.toolCallId, before: count(before), after: count(part) }];
  });
}

function describeCompression({ summary, pruning }: Compression): Pick<HistoryPage, "compressionId" | "summary"> {
  const compressionId = `${summary?.id ?? "none"}:${pruning?.results.length ?? 0}`;
  if (summary === null) return { compressionId, summary: null };
  const { id, startMessageId, summary: text, messageIds, originalTokenCount, summaryTokenCount, model, createdAt } = summary;
  return {
    compressionId,
    summary: {
      id,
      startMessageId,
      summary: text,
      messageCount: messageIds.length,
      originalTokenCount,
      summaryTokenCount,
      model,
      createdAt,
    },
  };
}
