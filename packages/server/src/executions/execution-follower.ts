import { setImmediate, setTimeout as wait } from "node:timers/promises";
import {
  type AgentOutput,
  type Approval,
  type Attempt,
  type JsonValue,
  messageIdSchema,
  type RunningExecution,
  type StoredMessage,
  type Usage,
} from "@skein/contracts";
import type { AgentAdapter, IngestPosition, LogLine, StorageReader, StorageTransaction } from "@skein/engine";
import {
  addUsage,
  createMessageProcessor,
  estimateMessageTokens,
  type MessageDraft,
  mergeEntries,
  type ProcessedStep,
  presentTool,
  type SnapshotEntry,
} from "@skein/engine";
import { type AgentExit, createLogReader, type ExecutionFolder } from "@skein/host";
import { createLiveUpdates, type LiveUpdates } from "../events/live-updates.ts";
import { createBatchSize } from "./batch-size.ts";
import { createLogDecoder } from "./create-log-decoder.ts";
import { createElsewhereWatch } from "./elsewhere-watch.ts";
import type { ExecutionContext } from "./execution-context.ts";
import { findRefused } from "./find-refused.ts";
import { type ForeignFolders, openForeignFolders, withForeignFolders } from "./foreign-folders.ts";
import { isAnswer, isWork } from "./is-answer.ts";
import { createPendingWrites, type PendingWrites } from "./pending-writes.ts";
import type { PreparedExecution } from "./prepare-execution.ts";
import { toRawOutput } from "./record-outputs.ts";
import { retryUntilDone } from "./retry-until-done.ts";
import { isFact, saveFacts } from "./save-facts.ts";
import { settleExecution } from "./settle-execution.ts";

const commitPatienceMs = 25;
const recordsPerCommit = 100;
/** Reading yields to everything else in the process after so long. */
const readForMs = 8;
/** How long complete messages may be shown from memory only: what comes in quick succession shares a commit. */
const gatherForMs = 150;
/** The same for what grows word by word. */
const growForMs = 400;
/** So much of a log is kept in memory while commits fail; then nothing more is read until one succeeds. */
const heldBytes = 2 * 1024 * 1024;
const firstRetryMs = 250;
const longestRetryMs = 5000;

const refusedControlText =
  "Something other than Skein tried to control this agent, for example to answer an approval in your place. It was refused. If it was not you, stop the agent and check what it ran.";

/** What the reading remembers between lines, as it is stored next to the offset. */
type IngestState = { decoder: JsonValue; processor: JsonValue; closing?: Closing; hasSpoken?: boolean; hasWorked?: boolean };

type Closing = Extract<AgentOutput, { type: "end" }>;

/** Reads one execution's log into storage and to the people who watch, from where the last server stopped. */
export interface ExecutionFollower {
  readonly live: LiveUpdates;
  /** Protocol messages that were read and are not committed, in their order. */
  uncommitted(): StoredMessage[];
  /** Reads on; calls while it reads are answered by the same pass. */
  pump(): Promise<void>;
  /** Something other than this server tried to control the agent: the user is warned, once. */
  reportRefusedControl(): void;
  /**
   * The one way an execution ends: reads what is left, then settles. Resolves with the next one if a message waited. Does not settle
   * what was closed before all of it was read.
   */
  finish(exit: AgentExit | undefined, options?: { wasStopped(): boolean }): Promise<PreparedExecution | undefined>;
  /** Settles tools without a sign of life for longer than `timeoutMs` as timed out (T5), but for those that wait for an answer. */
  expireTools(input: { timeoutMs: number; isWaiting(toolUseId: string): boolean }): void;
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
  const { context, execution, attempt, adapter, folder } = input;
  const { storage } = context;
  const folders = await findForeignFolders(context, attempt);
  const { decoder, processor, saved, offset, entries } = await openReading(input, folders);
  const elsewhere = folders && createElsewhereWatch({ folders, report: reportElsewhere });
  const reader = createLogReader(folder, offset);
  const live = createLiveUpdates({ hub: context.hub, taskId: execution.taskId, attemptId: attempt.id });
  /** Read and shown, and not yet given to a commit. */
  let pending = createPendingWrites();
  pending.entries = entries;
  /** Given to a commit that is not done. */
  let writing: PendingWrites | undefined;
  // Stored as well: what the agent said of its end is not read again after a restart.
  let closing: Closing | undefined = saved?.closing;
  /** Stored as well; an earlier release did not, and then it has. */
  let hasSpoken = saved !== null && (saved.hasSpoken ?? true);
  let hasWorked = saved !== null && (saved.hasWorked ?? true);
  let shownError: string | undefined;
  /** Of the answers that came: all that is known of an execution that was cut off. */
  let spent: Usage = {};
  /** Everything before it has been applied. */
  let readTo = offset;
  /** Tool uses whose questions are open, as far as the log says. */
  const asked = new Set(
    (await storage.read.listApprovals({ executionId: execution.id, status: "pending" })).map(({ toolUseId }) => toolUseId),
  );
  let pumping: Promise<void> | undefined;
  let pumpAgain = false;
  let committing: Promise<void> | undefined;
  let commitTimer: NodeJS.Timeout | undefined;
  let commitDeadline = 0;
  /** Somebody asked for a commit after the one at work had begun. */
  let commitAgain = false;
  /** Everything before it was given to a commit. */
  let givenTo = offset;
  /** Everything before it is stored. */
  let storedTo = offset;
  let isFailing = false;
  const batch = createBatchSize();
  const leaving = new AbortController();
  let closed = false;
  let settling = false;

  async function readOn(final: boolean): Promise<void> {
    let yieldAt = performance.now() + readForMs;
    const readNext = () => (closed ? [] : reader.readLines({ final }));
    for (let lines = readNext(); lines.length > 0; lines = readNext()) {
      for (let start = 0; start < lines.length; start += recordsPerCommit) {
        const outputs = lines.slice(start, start + recordsPerCommit).flatMap(applyLine);
        readTo = lines[start + recordsPerCommit]?.offset ?? reader.offset;
        pending.offset = readTo;
        await save({ isPassing: outputs.every(isPassing) });
        if (isFailing && readTo - storedTo > heldBytes) await untilStored();
        if (performance.now() < yieldAt) continue;
        await setImmediate();
        yieldAt = performance.now() + readForMs;
      }
    }
    // the log ended where more was expected
    if (adapter.commit !== "at-end" && pending.offset !== undefined && commitTimer === undefined) commitWithin(gatherForMs);
  }

  /** What is not read waits in the log. */
  async function untilStored(): Promise<void> {
    for (let delayMs = firstRetryMs; isFailing && !closed; delayMs = Math.min(2 * delayMs, longestRetryMs)) {
      await wait(delayMs, undefined, { ref: false, signal: leaving.signal }).catch(() => {});
      if (!closed) await commit();
    }
  }

  /** A line that our own code cannot read, or cannot apply, is shown as it is, and the lines after it are read (Q13). */
  function applyLine(line: LogLine): AgentOutput[] {
    try {
      const outputs = decoder.decode(line);
      for (const output of outputs) applyOutput(output);
      return outputs;
    } catch (error) {
      context.logger.error("line could not be read", { executionId: execution.id, offset: line.offset, error });
      return setAside(toRawOutput(execution.id, line, "Skein failed to read this line."));
    }
  }

  function setAside(raw: AgentOutput): AgentOutput[] {
    try {
      applyOutput(raw);
      return [raw];
    } catch (error) {
      context.logger.error("line could not be shown", { executionId: execution.id, error });
      return [];
    }
  }

  function applyOutput(output: AgentOutput): void {
    keep(processor.apply(output), { isPassing: isPassing(output) });
    // The last one counts: an agent whose subagents went on in the background says it again when they are done.
    // an end without figures does not take back those of an earlier one: a stopped agent reports them before it is gone
    if (output.type === "end") closing = { ...output, ...(output.usage === undefined && closing?.usage ? { usage: closing.usage } : {}) };
    if (output.type === "error") shownError = output.text;
    hasSpoken ||= isAnswer(output);
    hasWorked ||= isWork(output);
    if (output.type === "message-end" && output.usage !== undefined) spent = addUsage(spent, output.usage);
    if (isFact(output)) pending.facts.push(output);
    if (output.type === "approval-request") asked.add(output.toolUseId);
    if (output.type === "approval-withdrawn") asked.delete(output.toolUseId);
    // what fails may never have run, and what prints has run, however it ends
    const hasRun = output.type === "tool-progress" || (output.type === "tool-result" && !output.isError);
    if (hasRun && output.toolUseId !== undefined && asked.delete(output.toolUseId)) {
      pending.facts.push({ type: "tool-ran", toolUseId: output.toolUseId, at: output.at });
    }
  }

  /** People see it before it is committed: what they see is in the log, and no kill takes it back. */
  function keep(step: ProcessedStep, { isPassing }: { isPassing: boolean }): void {
    pending.add(step);
    live.show(step.conversation, { canWait: isPassing });
    if (!settling) elsewhere?.see(step.conversation);
  }

  function reportElsewhere(notice: AgentOutput): void {
    if (closed) return;
    setAside(notice);
    pending.offset ??= readTo;
    if (adapter.commit === "as-it-comes") commitWithin(gatherForMs);
  }

  /**
   * A turn of our own is committed at its end (P1). Of other agents, complete messages are committed a few times a second, and
   * what others act on at once; what grows word by word is committed less often: it would fill the database with its own past.
   */
  async function save({ isPassing }: { isPassing: boolean }): Promise<void> {
    if (adapter.commit === "at-end") {
      if (pending.facts.length > 0) await saveFactsNow();
    } else if (pending.facts.length > 0) {
      void commit();
    } else if (reader.isBehind) {
      if (readTo - givenTo < batch.bytes) return;
      // a disk that is slower than the reading slows it down, and the memory stays small
      await committing;
      void commit();
    } else if (pending.size >= recordsPerCommit) {
      void commit();
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
    live.flush(); // the card is there before the question about it
    for (;;) {
      const { facts } = pending;
      try {
        const tampered = await storage.transaction((tx) => saveFacts(tx, { execution, attempt, adapter, facts }));
        pending.facts = pending.facts.filter((fact) => !facts.includes(fact));
        reportTampering(tampered);
        return;
      } catch (error) {
        context.logger.error("log could not be saved", { executionId: execution.id, error });
        if (!(await dropRefused(error))) return; // tried again by the next look at the log
      }
    }
  }

  /** One at a time; the reading continues meanwhile, and what it finds is committed when it asks for it. Never rejects. */
  function commit(): Promise<void> {
    clearTimeout(commitTimer);
    commitTimer = undefined;
    commitAgain = true;
    // with nothing to do it would be over before it is remembered, and remembered for ever
    if (pending.offset === undefined) return committing ?? Promise.resolve();
    committing ??= (async () => {
      while (commitAgain && pending.offset !== undefined && !closed && (await commitPending()));
      committing = undefined;
    })();
    return committing;
  }

  /** False when it failed: everything waits for the next reason to commit, or for the end. */
  async function commitPending(): Promise<boolean> {
    const written = pending;
    const bytes = readTo - givenTo;
    commitAgain = false;
    pending = createPendingWrites();
    givenTo = readTo;
    writing = written;
    let tampered: Approval[];
    try {
      const ingestState = takeSnapshot(written);
      tampered = await storage.transaction(
        async (tx) => {
          const startedAt = performance.now();
          const found = await writePending(tx, written, context.now());
          await tx.setIngestPosition({ executionId: execution.id, offset: written.offset ?? 0, ingestState, entries: written.entries });
          batch.learn({ bytes, ms: performance.now() - startedAt });
          return found;
        },
        // what is far behind has enough for a commit of its own
        { patienceMs: bytes >= batch.bytes ? 0 : commitPatienceMs },
      );
    } catch (error) {
      context.logger.error("log could not be saved", { executionId: execution.id, error });
      isFailing = true;
      pending = written.followedBy(pending);
      // without what was refused it may be saved at once
      return dropRefused(error);
    } finally {
      writing = undefined;
    }
    isFailing = false;
    storedTo = written.offset ?? storedTo;
    live.forget(written.conversation());
    reportTampering(tampered);
    return true;
  }

  /** In the conversation, so that it is seen when the question itself is gone. */
  function reportTampering(tampered: readonly Approval[]): void {
    for (const { id, toolName } of tampered) {
      const messageId = messageIdSchema.parse(`msg_${id.slice("apr_".length)}_tampered`);
      const text = `The agent used ${toolName} although nobody had answered its question about it in Skein. Check what it did, and stop it if you do not know why.`;
      setAside({ type: "error", messageId, text, code: "approval-tampered", at: context.now() });
    }
    if (tampered.length > 0) pending.offset ??= readTo;
  }

  /** Replaces what the database refuses for what it is by a notice that shows it. False when there is nothing of that kind. */
  async function dropRefused(cause: unknown): Promise<boolean> {
    const refused = await findRefused({ cause, storage, pending, write: writePending, createPending: createPendingWrites });
    for (const [index, { part, error }] of refused.entries()) {
      context.logger.error("record was refused", { executionId: execution.id, error });
      pending.remove(part);
      if (part.kind !== "fact" && part.value.id.includes("_refused_")) continue;
      const messageId = messageIdSchema.parse(`msg_${execution.id.slice("exe_".length)}_refused_${reader.offset}_${index}`);
      setAside({ type: "raw", messageId, text: JSON.stringify(part.value), reason: "Skein failed to save this.", at: context.now() });
    }
    return refused.length > 0;
  }

  function takeSnapshot(written: PendingWrites): JsonValue {
    const processed = processor.snapshot();
    // after a failed commit, what changed before it is still to be stored
    written.entries = mergeEntries(written.entries, processed.entries);
    const state: IngestState = {
      decoder: decoder.snapshot(),
      processor: processed.state,
      ...(closing === undefined ? {} : { closing }),
      hasSpoken,
      hasWorked,
    };
    return state as unknown as JsonValue;
  }

  async function writePending(tx: StorageTransaction, written: PendingWrites, at: number): Promise<Approval[]> {
    const tampered = await saveFacts(tx, { execution, attempt, adapter, facts: written.facts });
    await tx.putMessages(written.messages().map((draft) => toStoredMessage(draft, execution)));
    const { id: executionId, taskId, attemptId } = execution;
    await tx.addConversationMessages({ taskId, attemptId, executionId, messages: written.conversation(), at });
    return tampered;
  }

  async function pump(): Promise<void> {
    pumpAgain = true;
    pumping ??= (async () => {
      try {
        while (pumpAgain && !closed) {
          pumpAgain = false;
          if (pending.facts.length > 0) await save({ isPassing: false });
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
    uncommitted() {
      const known = new Map((writing?.messages() ?? []).map((draft) => [draft.id, draft]));
      for (const draft of pending.messages()) known.set(draft.id, draft);
      return [...known.values()].map((draft) => toStoredMessage(draft, execution)).sort((a, b) => a.position - b.position);
    },
    pump,
    reportRefusedControl() {
      const messageId = messageIdSchema.parse(`msg_${execution.id.slice("exe_".length)}_control_refused`);
      setAside({ type: "error", messageId, text: refusedControlText, code: "control-refused", at: context.now() });
      pending.offset ??= readTo;
      if (adapter.commit === "as-it-comes") commitWithin(0);
    },
    async finish(exit, { wasStopped } = { wasStopped: () => false }) {
      await pumping?.catch(() => {}); // what failed there is tried again below
      await retryUntilDone(
        () => readOn(true),
        (error) => context.logger.error("log could not be saved", { executionId: execution.id, error }),
      );
      // it may have been closed in the middle of the log, and an end would count as the end of it: the next server reads on
      if (closed) return undefined;
      await elsewhere?.settled();
      settling = true;
      clearTimeout(commitTimer);
      await committing;
      return settleExecution({
        context,
        execution,
        attempt,
        folder,
        exit,
        wasStopped,
        closing,
        // other agents tell the figures of one answer more than once, or only of a part of it
        spent: adapter.commit === "at-end" ? spent : {},
        shownError,
        closesItself: adapter.commit === "at-end",
        isSilent: adapter.commit === "as-it-comes" && !hasSpoken && !(await isSlashCommand(storage.read, execution).catch(() => true)),
        hasWorked,
        explainFailure: (text) => adapter.explainFailure?.(text),
        closeOpen(end) {
          try {
            keep(processor.settle(end), { isPassing: false });
          } catch (error) {
            context.logger.error("open messages could not be closed", { executionId: execution.id, error });
          }
        },
        dropRefused,
        write: async (tx, at) => {
          await writePending(tx, pending, at);
          await tx.setIngestPosition({ executionId: execution.id, offset: reader.offset, ingestState: null, entries: [] });
        },
        onSaved: () => live.clear(),
      });
    },
    expireTools({ timeoutMs, isWaiting }) {
      if (closed) return;
      const step = processor.expire({ now: context.now(), timeoutMs, isWaiting });
      if (step.conversation.length === 0) return;
      keep(step, { isPassing: false });
      pending.offset ??= readTo;
      if (adapter.commit !== "at-end") void commit();
    },
    async close() {
      closed = true;
      leaving.abort();
      clearTimeout(commitTimer);
      live.clear();
      await pumping?.catch(() => {});
      await committing;
      reader.close();
    },
  };
}

/**
 * Continues where the last server stopped. What it remembered may be of no use: another release wrote it, or its agent is now
 * another one. Then the log is read from its start; its ids are the same, so nothing is saved twice.
 */
async function openReading(
  { context, execution, attempt, adapter, position }: Parameters<typeof createExecutionFollower>[0],
  folders: ForeignFolders | undefined,
) {
  const shown = await context.loadPresentTool?.();
  const present = folders === undefined ? shown : withForeignFolders(shown ?? presentTool, folders);
  const open = async (saved: IngestState | null, offset: number) => ({
    decoder: await createLogDecoder(adapter, {
      executionId: execution.id,
      directory: attempt.directory,
      ...(saved === null ? {} : { snapshot: saved.decoder }),
    }),
    processor: createMessageProcessor({
      executionId: execution.id,
      ...(present === undefined ? {} : { present }),
      ...(saved === null ? {} : { snapshot: { state: saved.processor, entries: [...position.entries] } }),
    }),
    saved,
    offset,
    // those of a state that is not used are removed with the next commit
    entries: saved === null ? position.entries.map(([name]): SnapshotEntry => [name, null]) : [],
  });
  try {
    return await open(position.ingestState as IngestState | null, position.offset);
  } catch (error) {
    context.logger.error("log is read from its start", { executionId: execution.id, error });
    return open(null, 0);
  }
}

async function findForeignFolders({ storage, worktreeRoot }: ExecutionContext, attempt: Attempt): Promise<ForeignFolders | undefined> {
  if (worktreeRoot === undefined) return undefined;
  const task = await storage.read.findTask({ id: attempt.taskId });
  const project = task && (await storage.read.findProject({ id: task.projectId }));
  return project && openForeignFolders({ directory: attempt.directory, projectPath: project.path, worktreeRoot });
}

/** Commands such as /clear are done without a word. */
async function isSlashCommand(reader: StorageReader, { id: executionId }: RunningExecution): Promise<boolean> {
  const [first] = await reader.listMessagePlaces({ executionId, limit: 1 });
  const content = first && (await reader.findMessage({ id: first.id }))?.body.content;
  return typeof content === "string" && content.startsWith("/");
}

/** It adds to what is shown, and more of it is to come. */
function isPassing(output: AgentOutput): boolean {
  return output.type === "tool-progress" || ((output.type === "text" || output.type === "thinking") && output.mode === "delta");
}

function toStoredMessage(draft: MessageDraft, execution: RunningExecution): StoredMessage {
  return { ...draft, attemptId: execution.attemptId, executionId: execution.id, tokens: estimateMessageTokens(draft) };
}
