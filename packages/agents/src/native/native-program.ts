import type { Readable, Writable } from "node:stream";
import { createId, type UserMessage } from "@skein/contracts";
import { type Model, ModelError } from "@skein/engine";
import { z } from "zod";
import { expandCommand } from "../instructions/expand-command.ts";
import { createFolderInstructions } from "../instructions/folder-instructions.ts";
import { readLines } from "../lines/read-lines.ts";
import { connectMcpServers } from "../mcp/connect-mcp-servers.ts";
import { BackgroundJobs } from "../tools/background-jobs.ts";
import { createNativeTools } from "../tools/create-native-tools.ts";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";
import { ApprovalDesk } from "./approval-desk.ts";
import { buildRequest } from "./build-request.ts";
import { type ModelAccess, type NativeInput, nativeInputSchema } from "./native-input.ts";
import { readNativeControl } from "./read-native-control.ts";
import { createRecordWriter, type FollowedLog, type RecordWriter } from "./record-writer.ts";
import { runNativeTurn, type TurnStatus } from "./run-native-turn.ts";
import { SteeringDesk } from "./steering-desk.ts";
import { readSystemPrompts } from "./system-prompts.ts";
import { toToolEnvironment } from "./tool-environment.ts";

export interface NativeProgramOptions {
  createModel(modelId: string, access: ModelAccess): Model | Promise<Model>;
  stdin?: Readable;
  stdout?: Writable;
}

/**
 * The whole native agent as a program: one input line and then control lines on stdin, records on stdout. SIGTERM,
 * SIGINT, a stop line and the end of stdin all cancel the turn. Ends the process: 0 for success and cancel, 1 for failure.
 */
export async function runNativeProgram(options: NativeProgramOptions): Promise<never> {
  const stopping = new AbortController();
  const stop = () => stopping.abort(new Error("stopped"));
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  const writer = createRecordWriter(options.stdout ?? process.stdout, stop);
  const status = await runExecution(options, writer, stopping.signal, stop);
  await writer.flush();
  process.exit(status === "failed" ? 1 : 0);
}

async function runExecution(
  options: NativeProgramOptions,
  { write: emit, followLog }: RecordWriter,
  signal: AbortSignal,
  stop: () => void,
): Promise<TurnStatus> {
  const now = Date.now;
  const approvals = new ApprovalDesk();
  const steering = new SteeringDesk();
  let log: FollowedLog | undefined;
  let prepared: Awaited<ReturnType<typeof prepare>>;
  try {
    const lines = readLines(options.stdin ?? process.stdin);
    const input = parseInput((await lines.next()).value);
    log = input.log === undefined ? undefined : await followLog(input.log);
    void followControl(lines, { approvals, steering, stop });
    const notify = (text: string, code: string) => emit({ type: "notice", messageId: createId("msg"), text, code, at: now() });
    prepared = await prepare(input, options, { signal, notify });
  } catch (error) {
    const reason =
      error instanceof ModelError || error instanceof InputError ? error.message : `The native agent could not start: ${String(error)}`;
    emit({ type: "end", status: "failed", reason, at: now() });
    return "failed";
  }
  return runNativeTurn({
    ...prepared,
    buildRequest,
    approvals,
    steering,
    emit,
    recorded: async () => log === undefined || log.untilLogged(signal),
    signal,
    now,
    createMessageId: () => createId("msg"),
  });
}

async function prepare(
  input: NativeInput,
  { createModel }: NativeProgramOptions,
  { signal, notify }: { signal: AbortSignal; notify(text: string, code: string): void },
) {
  const { spillDirectory, allowPrivateAddresses = false } = input;
  const workspace = await openWorkspace(input.directory, { readable: [spillDirectory] });
  const [model, summaryModel, systemPrompts, expanded] = await Promise.all([
    createModel(input.model, input.modelAccess),
    createSummaryModel(input, createModel, notify),
    readSystemPrompts(workspace, input.systemPrompts),
    expandCommands(workspace, input),
  ]);
  const jobs = new BackgroundJobs();
  const environment = toToolEnvironment(process.env);
  const tools = createNativeTools(
    {
      workspace,
      environment,
      spillDirectory,
      jobs,
      folderInstructions: createFolderInstructions(workspace),
      allowPrivateAddresses,
    },
    input.history,
  );
  for (const text of input.notices ?? []) notify(text, "launch");
  const mcp = await connectMcpServers({
    servers: input.mcpServers ?? [],
    directory: input.directory,
    environment,
    spillDirectory,
    signal,
    onNotice: ({ text, code }) => notify(text, code),
  });
  return {
    input: expanded,
    model,
    summaryModel,
    tools: [...tools, ...mcp.tools],
    systemPrompts: [...systemPrompts, ...mcp.systemPrompts],
    expandMessage: (text: string) => expandCommand(workspace, text),
    release: async () => (await Promise.all([jobs.endAll(), mcp.close()]))[0],
  };
}

/** A model for summaries that cannot be used is no reason not to work. */
async function createSummaryModel(
  { summaryModel }: NativeInput,
  createModel: NativeProgramOptions["createModel"],
  notify: (text: string, code: string) => void,
): Promise<Model | undefined> {
  if (summaryModel === undefined) return undefined;
  try {
    return await createModel(summaryModel.id, summaryModel.access);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    notify(`Summaries are written by the model of this attempt: ${error.message}`, "summary-model");
    return undefined;
  }
}

/** Earlier messages are stored as the person typed them: expanded again, the model sees what it saw then. */
async function expandCommands(workspace: Workspace, input: NativeInput): Promise<NativeInput> {
  const history = input.history.map(async (entity) => {
    const { body } = entity;
    return body.role === "user" ? { ...entity, body: { ...body, content: await expandContent(workspace, body.content) } } : entity;
  });
  return { ...input, message: await expandCommand(workspace, input.message), history: await Promise.all(history) };
}

async function expandContent(workspace: Workspace, content: UserMessage["content"]): Promise<UserMessage["content"]> {
  if (typeof content === "string") return expandCommand(workspace, content);
  const [first, ...rest] = content;
  return first?.type === "text" ? [{ ...first, text: await expandCommand(workspace, first.text) }, ...rest] : content;
}

class InputError extends Error {}

function parseInput(line: string | undefined): NativeInput {
  if (line === undefined) throw new InputError("The native agent was started without its input line.");
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new InputError("The native agent's input line is not JSON.", { cause });
  }
  const parsed = nativeInputSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new InputError(`The native agent's input is not valid:\n${z.prettifyError(parsed.error)}`);
}

async function followControl(
  lines: AsyncIterable<string>,
  desks: { approvals: ApprovalDesk; steering: SteeringDesk; stop: () => void },
): Promise<void> {
  try {
    for await (const control of readNativeControl(lines)) {
      switch (control.type) {
        case "approval":
          desks.approvals.answer(control);
          break;
        case "message":
          desks.steering.add(control);
          break;
        case "stop":
          desks.stop();
          break;
      }
    }
  } finally {
    // The end of stdin: nobody is left who could stop this program.
    desks.stop();
  }
}
