import type { AttemptId, ForgeKind, GitState, HooksRun, OpenPullRequest, PullRequestPlan, TaskId } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { pullRequestApi, pullRequestPlanQuery } from "../api/pull-request-api.ts";
import { HooksHint } from "../git-hooks/hooks-hint.tsx";
import { OperationFailure } from "../git-hooks/operation-failure.tsx";
import { safeLink } from "../text/safe-url.ts";
import { Button } from "../ui/button.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { DialogActions } from "../ui/dialog-actions.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Field, fieldClass } from "../ui/field.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { Select } from "../ui/select.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { usePullRequestText } from "./use-pull-request-text.ts";

export interface PullRequestDialogProps {
  attemptId: AttemptId;
  taskId: TaskId;
  state: GitState;
  onChanged(): void;
  /** The branch was pushed. */
  onPushed(hooks: HooksRun): void;
  onClose(): void;
}

/** Opens a pull request or edits it: what will happen, its texts, and, where something is missing, how to add it. */
export function PullRequestDialog(props: PullRequestDialogProps) {
  const words = usePullRequestText().dialog;
  const describe = useErrorText();
  const { data: plan, error } = useQuery(pullRequestPlanQuery(props.attemptId));
  const known = toOpen(props.state);
  return (
    <Dialog
      onOpenChange={(open) => !open && props.onClose()}
      open
      title={known === null ? words.openTitle : words.editTitle(known.number)}
      width="wide"
    >
      {plan ? <Content {...props} plan={plan} /> : error ? <ErrorText>{describe(error)}</ErrorText> : <Spinner />}
    </Dialog>
  );
}

function Content({ plan, ...props }: PullRequestDialogProps & { plan: PullRequestPlan }) {
  const words = usePullRequestText().dialog;
  const { target } = plan;
  if (target === null) return <ErrorText>{words.noRemote}</ErrorText>;
  if (target.forge === null) return <UnknownForge {...props} host={target.host} />;
  if (target.credential === null) return <MissingToken {...props} forge={target.forge} plan={plan} target={target} />;
  return <Form {...props} plan={plan} target={target} />;
}

const toOpen = ({ pullRequest }: GitState) => (pullRequest?.state === "open" || pullRequest?.state === "draft" ? pullRequest : null);

function Form({
  attemptId,
  taskId,
  state,
  plan,
  target,
  onChanged,
  onPushed,
  onClose,
}: PullRequestDialogProps & { plan: PullRequestPlan; target: NonNullable<PullRequestPlan["target"]> }) {
  const words = usePullRequestText().dialog;
  const known = toOpen(state);
  const { busy, failure, run } = useAction();
  const [title, setTitle] = useState(known?.title ?? plan.title);
  const [body, setBody] = useState(known?.body ?? plan.body);
  const [base, setBase] = useState(known?.base ?? plan.base ?? "");
  const [draft, setDraft] = useState(known?.state === "draft");
  const submit = () =>
    run(async () => {
      // somebody may have changed on the forge what was not changed here
      const changes = { title: title.trim(), body, base: base.trim(), draft };
      const before = known && { title: known.title, body: known.body, base: known.base, draft: known.state === "draft" };
      const request: OpenPullRequest = Object.fromEntries(
        Object.entries(changes).filter(([name, value]) => before?.[name as keyof typeof changes] !== value),
      );
      const opened = await pullRequestApi.open(attemptId, request);
      onPushed(opened.hooks);
      onChanged();
      onClose();
      if (opened.outcome === "pushed") return;
      const { number, url } = opened.pullRequest;
      const link = safeLink(url);
      const action = link && { label: words.show, run: () => void window.open(link, "_blank", "noopener,noreferrer") };
      showToast({
        text: opened.outcome === "created" ? words.created(number) : words.updated(number),
        tone: "plain",
        ...(action ? { action } : {}),
      });
    });
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && title.trim() !== "" && base.trim() !== "") void submit();
      }}
    >
      <p className="flex items-start gap-1.5 text-ink-soft text-sm">
        <Icon className="mt-[3px] shrink-0 text-ink-faint" name="info" size={14} />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {known === null ? words.what({ ...target, head: state.branch ?? "", base }) : words.whatUpdate(known.number)}
        </span>
      </p>
      {state.dirty.files > 0 && <p className="text-sm text-warn">{words.uncommitted(state.dirty.files)}</p>}
      <Field label={words.title}>
        {(field) => (
          <input {...field} className={fieldClass} maxLength={250} onChange={(event) => setTitle(event.target.value)} value={title} />
        )}
      </Field>
      <Field label={words.body}>
        {(field) => (
          <textarea
            {...field}
            className="field-sizing-content max-h-[35dvh] min-h-24 w-full rounded-md border border-line-strong bg-canvas px-2.5 py-1.5 text-sm"
            maxLength={60_000}
            onChange={(event) => setBody(event.target.value)}
            value={body}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
        <div className="min-w-40 flex-1">
          <Field label={words.base}>
            {(field) => (
              <input {...field} className={fieldClass} maxLength={500} onChange={(event) => setBase(event.target.value)} value={base} />
            )}
          </Field>
        </div>
        <label className="flex min-h-9 pointer-coarse:min-h-11 items-center gap-2 text-sm">
          <input checked={draft} className="size-4 accent-accent" onChange={(event) => setDraft(event.target.checked)} type="checkbox" />
          <span className="font-medium">{words.draft}</span>
          <span className="text-ink-soft">{words.draftHint}</span>
        </label>
      </div>
      <HooksHint attemptId={attemptId} operation="push" taskId={taskId} />
      {failure && <OperationFailure attemptId={attemptId} failure={failure} onAsked={onClose} operation="push" taskId={taskId} />}
      <DialogActions busy={busy} disabled={busy || title.trim() === "" || base.trim() === ""} onCancel={onClose}>
        {known === null ? words.submitOpen : words.submitEdit}
      </DialogActions>
    </form>
  );
}

function MissingToken({
  attemptId,
  forge,
  target,
}: PullRequestDialogProps & { plan: PullRequestPlan; forge: ForgeKind; target: NonNullable<PullRequestPlan["target"]> }) {
  const words = usePullRequestText().dialog;
  const command = target.signIn?.command;
  return (
    <div className="space-y-3">
      <p className="text-sm">{words.noToken(target.host)}</p>
      {command && <CommandLine command={command} />}
      {target.signIn && <p className="text-ink-soft text-sm">{words.variable(target.signIn.variable)}</p>}
      <TokenForm attemptId={attemptId} host={target.host} kind={forge} />
    </div>
  );
}

function UnknownForge({ attemptId, taskId, host, onChanged, onPushed, onClose }: PullRequestDialogProps & { host: string }) {
  const words = usePullRequestText().dialog;
  const [kind, setKind] = useState<ForgeKind>("github");
  const { busy, failure, run } = useAction();
  const push = () =>
    run(async () => {
      const opened = await pullRequestApi.open(attemptId, {});
      const link = opened.outcome === "pushed" ? safeLink(opened.newPullRequestUrl) : null;
      const action = link && { label: words.openPage, run: () => void window.open(link, "_blank", "noopener,noreferrer") };
      showToast({ text: words.pushedOnly, tone: "plain", ...(action ? { action } : {}) });
      onPushed(opened.hooks);
      onChanged();
      onClose();
    });
  return (
    <div className="space-y-3">
      <p className="text-sm">{words.unknown(host)}</p>
      <Button disabled={busy} onClick={() => void push()}>
        {busy && <Spinner size={14} />}
        {words.pushOnly}
      </Button>
      {failure && <OperationFailure attemptId={attemptId} failure={failure} onAsked={onClose} operation="push" taskId={taskId} />}
      <Select
        label={words.kind}
        onChange={(value) => setKind(value as ForgeKind)}
        options={Object.entries(words.kinds).map(([value, label]) => ({ value, label }))}
        value={kind}
      />
      <TokenForm attemptId={attemptId} host={host} kind={kind} />
    </div>
  );
}

function TokenForm({ attemptId, host, kind }: { attemptId: AttemptId; host: string; kind: ForgeKind }) {
  const words = usePullRequestText().dialog;
  const client = useQueryClient();
  const [token, setToken] = useState("");
  const { busy, error, run } = useAction();
  const save = () =>
    run(async () => {
      await pullRequestApi.setToken(host, { kind, token: token.trim() });
      await client.invalidateQueries({ queryKey: pullRequestPlanQuery(attemptId).queryKey });
    });
  return (
    <form
      className="space-y-1"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && token.trim() !== "") void save();
      }}
    >
      <Field label={words.token}>
        {(field) => (
          <div className="flex gap-2">
            <input
              {...field}
              autoComplete="off"
              className={`${fieldClass} flex-1 font-mono`}
              maxLength={2000}
              onChange={(event) => setToken(event.target.value)}
              spellCheck={false}
              type="password"
              value={token}
            />
            <Button className="h-9" disabled={busy || token.trim() === ""} look="primary" type="submit">
              {words.saveToken}
            </Button>
          </div>
        )}
      </Field>
      <p className="text-ink-faint text-xs">{words.tokenHint}</p>
      {error && <ErrorText>{error}</ErrorText>}
    </form>
  );
}
