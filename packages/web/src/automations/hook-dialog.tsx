import type { IncomingHook, IssuedHook, ProjectId } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { hookApi, hooksQuery, templatesQuery } from "../api/automation-api.ts";
import { projectsQuery } from "../api/queries.ts";
import { toRole, useMe } from "../team/me.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DialogActions } from "../ui/dialog-actions.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { TextField } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { type ActionDraft, findActionProblem, toAction, toActionDraft } from "./action-draft.ts";
import { ActionFields, useChosenTemplate } from "./action-fields.tsx";
import { useAutomationsText } from "./use-automations-text.ts";

interface HookDialogProps {
  hook?: IncomingHook | undefined;
  projectId: ProjectId;
  /** A new one was created: the only time that its secret is known. */
  onIssued(issued: IssuedHook): void;
  onClose(): void;
}

/** Creates or changes an incoming webhook. */
export function HookDialog({ hook, projectId, onIssued, onClose }: HookDialogProps) {
  const { hooks: words, schedules: scheduleWords, form: formWords, templates: templateWords } = useAutomationsText();
  const client = useQueryClient();
  const me = useMe();
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: templates = [] } = useQuery(templatesQuery);
  const [name, setName] = useState(hook?.name ?? "");
  const [project, setProject] = useState<ProjectId>(hook?.projectId ?? projectId);
  const [draft, setDraft] = useState<ActionDraft>(() =>
    toActionDraft(hook?.action, { hasTemplates: templates.some((template) => template.projectId === projectId) }),
  );
  const template = useChosenTemplate(project, draft.templateId);
  const { busy, error, run } = useAction();
  // what a delivery brings is known only when it comes
  const problem = name.trim() === "" ? "name" : findActionProblem(draft, template, []);
  const save = () =>
    run(async () => {
      const content = { name: name.trim(), action: toAction(draft, template) };
      if (hook === undefined) onIssued(await hookApi.create({ ...content, projectId: project }));
      else showToast({ text: scheduleWords.saved((await hookApi.update(hook.id, content)).name), tone: "plain" });
      await client.invalidateQueries({ queryKey: hooksQuery.queryKey });
      onClose();
    });
  return (
    <Dialog onOpenChange={(open) => !open && onClose()} open title={hook ? words.edit : words.create} width="wide">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (problem === null && !busy) void save();
        }}
      >
        <TextField label={templateWords.name} onChange={setName} required value={name} />
        {hook === undefined && projects.length > 1 && (
          <Select
            label={formWords.project}
            onChange={(id) => setProject(projects.find((one) => one.id === id)?.id ?? project)}
            options={projects.filter(({ id }) => toRole(me, id) === "owner").map(({ id, name: label }) => ({ value: id, label }))}
            value={project}
          />
        )}
        <ActionFields
          asked={[]}
          draft={draft}
          onChange={(changes) => setDraft((known) => ({ ...known, ...changes }))}
          projectId={project}
        />
        <p className="text-ink-faint text-xs">{words.variables}</p>
        {error && <ErrorText>{error}</ErrorText>}
        {problem !== null && <p className="text-ink-faint text-sm">{scheduleWords.problems[problem]}</p>}
        <DialogActions busy={busy} disabled={busy || problem !== null} onCancel={onClose}>
          {templateWords.save}
        </DialogActions>
      </form>
    </Dialog>
  );
}
