import type { AttemptId, GitState, HooksRun, Isolation, TaskId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { gitStateQuery } from "../api/git-api.ts";
import { HooksCard } from "../git-hooks/hooks-card.tsx";
import { OperationFailure } from "../git-hooks/operation-failure.tsx";
import { useGitHooksText } from "../git-hooks/use-git-hooks-text.ts";
import { type HookedAttempt, useHooksPlan } from "../git-hooks/use-hooks-plan.ts";
import { useCodedText } from "../i18n/coded-text.ts";
import { useText } from "../i18n/locale.tsx";
import { PullRequestBar } from "../pull-request/pull-request-bar.tsx";
import { usePullRequestText } from "../pull-request/use-pull-request-text.ts";
import { useStore } from "../state/external-store.ts";
import { useReadOnlyPlace } from "../team/read-only-place.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import type { Failure } from "../ui/failure-text.tsx";
import { Icon, type IconName, Spinner } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy-component.ts";
import { Menu } from "../ui/menu.tsx";
import type { MenuEntry } from "../ui/menu-entry.ts";
import { CheckLine } from "./check-line.tsx";
import { CommitDialog } from "./commit-dialog.tsx";
import { gitBarClass } from "./git-bar-class.ts";
import { gitRequest } from "./git-request.ts";
import { LandDialog } from "./land-dialog.tsx";
import { SafetyDialog } from "./safety-dialog.tsx";
import { findObstacle, type GitAction, type GitActionView, type GitBarView, type GitFact, toGitBar } from "./to-git-bar.ts";
import { type GitOperations, type UpdateMethod, useGitOperations } from "./use-git-operations.ts";
import { useGitText } from "./use-git-text.ts";

const ConflictDialog = lazyComponent(() => import("./conflict-dialog.tsx"), "ConflictDialog").Component;

const PullRequestDialog = lazyComponent(() => import("../pull-request/pull-request-dialog.tsx"), "PullRequestDialog").Component;

const icons: Record<GitAction, IconName> = {
  commit: "check",
  update: "arrowDown",
  merge: "arrowDown",
  resolve: "warning",
  land: "branch",
  push: "arrowUp",
  "pull-request": "branch",
  "undo-land": "refresh",
  "safety-copies": "archive",
};

export interface GitBarProps {
  attemptId: AttemptId;
  taskId: TaskId;
  isolation: Isolation;
}

/** The state of an attempt's branch in one line, the next step as a button, and the other steps in a menu. */
export function GitBar(props: GitBarProps) {
  const text = useGitText();
  const describe = useErrorText();
  const { data: state, error, refetch } = useQuery(gitStateQuery(props.attemptId));
  if (state) return <LoadedBar {...props} key={props.attemptId} reload={async () => (await refetch()).data} state={state} />;
  return (
    <section aria-label={text.label} className={gitBarClass}>
      {error ? <ErrorText>{describe(error)}</ErrorText> : <span className="sr-only">{text.loading}</span>}
    </section>
  );
}

type OpenDialog = "commit" | "land" | "pull-request" | "resolve" | "safety-copies" | null;

function LoadedBar({
  attemptId,
  taskId,
  isolation,
  state,
  reload,
}: GitBarProps & { state: GitState; reload(): Promise<GitState | undefined> }) {
  const text = useGitText();
  const dictionary = useText();
  const coded = useCodedText();
  const pullRequestText = usePullRequestText();
  const operations = useGitOperations(attemptId);
  const isReadOnly = useReadOnlyPlace();
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const view = toGitBar(state, isolation);
  const pushHint = usePushHint({ attemptId, taskId }, isolation === "worktree" && state.obstacles.push === undefined);
  const base = state.base.branch ?? "";
  const toFailure = ({ text: reason, command }: NonNullable<GitActionView["obstacle"]>): Failure => ({
    text: reason.code === "base-moved" ? text.baseMoved(reason.branch) : coded(reason, reason.code),
    command,
  });
  const start = (action: GitAction) => {
    operations.setFailure(null);
    operations.setHooks(null);
    const update = (method: UpdateMethod) => void operations.update({ method, base, onConflict: () => setDialog("resolve") });
    if (action === "update") update("rebase");
    else if (action === "merge") update("merge");
    else if (action === "push") void operations.push();
    else if (action === "undo-land") void operations.undoLanding(state.landing?.branch ?? "");
    else setDialog(action);
  };
  useRequested(async (action) => {
    if (isReadOnly) return operations.setFailure({ text: dictionary.team.readOnly, command: undefined });
    const isRefused = findObstacle(state, isolation, action) !== undefined;
    // the agent may have ended a moment ago: what is known can be older than what the page shows
    const obstacle = isRefused ? findObstacle((await reload()) ?? state, isolation, action) : undefined;
    if (obstacle) operations.setFailure(toFailure(obstacle));
    else start(action);
  });
  const toWords = (action: GitAction): { label: string; hint?: string } => {
    if (action === "pull-request") return { label: pullRequestText.actions[hasOpenPullRequest(state) ? "edit" : "open"] };
    if (action === "push") return { label: text.actions.push, ...(pushHint === undefined ? {} : { hint: pushHint }) };
    if (action !== "update" && action !== "merge") return { label: text.actions[action] };
    return {
      label: text.update[action](base),
      hint: text.update.hints[action]({ base, ahead: state.ahead ?? 0, behind: state.behind ?? 0 }),
    };
  };
  const toEntry = (action: GitAction, refusal: Failure | undefined): MenuEntry => ({
    ...{ kind: "item", icon: icons[action], ...toWords(action), obstacle: refusal?.text },
    // a command is shown where it can be copied
    canExplain: refusal?.command !== undefined,
    onSelect: () => (refusal ? operations.setFailure(refusal) : start(action)),
  });
  const onPushed = (run: HooksRun) => operations.setHooks({ operation: "push", run });
  const dialogProps = { attemptId, onClose: () => setDialog(null), operations, state };
  return (
    <>
      <section aria-label={text.label} className={gitBarClass}>
        <div className="flex min-w-0 flex-1 @lg:flex-row flex-col @lg:items-center gap-x-2">
          {view.branches && <Branches {...view.branches} />}
          <Facts facts={view.facts} />
        </div>
        {!isReadOnly && (
          <PrimaryButton
            operations={operations}
            primary={view.primary}
            start={start}
            title={view.primary ? toWords(view.primary).hint : undefined}
          />
        )}
        {view.others.length > 0 && !isReadOnly && (
          <Menu
            align="end"
            entries={view.others.map(({ action, obstacle }) => toEntry(action, obstacle && toFailure(obstacle)))}
            trigger={
              <IconButton label={text.more}>
                <Icon name="more" />
              </IconButton>
            }
          />
        )}
      </section>
      <CheckLine attemptId={attemptId} taskId={taskId} />
      {state.pullRequest && (
        <PullRequestBar
          attemptId={attemptId}
          onChanged={operations.refresh}
          onPushed={onPushed}
          pullRequest={state.pullRequest}
          state={state}
          taskId={taskId}
        />
      )}
      {operations.failure !== null && (
        <div className="flex items-start gap-2 border-line border-b px-3 py-2">
          <div className="min-w-0 flex-1">
            <OperationFailure
              attemptId={attemptId}
              failure={operations.failure}
              onAsked={() => operations.setFailure(null)}
              operation="push"
              taskId={taskId}
            />
          </div>
          <IconButton label={dictionary.app.close} onClick={() => operations.setFailure(null)}>
            <Icon name="cross" size={14} />
          </IconButton>
        </div>
      )}
      {operations.hooks !== null && (
        <HooksCard attemptId={attemptId} onClose={() => operations.setHooks(null)} report={operations.hooks} taskId={taskId} />
      )}
      {dialog === "commit" && <CommitDialog {...dialogProps} taskId={taskId} />}
      {dialog === "land" && <LandDialog {...dialogProps} taskId={taskId} />}
      {dialog === "resolve" && (
        <Suspense>
          <ConflictDialog {...dialogProps} />
        </Suspense>
      )}
      {dialog === "pull-request" && (
        <Suspense>
          <PullRequestDialog {...dialogProps} onChanged={operations.refresh} onPushed={onPushed} taskId={taskId} />
        </Suspense>
      )}
      {dialog === "safety-copies" && <SafetyDialog {...dialogProps} />}
    </>
  );
}

const hasOpenPullRequest = ({ pullRequest }: GitState): boolean => pullRequest?.state === "open" || pullRequest?.state === "draft";

/** What a push will do about hooks; undefined if there are none. */
function usePushHint(attempt: HookedAttempt, enabled: boolean): string | undefined {
  const words = useGitHooksText();
  const plan = useHooksPlan(attempt, "push", { enabled });
  if (plan.kind === "none") return undefined;
  return plan.kind === "run" ? words.willRun(plan.names) : words.willNotRun[plan.kind];
}

/** Passes on what the command palette asked for, once. */
function useRequested(onRequest: (action: NonNullable<ReturnType<typeof gitRequest.get>>) => Promise<void>): void {
  const requested = useStore(gitRequest);
  useEffect(() => {
    if (requested === null) return;
    gitRequest.set(null);
    void onRequest(requested);
  }, [requested, onRequest]);
}

function Branches({ own, base }: { own: string | null; base: string | null }) {
  const text = useGitText();
  return (
    <p className="flex min-w-0 items-center gap-1.5" title={base === null ? (own ?? "") : `${own ?? text.noBranch} → ${base}`}>
      <Icon className="text-ink-faint" name="branch" size={14} />
      <span className="min-w-0 truncate font-medium">{own ?? text.noBranch}</span>
      {base !== null && (
        <>
          <span aria-hidden="true" className="text-ink-faint">
            →
          </span>
          <span className="sr-only">{text.basedOn}</span>
          <span className="min-w-8 max-w-[40%] shrink-0 truncate text-ink-soft">{base}</span>
        </>
      )}
    </p>
  );
}

const tones: Partial<Record<GitFact["kind"], string>> = {
  conflict: "font-medium text-bad",
  landed: "font-medium text-good",
  "base-gone": "text-warn",
};

function Facts({ facts }: { facts: readonly GitFact[] }) {
  const text = useGitText().facts;
  const { team } = useText();
  const describe = (fact: GitFact): string => {
    switch (fact.kind) {
      case "conflict":
        return text.conflict(fact.open, fact.total);
      case "landed":
        return fact.by === undefined ? text.landed(fact.branch) : `${text.landed(fact.branch)} ${team.by(fact.by)}`;
      case "base-gone":
        return text.baseGone;
      case "clean":
        return text.clean;
      default:
        return text[fact.kind](fact.count);
    }
  };
  return (
    <p className="min-w-0 @lg:max-w-[60%] @lg:shrink-0 truncate text-ink-faint text-xs tabular-nums" data-git-facts="">
      {facts.map((fact, index) => (
        <span key={fact.kind}>
          {index > 0 && " · "}
          <span className={tones[fact.kind] ?? ""}>{describe(fact)}</span>
        </span>
      ))}
    </p>
  );
}

function PrimaryButton({
  primary,
  operations,
  start,
  title,
}: Pick<GitBarView, "primary"> & { operations: GitOperations; start(action: GitAction): void; title: string | undefined }) {
  const text = useGitText();
  if (primary === null || primary === "merge" || primary === "pull-request" || primary === "undo-land" || primary === "safety-copies")
    return null;
  return (
    <Button className="shrink-0" disabled={operations.running !== null} look="primary" onClick={() => start(primary)} title={title}>
      {operations.running === primary && <Spinner size={14} />}
      {text.buttons[primary]}
    </Button>
  );
}
