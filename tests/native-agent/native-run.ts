import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { createNativeAgent } from "@skein/agents/native";
import {
  type AgentOutput,
  type Attempt,
  attemptIdSchema,
  type ConversationMessage,
  executionIdSchema,
  type MessageBody,
  type MessageEntity,
  type PermissionGrant,
  type PermissionMode,
  taskIdSchema,
} from "@skein/contracts";
import { encodeLogRecord, type LogRecord } from "@skein/contracts/log-record";
import { createMessageProcessor } from "@skein/engine";
import { toProgramArgs } from "../../packages/host/src/program-args.ts";
import { createLogDecoder } from "../../packages/server/src/executions/create-log-decoder.ts";

const programs = {
  /** The scripted models. */
  demo: new URL("./native-demo-program.ts", import.meta.url),
  /** A model that answers with the request that it got. */
  echo: new URL("./native-echo-program.ts", import.meta.url),
};

export interface Repository {
  directory: string;
  remove(): Promise<void>;
}

export async function createRepository(files: Record<string, string>): Promise<Repository> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "skein-native-")));
  const directory = join(base, "repo");
  await mkdir(directory);
  const git = (...args: string[]) =>
    promisify(execFile)("git", ["-C", directory, "-c", "user.name=t", "-c", "user.email=t@example.com", ...args]);
  await git("init", "-q");
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }
  await git("add", "-A");
  await git("commit", "-q", "--allow-empty", "-m", "first");
  return { directory, remove: () => rm(base, { recursive: true, force: true }) };
}

export interface NativeRun {
  child: ChildProcessWithoutNullStreams;
  outputs: AgentOutput[];
  agent: ReturnType<typeof createNativeAgent>;
  next<Type extends AgentOutput["type"]>(type: Type): Promise<Extract<AgentOutput, { type: Type }>>;
  exitCode: Promise<number | null>;
}

export interface NativeRunOptions {
  directory: string;
  message: string;
  number?: number;
  history?: readonly MessageEntity[];
  permissionMode?: PermissionMode;
  grants?: readonly PermissionGrant[];
  program?: keyof typeof programs;
  model?: string;
  pace?: number;
  onOutput?(output: AgentOutput, run: NativeRun): void;
}

/** Starts the native agent as the runner does: its own program, input and answers by stdin, records by stdout. */
export async function startNativeRun(options: NativeRunOptions): Promise<NativeRun> {
  const executionId = executionIdSchema.parse(`exe_${options.number ?? 1}`);
  const agent = createNativeAgent({
    program: process.execPath,
    args: [...toProgramArgs(programs[options.program ?? "demo"]), String(options.pace ?? 0)],
    describeModels: () => [{ id: "scripted/demo", name: "Demo" }],
    findModelAccess: () => ({ environment: {}, endpoints: {}, scripts: true }),
    spillDirectory: join(options.directory, "../spill"),
  });
  const attempt: Attempt = {
    id: attemptIdSchema.parse("att_1"),
    taskId: taskIdSchema.parse("tsk_1"),
    number: 1,
    agent: "native",
    model: options.model ?? null,
    permissionMode: options.permissionMode ?? "full",
    systemPrompt: "",
    isolation: "in-place",
    directory: options.directory,
    branch: null,
    baseBranch: null,
    baseCommit: null,
    sessionId: null,
    continuedFrom: null,
    active: true,
    createdAt: 0,
    updatedAt: 0,
  };
  const historyFile = join(options.directory, `../history-${executionId}.jsonl`);
  await writeFile(historyFile, (options.history ?? []).map((message) => `${JSON.stringify(message)}\n`).join(""));
  const launch = await agent.createLaunch({
    attempt,
    executionId,
    message: options.message,
    images: [],
    history: [],
    historyFile,
    compression: { summary: null, pruning: null },
    grants: options.grants ?? [],
    environment: { PATH: process.env.PATH ?? "", HOME: options.directory },
  });
  const child = spawn(launch.program, launch.args, { cwd: launch.cwd, env: { ...launch.environment } });
  const outputs: AgentOutput[] = [];
  const watchers = new Set<(output: AgentOutput) => void>();
  const run: NativeRun = {
    child,
    outputs,
    agent,
    next(type) {
      type Wanted = Extract<AgentOutput, { type: typeof type }>;
      const fits = (output: AgentOutput): output is Wanted => output.type === type;
      const known = outputs.find(fits);
      return known !== undefined
        ? Promise.resolve(known)
        : new Promise((resolve) => watchers.add((output) => fits(output) && resolve(output)));
    },
    exitCode: once(child, "close").then(([code]) => code),
  };
  let errors = "";
  child.stderr.on("data", (bytes: Buffer) => {
    errors += bytes.toString();
  });
  void run.exitCode.then(() => errors !== "" && console.error(errors));
  child.stdin.on("error", () => {});
  const decoder = await createLogDecoder(agent, { executionId });
  // as the runner does
  for (const record of [{ type: "log", version: 2 }, { type: "agent-started" }] satisfies LogRecord[]) {
    decoder.decode({ text: encodeLogRecord(record), offset: 0, at: 0 });
  }
  createInterface({ input: child.stdout }).on("line", (text) => {
    for (const output of decoder.decode({ text, offset: 1, at: 0 })) {
      outputs.push(output);
      options.onOutput?.(output, run);
      for (const watcher of watchers) watcher(output);
    }
  });
  child.stdin.write(launch.stdin);
  return run;
}

/** What the server would store and show of a run. */
export function processRun(
  outputs: readonly AgentOutput[],
  message: string,
  number = 1,
): { history: MessageEntity[]; shown: ConversationMessage[] } {
  const processor = createMessageProcessor({ executionId: executionIdSchema.parse(`exe_${number}`) });
  const drafts = new Map<string, { position: number; body: MessageBody }>();
  const shown = new Map<string, ConversationMessage>();
  const steps = [...outputs.map((output) => () => processor.apply(output)), () => processor.settle({ at: 0, reason: "" })];
  for (const step of steps) {
    const { messages, conversation } = step();
    for (const draft of messages) drafts.set(draft.id, draft);
    for (const entry of conversation) shown.set(entry.id, entry);
  }
  const stored = [...drafts].sort(([, a], [, b]) => a.position - b.position).map(([id, { body }]) => ({ id, body }));
  return { history: [{ id: `user-${number}`, body: { role: "user", content: message } }, ...stored], shown: [...shown.values()] };
}
