import type { AgentOutput, Attempt, ConversationMessage, JsonValue, RunningExecution, StoredMessage } from "@skein/contracts";
import type { AgentAdapter, IngestPosition, StorageTransaction } from "@skein/engine";
import { createMessageProcessor, type MessageDraft, type ProcessedStep } from "@skein/engine";
import { createLiveUpdates, type LiveUpdates } from "../events/live-updates.ts";
import { createLogReader } from "../ingest/log-reader.ts";
import type { AgentExit, ExecutionFolder } from "../runner/execution-folder.ts";
import type { ExecutionContext } from "./execution-context.ts";
import type { PreparedExecution } from "./prepare-execution.ts";
import { retryUntilDone } from "./retry-until-done.ts";
import { type Fact, isFact, saveFacts } from "./save-facts.ts";
import { settleExecution } from "./settle-execution.ts";

const commitPatienceMs = 25;
const recordsPerCommit = 100;
/** How long what grows word by word may be shown from memory only. */
const liveForMs = 400;

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
  const decoder = await adapter.createDecoder({ executionId: execution.id, ...(saved === null ? {} : { snapshot: saved.decoder }) });
  const processor = createMessageProcessor({
    executionId: execution.id,
    mode: context.mergeMode,
    ...(saved === null ? {} : { snapshot: saved.processor }),
  });
  const live = createLiveUpdates({ hub: context.hub, taskId: execution.taskId, attemptId: attempt.id });
  const pending = createPendingWrites();
  let facts: Fact[] = [];
  // Stored as well: what the agent said of its end is not read again after a restart.
  let closing: Closing | undefined = saved?.closing;
  let shownError: string | undefined;
  let pumping: Promise<void> | undefined;
  let pumpAgain = false;
  let closed = false;
  /** Set while there is something read and shown that is not committed. */
  let commitTimer: NodeJS.Timeout | undefined;
  let isCommitDue = false;

  async function readOn(final: boolean): Promise<void> {
    for (let lines = await reader.readLines({ final }); lines.length > 0 && !closed; lines = await reader.readLines({ final })) {
      for (let start = 0; start < lines.length; start += recordsPerCommit) {
        const batch = lines.slice(start, start + recordsPerCommit);
        const outputs = batch.flatMap((line) => decoder.decode(line));
        for (const output of outputs) applyOutput(output);
        await save(lines[start + recordsPerCommit]?.offset ?? reader.offset, { isPassing: outputs.every(isPassing) });
      }
    }
    if (isCommitDue) await commit(reader.offset);
  }

  function applyOutput(output: AgentOutput): void {
    // The last one counts: an agent whose subagents went on in the background says it again when they are done.
    if (output.type === "end") closing = output;
    if (output.type === "error") shownError = output.text;
    if (isFact(output)) facts.push(output);
    keep(processor.apply(output));
  }

  function keep(step: ProcessedStep): void {
    pending.add(step);
    if (adapter.commit === "at-end") live.show(step.conversation);
  }

  /**
   * A turn of our own is committed at its end (P1). Of other agents, complete messages are committed as they come; what
   * grows word by word is shown at once and committed a few times a second: it would fill the database with its own past.
   */
  async function save(offset: number, { isPassing }: { isPassing: boolean }): Promise<void> {
    if (adapter.commit === "at-end") {
      if (facts.length === 0) return;
      live.flush(); // the card is there before the question about it
      await storage.transaction((tx) => saveFacts(tx, { execution, attempt, facts }));
      facts = [];
    } else if (isPassing) {
      live.show(pending.conversation());
      commitTimer ??= setTimeout(() => {
        isCommitDue = true;
        void pump().catch(() => {}); // what failed is tried again by whoever pumps next
      }, liveForMs);
    } else {
      await commit(offset);
    }
  }

  async function commit(offset: number): Promise<void> {
    await storage.transaction(
      async (tx) => {
        await saveFacts(tx, { execution, attempt, facts });
        await writePending(tx, context.now());
        await tx.setIngestPosition({ executionId: execution.id, offset, ingestState: takeSnapshot() });
      },
      { patienceMs: commitPatienceMs },
    );
    clearTimeout(commitTimer);
    commitTimer = undefined;
    isCommitDue = false;
    live.clear();
    pending.clear();
    facts = [];
  }

  function takeSnapshot(): JsonValue {
    const state: IngestState = {
      decoder: decoder.snapshot(),
      processor: processor.snapshot(),
      ...(closing === undefined ? {} : { closing }),
    };
    return state as unknown as JsonValue;
  }

  async function writePending(tx: StorageTransaction, at: number): Promise<void> {
    const messages = pending.messages().map((draft) => toStoredMessage(draft, execution));
    await tx.putMessages(messages);
    const conversation = pending.conversation();
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
      return settleExecution({
        context,
        execution,
        attempt,
        folder,
        exit,
        closing,
        shownError,
        closesItself: adapter.commit === "at-end",
        explainFailure: (text) => adapter.explainFailure?.(text),
        closeOpen: (end) => keep(processor.settle(end)),
        write: async (tx, at) => {
          await saveFacts(tx, { execution, attempt, facts }); // those that could not be saved when they came
          await writePending(tx, at);
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
      await reader.close();
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

/** The newest state of everything that changed since the last commit, in the order in which it first appeared. */
function createPendingWrites() {
  const conversation = new Map<string, ConversationMessage>();
  const messages = new Map<string, MessageDraft>();
  return {
    add(step: ProcessedStep): void {
      for (const message of step.conversation) conversation.set(message.id, message);
      for (const message of step.messages) messages.set(message.id, message);
    },
    conversation: () => [...conversation.values()],
    messages: () => [...messages.values()].sort((a, b) => a.position - b.position),
    clear(): void {
      conversation.clear();
      messages.clear();
    },
  };
}
