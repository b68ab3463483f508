import type { AgentOutput, Attempt, JsonValue, RunningExecution, StoredMessage, Usage } from "@skein/contracts";
import type { AgentAdapter, IngestPosition, StorageTransaction } from "@skein/engine";
import { addUsage, createMessageProcessor, type MessageDraft, type ProcessedStep } from "@skein/engine";
import { createLiveUpdates, type LiveUpdates } from "../events/live-updates.ts";
import { createLogReader } from "../ingest/log-reader.ts";
import type { AgentExit, ExecutionFolder } from "../runner/execution-folder.ts";
import { createLogDecoder } from "./create-log-decoder.ts";
import type { ExecutionContext } from "./execution-context.ts";
import { createPendingWrites, type PendingWrites } from "./pending-writes.ts";
import type { PreparedExecution } from "./prepare-execution.ts";
import { retryUntilDone } from "./retry-until-done.ts";
import { isFact, saveFacts } from "./save-facts.ts";
import { settleExecution } from "./settle-execution.ts";

const commitPatienceMs = 25;
const recordsPerCommit = 100;
const maxPendingRecords = 1000;
/** How long complete messages may be shown from memory only: what comes in quick succession shares a commit. */
const gatherForMs = 150;
/** The same for what grows word by word. */
const growForMs = 400;

/** What the reading remembers between lines, as it is stored beside the offset. */
type IngestState = { decoder: JsonValue; processor: JsonValue; closing?: Closing };

type Closing = Extract<AgentOutput, { type: "end" }>;

/** Reads one execution's log into storage and to the people who watch, from where the last server stopped. */
export interface ExecutionFollower {
  readonly live: LiveUpdates;
  /** Reads on; calls while it reads are answered by the same pass. */
  pump(): Promise<void>;
  /** The one way an execution ends: reads what is left, then settles. Resolves with the next one if a message waited. */
  finish(exit: AgentExit | undefined): Promise<PreparedExecution | undefined>;
  close(): Promise<void>;
}

export async function createExecutionFollower(input: {
  context: ExecutionContext;
  execution: RunningExecution;
  attempt: Attempt;
  adapter: AgentAdapter;
  folder: ExecutionFolder;
  position: IngestPosition;
}): Promise<ExecutionFollower> {
  const { context, execution, attempt, adapter, folder, position } = input;
  const { storage } = context;
  const reader = createLogReader(folder, position.offset);
  const saved = position.ingestState as IngestState | null;
  const decoder = await createLogDecoder(adapter, { executionId: execution.id, ...(saved === null ? {} : { snapshot: saved.decoder }) });
  const present = await context.loadPresentTool?.();
  const processor = createMessageProcessor({
    executionId: execution.id,
    ...(present === undefined ? {} : { present }),
    ...(saved === null ? {} : { snapshot: saved.processor }),
  });
  const live = createLiveUpdates({ hub: context.hub, taskId: execution.taskId, attemptId: attempt.id });
  /** Read and shown, and not yet given to a commit. */
  let pending = createPendingWrites();
  // Stored as well: what the agent said of its end is not read again after a restart.
  let closing: Closing | undefined = saved?.closing;
  let shownError: string | undefined;
  /** Of the answers that came: all that is known of an execution that was cut off. */
  let spent: Usage = {};
  let pumping: Promise<void> | undefined;
  let pumpAgain = false;
  let committing: Promise<void> | undefined;
  let commitTimer: NodeJS.Timeout | undefined;
  let commitDeadline = 0;
  let closed = false;

  async function readOn(final: boolean): Promise<void> {
    for (let lines = reader.readLines({ final }); lines.length > 0 && !closed; lines = reader.readLines({ final })) {
      for (let start = 0; start < lines.length; start += recordsPerCommit) {
        const outputs = lines.slice(start, start + recordsPerCommit).flatMap((line) => decoder.decode(line));
        for (const output of outputs) applyOutput(output);
        pending.offset = lines[start + recordsPerCommit]?.offset ?? reader.offset;
        await save({ isPassing: outputs.every(isPassing) });
      }
    }
  }

  function applyOutput(output: AgentOutput): void {
    // The last one counts: an agent whose subagents went on in the background says it again when they are done.
    if (output.type === "end") closing = output;
    if (output.type === "error") shownError = output.text;
    if (output.type === "message-end" && output.usage !== undefined) spent = addUsage(spent, output.usage);
    if (isFact(output)) pending.facts.push(output);
    keep(processor.apply(output), { isPassing: isPassing(output) });
  }

  /** People see it before it is committed: what they see is in the log, and no kill takes it back. */
  function keep(step: ProcessedStep, { isPassing }: { isPassing: boolean }): void {
    pending.add(step);
    live.show(step.conversation, { canWait: isPassing });
  }

  /**
   * A turn of our own is committed at its end (P1). Of other agents, complete messages are committed a few times a second, and
   * what others act on at once; what grows word by word is committed less often: it would fill the database with its own past.
   */
  async function save({ isPassing }: { isPassing: boolean }): Promise<void> {
    if (adapter.commit === "at-end") {
      if (pending.facts.length > 0) await saveFactsNow();
    } else if (pending.facts.length > 0 || pending.size >= recordsPerCommit) {
      void commit();
      // a disk that is slower than the agent slows the reading down, and the memory stays small
      if (pending.size > maxPendingRecords) await committing;
    } else {
      commitWithin(isPassing ? growForMs : gatherForMs);
    }
  }

  function commitWithin(ms: number): void {
    const deadline = performance.now() + ms;
    if (commitTimer !== undefined && commitDeadline <= deadline) return;
    clearTimeout(commitTimer);
    commitDeadline = deadline;
    commitTimer = setTimeout(() => void commit(), ms);
  }

  async function saveFactsNow(): Promise<void> {
    const { facts } = pending;
    live.flush(); // the card is there before the question about it
    await storage.transaction((tx) => saveFacts(tx, { execution, attempt, facts }));
    pending.facts = [];
  }

  /** One at a time; the reading goes on meanwhile, and what it finds is the next one's. Never rejects. */
  function commit(): Promise<void> {
    clearTimeout(commitTimer);
    commitTimer = undefined;
    // with nothing to do it would be over before it is remembered, and remembered for ever
    if (pending.offset === undefined) return committing ?? Promise.resolve();
    committing ??= (async () => {
      while (pending.offset !== undefined && !closed && (await commitPending()));
      committing = undefined;
    })();
    return committing;
  }

  /** False when it failed: everything waits for the next reason to commit, or for the end. */
  async function commitPending(): Promise<boolean> {
    const written = pending;
    const snapshot = takeSnapshot();
    pending = createPendingWrites();
    try {
      await storage.transaction(
        async (tx) => {
          await writePending(tx, written, context.now());
          await tx.setIngestPosition({ executionId: execution.id, offset: written.offset ?? 0, ingestState: snapshot });
        },
        { patienceMs: commitPatienceMs },
      );
    } catch (error) {
      context.logger.error("log could not be saved", { executionId: execution.id, error });
      pending = written.followedBy(pending);
      return false;
    }
    live.forget(written.conversation());
    return true;
  }

  function takeSnapshot(): JsonValue {
    const state: IngestState = {
      decoder: decoder.snapshot(),
      processor: processor.snapshot(),
      ...(closing === undefined ? {} : { closing }),
    };
    return state as unknown as JsonValue;
  }

  async function writePending(tx: StorageTransaction, written: PendingWrites, at: number): Promise<void> {
    await saveFacts(tx, { execution, attempt, facts: written.facts });
    await tx.putMessages(written.messages().map((draft) => toStoredMessage(draft, execution)));
    const conversation = written.conversation();
    await tx.putConversationMessages({ attemptId: attempt.id, executionId: execution.id, messages: conversation });
    for (const message of conversation) {
      await tx.appendEvent({ type: "message:added", taskId: execution.taskId, attemptId: attempt.id, message }, at);
    }
  }

  async function pump(): Promise<void> {
    pumpAgain = true;
    pumping ??= (async () => {
      try {
        while (pumpAgain && !closed) {
          pumpAgain = false;
          await readOn(false);
        }
      } finally {
        pumping = undefined;
      }
    })();
    await pumping;
  }

  return {
    live,
    pump,
    async finish(exit) {
      await pumping?.catch(() => {}); // what failed there is tried again below
      await retryUntilDone(
        () => readOn(true),
        (error) => context.logger.error("log could not be saved", { executionId: execution.id, error }),
      );
      clearTimeout(commitTimer);
      await committing;
      return settleExecution({
        context,
        execution,
        attempt,
        folder,
        exit,
        closing,
        // other agents tell the figures of one answer more than once, or only of a part of it
        spent: adapter.commit === "at-end" ? spent : {},
        shownError,
        closesItself: adapter.commit === "at-end",
        explainFailure: (text) => adapter.explainFailure?.(text),
        closeOpen: (end) => keep(processor.settle(end), { isPassing: false }),
        write: async (tx, at) => {
          await writePending(tx, pending, at);
          await tx.setIngestPosition({ executionId: execution.id, offset: reader.offset, ingestState: null });
        },
        onSaved: () => live.clear(),
      });
    },
    async close() {
      closed = true;
      clearTimeout(commitTimer);
      live.clear();
      await pumping?.catch(() => {});
      await committing;
      reader.close();
    },
  };
}

/** It adds to what is shown, and more of it is to come. */
function isPassing(output: AgentOutput): boolean {
  return output.type === "tool-progress" || ((output.type === "text" || output.type === "thinking") && output.mode === "delta");
}

function toStoredMessage(draft: MessageDraft, execution: RunningExecution): StoredMessage {
  return { ...draft, attemptId: execution.attemptId, executionId: execution.id };
}
