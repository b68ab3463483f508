import { z } from "zod";
import { agentOutputs } from "./agent-output.ts";
import { encodeRecordLine, logVersion } from "./record-frame.ts";
import { usageSchema } from "./usage.ts";

/*
 * All of Skein's own records in an execution log, whoever writes them. record-frame.ts defines how a record differs from the agent's
 * lines.
 *
 * Order: `log`; the runner's records from before the agent starts; `agent-started`; then records of the program that runs the agent (a
 * driver, or the native agent) between the agent's lines, with at most one `end`.
 */

/** Default: derived from the record's position in the log and the time at which the runner received it. */
const placed = { at: true } as const;
const named = { at: true, messageId: true } as const;

/** One record of an execution log. */
export const logRecordSchema = z.discriminatedUnion("type", [
  /** The first line of a log. */
  z.object({ type: z.literal("log"), version: z.literal(logVersion) }),
  z.object({ type: z.literal("setup-started"), script: z.string() }),
  z.object({ type: z.literal("setup-output"), text: z.string() }),
  z.object({
    type: z.literal("setup-ended"),
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    timedOut: z.boolean(),
    startError: z.string().exactOptional(),
    stdout: z.string(),
    stderr: z.string(),
  }),
  /** From here on the log belongs to the agent. */
  z.object({ type: z.literal("agent-started") }),
  /** The usage of the agent's session before this execution, for agents that report totals of the session. */
  z.object({ type: z.literal("usage-before"), usage: usageSchema }),
  agentOutputs.notice.partial(named),
  agentOutputs.error.partial(named),
  agentOutputs.session.partial(placed),
  agentOutputs["user-message"].partial(placed),
  agentOutputs["approval-withdrawn"].partial(placed),
  agentOutputs.end.partial(placed),
  agentOutputs.text,
  agentOutputs.thinking,
  agentOutputs["tool-use"].omit({ ofSkein: true }),
  agentOutputs["tool-progress"],
  agentOutputs["tool-result"],
  agentOutputs["message-end"],
  agentOutputs.retry,
  agentOutputs["approval-request"],
  agentOutputs.compression,
]);
export type LogRecord = z.infer<typeof logRecordSchema>;

/** Who may write a record. `driver`: for an agent that is a separate program, whose lines its decoder reads. */
export type RecordWriter = "runner" | "driver" | "native";

const writers: Readonly<Record<LogRecord["type"], readonly RecordWriter[]>> = {
  log: ["runner"],
  "setup-started": ["runner"],
  "setup-output": ["runner"],
  "setup-ended": ["runner"],
  "agent-started": ["runner"],
  "usage-before": ["driver"],
  notice: ["runner", "driver", "native"],
  error: ["driver", "native"],
  session: ["driver"],
  "user-message": ["driver", "native"],
  "approval-withdrawn": ["driver"],
  end: ["driver", "native"],
  text: ["native"],
  thinking: ["native"],
  "tool-use": ["native"],
  "tool-progress": ["native"],
  "tool-result": ["native"],
  "message-end": ["native"],
  retry: ["native"],
  "approval-request": ["native"],
  compression: ["native"],
};

/** True if this writer may write a record of this type; anything else is raw output. */
export function mayWrite(writer: RecordWriter, { type }: LogRecord): boolean {
  return writers[type].includes(writer);
}

/** The line for a record, without a line end. */
export function encodeLogRecord(record: LogRecord): string {
  return encodeRecordLine(record);
}

/** Undefined if it is not a valid record: truncated, without required fields, of an unknown type, or not JSON. Never throws. */
export function parseLogRecord(json: string): LogRecord | undefined {
  try {
    return logRecordSchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
