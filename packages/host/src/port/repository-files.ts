import type { LoadedFiles, LoadingCommand } from "@skein/agents/loaded-files";
import type { AttemptId, FileProblem, McpServerDefinition, McpToolHashes, NoticeText } from "@skein/contracts";
import type { CopyProblem } from "../repository/copy-files.ts";
import type { ReadAgentSettings } from "../repository/read-agent-settings.ts";
import type { ReadScripts } from "../repository/read-project-scripts.ts";

/**
 * Files of a repository that name programs, in the folder of a project or an attempt. Reading them runs nothing. The caller knows
 * what the user trusts and decides what may run.
 */
export interface RepositoryFiles {
  /** `.skein/project.json`: scripts for setup and cleanup, and files to copy into worktrees. */
  readScripts(input: { directory: string }): Promise<ReadScripts>;
  /** Agent settings in the folder, and the files that they load. */
  readAgentSettings(input: { directory: string }): Promise<ReadAgentSettings>;
  /** Files of the folder that the commands name or load, with their hashes. */
  findLoadedFiles(input: { directory: string; commands: readonly LoadingCommand[] }): Promise<LoadedFiles>;
  /** A regular file of up to 1 MiB; undefined if it does not exist. Does not follow links. `path` is relative to `directory`. */
  readSmallFile(input: { directory: string; path: string }): Promise<Uint8Array | { problem: FileProblem } | undefined>;
  /**
   * Copies the files that match `patterns` (globs) to another folder. Skips links and existing files. Returns what could not
   * be copied.
   */
  copyFiles(input: { from: string; to: string; patterns: readonly string[] }): Promise<{ problems: CopyProblem[] }>;

  /** Whether the worktree of an attempt has been set up. */
  isSetUp(input: { id: AttemptId }): Promise<boolean>;
  /** Prepares the setup of a worktree: the runner writes `doneFile` when the script has succeeded. */
  beginSetup(input: { id: AttemptId }): Promise<{ doneFile: string }>;
  /** Marks a worktree as set up when there is no script to run. */
  finishSetup(input: { id: AttemptId }): Promise<void>;
  /** Clears the mark when a worktree was removed or recreated. */
  forgetSetup(input: { id: AttemptId }): Promise<void>;

  /** Starts an MCP server that the user is about to trust, once, and lists its tools. `notices`: problems that it reported. */
  readMcpTools(input: {
    directory: string;
    server: McpServerDefinition;
    environment: Readonly<Record<string, string>>;
  }): Promise<{ tools: McpToolHashes } | { notices: NoticeText[] }>;

  /** Runs a script that the user trusts, then ends everything it started. Never rejects. */
  runScript(input: ScriptRunOrder): Promise<ScriptOutcome>;
  /** Ends the script with this marker, first by SIGTERM, and what an earlier server or connection left of it. Resolves when all of it is gone. */
  endScript(input: { directory: string; marker: string }): Promise<void>;
}

/** A script of a repository. Its text never comes from an HTTP request. */
export interface ScriptRunOrder {
  script: string;
  directory: string;
  environment: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Marks the script's processes, so that all of them can be found. */
  marker: string;
  /** Confines it like the commands of an agent. Without sandboxes on this machine it is not started. */
  sandbox?: { attemptId: AttemptId; hosts: readonly string[] } | undefined;
  /** Default: 8,000. */
  keptCharacters?: number | undefined;
}

/** How a script ended. */
export interface ScriptOutcome {
  /** Null if it was ended by a signal or could not be started. */
  exitCode: number | null;
  timedOut: boolean;
  /** The end of its output. */
  output: string;
  /** Why it could not be started. */
  startError?: string | undefined;
}
