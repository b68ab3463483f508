import type { LoadingCommand } from "@skein/agents/loaded-files";

/** Keys whose values never name a program. */
const leftOut = new Set(["permissions", "$schema", "description", "model"]);

/** Command lines that an agent's settings file may run. The files that they name or load are trusted with it. */
export function listSettingCommands(path: string, text: string): LoadingCommand[] {
  if (/\.jsonc?$/.test(path)) {
    const value = parseJson(text);
    // not strict JSON (comments, trailing commas): treat every word as a command
    return [{ words: value === undefined ? [text] : listStrings(value) }];
  }
  // prompts mention many files; only their front matter and lines after ! run
  if (path.endsWith(".md")) {
    const head = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? "";
    const commands = [...text.matchAll(/!`([^`]+)`/g)].map(([, command = ""]) => command);
    return commands.length === 0 && !/\bhooks\s*:/.test(head) ? [] : [{ words: [head, ...commands] }];
  }
  if (path.endsWith(".toml")) return [{ words: [text] }];
  return [{ words: [path] }];
}

function listStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(listStrings);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => (leftOut.has(key) ? [] : listStrings(child)));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
