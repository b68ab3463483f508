import { setImmediate } from "node:timers/promises";
import { type Approval, type Attempt, messageIdSchema, type RunningExecution, type StoredMessage } from "@skein/contracts";
import type { AgentAdapter, IngestPosition, ProcessedStep } from "@skein/engine";
import type { AgentExit, ExecutionFiles, LogRead } from "@skein/host";
import { createLiveUpdates, type LiveUpdates } from "../events/live-updates.ts";
import { createCommitScheduler, createEndCommit } from "./commit-scheduler.ts";
import { createElsewhereWatch } from "./elsewhere-watch.ts";
import type { ExecutionContext } from "./execution-context.ts";
import { findForeignFolders } from "./foreign-folders.ts";
import { isGrowing, openLogInterpreter } from "./log-interpreter.ts";
import { createLogWriter } from "./log-writer.ts";
import type { PendingPart } from "./pending-writes.ts";
import type { PreparedExecution } from "./prepare-execution.ts";
import { retryUntilDone } from "./retry-until-done.ts";
import { settleExecution } from "./settle-execution.ts";

const linesPerSlice = 100;
/** Length of a reading slice; other work in the process runs between slices. */
const readForMs = 8;

/** Reads one execution's log into storage and to its watchers, from the committed offset. */
export interface ExecutionFollower {
  readonly live: LiveUpdates;
  /** Protocol messages that were read but not committed, in order. */
  uncommitted(): StoredMessage[];
  /** Reads what is new. Concurrent calls share one pass. */
  pump(): Promise<void>;
  /** Warns the user, once, that something other than this server tried to control the agent. */
  reportRefusedControl(): void;
  /**
   * The only end of an execution: reads the rest of the log, then settles. Resolves with the next execution if a message was queued.
   * Does not settle if it was closed before the log was read completely.
   */
  finish(exit: AgentExit | undefined, options?: { wasStopped(): boolean }): Promise<PreparedExecution | undefined>;
  /** Settles tools without activity for longer than `timeoutMs` as timed out (T5), except those that wait for an answer. */
  expireTools(input: { timeoutMs: number; isWaiting(toolUseId: string): boolean }): void;
  close(): Promise<void>;
}

export async function createExecutionFollower(input: {
  context: ExecutionContext;
  execution: RunningExecution;
  attempt: Attempt;
  adapter: AgentAdapter;
  files: ExecutionFiles;
  position: IngestPosition;
}): Promise<ExecutionFollower> {
  const { context, execution, attempt, adapter, files } = input;
  const workspaces = context.host?.workspaces;
  const folders = await findForeignFolders(context, attempt);
  const elsewhere = workspaces && folders && createElsewhereWatch({ workspaces, folders, report: reportElsewhere });
  const live = createLiveUpdates({ hub: context.hub, taskId: execution.taskId, attemptId: attempt.id });
  const interpreter = await openLogInterpreter({ ...input, folders, onStep, onFact: (fact) => writer.pending.facts.push(fact) });
  const writer = createLogWriter({
    ...input,
    staleEntries: interpreter.staleEntries,
    takeSnapshot: interpreter.snapshot,
    onCommitted: (written) => live.forget(written.conversation()),
    onTampered: reportTampering,
    onRefused: showRefused,
  });
  // the machine of one of several servers may be gone for good: the others have what was committed
  const commitsAtEnd = adapter.capabilities.commitsAtEnd && context.storage.nodes === undefined;
  const commits = commitsAtEnd
    ? createEndCommit({ saveFacts })
    : createCommitScheduler({
        offset: interpreter.offset,
        hasPending: () => writer.pending.offset !== undefined,
        write: writer.commit,
      });
  let read: LogRead = { lines: [], next: interpreter.offset, isBehind: false };
  /** Everything before this offset has been applied. */
  let readTo = interpreter.offset;
  let pumping: Promise<void> | undefined;
  let pumpAgain = false;
  /** `settling`: what is added now does not come from the agent. `closed`: nothing is read or written any more. */
  let state: "reading" | "settling" | "closed" = "reading";

  const isClosed = (): boolean => state === "closed";

  /** Users see messages before they are committed: these are in the log, so a kill does not revoke them. */
  function onStep(step: ProcessedStep, { isGrowing: canWait }: { isGrowing: boolean }): void {
    writer.pending.add(step);
    live.show(step.conversation, { canWait });
    if (state === "reading") elsewhere?.see(step.conversation);
  }

  async function readOn(final: boolean): Promise<void> {
    let yieldAt = performance.now() + readForMs;
    while (await readNext(final)) {
      const { lines, next } = read;
      for (let start = 0; start < lines.length; start += linesPerSlice) {
        const outputs = lines.slice(start, start + linesPerSlice).flatMap(interpreter.apply);
        readTo = lines[start + linesPerSlice]?.offset ?? next;
        writer.pending.offset = readTo;
        if (context.watcher !== undefined) writer.pending.oldestAt ??= lines[start]?.at;
        await noteRead(outputs.every(isGrowing));
        if (performance.now() < yieldAt) continue;
        await setImmediate();
        yieldAt = performance.now() + readForMs;
      }
    }
    commits.noteLogEnd();
  }

  /** Returns false at the end of the log, and if it was closed. */
  async function readNext(final: boolean): Promise<boolean> {
    if (isClosed()) return false;
    read = await files.readLog({ id: execution.id, from: read.next, final });
    return read.lines.length > 0 && !isClosed();
  }

  function noteRead(isSliceGrowing: boolean): Promise<void> {
    const { facts, size } = writer.pending;
    const progress = { readTo, isBehind: read.isBehind, isGrowing: isSliceGrowing, hasFacts: facts.length > 0, pendingMessages: size };
    return commits.noteRead(progress);
  }

  async function saveFacts(): Promise<void> {
    live.flush(); // the card must arrive before its approval
    await writer.commitFacts();
  }

  /** It has no position of its own in the log: it is committed with what was read so far. */
  function markPending(): void {
    writer.pending.offset ??= readTo;
  }

  function reportElsewhere(notice: Parameters<typeof interpreter.add>[0]): void {
    if (isClosed()) return;
    interpreter.add(notice);
    markPending();
    commits.commitSoon();
  }

  /** Added to the conversation, so that it stays visible when the approval is gone. */
  function reportTampering(tampered: readonly Approval[]): void {
    for (const { id, toolName } of tampered) {
      const messageId = messageIdSchema.parse(`msg_${id.slice("apr_".length)}_tampered`);
      const text = { code: "approval-tampered", tool: toolName } as const;
      interpreter.add({ type: "error", messageId, text, code: "approval-tampered", at: context.now() });
    }
    if (tampered.length > 0) markPending();
  }

  /** Replaces what the database rejects by a notice with its raw content. */
  function showRefused(part: PendingPart, index: number): void {
    if (part.kind !== "fact" && part.value.id.includes("_refused_")) return;
    const messageId = messageIdSchema.parse(`msg_${execution.id.slice("exe_".length)}_refused_${read.next}_${index}`);
    interpreter.add({ type: "raw", messageId, text: JSON.stringify(part.value), reason: "Skein failed to save this.", at: context.now() });
  }

  async function pumpWhileWanted(): Promise<void> {
    try {
      while (pumpAgain && !isClosed()) {
        pumpAgain = false;
        if (writer.pending.facts.length > 0) await noteRead(false);
        await readOn(false);
      }
    } finally {
      pumping = undefined;
    }
  }

  /** Returns false if it was closed before the end of the log. */
  async function readToEnd(): Promise<boolean> {
    await pumping?.catch(() => {}); // failures are retried below
    await retryUntilDone(
      () => readOn(true),
      (error) => context.logger.error("log could not be saved", { executionId: execution.id, error }),
    );
    return !isClosed();
  }

  return {
    live,
    uncommitted: writer.uncommitted,
    async pump() {
      pumpAgain = true;
      pumping ??= pumpWhileWanted();
      await pumping;
    },
    reportRefusedControl() {
      const messageId = messageIdSchema.parse(`msg_${execution.id.slice("exe_".length)}_control_refused`);
      interpreter.add({ type: "error", messageId, text: { code: "control-refused" }, code: "control-refused", at: context.now() });
      markPending();
      void commits.commit();
    },
    async finish(exit, { wasStopped } = { wasStopped: () => false }) {
      // settling now would lose the unread rest: the next server reads it
      if (!(await readToEnd())) return undefined;
      await elsewhere?.settled();
      if (isClosed()) return undefined;
      state = "settling";
      await commits.stop();
      return settleExecution({
        context,
        followed: { execution, attempt, adapter, files },
        ending: { exit, wasStopped, observed: interpreter.observed },
        log: {
          closeOpen: interpreter.closeOpen,
          dropRefused: writer.dropRefused,
          write: (tx, at) => writer.writeRest(tx, { at, offset: read.next }),
          onSaved: () => live.clear(),
        },
      });
    },
    expireTools(limits) {
      if (isClosed() || !interpreter.expireTools({ now: context.now(), ...limits })) return;
      markPending();
      void commits.commit();
    },
    async close() {
      state = "closed";
      live.clear();
      const released = commits.close();
      await pumping?.catch(() => {});
      await released;
      await commits.stop();
      await files.closeLog({ id: execution.id });
    },
  };
}
