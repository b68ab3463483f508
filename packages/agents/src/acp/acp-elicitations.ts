import { objectField, stringField, toWritableJson } from "@skein/engine";
import type { AssistantBlocks } from "../lines/assistant-blocks.ts";
import type { LineContext } from "../lines/json-line-decoder.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { toRequestId } from "../lines/sent-requests.ts";
import { readElicitation, toElicitationInput } from "./elicitation.ts";
import { toElicitationId } from "./pending-elicitations.ts";

/** The agent asks the user: a question card, and an approval that carries the answer. */
export function showElicitation(request: JsonObject, blocks: AssistantBlocks, { ids, at, emit, toolUseId }: LineContext): void {
  const id = toRequestId(request);
  const elicitation = readElicitation(objectField(request, "params"));
  if (id === undefined || elicitation === undefined) return;
  const use = { toolUseId: toolUseId(toElicitationId(id)), toolName: "ask", input: toWritableJson(toElicitationInput(elicitation)), at };
  emit({ type: "tool-use", ...use, ...blocks.addUse(ids) });
  emit({ type: "approval-request", ...use, requestId: JSON.stringify({ id: JSON.parse(id) }) });
}

/** The driver's record of the answer. */
export function showElicitationAnswer(update: JsonObject, blocks: AssistantBlocks, { ids, at, emit, toolUseId }: LineContext): void {
  const id = stringField(update, "id");
  if (id === undefined) return;
  const isDeclined = stringField(update, "action") !== "accept";
  const answers = objectField(update, "answers") ?? {};
  const output = isDeclined ? "Not answered." : Object.values(answers).flat().join("\n");
  blocks.addResult();
  emit({
    type: "tool-result",
    resultId: ids.next(),
    toolUseId: toolUseId(id),
    toolName: "ask",
    output,
    isError: isDeclined,
    ...(isDeclined ? { state: "denied" as const } : { structured: { answers } }),
    at,
  });
}
