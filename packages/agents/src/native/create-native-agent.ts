import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentHint, AgentId, AgentInfo, ModelInfo, ReasoningEffort, UsableMcpServer } from "@skein/contracts";
import {
  type AgentAdapter,
  type AgentCapabilities,
  type CompressionPolicy,
  formatText,
  type LaunchContext,
  type PreviewContext,
  type PrinterLaunch,
  type ProgramLaunch,
} from "@skein/engine";
import { createLineIds } from "../lines/execution-ids.ts";
import { toRawOutput } from "../lines/unreadable-line.ts";
import { skeinServerName } from "../skein/skein-server.ts";
import { encodeNativeControl } from "./native-control.ts";
import type { ModelAccess, NativeOrder } from "./native-input.ts";
import type { PreviewOrder } from "./preview-input.ts";
import type { QuestionOrder } from "./question-program.ts";

/** The programs and models of the native agent. */
export interface NativeAgentOptions {
  /** The program that calls `runNativeProgram`. */
  program: string;
  args: readonly string[];
  /** The program that calls `runPreviewProgram`, instead of `args`. If absent, requests cannot be shown. */
  previewArgs?: readonly string[];
  /** The program that calls `runQuestionProgram`. If absent, its models answer no questions outside of conversations. */
  questionArgs?: readonly string[];
  /** The first is the default of an attempt. */
  describeModels(): readonly ModelInfo[] | Promise<readonly ModelInfo[]>;
  /** Providers that cannot be used here, each with a hint. */
  describeMissing?(): NonNullable<AgentInfo["missing"]>;
  /** Keys and base URL for a model's provider. */
  findModelAccess?(modelId: string, keys?: Readonly<Record<string, string>>): ModelAccess;
  /** Why a model cannot be used: see `AgentAdapter.findModelProblem`. */
  findModelProblem?: AgentAdapter["findModelProblem"];
  /** The model that writes the summaries of a model's conversations; undefined if it does so itself. */
  findSummaryModel?(modelId: string): string | undefined;
  /** When conversations are shortened, read at each start; default settings if absent. */
  findCompressionPolicy?(): CompressionPolicy;
  /** Outputs that are too long to be shown are kept in a folder per execution below it. */
  spillDirectory?: string;
  /** Limit of model calls per execution, read at each start; 0 or absent: no limit. */
  findMaxSteps?(): number;
  /** An execution is interrupted when it has cost this much, in US dollars. */
  maxCostUsd?: number | undefined;
  /** Lets web_fetch access this machine and its network. */
  allowPrivateAddresses?: boolean | undefined;
  /** Default: the model's own default. */
  reasoningEffort?: ReasoningEffort | undefined;
}

const id: AgentId = "native";

const nativeCapabilities: AgentCapabilities = {
  commitsAtEnd: true,
  closesItself: true,
  reportsUsagePerMessage: true,
  mayEndSilently: false,
  readsHistoryFile: true,
  takesMcpServers: true,
  readsRepositorySettings: false,
  usesServerModels: true,
  compressesHistory: true,
};

/** A server of the user with the same name takes precedence. */
function withSkein(servers: readonly UsableMcpServer[], skein: LaunchContext["skein"]): UsableMcpServer[] {
  if (skein === undefined || servers.some(({ definition }) => definition.name === skeinServerName)) return [...servers];
  const headers = { authorization: `Bearer ${skein.token}` };
  return [...servers, { definition: { type: "http", name: skeinServerName, url: skein.url, headers }, trustedTools: null }];
}

/** It plays a script, whatever it is asked. */
const demoModel = "scripted/demo";

const noModel: AgentHint = { code: "no-model" };

/** Skein's own agent. Its program is in `@skein/agents/native-program`, so this module loads none of its tools. */
export function createNativeAgent(options: NativeAgentOptions): AgentAdapter<ProgramLaunch> {
  const spillRoot = options.spillDirectory ?? join(tmpdir(), "skein-outputs");
  const { previewArgs, questionArgs } = options;
  const findAccess = (id: string, keys?: LaunchContext["keys"]) =>
    options.findModelAccess?.(id, keys) ?? { environment: {}, endpoints: {} };

  async function toOrder(context: Omit<LaunchContext, "history" | "historyFile">): Promise<Omit<NativeOrder, "historyFile">> {
    const { attempt, executionId, message, messageId, images, compression, grants, log, notices, keys, systemPrompts = [] } = context;
    const model = attempt.model ?? (await options.describeModels())[0]?.id;
    if (model === undefined) throw new Error("The native agent has no model: the attempt names none and none is configured.");
    const summaryModel = options.findSummaryModel?.(model);
    const policy = options.findCompressionPolicy?.();
    const maxSteps = options.findMaxSteps?.() ?? 0;
    return {
      executionId,
      model,
      modelAccess: findAccess(model, keys),
      directory: attempt.directory,
      permissionMode: attempt.permissionMode,
      grants: [...grants],
      message,
      ...(messageId === undefined ? {} : { messageId }),
      images: [...images],
      attemptId: attempt.id,
      compression,
      ...(policy === undefined ? {} : { compressionPolicy: policy }),
      ...(summaryModel === undefined ? {} : { summaryModel: { id: summaryModel, access: findAccess(summaryModel, keys) } }),
      ...(systemPrompts.length === 0 ? {} : { systemPrompts: [...systemPrompts] }),
      spillDirectory: join(context.program?.outputs ?? spillRoot, executionId),
      ...(log === undefined ? {} : { log }),
      ...(context.mcpServers === undefined ? {} : { mcpServers: withSkein(context.mcpServers, context.skein) }),
      ...(notices === undefined ? {} : { notices: [...notices] }),
      ...(context.asksBeforeCalls ? { asksBeforeCalls: true } : {}),
      ...(maxSteps === 0 ? {} : { maxSteps }),
      ...(options.maxCostUsd === undefined ? {} : { maxCostUsd: options.maxCostUsd }),
      ...(options.allowPrivateAddresses === undefined ? {} : { allowPrivateAddresses: options.allowPrivateAddresses }),
      ...(options.reasoningEffort === undefined ? {} : { reasoningEffort: options.reasoningEffort }),
    };
  }

  /** Keys are not included: a request can be built without them. */
  async function createPreview(args: readonly string[], context: PreviewContext): Promise<PrinterLaunch> {
    const { message, provider, mcpServerNames, executionFolders, history, ...rest } = context;
    const {
      summaryModel: _summaryModel,
      modelAccess,
      ...order
    } = await toOrder({ ...rest, message: message ?? "", images: [], grants: [] });
    const preview: PreviewOrder = {
      ...order,
      modelAccess: withoutKeys(modelAccess),
      ...(provider === undefined ? {} : { provider }),
      hasMessage: message !== null,
      mcpServerNames: [...mcpServerNames],
      executionFolders: [...executionFolders],
    };
    return { ...toProgram(args, context, context.program?.previewCommand), stdin: toLines(preview, history) };
  }

  const toQuestions = (args: readonly string[]): NonNullable<AgentAdapter["questions"]> => ({
    async findModel(attempt) {
      const own = attempt.agent === id ? attempt.model : null;
      const model = own ?? (await options.describeModels()).find(({ id }) => id !== demoModel)?.id;
      return model === undefined || model === demoModel ? undefined : (options.findSummaryModel?.(model) ?? model);
    },
    createLaunch({ directory, environment, ...question }) {
      const order: QuestionOrder = { ...question, modelAccess: findAccess(question.model) };
      return { program: options.program, args, cwd: directory, environment, stdin: toLines(order) };
    },
  });

  const toProgram = (
    args: readonly string[],
    { attempt, environment, program }: Pick<LaunchContext, "attempt" | "environment" | "program">,
    command = program?.command,
  ) => ({
    program: command?.[0] ?? options.program,
    args: command?.slice(1) ?? args,
    cwd: attempt.directory,
    environment: program?.environment ?? environment,
  });

  return {
    id,
    name: "Skein",
    capabilities: nativeCapabilities,
    recordWriter: "native",
    planSupport: "enforced",
    async describe() {
      const models = [...(await options.describeModels())];
      const missing = options.describeMissing?.() ?? [];
      const [first] = models;
      const about = {
        id,
        name: "Skein",
        models,
        permissionControl: "asks" as const,
        planSupport: "enforced" as const,
        systemPromptSupport: "next-message" as const,
        capabilities: { compressesHistory: nativeCapabilities.compressesHistory },
        ...(missing.length === 0 ? {} : { missing }),
      };
      return first === undefined
        ? { ...about, available: false, hint: formatText(noModel), hintText: noModel }
        : { ...about, available: true, defaultModel: first.id };
    },
    ...(options.findModelProblem === undefined ? {} : { findModelProblem: options.findModelProblem }),
    async createLaunch(context) {
      const { historyFile } = context;
      if (historyFile === undefined) throw new Error("The native agent reads its history from a file, and there is none.");
      const order: NativeOrder = { ...(await toOrder(context)), historyFile };
      const { attempt, sandbox } = context;
      return {
        ...toProgram(options.args, context),
        stdin: `${JSON.stringify(order)}\n`,
        // its own process has the key of its provider: no command runs in there
        ...(sandbox === undefined ? {} : { sandbox: { scope: "commands", attemptId: attempt.id, hosts: sandbox.hosts, home: [] } }),
      };
    },
    getProgram: async ({ environment }) => ({
      command: [options.program, ...options.args],
      environment,
      ...(previewArgs === undefined ? {} : { previewCommand: [options.program, ...previewArgs] as const }),
      outputs: spillRoot,
    }),
    ...(questionArgs === undefined ? {} : { questions: toQuestions(questionArgs) }),
    ...(previewArgs === undefined ? {} : { createPreview: (context) => createPreview(previewArgs, context) }),
    // all of its reports are records: everything else in its log is raw output
    createDecoder: ({ executionId }) => ({
      decode: (line) =>
        line.text.trim() === ""
          ? []
          : [toRawOutput(line, createLineIds(executionId, line).next(), "This line is not a record of the native agent.")],
      snapshot: () => null,
    }),
    async checkGrant(call) {
      // loaded with the first question: an idle server does not load it
      const { checkOfferedGrant } = await import("./permission.ts");
      return checkOfferedGrant(call);
    },
    encodeApproval: ({ toolUseId, decision, reason, answers, plan }) =>
      encodeNativeControl({
        type: "approval",
        toolUseId,
        decision,
        reason,
        ...(answers === undefined ? {} : { answers }),
        ...(plan === undefined ? {} : { plan }),
      }),
    callControl: {
      ask: () => encodeNativeControl({ type: "ask-before-calls" }),
      grant: (callId) => encodeNativeControl({ type: "call-grant", callId }),
    },
    encodeSteering: ({ id, text, images }) => encodeNativeControl({ type: "message", id, text, images: [...images] }),
  };
}

async function* toLines(first: unknown, slices: AsyncIterable<readonly unknown[]> | readonly never[] = []): AsyncGenerator<string> {
  const write = (value: unknown) => `${JSON.stringify(value)}\n`;
  yield write(first);
  for await (const slice of slices) yield slice.map(write).join("");
}

function withoutKeys({ environment, endpoints, ...rest }: ModelAccess): ModelAccess {
  return {
    ...rest,
    environment: Object.fromEntries(Object.entries(environment).filter(([name]) => !name.endsWith("_KEY"))),
    endpoints: Object.fromEntries(
      Object.entries(endpoints).map(([name, { apiKey: _apiKey, headers: _headers, ...endpoint }]) => [name, endpoint]),
    ),
  };
}
