import { type AgentOutput, type ExecutionId, type JsonValue, messageIdSchema } from "@skein/contracts";
import { type AgentAdapter, type AgentDecoder, asObject, booleanField, type LogLine } from "@skein/engine";
import { z } from "zod";
import type { PreambleRecord } from "../runner/preamble.ts";

const recordSchema = z.discriminatedUnion("skein", [
  z.object({ skein: z.literal("notice"), text: z.string() }),
  z.object({ skein: z.literal("setup-started"), script: z.string() }),
  z.object({ skein: z.literal("setup-output"), text: z.string() }),
  z.object({
    skein: z.literal("setup-ended"),
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    timedOut: z.boolean(),
    startError: z.string().exactOptional(),
    stdout: z.string(),
    stderr: z.string(),
  }),
  z.object({ skein: z.literal("agent") }),
]) satisfies z.ZodType<PreambleRecord>;

/**
 * Reads what the runner told before the agent started, then leaves the log to the agent's own decoder. Only a log that
 * begins with such a record has them: nothing that an agent says later is taken for one.
 */
export async function createLogDecoder(
  adapter: Pick<AgentAdapter, "createDecoder">,
  { executionId, snapshot, ...context }: Parameters<AgentAdapter["createDecoder"]>[0],
): Promise<AgentDecoder> {
  const saved = asObject(snapshot)?.agent;
  const agent = await adapter.createDecoder({ executionId, ...context, ...(saved === undefined ? {} : { snapshot: saved }) });
  let isBefore = booleanField(snapshot, "isBefore") ?? false;
  return {
    decode(line) {
      const record = isBefore || line.offset === 0 ? parseRecord(line.text) : undefined;
      isBefore = record !== undefined && record.skein !== "agent";
      return record === undefined ? agent.decode(line) : toOutputs(record, line, executionId);
    },
    snapshot: (): JsonValue => ({ isBefore, agent: agent.snapshot() }),
  };
}

function parseRecord(text: string): PreambleRecord | undefined {
  if (!text.startsWith('{"skein":')) return undefined;
  try {
    return recordSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // cut off: the runner was killed while it wrote
  }
}

function toOutputs(record: PreambleRecord, { at, offset }: LogLine, executionId: ExecutionId): AgentOutput[] {
  const name = executionId.slice("exe_".length);
  const setup = { messageId: messageIdSchema.parse(`msg_${name}_setup`), toolUseId: `setup_${name}`, toolName: "setup" };
  switch (record.skein) {
    case "notice":
      return [
        { type: "notice", messageId: messageIdSchema.parse(`msg_${name}_before_${offset}`), text: record.text, code: "before-agent", at },
      ];
    case "setup-started":
      return [{ type: "tool-use", ...setup, input: { command: record.script }, index: 0, ofSkein: true, at }];
    case "setup-output":
      return [{ type: "tool-progress", toolUseId: setup.toolUseId, text: record.text, at }];
    case "setup-ended": {
      const { exitCode, signal, timedOut, stdout, stderr, startError } = record;
      const isError = exitCode !== 0;
      // a signal from outside or a person's stop: the script did not fail by itself
      const state = timedOut ? "timed-out" : signal !== null ? "interrupted" : isError ? "failed" : "completed";
      const output = [stdout, stderr, startError].filter((text) => text !== undefined && text !== "").join("\n");
      const structured = { stdout, stderr: startError ?? stderr, exitCode };
      const resultId = messageIdSchema.parse(`${setup.messageId}_result`);
      const { toolUseId, toolName } = setup;
      return [{ type: "tool-result", resultId, toolUseId, toolName, output, isError, state, structured, at }];
    }
    case "agent":
      return [];
  }
}
