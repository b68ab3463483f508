import type { AttemptId, GitState, HooksRun, PullRequest, TaskId } from "@skein/contracts";
import { useRef } from "react";
import { pullRequestApi } from "../api/pull-request-api.ts";
import { OperationFailure } from "../git-hooks/operation-failure.tsx";
import { useText } from "../i18n/locale.tsx";
import { safeLink } from "../text/safe-url.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { type PullRequestView, toPullRequestView } from "./to-pull-request-view.ts";
import { usePullRequestText } from "./use-pull-request-text.ts";

export interface PullRequestBarProps {
  attemptId: AttemptId;
  taskId: TaskId;
  pullRequest: PullRequest;
  state: GitState;
  onChanged(): void;
  /** The branch was pushed. */
  onPushed(hooks: HooksRun): void;
}

/** The pull request of an attempt in one line below the git bar, with what can be done about it now. */
export function PullRequestBar({ attemptId, taskId, pullRequest, state, onChanged, onPushed }: PullRequestBarProps) {
  const words = usePullRequestText();
  const { coded } = useText();
  const { busy, failure, run, clear } = useAction();
  const command = useRef(crypto.randomUUID());
  const view = toPullRequestView(pullRequest, state);
  const { problem } = pullRequest;
  const act = (action: () => Promise<void>) =>
    run(async () => {
      await action();
      onChanged();
    });
  const send = () =>
    act(async () => {
      const { queued } = await pullRequestApi.sendFeedback(attemptId, { id: command.current });
      command.current = crypto.randomUUID();
      showToast({ text: queued === undefined ? words.sent : words.queued, tone: "plain" });
    });
  const push = () =>
    act(async () => {
      const { hooks } = await pullRequestApi.open(attemptId, {});
      onPushed(hooks);
      showToast({ text: words.pushed(pullRequest.number), tone: "plain" });
    });
  return (
    <section aria-label={words.label} className="@container border-line border-b px-3 py-1.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Summary pullRequest={pullRequest} view={view} />
        <div className="ms-auto flex flex-wrap items-center gap-2">
          {view.unsent && (
            <Button disabled={busy} onClick={() => void send()}>
              {words.send(view.unsent.checks, view.unsent.reviews)}
            </Button>
          )}
          {view.canPush && (
            <Button disabled={busy} look="primary" onClick={() => void push()}>
              {words.push}
            </Button>
          )}
          <IconButton
            disabled={busy}
            label={words.checkNow}
            onClick={() => void act(async () => void (await pullRequestApi.check(attemptId)))}
          >
            {busy ? <Spinner size={14} /> : <Icon name="refresh" size={14} />}
          </IconButton>
        </div>
      </div>
      {problem && <p className="mt-1 text-warn text-xs">{coded(problem, problem.code)}</p>}
      {failure && <OperationFailure attemptId={attemptId} failure={failure} onAsked={clear} operation="push" taskId={taskId} />}
    </section>
  );
}

function Summary({ pullRequest, view }: { pullRequest: PullRequest; view: PullRequestView }) {
  const words = usePullRequestText();
  const { number, host, state, url, title, base } = pullRequest;
  const link = safeLink(url);
  const name = words.page(number, host);
  const { checks } = view;
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5" title={title}>
      <span className={`flex items-center gap-1 font-medium ${view.tone}`}>
        <Icon name={view.icon} size={14} />
        {words.states[state]}
      </span>
      {link ? (
        <a className="min-w-0 truncate underline-offset-2 hover:underline" href={link} rel="noopener noreferrer" target="_blank">
          {name}
        </a>
      ) : (
        <span>{name}</span>
      )}
      {checks && (
        <span className={`text-xs ${checkTones[checks.state]}`}>
          {checks.state === "failure"
            ? words.checks.failure(checks.failed, checks.total)
            : checks.state === "pending"
              ? words.checks.pending(checks.done, checks.total)
              : words.checks.success(checks.total)}
        </span>
      )}
      {view.review && (
        <span className={`text-xs ${view.review === "approved" ? "text-good" : "text-warn"}`}>{words.review[view.review]}</span>
      )}
      {view.isConflicting && <span className="text-bad text-xs">{words.conflict(base)}</span>}
    </p>
  );
}

const checkTones = { failure: "font-medium text-bad", pending: "text-ink-soft", success: "text-good" } as const;
