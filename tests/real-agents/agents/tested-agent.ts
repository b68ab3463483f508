import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ApiName, ToolCallReply } from "@skein/testkit/model-servers";
import { cliFolder } from "../acp-scenarios.ts";
import type { Limit, Story } from "../matrix/stories.ts";

/** A real agent: how it starts offline on a scripted model, what its tools are called, and what it does not offer. */
export interface TestedAgent {
  /** The id, as in config.json. */
  id: string;
  /** The name that users know. */
  name: string;
  /** The npm packages that it consists of, the one with its version first; none for Skein's own agent. */
  packages: readonly string[];
  api: ApiName;
  model?: string;
  /** Left out for Skein's own agent. */
  command?: [string, ...string[]];
  /** Writes what it needs into its home; returns its environment. */
  setUp(home: string, model: { url: string; apiKey: string }): Record<string, string>;
  run(command: string): ToolCallReply;
  write(path: string, content: string): ToolCallReply;
  read(path: string): ToolCallReply;
  edit(path: string, oldText: string, newText: string): ToolCallReply;
  limits: Partial<Record<Story, Limit>>;
}

/** A program that the agents' packages install. */
export const bin = (name: string): string => join(cliFolder, name);

export function writeJson(home: string, path: string, value: unknown): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), JSON.stringify(value));
}

/** The installed versions, by package. */
export function readVersions({ packages }: Pick<TestedAgent, "packages">): Record<string, string> {
  const read = (name: string) => JSON.parse(readFileSync(join(cliFolder, "..", name, "package.json"), "utf8")) as { version: string };
  return Object.fromEntries(packages.map((name) => [name, read(name).version]));
}

const toLines = (text: string, sign: string): string[] =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${sign}${line}`);

const patch = (...lines: string[]): ToolCallReply => ({
  name: "apply_patch",
  custom: true,
  arguments: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n"),
});

/** Claude Code's tools, also behind its ACP adapter. */
export const claudeTools = {
  run: (command: string) => ({ name: "Bash", arguments: { command, description: "Runs it" } }),
  write: (path: string, content: string) => ({ name: "Write", arguments: { file_path: path, content } }),
  read: (path: string) => ({ name: "Read", arguments: { file_path: path } }),
  edit: (path: string, oldText: string, newText: string) => ({
    name: "Edit",
    arguments: { file_path: path, old_string: oldText, new_string: newText },
  }),
};

/** Codex's tools, also behind its ACP adapter. */
export const codexTools = {
  run: (cmd: string) => ({ name: "exec_command", arguments: { cmd, yield_time_ms: 30_000 } }),
  write: (path: string, content: string) => patch(`*** Add File: ${path}`, ...toLines(content, "+")),
  read: (path: string) => ({ name: "exec_command", arguments: { cmd: `cat ${path}` } }),
  edit: (path: string, oldText: string, newText: string) =>
    patch(`*** Update File: ${path}`, "@@", ...toLines(oldText, "-"), ...toLines(newText, "+")),
};

/** Environment of Claude Code, also behind its ACP adapter. */
export const toClaudeEnvironment = ({ url, apiKey }: { url: string; apiKey: string }): Record<string, string> => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: apiKey,
  IS_SANDBOX: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_MAX_RETRIES: "1",
});
