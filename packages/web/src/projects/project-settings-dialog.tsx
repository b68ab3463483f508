import type { Project, TrustChange } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import { api } from "../api/api.ts";
import { projectsQuery } from "../api/queries.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { SystemPromptForm } from "../prompts/system-prompt-form.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { Field } from "../ui/field.tsx";
import { SwitchSetting } from "../ui/switch-setting.tsx";
import { useAction } from "../ui/use-action.ts";
import { GrantList } from "./grant-list.tsx";
import { McpServers } from "./mcp-servers.tsx";
import { RepositoryAgentSettings, RepositoryGitLfs, RepositoryHooks, RepositoryScripts } from "./repository-trust.tsx";
import { TrustChanges } from "./trust-changes.tsx";
import { useSaveProject } from "./use-save-project.ts";

export interface ProjectSettingsDialogProps {
  project: Project;
  open: boolean;
  onOpenChange(open: boolean): void;
}

export function ProjectSettingsDialog({ project, open, onOpenChange }: ProjectSettingsDialogProps) {
  const text = useSettingsText();
  const navigate = useNavigate();
  const [removing, setRemoving] = useState(false);
  const [reviewed, setReviewed] = useState<TrustChange | null>(null);
  return (
    <Dialog description={project.path} onOpenChange={onOpenChange} open={open} title={text.projects.settings} width="wide">
      <div className="space-y-6">
        <RenameForm project={project} />
        <ProjectSystemPrompt project={project} />
        <ProjectSwitch field="autoCommit" project={project} />
        <ProjectSwitch field="runChecks" project={project} />
        <ProjectSwitch field="workersFetch" project={project} />
        <Section text={text.grantList.text} title={text.grantList.title}>
          <GrantList projectId={project.id} />
        </Section>
        <TrustChanges onReview={setReviewed} projectId={project.id} reviewed={reviewed} />
        <Section text={text.mcp.text} title={text.mcp.title}>
          <McpServers attemptId={reviewed?.attemptId} projectId={project.id} />
        </Section>
        <Section text={text.shell.trust.scriptsText} title={text.shell.trust.scripts}>
          <RepositoryScripts attemptId={reviewed?.attemptId} projectId={project.id} />
        </Section>
        <Section text={text.shell.trust.settingsText} title={text.shell.trust.settings}>
          <RepositoryAgentSettings attemptId={reviewed?.attemptId} projectId={project.id} />
        </Section>
        <Section text={text.shell.trust.hooksText} title={text.shell.trust.hooks}>
          <RepositoryHooks attemptId={reviewed?.attemptId} projectId={project.id} />
        </Section>
        <RepositoryGitLfs projectId={project.id}>
          {(content) => (
            <Section text={text.shell.trust.lfsText} title={text.shell.trust.lfs}>
              {content}
            </Section>
          )}
        </RepositoryGitLfs>
        <Section text={text.projects.removeText} title={text.projects.remove}>
          <Button look="danger" onClick={() => setRemoving(true)}>
            {text.projects.remove}
          </Button>
        </Section>
      </div>
      {removing && (
        <ConfirmDialog
          action={text.projects.remove}
          description={text.projects.removeText}
          onConfirm={async () => {
            await api.deleteProject(project.id);
            onOpenChange(false);
            await navigate({ to: "/" });
          }}
          onOpenChange={setRemoving}
          open
          title={text.projects.removeTitle(project.name)}
        />
      )}
    </Dialog>
  );
}

/** The project as it is now: the dialog may have been opened with an older one. */
function useLatest(project: Project): Project {
  const { data: projects } = useQuery(projectsQuery);
  return projects?.find(({ id }) => id === project.id) ?? project;
}

function ProjectSystemPrompt({ project }: { project: Project }) {
  const { prompt } = useSettingsText().shell.settings.conversations;
  const save = useSaveProject(project.id);
  const onSave = async (systemPrompt: string) => void (await save({ systemPrompt }));
  return <SystemPromptForm hint={prompt.project} onSave={onSave} value={useLatest(project).systemPrompt} />;
}

function ProjectSwitch({ project, field }: { project: Project; field: "autoCommit" | "runChecks" | "workersFetch" }) {
  const words = useSettingsText().projects;
  const save = useSaveProject(project.id);
  const { error, run } = useAction();
  const change = (checked: boolean) => run(() => save({ [field]: checked }));
  const note = <p className="mt-1 text-ink-faint text-xs">{words[`${field}Text`]}</p>;
  const checked = useLatest(project)[field] ?? false;
  return (
    <div>
      <SwitchSetting checked={checked} label={words[field]} note={note} onChange={(value) => void change(value)} />
      {error && <ErrorText>{error}</ErrorText>}
    </div>
  );
}

function Section({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 className="font-medium text-sm" id={id}>
        {title}
      </h3>
      <p className="mt-0.5 mb-2 text-ink-faint text-sm">{text}</p>
      {children}
    </section>
  );
}

function RenameForm({ project }: { project: Project }) {
  const text = useSettingsText();
  const save = useSaveProject(project.id);
  const [name, setName] = useState(project.name);
  const { error, run } = useAction();
  const wanted = name.trim();
  const isChanged = wanted !== "" && wanted !== project.name;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) void run(async () => setName((await save({ name: wanted })).name));
      }}
    >
      <Field label={text.projects.name}>
        {(field) => (
          <div className="flex gap-2">
            <input
              {...field}
              autoComplete="off"
              className="h-8 pointer-coarse:h-11 min-w-0 flex-1 rounded-md border border-line-strong bg-canvas px-2.5 text-sm"
              maxLength={500}
              onChange={(event) => setName(event.target.value)}
              value={name}
            />
            <Button disabled={!isChanged} type="submit">
              {text.projects.rename}
            </Button>
          </div>
        )}
      </Field>
      {error && <ErrorText>{error}</ErrorText>}
    </form>
  );
}
