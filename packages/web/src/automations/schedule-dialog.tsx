import type { ProjectId, Schedule } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { scheduleApi, schedulesQuery, templatesQuery } from "../api/automation-api.ts";
import { projectsQuery, tasksQuery } from "../api/queries.ts";
import { toRole, useMe } from "../team/me.ts";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { DialogActions } from "../ui/dialog-actions.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { Field, TextField } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { CronField } from "./cron-field.tsx";
import { findDraftProblem, listNeeded, type ScheduleDraft, toScheduleDraft, toScheduleRequest } from "./schedule-draft.ts";
import { StartFormFields } from "./start-form-fields.tsx";
import { useAutomationsText } from "./use-automations-text.ts";

const messageClass =
  "field-sizing-content min-h-20 max-h-60 w-full rounded-md border border-line-strong bg-canvas px-2.5 py-1.5 text-sm placeholder:text-ink-faint";
/** Tasks to choose from. */
const shownTasks = 50;

/** Creates or changes a schedule. */
export function ScheduleDialog({
  schedule,
  projectId,
  onClose,
}: {
  schedule?: Schedule | undefined;
  projectId: ProjectId;
  onClose(): void;
}) {
  const { schedules: words, form: formWords, templates: templateWords } = useAutomationsText();
  const client = useQueryClient();
  const me = useMe();
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: allTemplates = [] } = useQuery(templatesQuery);
  const [draft, setDraft] = useState<ScheduleDraft>(() =>
    toScheduleDraft(schedule, {
      projectId,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      hasTemplates: allTemplates.some((template) => template.projectId === projectId),
    }),
  );
  const change = (changes: Partial<ScheduleDraft>) => setDraft((known) => ({ ...known, ...changes }));
  const templates = allTemplates.filter((template) => template.projectId === draft.projectId);
  const template = templates.find(({ id }) => id === draft.templateId);
  const { data: tasks = [] } = useQuery({ ...tasksQuery(draft.projectId), enabled: draft.type === "message" });
  const reachable = tasks
    .filter(({ activeAttemptId }) => activeAttemptId !== null)
    .sort((a, b) => b.updatedAt - a.updatedAt)
    .slice(0, shownTasks);
  const { busy, error, run } = useAction();
  const problem = findDraftProblem(draft, template);
  const save = () =>
    run(async () => {
      const content = toScheduleRequest(draft, template);
      const saved =
        schedule === undefined
          ? await scheduleApi.create({ ...content, projectId: draft.projectId })
          : await scheduleApi.update(schedule.id, content);
      await client.invalidateQueries({ queryKey: schedulesQuery.queryKey });
      showToast({ text: words.saved(saved.name), tone: "plain" });
      onClose();
    });
  return (
    <Dialog onOpenChange={(open) => !open && onClose()} open title={schedule ? words.edit : words.create} width="wide">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (problem === null && !busy) void save();
        }}
      >
        <TextField label={templateWords.name} onChange={(name) => change({ name })} required value={draft.name} />
        {schedule === undefined && projects.length > 1 && (
          <Select
            label={formWords.project}
            onChange={(id) => change({ projectId: id as ProjectId, templateId: "", attemptId: "" })}
            options={projects.filter(({ id }) => toRole(me, id) !== "viewer").map(({ id, name }) => ({ value: id, label: name }))}
            value={draft.projectId}
          />
        )}
        <CronField cron={draft.cron} onChange={change} timeZone={draft.timeZone} />
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
            {listNeeded(template).map((name) => (
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
        <p className="text-ink-faint text-xs">{words.variables}</p>
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label={words.missed}
            onChange={(missed) => change({ missed: missed === "once" ? "once" : "skip" })}
            options={(["skip", "once"] as const).map((value) => ({ value, label: words.missedChoices[value] }))}
            value={draft.missed}
          />
          <Select
            label={words.overlap}
            onChange={(overlap) => change({ overlap: overlap === "start" ? "start" : "skip" })}
            options={(["skip", "start"] as const).map((value) => ({ value, label: words.overlapChoices[value] }))}
            value={draft.overlap}
          />
        </div>
        {error && <ErrorText>{error}</ErrorText>}
        {problem !== null && <p className="text-ink-faint text-sm">{words.problems[problem]}</p>}
        <DialogActions busy={busy} disabled={busy || problem !== null} onCancel={onClose}>
          {templateWords.save}
        </DialogActions>
      </form>
    </Dialog>
  );
}
