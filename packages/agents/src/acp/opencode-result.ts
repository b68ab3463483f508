import type { JsonValue, ToolExecutionEndState } from "@skein/contracts";
import { arrayField, numberField, objectField, stringField } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";

/** Additional results of opencode's tools, with the field names that the tool processors know. */
export function toOpencodeStructured(tool: string, { output, metadata }: { output: string; metadata: JsonObject | undefined }): JsonValue {
  switch (tool) {
    // A failed command is "completed": only this number shows it. Null if the command was stopped.
    case "bash":
      return { exitCode: numberField(metadata, "exit") ?? null };
    case "read": {
      const display = objectField(metadata, "display");
      const fields = {
        filePath: stringField(display, "path"),
        content: stringField(display, "text"),
        startLine: numberField(display, "lineStart"),
        totalLines: numberField(display, "totalLines"),
      };
      return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string | number] => entry[1] !== undefined));
    }
    case "write":
      return { ...toPath(metadata, "filepath"), created: metadata?.exists === false };
    case "edit":
    case "patch":
    case "apply_patch": {
      const diff = stringField(metadata, "diff");
      return { ...toPath(objectField(metadata, "filediff"), "file"), ...(diff === undefined ? {} : { diff }) };
    }
    case "glob":
      return { files: output.split("\n").filter((line) => line.startsWith("/")) };
    case "grep":
      return toMatches(output);
    case "todowrite":
    case "todoread":
      return { items: arrayField(metadata, "todos") ?? [] };
    default:
      return metadata ?? {};
  }
}

/** `Found 2 matches`, then a line with each file and one for each match in it. */
function toMatches(output: string): JsonValue {
  const matches: JsonValue[] = [];
  let filePath = "";
  for (const line of output.split("\n")) {
    const [, number, text = ""] = /^ +Line (\d{1,9}): ?(.*)$/.exec(line) ?? [];
    if (number !== undefined) matches.push({ filePath, line: Number(number), text });
    else if (/^\S.*:$/.test(line)) filePath = line.slice(0, -1);
  }
  return { matches };
}

/** opencode describes failures as text; a call that the user denied is not a failure of the tool. */
export function toOpencodeEndState(error: string, metadata: JsonObject | undefined): ToolExecutionEndState {
  if (metadata?.interrupted === true || error === "Tool execution aborted") return "interrupted";
  return /^The user (?:rejected permission|has specified a rule which prevents)/.test(error) ? "denied" : "failed";
}

function toPath(value: JsonObject | undefined, name: string): JsonObject {
  const filePath = stringField(value, name);
  return filePath === undefined ? {} : { filePath };
}
