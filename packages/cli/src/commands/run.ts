import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import {
  type Attempt,
  agentListSchema,
  attemptSchema,
  type CreateAttempt,
  checkedAgentSchema,
  commandResultSchema,
  conversationPageSchema,
  diffStatSchema,
  type EndedExecution,
  type ExecutionId,
  type PermissionMode,
  type Task,
  type TaskId,
  taskSchema,
} from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { findShortId } from "../ids/short-id.ts";
import { type ApprovalAnswerer, askOnTerminal, createApprovals, denyUnattended } from "../run/answer-approvals.ts";
import { findOrAddProject, findRepository } from "../run/find-project.ts";
import { followExecution } from "../run/follow-execution.ts";
import { createHumanPrinter } from "../run/human-printer.ts";
import { createJsonPrinter } from "../run/json-printer.ts";
import type { RunPrinter } from "../run/run-printer.ts";
import { toTaskTitle } from "../run/task-title.ts";
import { describeWork } from "../run/work-text.ts";
import { onInterrupt } from "../terminal/interrupts.ts";
import { choosePaint } from "../terminal/style.ts";

export interface RunOptions {
  home?: string;
  agent?: string;
  repo: string;
  model?: string;
  permissionMode?: PermissionMode;
  inPlace?: boolean;
  title?: string;
  json?: boolean;
}

/** `skein run`: one task in the foreground. */
export async function run(prompt: string, options: RunOptions): Promise<number> {
  const message = prompt === "-" ? await text(process.stdin) : prompt;
  if (message.trim() === "") throw new CliError("The prompt is empty.", { exitCode: exitCode.usage });
  const repository = findRepository(options.repo);
  await using connection = await connect(options);
  const { client } = connection;
  const printer = createPrinter(options);
  const { task, attempt } = await createWork(client, message, { ...options, repository });
  const shortId = await findShortId(client, attempt.id);
  const answer = canAsk(prompt) ? askOnTerminal : denyUnattended;
  const { execution, interrupted } = await execute(client, { taskId: task.id, message, printer, answer });
  printer.end(execution, await describeOutcome(client, attempt, execution, shortId));
  if (interrupted) return exitCode.interrupted;
  return execution.status === "success" ? exitCode.success : exitCode.failed;
}

function createPrinter({ json }: RunOptions): RunPrinter {
  const out = (chunk: string) => void process.stdout.write(chunk);
  const err = (chunk: string) => void process.stderr.write(chunk);
  return json ? createJsonPrinter({ out, err }) : createHumanPrinter({ out, paint: choosePaint(process.stdout, process.env) });
}

/** A prompt from standard input leaves nobody there to answer. */
const canAsk = (prompt: string): boolean => prompt !== "-" && process.stdin.isTTY === true && process.stderr.isTTY === true;

/** What was changed, and how to retry or read on where it did not succeed. */
async function describeOutcome(client: ApiClient, attempt: Attempt, execution: EndedExecution, shortId: string): Promise<string[]> {
  // a folder that cannot be read is no reason to hide how the execution ended
  const stat = await client.get(`/api/attempts/${attempt.id}/diff-stat?uncommitted=true`, diffStatSchema).catch(() => undefined);
  const work = stat === undefined ? undefined : describeWork(attempt, stat, shortId);
  const conversation = execution.status === "success" ? [] : [`See the conversation: skein show ${shortId}`];
  return [...(work === undefined ? [] : [work]), ...conversation];
}

async function createWork(
  client: ApiClient,
  message: string,
  options: RunOptions & { repository: string },
): Promise<{ task: Task; attempt: Attempt }> {
  const agent = options.agent ?? (await defaultAgent(client));
  // before anything is created: a task with a worktree that cannot be used would be left behind
  await client.post("/api/agents/check", { agent, ...(options.model === undefined ? {} : { model: options.model }) }, checkedAgentSchema);
  const title = options.title ?? toTaskTitle(message);
  const project = await findOrAddProject(client, options.repository);
  const task = await client.post("/api/tasks", { projectId: project.id, title }, taskSchema);
  const input: CreateAttempt = {
    agent,
    isolation: options.inPlace ? "in-place" : "worktree",
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.permissionMode === undefined ? {} : { permissionMode: options.permissionMode }),
  };
  const attempt = await client.post(`/api/tasks/${task.id}/attempts`, input, attemptSchema);
  return { task, attempt };
}

async function defaultAgent(client: ApiClient): Promise<string> {
  return (await client.get("/api/agents", agentListSchema)).defaultAgent;
}

async function execute(
  client: ApiClient,
  { taskId, message, printer, answer }: { taskId: TaskId; message: string; printer: RunPrinter; answer: ApprovalAnswerer },
): Promise<{ execution: EndedExecution; interrupted: boolean }> {
  const { lastSeq } = await client.get(`/api/tasks/${taskId}/conversation?limit=1`, conversationPageSchema);
  const failed = new AbortController();
  const fail = (error: unknown) => failed.abort(error);
  const stop = () => client.post("/api/commands", { type: "STOP_EXECUTION", taskId }, commandResultSchema).catch(fail);
  let interrupted = false;
  using _signals = onInterrupt((count) => {
    if (count > 1) process.exit(exitCode.interrupted);
    interrupted = true;
    printer.note("Stopping the agent… Press Ctrl-C again to exit at once.");
    void stop();
  });
  using approvals = createApprovals({ client, printer, answer, onFailure: fail });
  const executionId = sendMessage(client, { taskId, message });
  // Ctrl-C before the server had anything to stop.
  executionId.then(() => (interrupted ? stop() : undefined), fail);
  const execution = await followExecution(client, {
    taskId,
    after: lastSeq,
    executionId,
    signal: failed.signal,
    onHealth: ({ problem }) =>
      printer.note(problem === undefined ? "The server can save again." : `The server cannot save anything: ${problem.detail}`),
    onEvent(received) {
      printer.event(received);
      approvals.event(received);
    },
  });
  return { execution, interrupted };
}

async function sendMessage(client: ApiClient, { taskId, message }: { taskId: TaskId; message: string }): Promise<ExecutionId> {
  const command = { id: randomUUID(), type: "SEND_MESSAGE", taskId, message };
  const { executionId } = await client.post("/api/commands", command, commandResultSchema);
  if (executionId === undefined) throw new CliError("The server queued the first message of a new task. This is a bug in Skein.");
  return executionId;
}
