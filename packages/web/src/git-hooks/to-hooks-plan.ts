import type { GitHooks } from "@skein/contracts";
import { type HookedOperation, isHookOf } from "@skein/engine";

/** What a commit or a push will do about the repository's hooks. */
export type HooksPlan = { kind: "none" } | { kind: "run"; names: string[] } | { kind: "not-trusted" | "changed" };

export function toHooksPlan({ hooks, trust }: Pick<GitHooks, "hooks" | "trust">, operation: HookedOperation): HooksPlan {
  const names = hooks.map(({ name }) => name).filter((name) => isHookOf(operation, name));
  if (names.length === 0) return { kind: "none" };
  return trust === "trusted" ? { kind: "run", names } : { kind: trust === "changed" ? "changed" : "not-trusted" };
}
