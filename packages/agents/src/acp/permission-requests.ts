import type { RequestPermissionResponse } from "@agentclientprotocol/sdk";
import type { PermissionMode, PlanApproval } from "@skein/contracts";
import { type ApprovalAnswer, keepNewest } from "@skein/engine";
import { asObject, objectField, stringField } from "@skein/engine/json-fields";
import type { DriverOrder } from "../driver/driver-order.ts";
import type { DriverRecord } from "../driver/driver-record.ts";
import { grantsIn, isAllowed as isGranted, toGrant } from "../grants/grants.ts";
import { toToolUseId } from "../lines/execution-ids.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { toRequestId } from "../lines/sent-requests.ts";
import { findGrantableCall, noteGrant } from "./acp-grants.ts";
import type { AcpOptions } from "./acp-options.ts";
import { type AgentFiles, listPaths } from "./agent-files.ts";
import { type PermissionOptions, toPermissionOptions } from "./permission-options.ts";
import { isPlanCall, readPlan, readPlanFile, toPlanQuestion, withPlan } from "./plan-question.ts";

type Outcome = RequestPermissionResponse["outcome"];

const cancelled: Outcome = { outcome: "cancelled" };

/** Permission requests of an agent that wait for an answer: from the user, or immediately if the permission mode decides. */
export interface PermissionRequests {
  /**
   * Call for each request, in log order. Returns what to log instead: only the call if the user need not be asked, because the request
   * itself would be shown as a question; otherwise the request with what “always” would allow. `later`: it is logged as soon as the plan
   * that it is about is known.
   */
  take(request: JsonObject): Promise<JsonObject | "later" | undefined>;
  /** Call for each update of a call. */
  see(update: JsonObject): void;
  /** Resolves with the answer to a request. */
  getAnswer(id: unknown, signal: AbortSignal): Promise<RequestPermissionResponse>;
  answer(answer: Pick<ApprovalAnswer, "requestId" | "decision" | "reason" | "grant" | "plan">): void;
  /** Asks for approval of a plan that the agent gave as its answer. Resolves when the user has answered. */
  propose(plan: string, sessionId: string): Promise<void>;
  /** How to carry out a plan whose approval the agent does not know yet; cleared by the call. */
  takeApprovedPlan(): PlanApproval | undefined;
  /** Whether an update ends a call by which the agent has left its plan mode. */
  endsPlanning(update: JsonObject): boolean;
  mode(): PermissionMode;
  setMode(mode: PermissionMode): void;
  /** Answers all open requests with `cancelled`, as the protocol requires on cancellation. */
  cancelAll(): void;
  /** The user's reasons for denials since the last call: the protocol's answer has no field for them. */
  takeReasons(): DenialReason[];
}

export interface DenialReason {
  title: string;
  reason: string;
  isPlan: boolean;
}

export function createPermissionRequests(input: {
  order: Pick<DriverOrder, "executionId" | "permissionMode" | "grants" | "directory">;
  options: Pick<AcpOptions, "titlesAreCommands">;
  record(record: DriverRecord): void;
  log(line: string): void;
  /** Cancels the prompt. Resolves when it has ended, or after a time limit. */
  endPrompt(): Promise<void>;
  files: Pick<AgentFiles, "isPlainEdit" | "listProtected" | "allowWrites" | "isOrdinary">;
}): PermissionRequests {
  const questions = new Map<string, Question>();
  const known = new Set<string>();
  const calls = new Map<string, SeenCall>();
  const grants = [...input.order.grants];
  let mode = input.order.permissionMode;
  let reasons: DenialReason[] = [];
  let approvedPlan: PlanApproval | undefined;
  let proposals = 0;
  const leaving = new Set<string>();
  const awaitedPlans = new Map<string, (plan: string | undefined) => void>();
  let isCancelled = false;

  const isAllowed = async (toolCall: JsonObject, question: Question): Promise<boolean> =>
    mode === "full" ? question.protectedFiles.length === 0 : mode === "accept-edits" && (await input.files.isPlainEdit(toolCall));
  const { titlesAreCommands = false } = input.options;
  const { isOrdinary } = input.files;

  const permissions: PermissionRequests = {
    async take(request) {
      const id = toRequestId(request);
      const params = objectField(request, "params");
      const toolCall = objectField(params, "toolCall");
      if (id === undefined || params === undefined || toolCall === undefined) return undefined;
      const options = toPermissionOptions(params);
      const toolCallId = stringField(toolCall, "toolCallId") ?? "";
      const isPlan = isPlanCall(toolCall) || calls.get(toolCallId)?.isPlan === true;
      const plan = isPlan ? (readPlan(toolCall) ?? calls.get(toolCallId)?.plan ?? (await readPlanFile(toolCall))) : undefined;
      const question = createQuestion({
        toolCallId,
        title: stringField(toolCall, "title") ?? "a tool",
        sessionId: stringField(params, "sessionId") ?? "",
        isPlan,
        protectedFiles: await input.files.listProtected(withSeen(toolCall, calls.get(toolCallId))),
      });
      questions.set(id, question);
      if (isCancelled) question.resolve(cancelled);
      if (isCancelled || options.allow === undefined) return noteGrant(request, undefined);
      // plans need the user's approval in every mode
      if (isPlan) return plan === undefined ? askWithPlan(request, question) : withPlan(request, plan);
      const { directory } = input.order;
      const call = await findGrantableCall(toolCall, { titlesAreCommands, directory, isOrdinary });
      const wasAllowed = call !== undefined && isGranted(grantsIn(mode, grants), call, { directory });
      if (!wasAllowed && !(await isAllowed(toolCall, question))) return noteGrant(request, call && toGrant(call, directory));
      question.resolve({ outcome: "selected", optionId: options.allow });
      return toCallUpdate(question, toolCall, known.has(toolCallId));
    },
    see(update) {
      const toolCallId = stringField(update, "toolCallId");
      if (toolCallId === undefined) return;
      const seen = calls.get(toolCallId);
      const { kind, locations } = withSeen(update, seen);
      const isPlan = seen?.isPlan === true || awaitedPlans.has(toolCallId) || isPlanCall(update);
      const plan = isPlan ? (readPlan(update) ?? seen?.plan) : undefined;
      calls.set(toolCallId, { kind, locations: locations.slice(0, maxLocations), isPlan, plan });
      keepNewest(calls, maxCalls);
      if (plan !== undefined) awaitedPlans.get(toolCallId)?.(plan);
      if (Object.keys(objectField(update, "rawInput") ?? {}).length > 0) known.add(toolCallId);
    },
    async getAnswer(id, signal) {
      const key = JSON.stringify(id);
      const question = questions.get(key);
      if (question === undefined) return { outcome: cancelled };
      signal.addEventListener("abort", () => {
        if (question.resolve(cancelled) && !isCancelled) {
          input.record({ type: "approval-withdrawn", toolUseId: toToolUseId(input.order.executionId, question.toolCallId) });
        }
      });
      const outcome = await question.outcome;
      questions.delete(key);
      return { outcome };
    },
    answer({ requestId, decision, reason, grant, plan }) {
      const asked = parseRequestId(requestId);
      const question = asked && questions.get(asked.id);
      if (asked === undefined || question === undefined) return; // already answered: a restarted server sends answers again
      if (question.isPlan && decision !== "deny") return approvePlan(question, asked.options, plan ?? { mode: "ask" });
      // the agent's own “always” may allow more than was shown: all of git, or every edit
      const optionId = asked.options[decision === "allow-always" ? "allow" : decision];
      const isFirst = question.resolve(optionId === undefined ? cancelled : { outcome: "selected", optionId });
      if (isFirst && decision !== "deny") input.files.allowWrites(question.protectedFiles);
      if (isFirst && decision === "allow-always" && grant !== undefined) grants.push(grant);
      if (!isFirst || decision !== "deny") return;
      const given = reason?.trim() ?? "";
      input.log(JSON.stringify(toDenial(question, given)));
      if (given !== "") reasons.push({ title: question.title, reason: given, isPlan: question.isPlan });
    },
    async propose(plan, sessionId) {
      const id = `skein-plan-${++proposals}`;
      const request = toPlanQuestion({ id, sessionId, plan });
      const logged = await permissions.take(request);
      if (logged !== "later") input.log(JSON.stringify(logged ?? request));
      await permissions.getAnswer(id, new AbortController().signal);
    },
    takeApprovedPlan() {
      const taken = approvedPlan;
      approvedPlan = undefined;
      return taken;
    },
    endsPlanning(update) {
      const status = stringField(update, "status");
      return (status === "completed" || status === "failed") && leaving.delete(stringField(update, "toolCallId") ?? "");
    },
    mode: () => mode,
    setMode(next) {
      mode = next;
    },
    cancelAll() {
      isCancelled = true;
      for (const question of questions.values()) question.resolve(cancelled);
    },
    takeReasons() {
      const taken = reasons;
      reasons = [];
      return taken;
    },
  };
  return permissions;

  /** The request may arrive before the update with its plan (claude-agent-acp on a busy machine): no plan is approved unseen. */
  function askWithPlan(request: JsonObject, question: Question): "later" {
    const ask = (plan: string | undefined): void => {
      clearTimeout(timer);
      awaitedPlans.delete(question.toolCallId);
      if (question.isOpen()) input.log(JSON.stringify(plan === undefined ? request : withPlan(request, plan)));
    };
    const timer = setTimeout(ask, planPatienceMs, undefined).unref();
    awaitedPlans.set(question.toolCallId, ask);
    return "later";
  }

  /**
   * The protocol's answer has no field for an edited plan: the prompt is cancelled, and the next one contains it. The request is answered
   * after that: claude-agent-acp continues to work if it reads the answer first, and then cancels the next prompt.
   */
  function approvePlan(question: Question, options: PermissionOptions, plan: PlanApproval): void {
    if (!question.isOpen()) return;
    const isOurs = question.toolCallId.startsWith("skein-plan-");
    ({ mode } = plan);
    if (!isOurs && plan.text === undefined && options.allow !== undefined) {
      leaving.add(question.toolCallId);
      question.resolve({ outcome: "selected", optionId: options.allow });
      return;
    }
    approvedPlan = plan;
    input.log(JSON.stringify(toApproval(question, plan)));
    question.resolve(isOurs ? cancelled : input.endPrompt().then(() => cancelled));
  }
}

interface QuestionSubject {
  /** Approval of a plan. */
  isPlan: boolean;
  toolCallId: string;
  title: string;
  sessionId: string;
  /** The protected files that it would change, by their real paths at the time of the request. */
  protectedFiles: readonly string[];
}

const maxCalls = 64;
const maxLocations = 100;
/** How long a request waits for the update with its plan. */
const planPatienceMs = 2000;

type CallPlace = { kind: string; locations: { path: string }[] };
type SeenCall = CallPlace & { isPlan: boolean; plan: string | undefined };

/** A request may contain nothing but the id of a call that was described before. */
function withSeen(toolCall: JsonObject, seen: CallPlace | undefined): CallPlace {
  const named = listPaths(toolCall).map((path) => ({ path }));
  return { kind: stringField(toolCall, "kind") ?? seen?.kind ?? "", locations: [...(seen?.locations ?? []), ...named] };
}

interface Question extends QuestionSubject {
  outcome: Promise<Outcome>;
  isOpen(): boolean;
  /** Returns false if it has already been answered. */
  resolve(outcome: Outcome | Promise<Outcome>): boolean;
}

function createQuestion(subject: QuestionSubject): Question {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  let isOpen = true;
  return {
    ...subject,
    outcome: promise,
    isOpen: () => isOpen,
    resolve(outcome) {
      const isFirst = isOpen;
      isOpen = false;
      resolve(outcome);
      return isFirst;
    },
  };
}

/** The call in a request: some agents send nothing else about it before it ends. */
function toCallUpdate(question: Question, { rawInput, ...toolCall }: JsonObject, isKnown: boolean): JsonObject {
  // a request may contain less than the tool's input, which was sent before
  const input = isKnown || rawInput === undefined ? {} : { rawInput };
  return toUpdate(question, { ...toolCall, ...input, status: "pending" });
}

/** A denied call has ended; several agents never report it. */
function toDenial(question: Question, reason: string): JsonObject {
  const text = `The user doesn't want to proceed with this tool use.${reason === "" ? "" : ` ${reason}`}`;
  return toUpdate(question, { status: "failed", content: [{ type: "content", content: { type: "text", text } }] });
}

/** A plan that the agent gets with the next prompt counts as approved. */
function toApproval(question: Question, { text }: PlanApproval): JsonObject {
  const words = text === undefined ? "The user approved the plan." : "The user edited the plan and approved it.";
  return toUpdate(question, {
    status: "completed",
    content: [{ type: "content", content: { type: "text", text: words } }],
    ...(text === undefined ? {} : { rawInput: { plan: text } }),
  });
}

function toUpdate({ sessionId, toolCallId }: Question, update: JsonObject): JsonObject {
  return {
    jsonrpc: "2.0",
    method: "session/update",
    params: { sessionId, update: { ...update, sessionUpdate: "tool_call_update", toolCallId } },
  };
}

/** The inverse of what the decoder wrote into the approval: the request id as JSON, and the agent's options. */
function parseRequestId(requestId: string | undefined): { id: string; options: PermissionOptions } | undefined {
  if (requestId === undefined) return undefined;
  try {
    const value = asObject(JSON.parse(requestId));
    return value === undefined ? undefined : { id: JSON.stringify(value.id), options: (value.options ?? {}) as PermissionOptions };
  } catch {
    return undefined;
  }
}
