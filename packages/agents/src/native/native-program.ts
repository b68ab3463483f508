import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { createId, type MessageText } from "@skein/contracts";
import { type Model, ModelError } from "@skein/engine";
import { z } from "zod";
import { expandCommand } from "../instructions/expand-command.ts";
import { readLines } from "../lines/read-lines.ts";
import { connectMcpServers } from "../mcp/connect-mcp-servers.ts";
import { buildRequest, createBuildRequest } from "./build-request.ts";
import { type BoundCall, CallGate } from "./call-gate.ts";
import { createDebugLog } from "./debug-log.ts";
import { executionFiles } from "./execution-files.ts";
import { writeMcpRecord } from "./mcp-record.ts";
import { type ModelAccess, type NativeInput, type NativeOrder, nativeOrderSchema } from "./native-input.ts";
import { PendingApprovals } from "./pending-approvals.ts";
import { prepareConversation } from "./prepare-conversation.ts";
import { readHistoryLines, withHistory } from "./read-history-lines.ts";
import { readNativeControl } from "./read-native-control.ts";
import { createRecordWriter, type FollowedLog, type RecordWriter } from "./record-writer.ts";
import { runNativeTurn, type TurnStatus } from "./run-native-turn.ts";
import { SteeringQueue } from "./steering-queue.ts";

/** What the native agent needs from its program: models, and streams instead of those of the process. */
export interface NativeProgramOptions {
  createModel(modelId: string, access: ModelAccess): Model | Promise<Model>;
  /** Default: nothing is known. */
  boundCall?: BoundCall;
  stdin?: Readable;
  stdout?: Writable;
}

/**
 * The native agent as a program: reads one order line and then control lines from stdin, writes records to stdout. SIGTERM, SIGINT, a
 * stop line and the end of stdin cancel the turn. Ends the process: 0 for success and cancel, 1 for failure.
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
  const approvals = new PendingApprovals();
  const steering = new SteeringQueue();
  const gate = new CallGate({ emit, now, boundCall: options.boundCall });
  let log: FollowedLog | undefined;
  let prepared: Awaited<ReturnType<typeof prepare>>;
  try {
    const lines = readLines(options.stdin ?? process.stdin);
    const input = await readInput((await lines.next()).value);
    log = input.log === undefined ? undefined : await followLog(input.log);
    if (input.asksBeforeCalls) gate.turnOn();
    void followControl(lines, { approvals, steering, gate, stop });
    const notify = (text: MessageText, code: string) => emit({ type: "notice", messageId: createId("msg"), text, code, at: now() });
    prepared = await prepare(input, options, { signal, notify, gate });
  } catch (error) {
    const reason: MessageText =
      error instanceof ModelError
        ? error.text
        : { code: "native-not-started", reason: error instanceof InputError ? error.message : String(error) };
    emit({ type: "end", status: "failed", reason, at: now() });
    return "failed";
  }
  const { log: logFile } = prepared.input;
  return runNativeTurn({
    ...prepared,
    buildRequest:
      logFile === undefined
        ? buildRequest
        : createBuildRequest({ logger: createDebugLog(join(dirname(logFile), executionFiles.debug), now) }),
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
  { signal, notify, gate }: { signal: AbortSignal; notify(text: MessageText, code: string): void; gate: CallGate },
) {
  const [conversation, model, summaryModel] = await Promise.all([
    prepareConversation(input),
    createModel(input.model, input.modelAccess),
    createSummaryModel(input, createModel, notify),
  ]);
  const { workspace, jobs, environment, sandbox, tools } = conversation;
  for (const text of input.notices ?? []) notify(text, "launch");
  const mcp = await connectMcpServers({
    servers: input.mcpServers ?? [],
    directory: input.directory,
    environment,
    sandbox,
    spillDirectory: input.spillDirectory,
    signal,
    onNotice: ({ text, code }) => notify(text, code),
  });
  if (input.log !== undefined && input.mcpServers !== undefined && input.mcpServers.length > 0)
    await writeMcpRecord(join(dirname(input.log), executionFiles.mcpTools), { offers: mcp.offers });
  return {
    input: conversation.input,
    model: gate.guard(model),
    summaryModel: summaryModel && gate.guard(summaryModel),
    tools: [...tools, ...mcp.tools],
    systemPrompts: [...conversation.systemPrompts, ...mcp.systemPrompts],
    expandMessage: (text: string) => expandCommand(workspace, text),
    release: async () => (await Promise.all([jobs.endAll(), mcp.close()]))[0],
  };
}

/** Work continues without a usable model for summaries. */
async function createSummaryModel(
  { summaryModel }: NativeInput,
  createModel: NativeProgramOptions["createModel"],
  notify: (text: MessageText, code: string) => void,
): Promise<Model | undefined> {
  if (summaryModel === undefined) return undefined;
  try {
    return await createModel(summaryModel.id, summaryModel.access);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    notify({ code: "summary-model-unusable", reason: error.text }, "summary-model");
    return undefined;
  }
}

class InputError extends Error {}

async function readInput(line: string | undefined): Promise<NativeInput> {
  const { historyFile, ...order } = parseOrder(line);
  try {
    const history = await readHistoryLines(readLines(createReadStream(historyFile)));
    await rm(historyFile, { force: true });
    return withHistory(order, history);
  } catch (cause) {
    throw new InputError(`The history of the conversation could not be read: ${String(cause)}`, { cause });
  }
}

function parseOrder(line: string | undefined): NativeOrder {
  if (line === undefined) throw new InputError("It was started without its input line.");
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new InputError("Its input line is not JSON.", { cause });
  }
  const parsed = nativeOrderSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new InputError(`Its input is not valid:\n${z.prettifyError(parsed.error)}`);
}

async function followControl(
  lines: AsyncIterable<string>,
  desks: { approvals: PendingApprovals; steering: SteeringQueue; gate: CallGate; stop: () => void },
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
        case "ask-before-calls":
          desks.gate.turnOn();
          break;
        case "call-grant":
          desks.gate.grant(control.callId);
          break;
        case "stop":
          desks.stop();
          break;
      }
    }
  } finally {
    // The end of stdin: nobody could stop this program any more.
    desks.stop();
  }
}
