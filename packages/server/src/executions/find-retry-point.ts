import type { Execution, ExecutionId, RunningExecution, StoredMessage } from "@skein/contracts";
import { readFrame } from "@skein/contracts/record-frame";
import type { AgentAdapter, LaunchContext, SessionPoint, StorageReader } from "@skein/engine";
import type { ExecutionFiles } from "@skein/host";
import type { HostedContext } from "./execution-context.ts";
import { findOwnMessage } from "./find-own-message.ts";
import type { PreparedExecution } from "./prepare-execution.ts";

/** The end of an earlier log suffices: an agent ends with its answer. */
const searchedBytes = 1024 * 1024;

/** Whether the message was sent before (E2): a retry moves the stored message to a new execution. */
function isRetry(execution: RunningExecution, own: StoredMessage | undefined): boolean {
  return own !== undefined && own.createdAt < execution.startedAt;
}

/**
 * For a retry: the position of the agent's session before the message, so that the session contains it once. Found in the log of the
 * last answered execution, if the session is still the same.
 */
export async function findRetryPoint(input: {
  context: Pick<HostedContext, "storage" | "host">;
  adapter: Pick<AgentAdapter, "findSessionPoint">;
  prepared: PreparedExecution;
  own: StoredMessage | undefined;
}): Promise<Pick<LaunchContext, "isRetry" | "resumeAt">> {
  const { attempt, execution } = input.prepared;
  const { findSessionPoint } = input.adapter;
  if (!isRetry(execution, input.own)) return {};
  const answered = findSessionPoint && (await findAnswered(input.context.storage.read, execution));
  if (findSessionPoint === undefined || answered === undefined) return { isRetry: true };
  const point = await findLastPoint(input.context.host.executions, answered.id, findSessionPoint);
  return point !== undefined && point.sessionId === attempt.sessionId ? { isRetry: true, resumeAt: point.messageId } : { isRetry: true };
}

/**
 * The execution before the first try of the message. Undefined if it did not end by itself, because its last answer may have open
 * tools, and if the session has another message after it.
 */
async function findAnswered(reader: StorageReader, { attemptId, number }: RunningExecution): Promise<Execution | undefined> {
  const earlier = (await reader.listExecutions({ attemptId })).filter((one) => one.number < number);
  const answered = earlier.findLast((one) => one.status !== "running" && one.code !== "not-answered");
  if (answered?.status !== "success") return undefined;
  for (const one of earlier) if (one.number > answered.number && (await findOwnMessage(reader, one)) !== undefined) return undefined;
  return answered;
}

async function findLastPoint(
  files: ExecutionFiles,
  id: ExecutionId,
  find: (line: string) => SessionPoint | undefined,
): Promise<SessionPoint | undefined> {
  let last: SessionPoint | undefined;
  const readFrom = (from: number) => files.readLog({ id, from, final: true });
  try {
    let read = await readFrom(Math.max(0, (await files.logSize({ id })) - searchedBytes));
    for (; read.lines.length > 0; read = await readFrom(read.next)) {
      for (const { text } of read.lines) {
        const frame = readFrame(text);
        last = (frame.type === "agent" ? find(frame.text) : undefined) ?? last;
      }
    }
  } finally {
    await files.closeLog({ id });
  }
  return last;
}
