import type { JsonValue, NoticeText } from "@skein/contracts";
import { asObject, booleanField, objectField, stringField } from "@skein/engine/json-fields";
import type { DriverContext } from "../driver/driver.ts";
import { toSeededMessage } from "../driver/seeded-message.ts";
import { readInstructionFile } from "../instructions/read-instruction-file.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import type { AppServerAnswer, AppServerConnection } from "./app-server-connection.ts";
import { toCodexPermissions } from "./codex-permissions.ts";
import { notLoggedIn } from "./explain-codex-failure.ts";

const maxInstructionsLength = 32 * 1024;

export type OpenedThread =
  /** `message`: the first input; with a transcript if the thread does not have the history. */
  | ({ type: "open"; message: string } & CodexThread)
  /** This version has no app server, or one with an older protocol. */
  | { type: "unsupported" }
  /** The reason is in the log. */
  | { type: "failed" };

export interface CodexThread {
  threadId: string;
  /** Settings of its turns; a change of mode has to repeat them. */
  model: string;
  reasoningEffort: JsonValue;
  /** It was left in plan mode: a thread stays in it until it is changed. */
  isPlanning: boolean;
}

/** Resumes the thread of the order, branches off another, or starts one. */
export async function openCodexThread(
  connection: AppServerConnection,
  { order, record }: Pick<DriverContext, "order" | "record">,
): Promise<OpenedThread> {
  const hello = await connection.request("initialize", {
    clientInfo: { name: "skein", title: "Skein", version: "0.1.0" },
    // the mode of a turn can be set only with experimental features
    capabilities: { experimentalApi: true, requestAttestation: false },
  });
  if (hello.type !== "result") return { type: "unsupported" };
  connection.notify("initialized");

  const account = await connection.request("account/read", {});
  if (account.type === "result" && needsLogin(account.result)) {
    record({ type: "end", status: "failed", reason: notLoggedIn, code: "not-logged-in" });
    return { type: "failed" };
  }

  const settings = await toThreadSettings(order);
  const rewound = order.isRetry === true && order.sessionId !== null ? await forkBeforeRetried(connection, order, settings) : undefined;
  if (rewound !== undefined) return { type: "open", ...rewound, message: order.message };
  if (order.sessionId !== null) {
    const resumed = await openKnown(connection, "thread/resume", { ...settings, threadId: order.sessionId });
    const thread = findThread(resumed);
    if (thread !== undefined) return { type: "open", ...thread, message: order.message };
    if (resumed.type === "gone") return { type: "failed" };
    record({ type: "notice", text: toLostSessionText(order.transcript !== null), code: "session-not-found" });
  }
  if (order.sessionId === null && order.forkFrom !== undefined) {
    const forked = await openKnown(connection, "thread/fork", { ...settings, threadId: order.forkFrom });
    const thread = findThread(forked);
    if (thread !== undefined) return { type: "open", ...thread, message: order.message };
    if (forked.type === "gone") return { type: "failed" };
  }
  const started = await connection.request("thread/start", settings);
  const thread = findThread(started);
  if (thread !== undefined) return { type: "open", ...thread, message: toSeededMessage(order) };
  const isOld = started.type === "error" && /unknown variant|method not found/i.test(started.message);
  return { type: isOld ? "unsupported" : "failed" };
}

/**
 * A branch of the thread that ends before the order's message, if the thread ends with it (E2). Undefined if it does not, or if this
 * version does not support it: then the thread is resumed, and may contain the message twice.
 */
async function forkBeforeRetried(
  connection: AppServerConnection,
  { sessionId, message }: DriverContext["order"],
  settings: JsonObject,
): Promise<CodexThread | undefined> {
  const listed = await connection.request("thread/turns/list", { threadId: sessionId, limit: 1 });
  const [last] = listed.type === "result" ? listObjects(listed.result.data) : [];
  const turnId = stringField(last, "id");
  if (last === undefined || turnId === undefined || !isUnanswered(last, message)) return undefined;
  return findThread(await openKnown(connection, "thread/fork", { ...settings, threadId: sessionId, beforeTurnId: turnId }));
}

function isUnanswered(turn: JsonObject, message: string): boolean {
  const items = listObjects(turn.items);
  const [first] = items;
  if (stringField(turn, "status") === "completed" || stringField(first, "type") !== "userMessage") return false;
  if (items.some((item) => stringField(item, "type") === "agentMessage")) return false;
  return listObjects(first?.content).some((part) => stringField(part, "text") === message);
}

function listObjects(value: JsonValue | undefined): JsonObject[] {
  if (!Array.isArray(value)) return [];
  return value.map((one) => asObject(one)).filter((one) => one !== undefined);
}

/** The thread's history is not needed here. Some versions can omit it only with experimental features. */
async function openKnown(connection: AppServerConnection, method: string, params: JsonObject): Promise<AppServerAnswer> {
  const answer = await connection.request(method, { ...params, excludeTurns: true });
  return answer.type === "error" && answer.message.includes("excludeTurns") ? connection.request(method, params) : answer;
}

export function toLostSessionText(isInformed: boolean): NoticeText {
  return { code: "session-replaced", agent: "Codex", isInformed };
}

async function toThreadSettings(order: DriverContext["order"]): Promise<JsonObject> {
  const { approvalPolicy, sandbox } = toCodexPermissions(order.permissionMode);
  const ofRepository = order.trustsRepository ? undefined : await readInstructions(order.directory);
  const instructions = [...order.systemPrompts, ...(ofRepository === undefined ? [] : [ofRepository])];
  return {
    cwd: order.directory,
    approvalPolicy,
    sandbox,
    ...(order.model === null ? {} : { model: order.model }),
    ...(instructions.length === 0 ? {} : { developerInstructions: instructions.join("\n\n") }),
  };
}

/** In an untrusted folder Codex ignores AGENTS.md, too, which runs nothing: every agent of Skein reads it. */
async function readInstructions(directory: string): Promise<string | undefined> {
  const text = await readInstructionFile(await openWorkspace(directory), "AGENTS.md", maxInstructionsLength);
  return text === undefined ? undefined : `Instructions for this repository, from its AGENTS.md:\n\n${text}`;
}

function needsLogin(result: JsonObject): boolean {
  return booleanField(result, "requiresOpenaiAuth") === true && objectField(result, "account") === undefined;
}

function findThread(answer: AppServerAnswer): CodexThread | undefined {
  if (answer.type !== "result") return undefined;
  const { result } = answer;
  const threadId = stringField(objectField(result, "thread"), "id");
  if (threadId === undefined) return undefined;
  return {
    threadId,
    model: stringField(result, "model") ?? "",
    reasoningEffort: result.reasoningEffort ?? null,
    isPlanning: stringField(objectField(result, "collaborationMode"), "mode") === "plan",
  };
}
