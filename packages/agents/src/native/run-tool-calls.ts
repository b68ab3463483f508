import type { ImagePart, ToolResultPart } from "@skein/contracts";
import { keepStart } from "@skein/engine";
import type { NativeTool, PreparedCall, ToolOutcome } from "../tools/tool.ts";
import { WorkspaceError } from "../workspace/workspace.ts";
import type { PendingCall } from "./pending-call.ts";
import { judgeCall, type PermissionVerdict } from "./permission.ts";
import { createProgressReporter } from "./progress-reporter.ts";
import { runTogether } from "./run-together.ts";
import type { Turn } from "./turn.ts";

const maximumOutput = 256 * 1024;
const changing: readonly NativeTool["access"][] = ["edit", "command"];

/** Runs adjacent read-only calls in parallel, and subagents, too; all others one after the other. Results are in call order. */
export async function runToolCalls(turn: Turn, calls: readonly PendingCall[]): Promise<ToolResultPart[]> {
  const results: ToolResultPart[] = [];
  for (const batch of toBatches(turn, calls)) {
    results.push(...(await runTogether(batch.calls, batch.limit, (call) => runToolCall(turn, call))));
  }
  return results;
}

interface Batch {
  calls: PendingCall[];
  limit: number;
}

function toBatches(turn: Turn, calls: readonly PendingCall[]): Batch[] {
  const batches: Batch[] = [];
  for (const call of calls) {
    const tool = turn.tools.get(call.name);
    const limit = tool?.access === "read" ? Number.POSITIVE_INFINITY : (tool?.together ?? 1);
    const last = batches.at(-1);
    if (last !== undefined && limit > 1 && last.limit === limit) last.calls.push(call);
    else batches.push({ calls: [call], limit });
  }
  return batches;
}

async function runToolCall(turn: Turn, call: PendingCall): Promise<ToolResultPart> {
  const { output: whole, ...outcome } = await findOutcome(turn, call);
  // Tools limit their outputs themselves, and keep the rest; this is for one that does not.
  const output = keepStart(whole, maximumOutput);
  const isError = outcome.state !== "completed";
  const images = [...(outcome.images ?? [])];
  turn.openCalls.delete(call.id);
  turn.emit({
    type: "tool-result",
    resultId: turn.createMessageId(),
    toolUseId: call.id,
    toolName: call.name,
    output,
    isError,
    state: outcome.state,
    ...(outcome.structured === undefined ? {} : { structured: outcome.structured }),
    ...(images.length === 0 ? {} : { images }),
    at: turn.now(),
  });
  return {
    type: "tool-result",
    toolCallId: call.id,
    toolName: call.name,
    input: call.input,
    result: toResult(output, images),
    ...(isError ? { isError } : {}),
  };
}

/** As the processor stores it; otherwise the next execution's request would begin with other bytes. */
function toResult(output: string, images: readonly ImagePart[]): ToolResultPart["result"] {
  if (images.length === 0) return output;
  return [...(output === "" ? [] : [{ type: "text" as const, text: output }]), ...images];
}

async function findOutcome(turn: Turn, call: PendingCall): Promise<ToolOutcome> {
  if (turn.signal.aborted) return interruptedBefore;
  const tool = turn.tools.get(call.name);
  if (tool === undefined) {
    return { output: `There is no tool "${call.name}". There are: ${[...turn.tools.keys()].join(", ")}.`, state: "failed" };
  }
  if (call.problem !== undefined) return { output: call.problem, state: "failed" };
  const prepared = tool.prepare(call.input);
  if (!prepared.ok) return { output: prepared.error, state: "failed" };
  try {
    const protection = await prepared.call.findProtection();
    const { permissionMode: mode, grants, directory } = turn;
    const verdict = judgeCall({ mode, grants, directory, tool, call: prepared.call, protection });
    if (verdict.type === "ask") {
      const refusal = await ask(turn, call, verdict);
      if (refusal !== undefined) return refusal;
    }
    const start = async () => {
      // A call must be in the log before it runs: after a kill, an unrecorded call would be made again.
      if (tool.access !== "read" && !(await turn.recorded())) return interruptedBefore;
      return turn.signal.aborted ? interruptedBefore : run(turn, call, prepared.call, protection !== null);
    };
    // A call waits for its turn only after its approval, so that it does not block others.
    return await (changing.includes(tool.access) ? turn.changes.run(start) : start());
  } catch (error) {
    if (turn.signal.aborted) return { output: "Stopped while it ran: it may have run in part.", state: "interrupted" };
    if (error instanceof WorkspaceError) return { output: error.message, state: "failed" };
    return { output: `The tool failed: ${error instanceof Error ? error.message : String(error)}`, state: "failed" };
  }
}

const interruptedBefore: ToolOutcome = { output: "Stopped before it ran.", state: "interrupted" };

/** Undefined if the user allowed it. */
async function ask(
  turn: Turn,
  call: PendingCall,
  { reason, grant }: Extract<PermissionVerdict, { type: "ask" }>,
): Promise<ToolOutcome | undefined> {
  turn.emit({
    type: "approval-request",
    toolUseId: call.id,
    toolName: call.name,
    input: call.input,
    ...(reason === undefined ? {} : { reason }),
    ...(grant === undefined ? {} : { grant }),
    at: turn.now(),
  });
  const answer = await turn.approvals.waitFor(call.id, turn.signal);
  if (answer === undefined || turn.signal.aborted) return interruptedBefore;
  if (answer.decision === "deny") {
    const suffix = answer.reason === null || answer.reason === "" ? "" : ` Their reason: ${answer.reason}`;
    return { output: `The user declined this call; it did not run.${suffix}`, state: "denied" };
  }
  // An approval of a protected file or dangerous command covers nothing else: it carries no grant.
  if (answer.decision === "allow-always" && grant !== undefined) turn.grants.push(grant);
  return undefined;
}

async function run(turn: Turn, call: PendingCall, prepared: PreparedCall, protectedAllowed: boolean): Promise<ToolOutcome> {
  const progress = createProgressReporter((text) => turn.emit({ type: "tool-progress", toolUseId: call.id, text, at: turn.now() }));
  try {
    return await prepared.run({ toolUseId: call.id, signal: turn.signal, onProgress: progress.report, protectedAllowed });
  } finally {
    progress.end();
  }
}
