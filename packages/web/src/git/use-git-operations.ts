import type { AttemptId, GitState, Landing, SafetyRef } from "@skein/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { gitApi, gitStateQuery } from "../api/git-api.ts";
import type { HooksReport } from "../git-hooks/hooks-card.tsx";
import { safeLink } from "../text/safe-url.ts";
import { useErrorText } from "../ui/error-text.tsx";
import type { Failure } from "../ui/failure-text.tsx";
import { toFailure } from "../ui/to-failure.ts";
import { showToast } from "../ui/toast.ts";
import { useGitText } from "./use-git-text.ts";

export type UpdateMethod = "rebase" | "merge";

export interface GitOperations {
  /** What runs now, of the operations without a dialog. */
  running: "update" | "push" | "undo-land" | null;
  /** Why the last one failed, or could not be started. */
  failure: Failure | null;
  setFailure(failure: Failure | null): void;
  /** What hooks did with the last commit or push. */
  hooks: HooksReport | null;
  setHooks(report: HooksReport | null): void;
  update(options: { method: UpdateMethod; base: string; onConflict(): void }): Promise<void>;
  push(): Promise<void>;
  undoLanding(branch: string): Promise<void>;
  /** Reports a landing, with its undo, once the bar shows it. */
  reportLanding(landing: Landing): Promise<void>;
  /** Rejects when the files cannot be restored. */
  restore(safetyRef: SafetyRef): Promise<void>;
  /** After an operation, with the state if it returned one: the bar does not wait for the event. Resolves when the bar is current. */
  refresh(state?: GitState): Promise<void>;
}

/** The operations of an attempt's branch, each with the toast that reports it. */
export function useGitOperations(attemptId: AttemptId): GitOperations {
  const text = useGitText();
  const describe = useErrorText();
  const client = useQueryClient();
  const [running, setRunning] = useState<GitOperations["running"]>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [hooks, setHooks] = useState<HooksReport | null>(null);
  const { queryKey } = gitStateQuery(attemptId);

  const refresh = async (state?: GitState) => {
    if (state) client.setQueryData(queryKey, state);
    await client.invalidateQueries({ queryKey });
  };
  const run = async (name: GitOperations["running"], operation: () => Promise<void>) => {
    setRunning(name);
    setFailure(null);
    try {
      await operation();
    } catch (error) {
      setFailure(toFailure(error, describe));
      void refresh();
    } finally {
      setRunning(null);
    }
  };
  const undo = async (branch: string) => {
    await refresh(await gitApi.undoLanding(attemptId));
    showToast({ text: text.land.undone(branch), tone: "plain" });
  };
  const restore = async ({ ref }: SafetyRef) => {
    const { paths, safetyRef } = await gitApi.restore(attemptId, { ref });
    await refresh();
    if (paths.length === 0) return showToast({ text: text.safety.same, tone: "plain" });
    showToast({ text: text.safety.done(paths.length), tone: "plain", undo: () => fromToast(restore(safetyRef)) });
  };
  /** The bar may be gone by then: a failure is a toast, too. */
  const fromToast = (operation: Promise<void>) => {
    operation.catch((failure: unknown) => showToast({ text: describe(failure), tone: "bad" }));
  };
  return {
    ...{ running, failure, setFailure, hooks, setHooks, refresh, restore },
    update: ({ method, base, onConflict }) =>
      run("update", async () => {
        const { outcome } = await gitApi.update(attemptId, { method });
        if (outcome === "conflict") {
          // what is opened then shows the conflict at once
          await client.refetchQueries({ queryKey, exact: true });
          return onConflict();
        }
        await refresh();
        showToast({ text: outcome === "updated" ? text.update.done[method](base) : text.update.upToDate(base), tone: "plain" });
      }),
    push: () =>
      run("push", async () => {
        const { branch, remote, newPullRequestUrl, hooks: run } = await gitApi.push(attemptId);
        setHooks({ operation: "push", run });
        await refresh();
        const url = safeLink(newPullRequestUrl ?? undefined);
        const action = url && { label: text.push.open, run: () => void window.open(url, "_blank", "noopener,noreferrer") };
        showToast({ text: text.push.done(branch, remote), tone: "plain", ...(action ? { action } : {}) });
      }),
    undoLanding: (branch) => run("undo-land", () => undo(branch)),
    reportLanding: async ({ branch }) => {
      await refresh();
      showToast({ text: text.land.done(branch), tone: "plain", undo: () => fromToast(undo(branch)) });
    },
  };
}
