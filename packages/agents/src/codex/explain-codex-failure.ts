export const notLoggedIn = "Codex is not logged in. Run: codex login";

/** What a failure of Codex means and how to fix it, where its own message does not state that. */
export function explainCodexFailure(reason: string): string | undefined {
  const [, variable] = /Missing environment variable: `?(\w+)/.exec(reason) ?? [];
  if (variable !== undefined) {
    return `Codex needs ${variable}, which Skein does not hand on. Add it in config.json: {"agents": {"codex": {"environment": {"${variable}": "…"}}}}`;
  }
  if (/\b401\b|unauthori[sz]ed|not logged in|token_(?:expired|invalidated)|refresh token/i.test(reason)) return notLoggedIn;
  if (/sandbox ?error/i.test(reason) || isSandboxFailure(reason)) return sandboxHint;
  return undefined;
}

export const sandboxHint =
  "Codex could not start its sandbox on this machine, so its commands do not run. Install bubblewrap and allow user namespaces, or choose the permission mode “full” where the machine itself is a sandbox.";

/** What the sandbox prints, before anything of the command, when the kernel does not let it shut anything in. */
export function isSandboxFailure(output: string): boolean {
  return /^(?:bwrap: (?!execvp)|codex-linux-sandbox|.*\bSandbox\(Landlock)/.test(output);
}
