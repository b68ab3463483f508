import type { AgentHint, NoticeText } from "@skein/contracts";

const agent = "Codex";
export const login = { command: "codex login" };
export const notLoggedIn: AgentHint = { code: "agent-not-logged-in", agent, login };

/** Explains a failure of Codex and how to fix it, if its own message does not. */
export function explainCodexFailure(reason: string): NoticeText | AgentHint | undefined {
  const [, variable] = /Missing environment variable: `?(\w+)/.exec(reason) ?? [];
  if (variable !== undefined) {
    return { code: "variable-not-passed", agent, id: "codex", variable };
  }
  if (/\b401\b|unauthori[sz]ed|not logged in|token_(?:expired|invalidated)|refresh token/i.test(reason)) return notLoggedIn;
  if (/sandbox ?error/i.test(reason) || isSandboxFailure(reason)) return sandboxHint;
  return undefined;
}

export const sandboxHint: NoticeText = { code: "sandbox-failed", agent };

/** What the sandbox prints, before any output of the command, if the kernel does not permit it. */
export function isSandboxFailure(output: string): boolean {
  return /^(?:bwrap: (?!execvp)|codex-linux-sandbox|.*\bSandbox\(Landlock)/.test(output);
}
