import type { AgentOutput, Attempt, JsonValue, RunningExecution } from "@skein/contracts";
import {
  type AgentAdapter,
  createMessageProcessor,
  type IngestPosition,
  type LogLine,
  type ProcessedStep,
  presentTool,
  type SnapshotEntry,
} from "@skein/engine";
import { createLogDecoder } from "./create-log-decoder.ts";
import type { ExecutionContext } from "./execution-context.ts";
import { type ForeignFolders, withForeignFolders } from "./foreign-folders.ts";
import { createAgentObserver, type ObservedAgent, type StoredObservation } from "./observed-agent.ts";
import { toRawOutput } from "./record-outputs.ts";
import type { Fact } from "./save-facts.ts";
import { isSpending } from "./spending-watch.ts";

/** State between lines, stored with the offset. */
type IngestState = { decoder: JsonValue; processor: JsonValue } & StoredObservation;

/** The current state, and the parts of it that changed since the last snapshot. */
export interface LogSnapshot {
  state: JsonValue;
  entries: SnapshotEntry[];
}

/** Converts the lines of one log to messages: decoder, then processor. */
export interface LogInterpreter {
  readonly observed: Readonly<ObservedAgent>;
  /** Offset where reading starts. */
  readonly offset: number;
  /** Stored parts of a state that was discarded. */
  readonly staleEntries: SnapshotEntry[];
  /** Applies a line. A line that our code fails to read or apply becomes raw output, and reading continues (Q13). */
  apply(line: LogLine): AgentOutput[];
  /** Applies an output that is not in the log: a notice of the server. */
  add(output: AgentOutput): AgentOutput[];
  /** Settles tools without activity for longer than `timeoutMs` as timed out. Returns false if there are none. */
  expireTools(input: { now: number; timeoutMs: number; isWaiting(toolUseId: string): boolean }): boolean;
  /** Closes open messages when the execution ends. */
  closeOpen(end: { at: number; reason: string }): void;
  snapshot(): LogSnapshot;
}

interface InterpreterInput {
  context: ExecutionContext;
  execution: RunningExecution;
  attempt: Attempt;
  adapter: AgentAdapter;
  position: IngestPosition;
  folders: ForeignFolders | undefined;
  onStep(step: ProcessedStep, options: { isGrowing: boolean }): void;
  onFact(fact: Fact): void;
}

export async function openLogInterpreter(input: InterpreterInput): Promise<LogInterpreter> {
  const { context, execution, onStep } = input;
  const { decoder, processor, saved, offset, staleEntries } = await openReading(input);
  const questions = await context.storage.read.listApprovals({ executionId: execution.id, status: "pending" });
  const observer = createAgentObserver({ saved, askedToolUses: questions.map(({ toolUseId }) => toolUseId) });

  function applyOutput(output: AgentOutput): void {
    onStep(processor.apply(output), { isGrowing: isGrowing(output) });
    for (const fact of observer.observe(output)) input.onFact(fact);
    if (isSpending(output)) context.spending?.see(input, output, observer.observed.spent);
  }

  function add(output: AgentOutput): AgentOutput[] {
    try {
      applyOutput(output);
      return [output];
    } catch (error) {
      context.logger.error("line could not be shown", { executionId: execution.id, error });
      return [];
    }
  }

  return {
    observed: observer.observed,
    offset,
    staleEntries,
    apply(line) {
      try {
        const outputs = decoder.decode(line);
        for (const output of outputs) applyOutput(output);
        return outputs;
      } catch (error) {
        context.logger.error("line could not be read", { executionId: execution.id, offset: line.offset, error });
        return add(toRawOutput(execution.id, line, "Skein failed to read this line."));
      }
    },
    add,
    expireTools(limits) {
      const step = processor.expire(limits);
      if (step.conversation.length > 0) onStep(step, { isGrowing: false });
      return step.conversation.length > 0;
    },
    closeOpen(end) {
      try {
        onStep(processor.settle(end), { isGrowing: false });
      } catch (error) {
        context.logger.error("open messages could not be closed", { executionId: execution.id, error });
      }
    },
    snapshot() {
      const processed = processor.snapshot();
      const state: IngestState = { decoder: decoder.snapshot(), processor: processed.state, ...observer.snapshot() };
      return { state: state as unknown as JsonValue, entries: processed.entries };
    },
  };
}

/**
 * Continues where the last server stopped. If its state is not usable, because another release wrote it or the agent was replaced, the
 * log is read from its start; ids are the same, so nothing is saved twice.
 */
async function openReading({ context, execution, attempt, adapter, position, folders }: InterpreterInput) {
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
    staleEntries: saved === null ? position.entries.map(([name]): SnapshotEntry => [name, null]) : [],
  });
  try {
    return await open(position.ingestState as IngestState | null, position.offset);
  } catch (error) {
    context.logger.error("log is read from its start", { executionId: execution.id, error });
    return open(null, 0);
  }
}

/** Whether it extends a text that is not complete yet. */
export function isGrowing(output: AgentOutput): boolean {
  return output.type === "tool-progress" || ((output.type === "text" || output.type === "thinking") && output.mode === "delta");
}
