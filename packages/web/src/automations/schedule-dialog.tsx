import type { ProjectId, Schedule } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { scheduleApi, schedulesQuery, templatesQuery } from "../api/automation-api.ts";
import { projectsQuery } from "../api/queries.ts";
import { toRole, useMe } from "../team/me.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DialogActions } from "../ui/dialog-actions.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { TextField } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { ActionFields, useChosenTemplate } from "./action-fields.tsx";
import { CronField } from "./cron-field.tsx";
import { findDraftProblem, listNeeded, type ScheduleDraft, toScheduleDraft, toScheduleRequest } from "./schedule-draft.ts";
import { useAutomationsText } from "./use-automations-text.ts";

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
  const template = useChosenTemplate(draft.projectId, draft.templateId);
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
        <ActionFields asked={listNeeded(template)} draft={draft} onChange={change} projectId={draft.projectId} />
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
