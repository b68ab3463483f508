import type { Attempt, Isolation, PermissionMode, StartTask, Task } from "@skein/contracts";
import { toTaskPrompt } from "@skein/engine";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { agentsQuery } from "../api/queries.ts";
import { useText } from "../i18n/locale.tsx";
import { SystemPromptField } from "../prompts/system-prompt-form.tsx";
import { BranchPicker } from "../start/branch-picker.tsx";
import { chooseAgent } from "../start/choose-agent.ts";
import { recommendedMode } from "../start/recommended-mode.ts";
import { useStart } from "../start/use-start.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Spinner } from "../ui/icon.tsx";
import { Select } from "../ui/select.tsx";
import { listModes } from "./mode-hint.ts";
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
  const text = useText();
  const describe = useErrorText();
  const messageId = useId();
  const { data: list } = useQuery(agentsQuery);
  const [chosenAgent, setAgent] = useState<string | null>(like?.agent ?? null);
  const [chosenModel, setModel] = useState<string | null>(like?.model ?? null);
  const [isolation, setIsolation] = useState<Isolation>(like?.isolation ?? "worktree");
  const [chosenMode, setPermissionMode] = useState<PermissionMode | undefined>(like?.permissionMode);
  const [session, setSession] = useState<string | null>(null);
  const [baseBranch, setBaseBranch] = useState<string | null>(null);
  const [message, setMessage] = useState(() => toTaskPrompt(task));
  const start = useStart();
  const [systemPrompt, setSystemPrompt] = useState(like?.systemPrompt ?? "");
  const agent = list?.agents.find(({ id }) => id === chosenAgent) ?? (list && chooseAgent(list));
  const isOffered = listModes(agent, text).some(({ value, disabled }) => value === chosenMode && !disabled);
  const permissionMode = isOffered && chosenMode ? chosenMode : (list?.defaultPermissionMode ?? recommendedMode);
  const model = chosenModel ?? agent?.defaultModel ?? ownDefault;
  const create = useMutation({
    mutationFn: () => {
      const attempt: NonNullable<StartTask["attempt"]> = {
        ...(agent === undefined ? {} : { agent: agent.id }),
        isolation,
        permissionMode,
        ...(model === ownDefault ? {} : { model }),
        ...(systemPrompt.trim() === "" ? {} : { systemPrompt }),
        ...(isolation === "in-place" && session !== null ? { session } : {}),
        ...(isolation === "worktree" && baseBranch !== null ? { baseBranch } : {}),
      };
      return start({ task: { id: task.id }, attempt, message });
    },
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
            onChange={(event) => setMessage(event.target.value)}
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
            onChange={(id) => {
              setAgent(id);
              setModel(null);
              setSession(null);
            }}
            options={(list?.agents ?? []).map(({ id, name, available, hint, hintText }) => ({
              value: id,
              label: available ? name : `${name} (${text.attempt.unavailable})`,
              disabled: !available,
              ...(available || !hint ? {} : { hint: text.coded(hintText, hint) }),
            }))}
            value={agent?.id ?? ""}
          />
          <Select label={text.attempt.model} onChange={setModel} options={modelOptions} value={model} />
          <Select
            label={text.attempt.isolation}
            onChange={(value) => {
              setIsolation(value as Isolation);
              setSession(null);
            }}
            options={[
              { value: "worktree", label: text.attempt.worktree, hint: text.attempt.worktreeHint },
              { value: "in-place", label: text.attempt.inPlace, hint: text.attempt.inPlaceHint },
            ]}
            value={isolation}
          />
          <Select
            label={text.attempt.permissionMode}
            onChange={(value) => setPermissionMode(value as PermissionMode)}
            options={listModes(agent, text)}
            value={permissionMode}
          />
        </div>
        {isolation === "worktree" && (
          <div>
            <span className="mb-1 block font-medium text-sm">{text.attempt.baseBranch}</span>
            <BranchPicker
              className="h-9 max-w-full border border-line-strong bg-canvas text-sm"
              onChange={setBaseBranch}
              projectId={task.projectId}
              value={baseBranch}
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
              onChange={setSystemPrompt}
              value={systemPrompt}
            />
          </div>
        </details>
        {agent?.listsSessions && (
          <SessionField
            agent={agent}
            key={agent.id}
            onChange={(id) => {
              setSession(id);
              if (id !== null) setIsolation("in-place");
            }}
            projectId={task.projectId}
            value={session}
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
        <div className="flex justify-end gap-2">
          <Button onClick={() => onOpenChange(false)}>{text.app.cancel}</Button>
          <Button disabled={!agent || message.trim() === "" || create.isPending} look="primary" type="submit">
            {create.isPending && <Spinner size={14} />}
            {text.attempt.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
