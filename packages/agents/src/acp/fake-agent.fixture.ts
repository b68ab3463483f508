import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApprovalDecision } from "@skein/contracts";
import { createTestContext } from "../driver/driver-context.fixture.ts";
import type { DriverControl } from "../driver/driver-control.ts";
import type { DriverOrder } from "../driver/driver-order.ts";
import type { DriverRecord } from "../driver/driver-record.ts";
import type { AcpOptions } from "./acp-options.ts";
import { driveAcp } from "./drive-acp.ts";

/**
 * A minimal scripted agent: `on` handles Skein's requests, `ask` sends a request, `send` and `update` send messages, `print` writes raw
 * bytes.
 */
const prelude = `
import { createInterface } from "node:readline";
const handlers = {}, asked = new Map();
let count = 0;
const on = (method, handle) => { handlers[method] = handle; };
const print = (text) => process.stdout.write(text);
const send = (message) => print(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const update = (update) => send({ method: "session/update", params: { sessionId: "s1", update } });
const sendText = (text) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const ask = (method, params) => new Promise((resolve) => { const id = "q" + count++; asked.set(id, resolve); send({ id, method, params: { sessionId: "s1", ...params } }); });
const fail = (code, message, data) => Object.assign(new Error(message), { code, data });
on("initialize", () => ({ protocolVersion: 1, agentCapabilities: {} }));
on("session/new", () => ({ sessionId: "s1" }));
createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) return asked.get(id)?.(error === undefined ? { result } : { error });
  try {
    if (handlers[method] === undefined) throw fail(-32601, "Method not found");
    const answer = await handlers[method](params);
    if (id !== undefined) send({ id, result: answer });
  } catch (problem) {
    if (id !== undefined) send({ id, error: { code: problem.code ?? -32603, message: problem.message, data: problem.data } });
  }
}).on("close", () => process.exit(0));
`;

export const fakeOptions: AcpOptions = { files: { read: true, write: true }, terminals: true, login: { command: "fake login" } };

export interface FakeRun {
  exitCode: number;
  /** The lines of the log that are JSON. */
  log: Record<string, unknown>[];
  /** All lines, unchanged. */
  lines: string[];
  records: DriverRecord[];
  directory: string;
}

export function newDirectory(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "skein-acp-")));
}

/** The command of an agent with this body. */
export function writeFakeAgent(body: string): [string, string] {
  const program = join(newDirectory(), "agent.mjs");
  writeFileSync(program, prelude + body);
  return [process.execPath, program];
}

/** Drives an agent with this body until it ends. */
export async function driveFake(
  body: string,
  input: {
    order?: Partial<DriverOrder>;
    options?: Partial<AcpOptions>;
    directory?: string;
    stop?: AbortSignal;
    /** Called for each logged line, to answer its question. */
    onLine?(line: string, control: (control: DriverControl) => void): void;
  } = {},
): Promise<FakeRun> {
  const directory = input.directory ?? newDirectory();
  const lines: string[] = [];
  const { context, records, control } = createTestContext(
    {
      driver: "acp",
      name: "Fake",
      command: writeFakeAgent(body),
      directory,
      message: "Do it",
      options: { ...fakeOptions, ...input.options },
      ...input.order,
    },
    {
      ...(input.stop === undefined ? {} : { stop: input.stop }),
      onLine(line) {
        lines.push(line);
        input.onLine?.(line, control);
      },
    },
  );
  const exitCode = await driveAcp(context);
  return { exitCode, lines, records, directory, log: lines.flatMap(parse) };
}

function parse(line: string): Record<string, unknown>[] {
  try {
    return [JSON.parse(line) as Record<string, unknown>];
  } catch {
    return [];
  }
}

/** The texts that the agent sent with `sendText`, in order. */
export function listTexts({ log }: FakeRun): string[] {
  return log.flatMap(({ params }) => {
    const { update } = (params ?? {}) as { update?: { sessionUpdate?: string; content?: { text?: string } } };
    return update?.sessionUpdate === "agent_message_chunk" ? [update.content?.text ?? ""] : [];
  });
}

/** A permission request of the agent, in its script. */
export const question = (id: string, kind: string, more = "") =>
  `ask("session/request_permission", { toolCall: { toolCallId: "${id}", kind: "${kind}", title: "t-${id}" ${more} }, options: [
    { optionId: "yes", kind: "allow_once", name: "Yes" }, { optionId: "always", kind: "allow_always", name: "Always" }, { optionId: "no", kind: "reject_once", name: "No" }] })`;

/** Answers the permission request in a logged line. */
export function answerWith(decision: ApprovalDecision, reason: string | null = null) {
  return (line: string, control: (control: DriverControl) => void): void => {
    const { id, method } = JSON.parse(line) as { id?: string; method?: string };
    if (method !== "session/request_permission") return;
    const requestId = JSON.stringify({ id, options: { allow: "yes", "allow-always": "always", deny: "no" } });
    const answer = { type: "approval", toolUseId: "u", requestId, toolName: "x", input: null, decision, reason } as const;
    // twice: a restarted server sends it again
    queueMicrotask(() => {
      control({ ...answer, grant: undefined, answers: undefined });
      control({ ...answer, decision: "deny", grant: undefined, answers: undefined });
    });
  };
}
