import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import {
  type Attempt,
  agentIdSchema,
  commandResultSchema,
  diffStatSchema,
  type EndedExecution,
  type PermissionMode,
  type ProjectId,
  type StartedTask,
  type StartTask,
  startedTaskSchema,
  type TaskId,
} from "@skein/contracts";
import { fillForm, findTemplate, parseValues } from "../automations/find-template.ts";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { findShortId } from "../ids/short-id.ts";
import { type ApprovalAnswerer, askOnTerminal, createApprovals, denyUnattended, leaveUnattended } from "../run/answer-approvals.ts";
import { findOrAddProject, findRepository } from "../run/find-project.ts";
import { followExecution } from "../run/follow-execution.ts";
import { createHumanPrinter } from "../run/human-printer.ts";
import { createJsonPrinter } from "../run/json-printer.ts";
import { describePermissionMode } from "../run/permission-mode-text.ts";
import type { RunPrinter } from "../run/run-printer.ts";
import { describeWork } from "../run/work-text.ts";
import { onInterrupt } from "../terminal/interrupts.ts";
import { choosePaint } from "../terminal/style.ts";
import { parseAmount } from "./budget.ts";

export interface RunOptions {
  home?: string;
  agent?: string;
  repo: string;
  model?: string;
  permissionMode?: PermissionMode;
  sandbox?: boolean;
  inPlace?: boolean;
  /** Implies `inPlace`: a session belongs to its folder. */
  session?: string;
  title?: string;
  /** What the task may cost, in US dollars. */
  budget?: string;
  /** A template, instead of a prompt. */
  template?: string;
  /** The values of its variables: `name=value`. */
  set?: string[];
  /** A worker: id, name or tag. */
  on?: string;
  json?: boolean;
}

/** `skein run`: one task in the foreground. */
export async function run(prompt: string | undefined, options: RunOptions): Promise<number> {
  checkSource(prompt, options);
  const message = prompt === "-" ? await text(process.stdin) : prompt;
  if (message?.trim() === "") throw new CliError("The prompt is empty.", { exitCode: exitCode.usage });
  if (options.agent !== undefined && !agentIdSchema.safeParse(options.agent).success) {
    throw new CliError(`There is no agent “${options.agent}”.`, { hint: "To list the agents: skein agents", exitCode: exitCode.usage });
  }
  const repository = findRepository(options.repo);
  await using connection = await connect(options);
  const { client } = connection;
  return await runInForeground(client, {
    start: () => start(client, message, { ...options, repository }),
    // one that was not chosen here must not be a surprise
    describeStart: ({ attempt }) => (options.permissionMode === undefined ? describePermissionMode(attempt.permissionMode) : undefined),
    canAsk: canAsk(prompt ?? ""),
    json: options.json ?? false,
  });
}

/** What a run is started with; undefined: as the settings say. */
interface Form {
  message: string;
  title: string | undefined;
  agent: string | undefined;
  model: string | undefined;
  permissionMode: PermissionMode | undefined;
  sandbox: "off" | "workspace" | undefined;
  baseBranch: string | undefined;
}

interface ForegroundOptions {
  start(): Promise<StartedTask>;
  /** A line to print before anything else. */
  describeStart?(started: StartedTask): string | undefined;
  canAsk: boolean;
  json: boolean;
}

/** Starts an execution, prints what it does and answers its approvals until it has ended. Returns the exit code. */
export async function runInForeground(client: ApiClient, options: ForegroundOptions): Promise<number> {
  const printer = createPrinter(options);
  const answerFor = ({ task, attempt }: StartedTask): ApprovalAnswerer => {
    if (options.canAsk) return askOnTerminal;
    // nobody can answer here: in mode `ask` every step may need an answer, so it is left to the browser; in other modes a denial is rare
    return attempt.permissionMode === "ask" ? leaveUnattended(task.id) : denyUnattended;
  };
  const { started, execution, interrupted } = await execute(client, { ...options, printer, answerFor });
  const { attempt } = started;
  printer.end(execution, await describeOutcome(client, attempt, execution, await findShortId(client, attempt.id)));
  if (interrupted) return exitCode.interrupted;
  return execution.status === "success" ? exitCode.success : exitCode.failed;
}

function createPrinter({ json }: { json: boolean }): RunPrinter {
  const out = (chunk: string) => void process.stdout.write(chunk);
  const err = (chunk: string) => void process.stderr.write(chunk);
  return json ? createJsonPrinter({ out, err }) : createHumanPrinter({ out, paint: choosePaint(process.stdout, process.env) });
}

/** If the prompt comes from standard input, nobody can answer there. */
export const canAsk = (prompt: string): boolean => prompt !== "-" && process.stdin.isTTY === true && process.stderr.isTTY === true;

/** The changes, and how to see the conversation if the execution did not succeed. */
async function describeOutcome(client: ApiClient, attempt: Attempt, execution: EndedExecution, shortId: string): Promise<string[]> {
  // an unreadable folder must not hide how the execution ended
  const stat = await client.get(`/api/attempts/${attempt.id}/diff-stat?uncommitted=true`, diffStatSchema).catch(() => undefined);
  const work = stat === undefined ? undefined : describeWork(attempt, stat, shortId);
  const conversation = execution.status === "success" ? [] : [`See the conversation: skein show ${shortId}`];
  return [...(work === undefined ? [] : [work]), ...conversation];
}

/** Fails early if the run cannot work, before there is a task, a branch or a worktree. */
async function start(client: ApiClient, prompt: string | undefined, options: RunOptions & { repository: string }): Promise<StartedTask> {
  const project = await findOrAddProject(client, options.repository);
  const { session, on, budget } = options;
  const { message, title, agent, model, permissionMode, sandbox, baseBranch } = await readForm(client, project.id, prompt, options);
  const input: StartTask = {
    id: randomUUID(),
    task: { projectId: project.id, ...(title === undefined ? {} : { title }) },
    attempt: {
      isolation: options.inPlace || session !== undefined ? "in-place" : "worktree",
      ...(session === undefined ? {} : { session }),
      ...(on === undefined ? {} : { host: on }),
      ...(agent === undefined ? {} : { agent }),
      ...(model === undefined ? {} : { model }),
      ...(permissionMode === undefined ? {} : { permissionMode }),
      ...(sandbox === undefined ? {} : { sandbox }),
      ...(baseBranch === undefined ? {} : { baseBranch }),
    },
    message,
    ...(budget === undefined ? {} : { budget: { costUsd: parseAmount(budget) } }),
  };
  return client.post("/api/starts", input, startedTaskSchema);
}

/** Options go before what the template says. Without a template, the words of the command alone. */
async function readForm(client: ApiClient, projectId: ProjectId, prompt: string | undefined, options: RunOptions): Promise<Form> {
  const { template: name, set = [], title, agent, model, permissionMode } = options;
  const own = { title, agent, model, permissionMode };
  const sandbox = options.sandbox === undefined ? undefined : options.sandbox ? "workspace" : "off";
  if (name === undefined) return { ...own, message: prompt ?? "", sandbox, baseBranch: undefined };
  const template = await findTemplate(client, name, projectId);
  const filled = fillForm(template, parseValues(set));
  return {
    message: filled.prompt,
    title: title ?? filled.title ?? undefined,
    agent: agent ?? template.agent ?? undefined,
    // a model belongs to its agent
    model: model ?? (agent === undefined || agent === template.agent ? (template.model ?? undefined) : undefined),
    permissionMode: permissionMode ?? template.permissionMode ?? undefined,
    sandbox: sandbox ?? template.sandbox ?? undefined,
    baseBranch: options.inPlace || options.session !== undefined ? undefined : (template.baseBranch ?? undefined),
  };
}

function checkSource(prompt: string | undefined, { template, set = [] }: RunOptions): void {
  const wrong = (text: string): never => {
    throw new CliError(text, { exitCode: exitCode.usage });
  };
  if (prompt === undefined && template === undefined) wrong("Write a prompt, or name a template with --template.");
  if (prompt !== undefined && template !== undefined) wrong("A template has its own prompt. Set its variables with --set name=value.");
  if (set.length > 0 && template === undefined) wrong("--set needs --template.");
}

async function execute(
  client: ApiClient,
  {
    start,
    describeStart,
    printer,
    answerFor,
  }: Pick<ForegroundOptions, "start" | "describeStart"> & { printer: RunPrinter; answerFor(started: StartedTask): ApprovalAnswerer },
): Promise<{ started: StartedTask; execution: EndedExecution; interrupted: boolean }> {
  const failed = new AbortController();
  const fail = (error: unknown) => failed.abort(error);
  let taskId: TaskId | undefined;
  let interrupted = false;
  const stop = async () => {
    if (taskId !== undefined) await client.post("/api/commands", { type: "STOP_EXECUTION", taskId }, commandResultSchema).catch(fail);
  };
  using _signals = onInterrupt((count) => {
    if (count > 1) process.exit(exitCode.interrupted);
    interrupted = true;
    printer.note("Stopping the agent… Press Ctrl-C again to exit at once.");
    void stop();
  });
  const started = await start();
  taskId = started.task.id;
  const description = describeStart?.(started);
  if (description !== undefined) printer.note(description);
  using approvals = createApprovals({ client, printer, answer: answerFor(started), onFailure: fail });
  // Ctrl-C before the server had anything to stop.
  if (interrupted) void stop();
  const execution = await followExecution(client, {
    taskId,
    after: started.after,
    executionId: started.executionId,
    signal: failed.signal,
    onHealth: ({ problem }) =>
      printer.note(problem === undefined ? "The server can save again." : `The server cannot save anything: ${problem.detail}`),
    onEvent(received) {
      printer.event(received);
      approvals.event(received);
    },
  });
  return { started, execution, interrupted };
}
