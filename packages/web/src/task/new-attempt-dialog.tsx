import type { Attempt, Isolation, PermissionMode, Sandbox, Task } from "@skein/contracts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { listModes } from "../agents/mode-hint.ts";
import { agentsQuery } from "../api/queries.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { SystemPromptField } from "../prompts/system-prompt-form.tsx";
import { BranchPicker } from "../start/branch-picker.tsx";
import { useStart } from "../start/use-start.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DialogActions } from "../ui/dialog-actions.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Select } from "../ui/select.tsx";
import { createNewAttemptForm, type NewAttemptForm, resolveNewAttempt, toNewAttempt } from "./new-attempt.ts";
import { SessionField } from "./session-field.tsx";

export interface NewAttemptDialogProps {
  task: Task;
  open: boolean;
  onOpenChange(open: boolean): void;
  onCreated(attempt: Attempt): void;
  /** The attempt that is shown: a new one starts from its settings. */
  like: Attempt | undefined;
}

const ownDefault = "";

export function NewAttemptDialog({ task, open, onOpenChange, onCreated, like }: NewAttemptDialogProps) {
  const text = useTaskText();
  const describe = useErrorText();
  const messageId = useId();
  const { data: list } = useQuery(agentsQuery);
  const start = useStart();
  const [form, setForm] = useState(() => createNewAttemptForm(task, like));
  const set = (changes: Partial<NewAttemptForm>) => setForm((known) => ({ ...known, ...changes }));
  const resolved = resolveNewAttempt(form, list);
  const { agent, permissionMode } = resolved;
  const model = resolved.model ?? ownDefault;
  const { isolation, message } = form;
  const create = useMutation({
    mutationFn: () => start({ task: { id: task.id }, attempt: toNewAttempt(form, resolved), message }),
    onSuccess: ({ attempt }) => {
      onCreated(attempt);
      onOpenChange(false);
    },
  });
  const models = agent?.models ?? [];
  const modelOptions = [
    ...(agent?.defaultModel ? [] : [{ value: ownDefault, label: text.attempt.defaultModel }]),
    ...models.map(({ id, name, description }) => ({ value: id, label: name, ...(description ? { hint: description } : {}) })),
    ...(model !== ownDefault && !models.some(({ id }) => id === model) ? [{ value: model, label: model }] : []),
  ];
  return (
    <Dialog description={text.attempt.newText} onOpenChange={onOpenChange} open={open} title={text.attempt.newTitle} width="wide">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (agent && message.trim() !== "" && !create.isPending) create.mutate();
        }}
      >
        <div>
          <label className="mb-1 block font-medium text-sm" htmlFor={messageId}>
            {text.start.message}
          </label>
          <textarea
            autoFocus
            className="field-sizing-content block max-h-60 min-h-20 w-full resize-none rounded-md border border-line-strong bg-canvas px-2.5 py-2 text-sm placeholder:text-ink-faint"
            id={messageId}
            maxLength={1_000_000}
            onChange={(event) => set({ message: event.target.value })}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
            rows={3}
            value={message}
          />
        </div>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <Select
            label={text.attempt.agent}
            onChange={(id) => set({ agent: id, model: null, session: null })}
            options={(list?.agents ?? []).map(({ id, name, available, hint, hintText }) => ({
              value: id,
              label: available ? name : `${name} (${text.attempt.unavailable})`,
              disabled: !available,
              ...(available || !hint ? {} : { hint: text.coded(hintText, hint) }),
            }))}
            value={agent?.id ?? ""}
          />
          <Select
            label={text.attempt.model}
            onChange={(chosen) => set({ model: chosen === ownDefault ? null : chosen })}
            options={modelOptions}
            value={model}
          />
          <Select
            label={text.attempt.isolation}
            onChange={(value) => set({ isolation: value as Isolation, session: null })}
            options={[
              { value: "worktree", label: text.attempt.worktree, hint: text.attempt.worktreeHint },
              { value: "in-place", label: text.attempt.inPlace, hint: text.attempt.inPlaceHint },
            ]}
            value={isolation}
          />
          <Select
            label={text.attempt.permissionMode}
            onChange={(value) => set({ permissionMode: value as PermissionMode })}
            options={listModes(agent, text)}
            value={permissionMode}
          />
          <Select
            label={text.attempt.confined.label}
            onChange={(value) => set({ sandbox: value === ownDefault ? null : (value as Sandbox) })}
            options={[
              ...(like?.sandbox === undefined ? [{ value: ownDefault, label: text.attempt.confined.asSet }] : []),
              { value: "off", label: text.attempt.confined.off },
              { value: "workspace", label: text.attempt.confined.workspace, hint: text.attempt.confined.workspaceHint },
            ]}
            value={form.sandbox ?? ownDefault}
          />
        </div>
        {isolation === "worktree" && (
          <div>
            <span className="mb-1 block font-medium text-sm">{text.attempt.baseBranch}</span>
            <BranchPicker
              className="h-9 max-w-full border border-line-strong bg-canvas text-sm"
              onChange={(baseBranch) => set({ baseBranch })}
              projectId={task.projectId}
              value={form.baseBranch}
            />
          </div>
        )}
        <details className="text-sm" open={like !== undefined && like.systemPrompt !== ""}>
          <summary className="cursor-pointer text-ink-soft">{text.shell.settings.conversations.prompt.optional}</summary>
          <div className="mt-2">
            <SystemPromptField
              agent={agent?.id}
              hint={text.shell.settings.conversations.prompt.attempt}
              label={text.shell.settings.conversations.prompt.title}
              onChange={(systemPrompt) => set({ systemPrompt })}
              value={form.systemPrompt}
            />
          </div>
        </details>
        {agent?.listsSessions && (
          <SessionField
            agent={agent}
            key={agent.id}
            onChange={(id) => set({ session: id, ...(id === null ? {} : { isolation: "in-place" }) })}
            projectId={task.projectId}
            value={form.session}
          />
        )}
        {agent?.missing && agent.missing.length > 0 && (
          <details className="text-sm">
            <summary className="cursor-pointer text-ink-soft">{text.attempt.otherModels}</summary>
            <dl className="mt-2 space-y-1.5">
              {agent.missing.map(({ name, hint, hintText }) => (
                <div key={name}>
                  <dt className="font-medium">{name}</dt>
                  <dd className="text-ink-soft [overflow-wrap:anywhere]">{text.coded(hintText, hint)}</dd>
                </div>
              ))}
            </dl>
          </details>
        )}
        {create.isError && <ErrorText>{describe(create.error)}</ErrorText>}
        <DialogActions
          busy={create.isPending}
          disabled={!agent || message.trim() === "" || create.isPending}
          onCancel={() => onOpenChange(false)}
        >
          {text.attempt.create}
        </DialogActions>
      </form>
    </Dialog>
  );
}
