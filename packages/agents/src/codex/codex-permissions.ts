import type { PermissionMode } from "@skein/contracts";
import type { JsonObject } from "../lines/parse-line.ts";

export type CodexSandbox = "read-only" | "workspace-write" | "danger-full-access";

/** A permission mode as settings of the app server. */
export function toCodexPermissions(mode: PermissionMode): { approvalPolicy: "untrusted" | "on-request" | "never"; sandbox: CodexSandbox } {
  switch (mode) {
    case "plan":
      return { approvalPolicy: "on-request", sandbox: "read-only" };
    case "ask":
      return { approvalPolicy: "untrusted", sandbox: "workspace-write" };
    case "accept-edits":
      return { approvalPolicy: "on-request", sandbox: "workspace-write" };
    case "full":
      return { approvalPolicy: "never", sandbox: "danger-full-access" };
  }
}

/** The same sandbox as setting of one turn. */
export function toSandboxPolicy(mode: PermissionMode): JsonObject {
  switch (toCodexPermissions(mode).sandbox) {
    case "read-only":
      return { type: "readOnly", networkAccess: false };
    case "workspace-write":
      return { type: "workspaceWrite", writableRoots: [], networkAccess: false, excludeTmpdirEnvVar: false, excludeSlashTmp: false };
    case "danger-full-access":
      return { type: "dangerFullAccess" };
  }
}

/** `codex exec` cannot ask: actions that need approval must not happen. */
export function toExecSandbox(mode: PermissionMode): CodexSandbox {
  return mode === "ask" ? "read-only" : toCodexPermissions(mode).sandbox;
}
