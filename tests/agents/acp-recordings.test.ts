import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Approval, ApprovalDecision, Attempt, ConversationMessage, ExecutionId, PermissionMode } from "@skein/contracts";
import { createMessageProcessor, formatText } from "@skein/engine";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createAcpDecoder } from "../../packages/agents/src/acp/create-acp-decoder.ts";
import { toProgramArgs } from "../../packages/host/src/program-args.ts";
import { waitForEnd } from "../support/execution-end.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newFolder, newRepository } from "../support/repository.ts";
import { type Exchange, readAcpRecording, takeRequest } from "./acp-recording.ts";

const wait = { timeout: 90_000, interval: 200 };

/** Recording, which of its prompts, and the mode in which it is replayed. */
const cases: [name: string, prompt: number, mode: PermissionMode][] = [
  ["gemini-acp-full.ndjson", 1, "ask"],
  ["gemini-acp-full.ndjson", 1, "full"],
  ["gemini-acp-permission.ndjson", 3, "ask"],
  ["gemini-acp-error.ndjson", 1, "full"],
  ["gemini-acp-error.ndjson", 3, "full"],
  ["gemini-acp-cancel.ndjson", 2, "full"],
  ["opencode-acp-full.ndjson", 1, "ask"],
  ["opencode-acp-full.ndjson", 1, "full"],
  ["opencode-acp-permission.ndjson", 3, "ask"],
  ["opencode-acp-error.ndjson", 1, "full"],
  ["opencode-acp-cancel.ndjson", 1, "full"],
  ["opencode-acp-cancel.ndjson", 2, "full"],
  ["codex-acp-full.ndjson", 1, "full"],
  ["codex-acp-permission.ndjson", 2, "ask"],
  ["codex-acp-error.ndjson", 2, "full"],
  ["codex-acp-cancel.ndjson", 1, "full"],
  ["claude-agent-acp-0.99.1-hello.bidi.ndjson", 1, "ask"],
  ["claude-agent-acp-0.99.1-tools.bidi.ndjson", 1, "ask"],
  ["claude-agent-acp-0.99.1-tools.bidi.ndjson", 1, "full"],
  ["claude-agent-acp-0.99.1-plan.bidi.ndjson", 1, "ask"],
  ["claude-agent-acp-0.99.1-err529.bidi.ndjson", 1, "full"],
  ["claude-agent-acp-0.99.1-cancel.bidi.ndjson", 1, "full"],
];

const program = toProgramArgs(new URL("./replay-acp-program.ts", import.meta.url));
const toAgentId = (name: string, prompt: number): string => `acp:${name.replace(/(\.bidi)?\.ndjson$/, "")}.${prompt}`;

let server: RealServer;

beforeAll(async () => {
  const home = newFolder("home");
  const agents = cases.map(([name, prompt]) => [toAgentId(name, prompt), { command: [process.execPath, ...program, name, `${prompt}`] }]);
  writeFileSync(join(home, "config.json"), JSON.stringify({ agents: Object.fromEntries(agents) }));
  server = await startRealServer({ home, keep: true });
});

afterAll(() => server.stop());

/** The agent's own error message is quoted in a sentence with the remedy. */
const quoting = (text: string): string => expect.stringContaining(text.replace(/\.$/, ""));
const explained = (end: { reason?: string }) => ({ ...end, ...(end.reason === undefined ? {} : { reason: quoting(end.reason) }) });

test.concurrent.each(cases)(
  "[T9] %s, prompt %i in mode %s, is shown by the whole server as it happened",
  async (name, nth, permissionMode) => {
    const recording = readAcpRecording(name);
    const prompt = takeRequest(recording, "session/prompt", nth);
    const expected = describeRecording([...takeRequest(recording, "initialize"), ...takeRequest(recording, "session/new"), ...prompt]);

    // its own project: permanent permissions apply to the whole project
    const { id: projectId } = await server.api.createProject(newRepository());
    const { id: taskId } = await server.api.createTask(projectId, `${name} ${nth} ${permissionMode}`);
    const attempt = await server.api.request<Attempt>("POST", `/api/tasks/${taskId}/attempts`, {
      agent: toAgentId(name, nth),
      permissionMode,
    });
    const { executionId } = await server.api.send(taskId, "go");
    const decisions = permissionMode === "ask" ? listDecisions(prompt) : [];
    for (const [index, decision] of decisions.entries()) await answer(attempt, index, decision);
    if (prompt.some(({ message }) => message.method === "session/cancel")) await stopAt(taskId, attempt, expected.messages);

    expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject(explained(expected.end));
    const { messages } = await server.api.conversation(taskId, `&attemptId=${attempt.id}`);
    expect(describeMessages(messages).slice(1)).toEqual(
      expected.messages.map((line) => (line.startsWith("error ") ? quoting(line.slice(6)) : line)),
    );
    expect((await listApprovals(attempt)).filter(({ status }) => status === "pending")).toEqual([]);
  },
);

/** What a user would see of these lines: decoded and merged without any of our processes. */
function describeRecording(exchanges: readonly Exchange[]): { messages: string[]; end: object } {
  const executionId = "exe_expected" as ExecutionId;
  const decoder = createAcpDecoder({ executionId });
  const processor = createMessageProcessor({ executionId });
  const shown = new Map<string, ConversationMessage>();
  const keep = (messages: readonly ConversationMessage[]): void => {
    for (const message of messages) shown.set(message.id, message);
  };
  let end: { status: string; reason?: string | null } = { status: "success", reason: null };
  let offset = 0;
  for (const { toAgent, message } of exchanges) {
    if (toAgent && message.method === undefined) continue;
    const text = JSON.stringify(message);
    for (const output of decoder.decode({ text, offset, at: offset })) {
      if (output.type === "end")
        end = { status: output.status, ...(output.reason === undefined ? {} : { reason: formatText(output.reason) }) };
      keep(processor.apply(output).conversation);
    }
    offset += Buffer.byteLength(text) + 1;
  }
  keep(processor.settle({ at: offset, reason: "" }).conversation);
  const closing = end.status === "cancelled" ? ["notice Stopped."] : end.status === "failed" ? [`error ${end.reason}`] : [];
  return { messages: [...describeMessages([...shown.values()]), ...closing], end };
}

function describeMessages(messages: readonly ConversationMessage[]): string[] {
  return messages.map((message) =>
    message.messageType === "tool_execution"
      ? JSON.stringify([message.metadata.state, message.content, message.metadata.output, message.metadata.details?.type])
      : `${message.messageType} ${message.content}`,
  );
}

/** How the recorded questions were answered. */
function listDecisions(prompt: readonly Exchange[]): ApprovalDecision[] {
  const options = prompt.flatMap(({ toAgent, message }) => (toAgent ? (message.result?.outcome?.optionId ?? []) : []));
  return options.map((option) => (/reject|cancel/.test(option) ? "deny" : /always/.test(option) ? "allow-always" : "allow"));
}

async function listApprovals({ id }: Attempt): Promise<Approval[]> {
  return (await server.api.request<Approval[]>("GET", "/api/approvals")).filter(({ attemptId }) => attemptId === id);
}

async function answer(attempt: Attempt, index: number, decision: ApprovalDecision): Promise<void> {
  const { id } = await vi.waitFor(async () => {
    const asked = await listApprovals(attempt);
    const waiting = asked.find(({ status }) => status === "pending");
    if (asked.length <= index || waiting === undefined) throw new Error("no question yet");
    return waiting;
  }, wait);
  await server.api.request("POST", `/api/approvals/${id}`, { decision });
}

/** Stops as soon as everything is shown that was there when the recorded user stopped. */
async function stopAt(taskId: string, { id }: Attempt, expected: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    const { messages } = await server.api.conversation(taskId, `&attemptId=${id}`);
    expect(messages.length).toBeGreaterThanOrEqual(expected.length);
  }, wait);
  await server.api.stop(taskId);
}
