import { open } from "node:fs/promises";
import { arrayField, objectField, stringField } from "@skein/engine/json-fields";
import { takeStart } from "@skein/engine/truncate";
import type { JsonObject } from "../lines/parse-line.ts";

/** Names of the tools by which agents ask for approval of a plan. */
const planTools = ["ExitPlanMode", "exit_plan_mode"];
/** The tool name under which a plan is shown if its agent reports none. */
const shownName = "exit_plan";
const maxPlanLength = 64 * 1024;

/** The plan in a `tool_call`, an update or a question; undefined if there is none. */
export function readPlan(call: JsonObject): string | undefined {
  const plan = stringField(objectField(call, "rawInput"), "plan");
  if (plan !== undefined) return takeStart(plan, maxPlanLength);
  if (!isPlanCall(call)) return undefined;
  const texts = (arrayField(call, "content") ?? []).flatMap((block) => stringField(objectField(block, "content"), "text") ?? []);
  const text = texts.join("\n").trim();
  return text === "" ? undefined : takeStart(text, maxPlanLength);
}

/** Whether a call leaves the plan mode. The kind alone is not enough: entering it has the same kind. */
export function isPlanCall(call: JsonObject): boolean {
  const meta = objectField(call, "_meta");
  const name =
    stringField(call, "name") ??
    stringField(objectField(meta, "claudeCode"), "toolName") ??
    stringField(meta, "toolName") ??
    findNameInId(call);
  return name !== undefined && (planTools.includes(name) || name === shownName);
}

/** Gemini CLI names the tool only in the call id, and the plan only by its file. */
export async function readPlanFile(call: JsonObject): Promise<string | undefined> {
  const [, path] = /^Requesting plan approval for: (\/.+\.md)$/.exec(stringField(call, "title") ?? "") ?? [];
  if (path === undefined || findNameInId(call) === undefined) return undefined;
  try {
    await using file = await open(path, "r");
    if (!(await file.stat()).isFile()) return undefined;
    const { bytesRead, buffer } = await file.read(Buffer.alloc(maxPlanLength));
    return buffer.toString("utf8", 0, bytesRead);
  } catch {
    return undefined; // the question names the file
  }
}

function findNameInId(call: JsonObject): string | undefined {
  const id = stringField(call, "toolCallId") ?? "";
  return planTools.find((name) => id.startsWith(`${name}_`) || id.startsWith(`${name}-`));
}

/** The question for the log: with its plan, under a name that identifies it. */
export function withPlan(request: JsonObject, plan: string): JsonObject {
  const params = objectField(request, "params") ?? {};
  const call = objectField(params, "toolCall") ?? {};
  const name = stringField(call, "name");
  const toolCall = {
    ...call,
    name: name !== undefined && planTools.includes(name) ? name : shownName,
    kind: "switch_mode",
    rawInput: { plan },
  };
  return { ...request, params: { ...params, toolCall } };
}

/** A question from Skein, for an agent that only answers with its plan. */
export function toPlanQuestion({ id, sessionId, plan }: { id: string; sessionId: string; plan: string }): JsonObject {
  const toolCall = { toolCallId: id, name: shownName, kind: "switch_mode", title: "Plan", rawInput: { plan } };
  const options = [
    { optionId: "allow", kind: "allow_once", name: "Approve" },
    { optionId: "deny", kind: "reject_once", name: "Keep planning" },
  ];
  return { jsonrpc: "2.0", id, method: "session/request_permission", params: { sessionId, toolCall, options } };
}
