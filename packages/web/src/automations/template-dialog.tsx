import type { ProjectId, StartForm, Template } from "@skein/contracts";
import { listVariables } from "@skein/engine";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { templateApi, templatesQuery } from "../api/automation-api.ts";
import { projectsQuery } from "../api/queries.ts";
import { useFormats } from "../i18n/locale.tsx";
import { toRole, useMe } from "../team/me.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DialogActions } from "../ui/dialog-actions.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { TextField } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { emptyStartForm } from "./empty-start-form.ts";
import { StartFormFields } from "./start-form-fields.tsx";
import { useAutomationsText } from "./use-automations-text.ts";

export interface TemplateDialogProps {
  /** The one that is changed; without it, a new one is created. */
  template?: Template | undefined;
  /** Of a new one. */
  projectId: ProjectId;
  /** What a new one begins with. */
  form?: Partial<StartForm> | undefined;
  name?: string | undefined;
  onClose(): void;
}

/** Creates or changes a template. */
export function TemplateDialog({ template, projectId, form: initial, name: suggested = "", onClose }: TemplateDialogProps) {
  const words = useAutomationsText();
  const format = useFormats();
  const client = useQueryClient();
  const me = useMe();
  const { data: projects = [] } = useQuery(projectsQuery);
  const { busy, error, run } = useAction();
  const [name, setName] = useState(template?.name ?? suggested.slice(0, 100));
  const [project, setProject] = useState<string>(template?.projectId ?? projectId);
  const [form, setForm] = useState<StartForm>(() => ({ ...emptyStartForm, ...initial, ...(template && pickForm(template)) }));
  const variables = listVariables(form.prompt, form.title);
  const chosen = projects.find(({ id }) => id === project)?.id ?? projectId;
  const save = () =>
    run(async () => {
      const content = { ...form, name: name.trim() };
      const saved =
        template === undefined
          ? await templateApi.create({ ...content, projectId: chosen })
          : await templateApi.update(template.id, content);
      client.setQueryData(templatesQuery.queryKey, (known) => known && [...known.filter(({ id }) => id !== saved.id), saved]);
      await client.invalidateQueries({ queryKey: templatesQuery.queryKey });
      showToast({ text: words.templates.saved(saved.name), tone: "plain" });
      onClose();
    });
  const obstacle = name.trim() === "" ? words.templates.needsName : form.prompt.trim() === "" ? words.templates.needsPrompt : null;
  return (
    <Dialog onOpenChange={(open) => !open && onClose()} open title={template ? words.templates.edit : words.templates.create} width="wide">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (obstacle === null && !busy) void save();
        }}
      >
        <TextField label={words.templates.name} onChange={setName} required value={name} />
        {template === undefined && projects.length > 1 && (
          <Select
            label={words.form.project}
            onChange={setProject}
            options={projects.filter(({ id }) => toRole(me, id) !== "viewer").map(({ id, name: label }) => ({ value: id, label }))}
            value={chosen}
          />
        )}
        <StartFormFields form={form} onChange={(changes) => setForm((known) => ({ ...known, ...changes }))} />
        {variables.length > 0 && <p className="text-ink-soft text-sm">{words.templates.variables(format.list(variables))}</p>}
        {error && <ErrorText>{error}</ErrorText>}
        {obstacle !== null && <p className="text-ink-faint text-sm">{obstacle}</p>}
        <DialogActions busy={busy} disabled={busy || obstacle !== null} onCancel={onClose}>
          {words.templates.save}
        </DialogActions>
      </form>
    </Dialog>
  );
}

const pickForm = ({ prompt, title, agent, model, permissionMode, sandbox, baseBranch }: Template): StartForm => ({
  ...{ prompt, title, agent, model, permissionMode, sandbox, baseBranch },
});
