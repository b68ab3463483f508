import type { Attempt, HooksRun } from "@skein/contracts";
import { type HookedOperation, isHookOf } from "@skein/engine";
import type { TrustedHooks } from "@skein/host";
import { toScriptEnvironment } from "../repository/prepare-worktree.ts";
import type { RepositoryTrust } from "../repository/repository-trust.ts";
import type { HostedContext } from "./execution-context.ts";
import { getProjectOf } from "./project-of.ts";

/** Runs the repository's hooks with an operation, if the user trusts them as they are; otherwise the result reports why not. */
export async function withHooks<T extends { hookOutput: string }>(
  {
    context,
    repositoryTrust,
    attempt,
    operation,
  }: {
    context: Pick<HostedContext, "storage" | "host">;
    repositoryTrust: RepositoryTrust;
    attempt: Attempt;
    operation: HookedOperation;
  },
  work: (hooks: TrustedHooks | undefined) => Promise<T>,
): Promise<Omit<T, "hookOutput"> & { hooks: HooksRun }> {
  const project = await getProjectOf(context.storage.read, attempt);
  const { read, trust } = await repositoryTrust.readHooks(project, attempt.directory);
  const hash = trust === "trusted" ? read.hash : null;
  const hooks = hash === null ? undefined : { hash, environment: toScriptEnvironment(context.host, project) };
  const { hookOutput: output, ...result } = await work(hooks);
  const has = read.hooks.some(({ name }) => isHookOf(operation, name));
  const outcome = hash !== null ? "ran" : trust === "changed" ? "changed" : "not-trusted";
  return { ...result, hooks: { outcome: has ? outcome : "none", output } };
}
