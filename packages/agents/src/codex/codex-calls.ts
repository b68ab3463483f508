import type { JsonValue } from "@skein/contracts";
import { arrayField, numberField, objectField, stringField } from "@skein/engine";
import { type JsonObject, parseLine } from "../lines/parse-line.ts";
import type { CodexItem } from "./codex-item.ts";

/** A call as the model made it. */
export interface ModelCall {
  name: string;
  input: JsonValue;
  at: number;
}

/** A call of the model in a `response_item`. */
export function readModelCall(item: JsonObject, at: number): { id: string; call: ModelCall } | undefined {
  const id = stringField(item, "call_id") ?? stringField(item, "id");
  if (id === undefined) return undefined;
  switch (item.type) {
    case "function_call":
      return { id, call: { name: stringField(item, "name") ?? "tool", input: parseArguments(stringField(item, "arguments")), at } };
    case "custom_tool_call":
      return { id, call: { name: stringField(item, "name") ?? "tool", input: { input: stringField(item, "input") ?? "" }, at } };
    case "local_shell_call":
      return { id, call: { name: "shell", input: objectField(item, "action") ?? {}, at } };
    default:
      return undefined;
  }
}

function parseArguments(text: string | undefined): JsonValue {
  const parsed = parseLine(text ?? "");
  return parsed.type === "object" ? parsed.value : (text ?? "");
}

const shells = new Set(["shell", "exec_command", "local_shell", "container.exec", "shell_command"]);

/** The item of a call that Codex has not recorded as one: versions before 0.160 record some only as the model's call and its result. */
export function toCalledItem({ name, input }: ModelCall, output: JsonValue | undefined): CodexItem {
  const text = toText(output);
  if (shells.has(name)) {
    const { printed, exitCode } = readShellOutput(text);
    const command = toCommand(input);
    const structured = { command, exitCode: exitCode ?? null };
    return {
      type: "tool",
      toolName: "command_execution",
      input: { command },
      result: { output: printed, isError: (exitCode ?? 0) !== 0, structured },
    };
  }
  const isError = /^(?:unsupported call|failed|error|apply_patch verification failed|patch rejected)/i.test(text);
  return { type: "tool", toolName: name, input, result: { output: text, isError } };
}

function toCommand(input: JsonValue): string {
  const named = stringField(input, "cmd", "command");
  if (named !== undefined) return named;
  const words = (arrayField(input, "command") ?? []).filter((word): word is string => typeof word === "string");
  // ["bash", "-lc", "…"]
  return words.length === 3 && /^-l?c$/.test(words[1] ?? "") ? (words[2] ?? "") : words.join(" ");
}

function toText(output: JsonValue | undefined): string {
  if (typeof output === "string") return output;
  const content = stringField(output, "content", "output");
  if (content !== undefined) return content;
  if (Array.isArray(output)) return output.flatMap((part) => stringField(part, "text") ?? []).join("\n");
  return output === undefined || output === null ? "" : JSON.stringify(output);
}

/** As JSON with the exit code, or as a report that ends with the output. */
function readShellOutput(text: string): { printed: string; exitCode?: number } {
  const parsed = parseLine(text);
  if (parsed.type === "object") {
    const exitCode = numberField(objectField(parsed.value, "metadata"), "exit_code");
    const printed = stringField(parsed.value, "output") ?? text;
    return exitCode === undefined ? { printed } : { printed, exitCode };
  }
  const code = /^(?:Exit code: |Process exited with code )(-?\d{1,10})$/m.exec(text.slice(0, 2000))?.[1];
  const start = /^Output:\n/m.exec(text.slice(0, 4000));
  const printed = code === undefined || start === null ? text : text.slice(start.index + start[0].length);
  return code === undefined ? { printed } : { printed, exitCode: Number(code) };
}
