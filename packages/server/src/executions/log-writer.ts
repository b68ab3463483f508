import type { Approval, Attempt, RunningExecution, StoredMessage } from "@skein/contracts";
import {
  type AgentAdapter,
  estimateMessageTokens,
  type MessageDraft,
  mergeEntries,
  type SnapshotEntry,
  type StorageTransaction,
} from "@skein/engine";
import type { CommitOutcome } from "./commit-scheduler.ts";
import type { ExecutionContext } from "./execution-context.ts";
import { findRefused } from "./find-refused.ts";
import type { LogSnapshot } from "./log-interpreter.ts";
import { createPendingWrites, type PendingPart, type PendingWrites } from "./pending-writes.ts";
import { findOverwrites, type Overwrites, saveFacts } from "./save-facts.ts";

/** Collects what was read from a log and writes it: messages, conversation messages, events and the offset in one transaction. */
export interface LogWriter {
  /** Read and shown, but not part of a commit yet. Replaced by each commit. */
  readonly pending: PendingWrites;
  /** Protocol messages that are not committed, in order. */
  uncommitted(): StoredMessage[];
  /** Writes what is pending, and the log position. After a failure all of it is pending again. Never rejects. */
  commit(options: { groupForMs: number }): Promise<CommitOutcome>;
  /** Writes only the pending facts. After a failure they are retried with the next read. Never rejects. */
  commitFacts(): Promise<void>;
  /** Writes what is pending and deletes the position, as part of the settling transaction. */
  writeRest(tx: StorageTransaction, options: { at: number; offset: number }): Promise<void>;
  /** Removes what the database permanently rejects, and reports it. Returns false if there is nothing to remove. Never rejects. */
  dropRefused(cause: unknown): Promise<boolean>;
}

export function createLogWriter(input: {
  context: Pick<ExecutionContext, "storage" | "logger" | "now" | "host" | "watcher">;
  execution: RunningExecution;
  attempt: Attempt;
  adapter: Pick<AgentAdapter, "checkGrant">;
  /** Stored parts of a discarded state; removed with the next commit. */
  staleEntries: SnapshotEntry[];
  /** Returns the current state of the reader. */
  takeSnapshot(): LogSnapshot;
  onCommitted(written: PendingWrites): void;
  /** Called with approvals whose tools ran without an answer. */
  onTampered(approvals: readonly Approval[]): void;
  onRefused(part: PendingPart, index: number): void;
}): LogWriter {
  const { context, execution, attempt, adapter } = input;
  const { storage, logger } = context;
  const { id: executionId, taskId, attemptId } = execution;
  let pending = createPendingWrites();
  pending.entries = input.staleEntries;
  /** Writes of the commit in progress. */
  let writing: PendingWrites | undefined;

  async function write(
    tx: StorageTransaction,
    written: PendingWrites,
    { at, overwrites = new Map() }: { at: number; overwrites?: Overwrites },
  ): Promise<Approval[]> {
    const tampered = await saveFacts(tx, { execution, attempt, adapter, facts: written.facts, overwrites });
    await tx.putMessages(written.messages().map((draft) => toStoredMessage(draft, execution)));
    await tx.addConversationMessages({ taskId, attemptId, executionId, messages: written.conversation(), at });
    return tampered;
  }

  function snapshotFor(written: PendingWrites): LogSnapshot["state"] {
    const { state, entries } = input.takeSnapshot();
    // after a failed commit, its changes still have to be stored
    written.entries = mergeEntries(written.entries, entries);
    return state;
  }

  async function commit({ groupForMs }: { groupForMs: number }): Promise<CommitOutcome> {
    const written = pending;
    pending = createPendingWrites();
    writing = written;
    let saved: { tampered: Approval[]; writeMs: number };
    try {
      const ingestState = snapshotFor(written);
      const overwrites = await findOverwrites(context, attempt, written.facts);
      saved = await storage.transaction(
        async (tx) => {
          const startedAt = performance.now();
          const tampered = await write(tx, written, { at: context.now(), overwrites });
          await tx.setIngestPosition({ executionId, offset: written.offset ?? 0, ingestState, entries: written.entries });
          return { tampered, writeMs: performance.now() - startedAt };
        },
        { patienceMs: groupForMs },
      );
    } catch (error) {
      logger.error("log could not be saved", { executionId, error });
      pending = written.followedBy(pending);
      return { type: (await dropRefused(error)) ? "reduced" : "failed" };
    } finally {
      writing = undefined;
    }
    if (written.oldestAt !== undefined) context.watcher?.onIngested(context.now() - written.oldestAt);
    input.onCommitted(written);
    input.onTampered(saved.tampered);
    return { type: "saved", writeMs: saved.writeMs };
  }

  async function commitFacts(): Promise<void> {
    for (;;) {
      const { facts } = pending;
      try {
        const overwrites = await findOverwrites(context, attempt, facts);
        const tampered = await storage.transaction((tx) => saveFacts(tx, { execution, attempt, adapter, facts, overwrites }));
        pending.facts = pending.facts.filter((fact) => !facts.includes(fact));
        input.onTampered(tampered);
        return;
      } catch (error) {
        logger.error("log could not be saved", { executionId, error });
        if (!(await dropRefused(error))) return;
      }
    }
  }

  async function dropRefused(cause: unknown): Promise<boolean> {
    const refused = await findRefused({ cause, storage, pending, write, createPending: createPendingWrites });
    for (const [index, { part, error }] of refused.entries()) {
      logger.error("record was refused", { executionId, error });
      pending.remove(part);
      input.onRefused(part, index);
    }
    return refused.length > 0;
  }

  return {
    get pending() {
      return pending;
    },
    uncommitted() {
      const known = new Map((writing?.messages() ?? []).map((draft) => [draft.id, draft]));
      for (const draft of pending.messages()) known.set(draft.id, draft);
      return [...known.values()].map((draft) => toStoredMessage(draft, execution)).sort((a, b) => a.position - b.position);
    },
    commit,
    commitFacts,
    async writeRest(tx, { at, offset }) {
      // approvals among it expire in the same transaction: nobody is asked about their files
      await write(tx, pending, { at });
      await tx.setIngestPosition({ executionId, offset, ingestState: null, entries: [] });
    },
    dropRefused,
  };
}

function toStoredMessage(draft: MessageDraft, execution: RunningExecution): StoredMessage {
  return { ...draft, attemptId: execution.attemptId, executionId: execution.id, tokens: estimateMessageTokens(draft) };
}
