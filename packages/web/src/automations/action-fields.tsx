import type { ProjectId, Template } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { templatesQuery } from "../api/automation-api.ts";
import { tasksQuery } from "../api/queries.ts";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { Field, TextField } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import type { ActionDraft } from "./action-draft.ts";
import { StartFormFields } from "./start-form-fields.tsx";
import { useAutomationsText } from "./use-automations-text.ts";

const messageClass =
  "field-sizing-content min-h-20 max-h-60 w-full rounded-md border border-line-strong bg-canvas px-2.5 py-1.5 text-sm placeholder:text-ink-faint";
/** Tasks to choose from. */
const shownTasks = 50;

/** The chosen template, if it is one of the project. */
export function useChosenTemplate(projectId: ProjectId, templateId: string): Template | undefined {
  const { data = [] } = useQuery(templatesQuery);
  return data.find((template) => template.projectId === projectId && template.id === templateId);
}

interface ActionFieldsProps {
  projectId: ProjectId;
  draft: ActionDraft;
  /** Variables of the template for which a value is asked here. */
  asked: readonly string[];
  onChange(changes: Partial<ActionDraft>): void;
}

/** What an automation does: a template, a task of its own, or a message to an attempt. */
export function ActionFields({ projectId, draft, asked, onChange: change }: ActionFieldsProps) {
  const { schedules: words } = useAutomationsText();
  const { data: allTemplates = [] } = useQuery(templatesQuery);
  const templates = allTemplates.filter((template) => template.projectId === projectId);
  const template = templates.find(({ id }) => id === draft.templateId);
  const { data: tasks = [] } = useQuery({ ...tasksQuery(projectId), enabled: draft.type === "message" });
  const reachable = tasks
    .filter(({ activeAttemptId }) => activeAttemptId !== null)
    .sort((a, b) => b.updatedAt - a.updatedAt)
    .slice(0, shownTasks);
  return (
    <>
      <ChoiceGroup
        choices={(["template", "task", "message"] as const).map((value) => ({ value, label: words.types[value] }))}
        label={words.does}
        onChange={(type) => change({ type })}
        value={draft.type}
      />
      {draft.type === "template" && (
        <>
          {templates.length === 0 && <p className="text-ink-soft text-sm">{words.noTemplates}</p>}
          {templates.length > 0 && (
            <Select
              label={words.types.template}
              onChange={(templateId) => change({ templateId })}
              options={[
                ...(template ? [] : [{ value: "", label: words.choose, disabled: true }]),
                ...templates.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              value={template?.id ?? ""}
            />
          )}
          {asked.map((name) => (
            <TextField
              key={name}
              label={name}
              maxLength={10_000}
              onChange={(value) => change({ values: { ...draft.values, [name]: value } })}
              value={draft.values[name] ?? ""}
            />
          ))}
        </>
      )}
      {draft.type === "task" && (
        <StartFormFields form={draft.form} onChange={(changes) => change({ form: { ...draft.form, ...changes } })} />
      )}
      {draft.type === "message" && (
        <>
          <Select
            label={words.task}
            onChange={(attemptId) => change({ attemptId })}
            options={[
              ...(reachable.some(({ activeAttemptId }) => activeAttemptId === draft.attemptId)
                ? []
                : [{ value: draft.attemptId, label: draft.attemptId || words.choose, disabled: true }]),
              ...reachable.map(({ activeAttemptId, title }) => ({ value: activeAttemptId ?? "", label: title })),
            ]}
            value={draft.attemptId}
          />
          <Field label={words.message}>
            {(props) => (
              <textarea
                {...props}
                className={messageClass}
                maxLength={100_000}
                onChange={(event) => change({ message: event.target.value })}
                value={draft.message}
              />
            )}
          </Field>
        </>
      )}
    </>
  );
}
