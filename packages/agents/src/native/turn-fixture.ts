import { type AgentOutput, attemptIdSchema, createId, executionIdSchema, type MessageBody, type MessageId } from "@skein/contracts";
import type { Model, ModelEvent, ModelRequest } from "@skein/engine";
import type { NativeTool } from "../tools/tool.ts";
import type { NativeInput } from "./native-input.ts";
import { PendingApprovals } from "./pending-approvals.ts";
import { type NativeTurn, runNativeTurn, type TurnStatus } from "./run-native-turn.ts";
import { SteeringQueue } from "./steering-queue.ts";
import type { BuildRequest } from "./turn.ts";

/** One answer of the test's model: events, or an error after them. */
export type Answer = (ModelEvent | Error)[];

export const end = (stopReason: "end" | "tool-calls" | "length" | "refusal" = "end"): ModelEvent => ({
  type: "end",
  stopReason,
  usage: { inputTokens: 10, outputTokens: 2 },
});
export const text = (value: string, index = 0): ModelEvent => ({ type: "text-delta", index, text: value });
export const toolCall = (id: string, name: string, input: unknown, index = 0): ModelEvent => ({
  type: "tool-call",
  index,
  id,
  name,
  arguments: typeof input === "string" ? input : JSON.stringify(input),
});

export interface TurnFixture {
  outputs: AgentOutput[];
  requests: ModelRequest[];
  summaryRequests: ModelRequest[];
  approvals: PendingApprovals;
  steering: SteeringQueue;
  controller: AbortController;
  /** Resolves with the first matching output, including earlier ones. */
  next<Type extends AgentOutput["type"]>(type: Type): Promise<Extract<AgentOutput, { type: Type }>>;
  run(): Promise<TurnStatus>;
}

export interface TurnFixtureOptions {
  /** In request order, or by the content of a request. */
  answers: Answer[] | ((request: ModelRequest) => Answer);
  tools?: readonly NativeTool[];
  input?: Partial<NativeInput>;
  limits?: NativeTurn["limits"];
  contextWindow?: number;
  /** For a second model, `test/summaries`, which writes the summaries. */
  summaryAnswers?: Answer[];
  buildRequest: BuildRequest;
  release?: NativeTurn["release"];
  recorded?: NativeTurn["recorded"];
  expandMessage?: NativeTurn["expandMessage"];
  /** Called with every output, before anything else happens. */
  onOutput?(output: AgentOutput): void;
}

export function createTurnFixture(options: TurnFixtureOptions): TurnFixture {
  const outputs: AgentOutput[] = [];
  const requests: ModelRequest[] = [];
  const approvals = new PendingApprovals();
  const steering = new SteeringQueue();
  const controller = new AbortController();
  const watchers: ((output: AgentOutput) => void)[] = [];
  let clock = 1_700_000_000_000;
  let number = 0;
  const summaryRequests: ModelRequest[] = [];
  const createModel = (id: string, answers: TurnFixtureOptions["answers"], asked: ModelRequest[]): Model => ({
    id,
    contextWindow: options.contextWindow ?? 200_000,
    async *stream(request, { signal }) {
      const answer = (typeof answers === "function" ? answers(request) : answers[asked.length]) ?? [text("nothing more"), end()];
      asked.push(structuredClone(request));
      for (const event of answer) {
        await Promise.resolve();
        signal.throwIfAborted();
        if (event instanceof Error) throw event;
        yield event;
      }
    },
  });
  const model = createModel("test/model", options.answers, requests);
  const summaryModel = options.summaryAnswers && createModel("test/summaries", options.summaryAnswers, summaryRequests);
  const input: NativeInput = {
    executionId: executionIdSchema.parse("exe_1"),
    model: model.id,
    modelAccess: { environment: {}, endpoints: {} },
    directory: "/",
    permissionMode: "full",
    grants: [],
    message: "go",
    images: [],
    history: [],
    attemptId: attemptIdSchema.parse("att_1"),
    compression: { summary: null, pruning: null },
    spillDirectory: "/",
    ...options.input,
  };
  return {
    outputs,
    requests,
    summaryRequests,
    approvals,
    steering,
    controller,
    next(type) {
      type Wanted = Extract<AgentOutput, { type: typeof type }>;
      const fits = (output: AgentOutput): output is Wanted => output.type === type;
      const known = outputs.find(fits);
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve) => watchers.push((output) => fits(output) && resolve(output)));
    },
    run: () =>
      runNativeTurn({
        input,
        model,
        summaryModel,
        tools: options.tools ?? [],
        systemPrompts: ["be good"],
        buildRequest: options.buildRequest,
        approvals,
        steering,
        signal: controller.signal,
        now: () => clock++,
        createMessageId: () => createId("msg", number++) as MessageId,
        limits: { retryDelayMs: 0, ...options.limits },
        ...(options.expandMessage === undefined ? {} : { expandMessage: options.expandMessage }),
        ...(options.recorded === undefined ? {} : { recorded: options.recorded }),
        ...(options.release === undefined ? {} : { release: options.release }),
        emit(output) {
          outputs.push(structuredClone(output));
          options.onOutput?.(output);
          for (const watcher of watchers) watcher(output);
        },
      }),
  };
}

/** The bodies of a turn's requests, without the system message. */
export function bodiesOf(request: ModelRequest | undefined): MessageBody[] {
  return (request?.messages ?? []).filter((message) => message.role !== "system");
}
