import type { PermissionMode } from "@skein/contracts";

export type CodexSandbox = "read-only" | "workspace-write" | "danger-full-access";

/** What a permission mode is in the words of the app server. */
export function toCodexPermissions(mode: PermissionMode): { approvalPolicy: "untrusted" | "on-request" | "never"; sandbox: CodexSandbox } {
  switch (mode) {
    case "ask":
      return { approvalPolicy: "untrusted", sandbox: "workspace-write" };
    case "accept-edits":
      return { approvalPolicy: "on-request", sandbox: "workspace-write" };
    case "full":
      return { approvalPolicy: "never", sandbox: "danger-full-access" };
  }
}

/** `codex exec` can ask nobody: what would have been asked about must not happen. */
export function toExecSandbox(mode: PermissionMode): CodexSandbox {
  return mode === "ask" ? "read-only" : toCodexPermissions(mode).sandbox;
}
