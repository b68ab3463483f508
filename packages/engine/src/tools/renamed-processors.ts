import type { JsonValue } from "@skein/contracts";
import { editProcessor } from "./edit-processor.ts";
import { grepProcessor } from "./grep-processor.ts";
import { asObject, stringField } from "./json-fields.ts";
import { listProcessor } from "./list-processor.ts";
import { readProcessor } from "./read-processor.ts";
import { subagentProcessor } from "./subagent-processor.ts";
import type { ToolObservation, ToolPresentation, ToolProcessor } from "./tool-processor.ts";
import { webFetchProcessor, webSearchProcessor } from "./web-processors.ts";
import { writeProcessor } from "./write-processor.ts";

/** Tools of Gemini CLI and opencode with the same function as another agent's: the same cards under other names. */
export const renamedProcessors: readonly ToolProcessor[] = [
  rename(["read_file", "read_many_files"], readProcessor),
  rename(["write_file"], writeProcessor),
  rename(["replace"], editProcessor),
  rename(["list_directory"], listProcessor, { path: ["dir_path", "path"] }),
  { toolNames: ["search_file_content", "grep_search"], present: presentUntoldSearch },
  rename(["google_web_search", "websearch"], webSearchProcessor),
  rename(["webfetch"], webFetchProcessor),
  rename(["web_fetch"], webFetchProcessor, { url: ["url", "prompt"] }),
  rename(["task"], subagentProcessor),
];

/** Gemini CLI reports the number of matches, but not which: its text must not be parsed as a list of files. */
function presentUntoldSearch(observation: ToolObservation): ToolPresentation {
  return grepProcessor.present({ ...observation, structured: observation.structured ?? {} });
}

function rename(toolNames: readonly string[], processor: ToolProcessor, fields: Record<string, readonly string[]> = {}): ToolProcessor {
  return {
    toolNames,
    present: (observation) => processor.present({ ...observation, input: renameFields(observation, fields) }),
  };
}

function renameFields({ input }: ToolObservation, fields: Record<string, readonly string[]>): JsonValue {
  const object = asObject(input);
  if (object === undefined) return input;
  const renamed = Object.entries(fields).flatMap(([name, names]) => {
    const value = stringField(input, ...names);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...object, ...Object.fromEntries(renamed) };
}
