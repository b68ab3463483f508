import type { LoadedFiles, LoadingCommand } from "@skein/agents/loaded-files";
import type { AttemptId, McpServerDefinition, McpToolHashes, NoticeText } from "@skein/contracts";
import type { ReadAgentSettings } from "../repository/read-agent-settings.ts";
import type { ReadScripts } from "../repository/read-project-scripts.ts";

/**
 * Files of a repository that name programs, as they are now in the folder of a project or an attempt. Nothing is run by reading
 * them. What of it may run is decided by the caller, which knows what the user trusts.
 */
export interface RepositoryFiles {
  /** `.skein/project.json`: scripts for setup and cleanup, and files to copy into worktrees. */
  readScripts(input: { directory: string }): Promise<ReadScripts>;
  /** Settings that agents find in the folder, and the files that they load. */
  readAgentSettings(input: { directory: string }): Promise<ReadAgentSettings>;
  /** The files of the folder that commands name or load, with their hashes. */
  findLoadedFiles(input: { directory: string; commands: readonly LoadingCommand[] }): Promise<LoadedFiles>;
  /** A regular file of up to 1 MiB; undefined where there is none. Links are not followed. `path` is relative to `directory`. */
  readSmallFile(input: { directory: string; path: string }): Promise<Buffer | { problem: string } | undefined>;
  /**
   * Copies the files that `patterns` (globs) name into another folder. Links, and what is there already, are skipped. Returns one
   * sentence for each pattern that could not be followed.
   */
  copyFiles(input: { from: string; to: string; patterns: readonly string[] }): Promise<{ problems: string[] }>;

  /** Whether the worktree of an attempt has been set up. */
  isSetUp(input: { id: AttemptId }): Promise<boolean>;
  /** For a worktree whose setup script is about to run: the runner writes `doneFile` when it has succeeded. */
  beginSetup(input: { id: AttemptId }): Promise<{ doneFile: string }>;
  /** Records that there is nothing to run for the setup of a worktree. */
  finishSetup(input: { id: AttemptId }): Promise<void>;
  /** For a worktree that was removed, or made anew: what its setup did is gone. */
  forgetSetup(input: { id: AttemptId }): Promise<void>;

  /** Starts an MCP server that the user wants to trust, once, to read its tools. `notices`: what was reported instead. */
  readMcpTools(input: {
    directory: string;
    server: McpServerDefinition;
    environment: Readonly<Record<string, string>>;
  }): Promise<{ tools: McpToolHashes } | { notices: NoticeText[] }>;

  /** Runs a script that the user trusts, and ends all that it started. Never rejects. */
  runScript(input: ScriptRunOrder): Promise<ScriptOutcome>;
}

/** A script of a repository. Its text never comes from a request. */
export interface ScriptRunOrder {
  script: string;
  directory: string;
  environment: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Names the script's processes, so that all of them can be found. */
  marker: string;
}

/** How a script ended. */
export interface ScriptOutcome {
  /** Null when it was ended by a signal or could not be started. */
  exitCode: number | null;
  timedOut: boolean;
  /** The end of what it printed, at most 8,000 characters; why it could not be started where that is so. */
  output: string;
}
