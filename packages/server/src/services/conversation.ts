import type { AttemptId, ConversationMessage, ConversationPage } from "@skein/contracts";
import { createEmptyState, projectMessages, ServiceError, type StorageReader, toCardId } from "@skein/engine";
import { getAttempt, getTask } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { ConversationService } from "./task-services.ts";

/** Reads pages of conversations, including live messages, and searches in them. */
export function createConversationService({ storage, supervisor }: ServiceContext): ConversationService {
  return {
    page: (query) => storage.snapshot((reader) => readConversationPage(reader, query, { supervisor })),

    async find({ attemptId, text, limit }) {
      await getAttempt(storage.read, attemptId);
      const stored = await storage.read.findConversationMessages({ attemptId, text, limit: limit + 1 });
      const wanted = text.toLowerCase();
      // Live messages may not be stored yet: they come after all stored ones.
      const live = supervisor.liveMessages(attemptId).filter((message) => message.content.toLowerCase().includes(wanted));
      const messageIds = [...new Set([...stored, ...live.map(({ id }) => id)])];
      return { messageIds: messageIds.slice(0, limit), truncated: messageIds.length > limit };
    },

    async activeCompression(attemptId) {
      await getAttempt(storage.read, attemptId);
      const { summary } = await storage.read.getCompression({ attemptId });
      return { summaryId: summary?.id ?? null };
    },
  };
}

type PageQuery = Parameters<ConversationService["page"]>[0];

/** Throws a `ServiceError` if the task does not exist, or the attempt is not one of its. */
export async function readConversationPage(
  reader: StorageReader,
  query: PageQuery,
  context: Pick<ServiceContext, "supervisor">,
): Promise<ConversationPage> {
  const task = await getTask(reader, query.taskId);
  const attemptId = query.attemptId ?? task.activeAttemptId;
  const lastSeq = await reader.getLastSeq();
  if (attemptId === null) return { ...createEmptyState(null), lastSeq, hasMore: false };
  const attempt = await getAttempt(reader, attemptId);
  if (attempt.taskId !== task.id) {
    throw new ServiceError("not-found", { code: "attempt-not-found", id: attemptId });
  }
  const { reachesEnd, messages: stored, ...more } = await readPage(reader, attemptId, query);
  const messages = projectMessages(reachesEnd ? withLive(stored, context.supervisor.liveMessages(attemptId)) : stored, query.mergeMode);
  const oldest = stored[0];
  // Only running tools, which `on-complete` hides: a client could not request what is before an empty page.
  if (messages.length === 0 && more.hasMore && oldest !== undefined) {
    return readConversationPage(reader, { ...query, before: oldest.id }, context);
  }
  const [currentExecution] = await reader.listRunningExecutions({ attemptId });
  return {
    messages: [...messages],
    isExecuting: currentExecution !== undefined,
    ...(currentExecution === undefined ? {} : { currentExecution }),
    canSendMessage: attempt.active,
    attemptId,
    ...(await reader.getQueue({ attemptId })),
    approvals: await reader.listApprovals({ attemptId, status: "pending" }),
    lastSeq,
    ...more,
  };
}

interface StoredPage {
  messages: ConversationMessage[];
  hasMore: boolean;
  hasNewer?: boolean;
  reachesEnd: boolean;
}

/** In merge modes other than `live`, a client may name a part of a card, which is stored under the card's id. */
async function readPage(reader: StorageReader, attemptId: AttemptId, query: PageQuery): Promise<StoredPage> {
  const start = query.before ?? query.from ?? query.around;
  if (query.mergeMode === "live" || start === undefined) return readStoredPage(reader, attemptId, query);
  const { messages } = await reader.listConversationMessages({ attemptId, from: start, limit: 1 });
  if (messages.length > 0) return readStoredPage(reader, attemptId, query);
  const card = toCardId(start);
  return readStoredPage(reader, attemptId, {
    ...query,
    ...(query.before === undefined ? {} : { before: card }),
    ...(query.from === undefined ? {} : { from: card }),
    ...(query.around === undefined ? {} : { around: card }),
  });
}

/** The newest page, an older one, a newer one, or the messages around one. */
async function readStoredPage(
  reader: StorageReader,
  attemptId: AttemptId,
  { before, from, around, limit }: PageQuery,
): Promise<StoredPage> {
  if (from === undefined && around === undefined) {
    return { ...(await reader.listConversationMessages({ attemptId, before, limit })), reachesEnd: before === undefined };
  }
  const start = from ?? around;
  const newer = await reader.listConversationMessages({
    attemptId,
    from: start,
    limit: around === undefined ? limit : Math.ceil(limit / 2),
  });
  if (newer.messages.length === 0) {
    throw new ServiceError("not-found", { code: "message-not-found", id: start ?? "" });
  }
  const half = Math.max(1, Math.floor(limit / 2));
  const older =
    around === undefined
      ? { messages: [], hasMore: true }
      : await reader.listConversationMessages({ attemptId, before: around, limit: half });
  const messages = [...older.messages, ...newer.messages];
  return { messages, hasMore: older.hasMore, hasNewer: newer.hasMore, reachesEnd: !newer.hasMore };
}

/** Adds live messages to committed ones; a commit in between has the same or a higher revision. */
function withLive(committed: ConversationMessage[], live: readonly ConversationMessage[]): ConversationMessage[] {
  if (live.length === 0) return committed;
  const known = new Map(committed.map((message) => [message.id, message]));
  for (const message of live) {
    const before = known.get(message.id);
    if (before === undefined || before.revision < message.revision) known.set(message.id, message);
  }
  const replaced = new Set(live.flatMap((message) => (message.messageType === "tool_execution" ? (message.metadata.replaces ?? []) : [])));
  return [...known.values()].filter((message) => !replaced.has(message.id));
}
