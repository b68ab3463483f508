import type { AgentId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { agentsQuery } from "../api/queries.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { Field } from "../ui/field.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { describePromptSupport } from "./prompt-support.ts";

export interface SystemPromptFieldProps {
  label: string;
  /** What it is for. The field itself adds for which agents it counts. */
  hint: string;
  /** Only this agent gets it; left out: all of them. */
  agent?: AgentId | undefined;
  value: string;
  onChange(value: string): void;
}

/** The user's own words in front of a conversation. */
export function SystemPromptField({ label, hint, agent, value, onChange }: SystemPromptFieldProps) {
  const { data } = useQuery(agentsQuery);
  const { prompt, sentences } = useTaskText().shell.settings.conversations;
  const format = useFormats();
  return (
    <Field hint={sentences(hint, ...describePromptSupport(data?.agents ?? [], prompt.support, format, agent))} label={label}>
      {(field) => (
        <textarea
          {...field}
          className="field-sizing-content max-h-64 min-h-20 w-full rounded-md border border-line-strong bg-canvas px-2.5 py-1.5 text-sm placeholder:text-ink-faint"
          onChange={(event) => onChange(event.target.value)}
          placeholder={prompt.placeholder}
          value={value}
        />
      )}
    </Field>
  );
}

/** The same with a button that saves it. `onSave` rejects with what went wrong. */
export function SystemPromptForm({
  value,
  hint,
  agent,
  onSave,
}: Pick<SystemPromptFieldProps, "value" | "hint" | "agent"> & { onSave(text: string): Promise<void> }) {
  const text = useTaskText();
  const { prompt } = text.shell.settings.conversations;
  /** Null: as it is saved. */
  const [draft, setDraft] = useState<string | null>(null);
  const { busy, error, run } = useAction();
  const isChanged = draft !== null && draft !== value;
  const save = () =>
    run(async () => {
      await onSave(draft ?? value);
      setDraft(null);
      showToast({ text: text.shell.settings.conversations.saved, tone: "plain" });
    });
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !busy) void save();
      }}
    >
      <SystemPromptField agent={agent} hint={hint} label={prompt.title} onChange={setDraft} value={draft ?? value} />
      {error && <ErrorText>{error}</ErrorText>}
      <Button disabled={!isChanged || busy} type="submit">
        {prompt.save}
      </Button>
    </form>
  );
}
