import type { LoadingCommand } from "@skein/agents/loaded-files";

/** Keys whose values name no program. */
const leftOut = new Set(["permissions", "$schema", "description", "model"]);

/** The command lines that a settings file of an agent may run: what they name or load is trusted with it. */
export function listSettingCommands(path: string, text: string): LoadingCommand[] {
  if (/\.jsonc?$/.test(path)) {
    const value = parseJson(text);
    // comments and trailing commas: then every word counts
    return [{ words: value === undefined ? [text] : listStrings(value) }];
  }
  // instructions for a model mention many files; only what stands in their head or behind ! runs
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
