import { relative } from "node:path";
import type { PermissionGrant, PermissionMode } from "@skein/contracts";
import { findProtection } from "../workspace/protected-paths.ts";
import { coversCommand, toCommandGrant } from "./command-grants.ts";
import { readOnlyPrograms } from "./read-only-programs.ts";
import { findRealPath, isInsideWorktree, type WorktreePlace } from "./worktree-paths.ts";

/** What a tool call does, as far as it can be granted. `tool` is the agent's own name for it. */
export type GrantableCall =
  /** `cwd`: where it runs; default: the attempt's folder. */
  | { type: "command"; tool: string; command: string; cwd?: string | undefined }
  | { type: "edit"; tool: string; paths: readonly string[] }
  | { type: "fetch"; tool: string; url: string }
  /** Anything else that is identified by its name alone: a tool of an MCP server. */
  | { type: "tool"; tool: string };

/**
 * What “always” would allow for a call; undefined if nothing may be granted, or if the grant would not cover this very call. Without the
 * attempt's folder, only relative paths count as inside.
 */
export function toGrant(call: GrantableCall, directory?: string): PermissionGrant | undefined {
  const { tool } = call;
  if (tool === "" || tool.length > 200) return undefined;
  switch (call.type) {
    case "command":
      return toCommandGrant(tool, call.command, directory === undefined ? undefined : { directory, cwd: call.cwd });
    case "edit":
      return directory === undefined || areOrdinary(call.paths, directory) ? { type: "edits", tool } : undefined;
    case "fetch": {
      const origin = toOrigin(call.url);
      return origin === undefined ? undefined : { type: "origin", tool, origin };
    }
    case "tool":
      return { type: "tool", tool };
  }
}

/** Whether a grant covers a call: the only place that decides this, for every agent. */
export function isAllowed(grants: readonly PermissionGrant[], call: GrantableCall, { directory }: { directory: string }): boolean {
  const own = grants.filter((grant) => grant.tool === call.tool);
  switch (call.type) {
    case "command":
      return coversCommand(own.filter(isCommandGrant), call.command, { directory, cwd: call.cwd });
    case "edit":
      return own.some(({ type }) => type === "edits") && areOrdinary(call.paths, directory);
    case "fetch": {
      const origin = toOrigin(call.url);
      return origin !== undefined && own.some((grant) => grant.type === "origin" && grant.origin === origin);
    }
    case "tool":
      return own.some((grant) => grant.type === "tool" && isInEffect(grant));
  }
}

/** The grants that apply in a mode: while an agent plans, only those that read. */
export function grantsIn(mode: PermissionMode, grants: readonly PermissionGrant[]): readonly PermissionGrant[] {
  return mode === "plan" ? grants.filter(({ type }) => type === "read-only-command" || type === "origin") : grants;
}

/** These are granted by command, origin or folder: grants for every call of them are no longer valid. */
const narrowedTools = new Set("bash Bash command_execution execute web_fetch WebFetch write edit Write Edit file_change".split(" "));

/** Whether a stored grant still allows anything: earlier versions stored any prefix of a command, and whole tools. */
export function isInEffect(grant: PermissionGrant): boolean {
  if (grant.type === "read-only-command") return Object.hasOwn(readOnlyPrograms, grant.program);
  return grant.type !== "tool" || !(narrowedTools.has(grant.tool) || grant.tool.includes("("));
}

function isCommandGrant(grant: PermissionGrant): grant is Extract<PermissionGrant, { type: "command" | "read-only-command" }> {
  return grant.type === "command" || grant.type === "read-only-command";
}

/** Undefined if it is not a web page, or has a password in its address. */
function toOrigin(url: string): string | undefined {
  const parsed = URL.parse(url);
  const isPage = parsed?.protocol === "https:" || parsed?.protocol === "http:";
  return parsed !== null && isPage && parsed.username === "" && parsed.password === "" ? parsed.origin : undefined;
}

/** At least one path, all of them in the worktree by real path, and none protected. */
function areOrdinary(paths: readonly string[], directory: string): boolean {
  const place: WorktreePlace = { directory };
  return paths.length > 0 && paths.every((path) => isInsideWorktree(path, place) && !isProtected(path, directory));
}

function isProtected(path: string, directory: string): boolean {
  const root = findRealPath(directory);
  const real = findRealPath(path, directory);
  return root === undefined || real === undefined || findProtection(relative(root, real)) !== null;
}
