import type { Attempt, Compression, HistoryEntry, HistoryPage, StoredMessage } from "@skein/contracts";
import { applyPruning, createTokenCounter, listHistory, type TokenCounter } from "@skein/engine";
import { getAttempt, missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { Services } from "./services.ts";
import { shortenBody } from "./shorten-body.ts";

/** Inherited messages never change: their number is remembered for so many attempts. */
const rememberedCounts = 100;

/** What requests are built from, with what can be said of each message without building one. */
export function createHistoryService({ storage, supervisor }: ServiceContext): Pick<Services["attempts"], "history" | "historyMessage"> {
  const inheritedCounts = new Map<string, number>();

  async function listInherited(attempt: Attempt): Promise<StoredMessage[]> {
    if (attempt.continuedFrom === null) return [];
    const all = await listHistory(storage.read, attempt);
    const inherited = all.filter(({ attemptId }) => attemptId !== attempt.id);
    if (inheritedCounts.size >= rememberedCounts) inheritedCounts.clear();
    inheritedCounts.set(attempt.id, inherited.length);
    return inherited;
  }

  /** Of the running execution, stored or not: what is read later may stand before what was read first. */
  async function listUnsettled(attempt: Attempt, settled: number): Promise<StoredMessage[]> {
    const stored = await storage.read.listMessages({ attemptId: attempt.id, offset: settled });
    const messages = new Map(stored.map((message) => [message.id, message]));
    for (const message of supervisor.uncommittedMessages(attempt.id)) messages.set(message.id, message);
    return [...messages.values()].sort((a, b) => a.position - b.position);
  }

  return {
    async history(id, { offset, limit }) {
      const attempt = await getAttempt(storage.read, id);
      const [running] = await storage.read.listRunningExecutions({ attemptId: id });
      const known = attempt.continuedFrom === null ? 0 : inheritedCounts.get(id);
      const inherited = known !== undefined && offset >= known ? [] : await listInherited(attempt);
      const inheritedCount = known ?? inherited.length;
      const own = await storage.read.countMessages({ attemptId: id });
      const ownSettled = running === undefined ? own : own - (await storage.read.countMessages({ attemptId: id, executionId: running.id }));
      const settled = inheritedCount + ownSettled;

      const end = offset + limit;
      const page = inherited.slice(offset, end);
      const from = Math.max(0, offset - inheritedCount);
      const to = Math.min(ownSettled, end - inheritedCount);
      if (to > from) page.push(...(await storage.read.listMessages({ attemptId: id, offset: from, limit: to - from })));
      const unsettled = running === undefined ? [] : await listUnsettled(attempt, ownSettled);
      page.push(...unsettled.slice(Math.max(0, offset - settled), Math.max(0, end - settled)));

      const compression = await storage.read.getCompression({ attemptId: id });
      const describe = createDescription(attempt, { compression, runningId: running?.id });
      return {
        offset,
        messages: page.map((message) => describe(message, shortenBody(message.body))),
        total: settled + unsettled.length,
        settled,
        ...describeCompression(compression),
      };
    },

    async historyMessage(id, messageId) {
      const attempt = await getAttempt(storage.read, id);
      const uncommitted = supervisor.uncommittedMessages(id).find((message) => message.id === messageId);
      const message = uncommitted ?? (await storage.read.findMessage({ id: messageId })) ?? missing("message", messageId);
      // of this attempt, or of one that it may continue
      const owner = message.attemptId === id ? attempt : await storage.read.findAttempt({ id: message.attemptId });
      if (owner?.taskId !== attempt.taskId) return missing("message", messageId);
      const [running] = await storage.read.listRunningExecutions({ attemptId: id });
      const compression = await storage.read.getCompression({ attemptId: id });
      return createDescription(attempt, { compression, runningId: running?.id })(message, message.body);
    },
  };
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

/** A provider reports what it made; of everything else there are only estimates. */
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
