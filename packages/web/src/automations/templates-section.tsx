import type { Template } from "@skein/contracts";
import { listVariables, toOneLine } from "@skein/engine";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { templateApi, templatesQuery } from "../api/automation-api.ts";
import { projectsQuery } from "../api/queries.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useCurrentProject } from "../projects/use-current-project.ts";
import { newTaskRequest, templateRequest } from "../start/new-task-request.ts";
import { toRole, useMe } from "../team/me.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { TemplateDialog } from "./template-dialog.tsx";
import { useAutomationsText } from "./use-automations-text.ts";

/** The templates of all projects. */
export function TemplatesSection() {
  const words = useAutomationsText();
  const describe = useErrorText();
  const me = useMe();
  const current = useCurrentProject();
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: templates, error } = useQuery(templatesQuery);
  const [open, setOpen] = useState<Template | "new" | null>(null);
  const writable = projects.filter(({ id }) => toRole(me, id) !== "viewer");
  const place = writable.find(({ id }) => id === current?.id) ?? writable[0];
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-prose flex-1 basis-64 text-ink-soft text-sm">{words.templates.about}</p>
        {place && (
          <Button look="primary" onClick={() => setOpen("new")}>
            <Icon name="plus" size={14} />
            {words.templates.create}
          </Button>
        )}
      </div>
      {error && <ErrorText>{describe(error)}</ErrorText>}
      {!templates && !error && <Spinner size={16} />}
      {templates?.length === 0 && <p className="text-ink-faint text-sm">{words.templates.none}</p>}
      {templates !== undefined && templates.length > 0 && (
        <ul className="space-y-2">
          {templates.map((template) => (
            <TemplateRow
              isReadOnly={toRole(me, template.projectId) === "viewer"}
              key={template.id}
              onEdit={() => setOpen(template)}
              project={projects.find(({ id }) => id === template.projectId)?.name ?? ""}
              template={template}
            />
          ))}
        </ul>
      )}
      {open !== null && place && (
        <TemplateDialog onClose={() => setOpen(null)} projectId={place.id} template={open === "new" ? undefined : open} />
      )}
    </div>
  );
}

function TemplateRow(props: { template: Template; project: string; isReadOnly: boolean; onEdit(): void }) {
  const { template, project, isReadOnly, onEdit } = props;
  const words = useAutomationsText().templates;
  const format = useFormats();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { busy, error, run } = useAction();
  const variables = listVariables(template.prompt, template.title);
  const reload = () => client.invalidateQueries({ queryKey: templatesQuery.queryKey });
  const remove = () =>
    run(async () => {
      await templateApi.remove(template.id);
      await reload();
      const { by: _, createdAt: __, updatedAt: ___, ...content } = template;
      const undo = () =>
        void run(async () => {
          await templateApi.create(content);
          await reload();
        });
      showToast({ text: words.deleted(template.name), tone: "plain", action: { label: words.undo, run: undo } });
    });
  const startFrom = async () => {
    await navigate({ to: "/p/$projectId", params: { projectId: template.projectId } });
    templateRequest.set(template);
    newTaskRequest.set(true);
  };
  return (
    <li className="space-y-1.5 rounded-md border border-line p-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 font-semibold text-sm [overflow-wrap:anywhere]">{template.name}</h2>
        <span className="text-ink-faint text-xs">{project}</span>
        {!isReadOnly && (
          <span className="ms-auto flex items-center gap-1">
            <Button aria-label={words.startLabel(template.name)} onClick={() => void startFrom()}>
              {words.use}
            </Button>
            <IconButton label={words.editLabel(template.name)} onClick={onEdit}>
              <Icon name="edit" size={15} />
            </IconButton>
            <IconButton disabled={busy} label={words.deleteLabel(template.name)} onClick={() => void remove()}>
              <Icon name="trash" size={15} />
            </IconButton>
          </span>
        )}
      </div>
      <p className="line-clamp-2 text-ink-soft text-sm [overflow-wrap:anywhere]">{toOneLine(template.prompt)}</p>
      {variables.length > 0 && <p className="text-ink-faint text-xs [overflow-wrap:anywhere]">{words.variables(format.list(variables))}</p>}
      {error && <ErrorText>{error}</ErrorText>}
    </li>
  );
}
