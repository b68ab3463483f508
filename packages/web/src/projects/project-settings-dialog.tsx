import type { Project, TrustChange, UpdateProject } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import { api } from "../api/api.ts";
import { projectsQuery } from "../api/queries.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { SystemPromptForm } from "../prompts/system-prompt-form.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { SwitchSetting } from "../ui/switch-setting.tsx";
import { GrantList } from "./grant-list.tsx";
import { McpServers } from "./mcp-servers.tsx";
import { RepositoryAgentSettings, RepositoryGitLfs, RepositoryHooks, RepositoryScripts } from "./repository-trust.tsx";
import { TrustChanges } from "./trust-changes.tsx";

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
        <AutoCommit project={project} />
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

/** The project as it is now, because the dialog may have been opened with an older one, and how to change it. */
function useCurrentProject(project: Project): { current: Project; save(changes: UpdateProject): Promise<void> } {
  const client = useQueryClient();
  const { data: projects } = useQuery(projectsQuery);
  const save = async (changes: UpdateProject) => {
    const changed = await api.updateProject(project.id, changes);
    client.setQueryData(projectsQuery.queryKey, (known) => known?.map((other) => (other.id === changed.id ? changed : other)));
  };
  return { current: projects?.find(({ id }) => id === project.id) ?? project, save };
}

function ProjectSystemPrompt({ project }: { project: Project }) {
  const { prompt } = useSettingsText().shell.settings.conversations;
  const { current, save } = useCurrentProject(project);
  return <SystemPromptForm hint={prompt.project} onSave={(systemPrompt) => save({ systemPrompt })} value={current.systemPrompt} />;
}

function AutoCommit({ project }: { project: Project }) {
  const { autoCommit, autoCommitText } = useSettingsText().projects;
  const { current, save } = useCurrentProject(project);
  const [error, setError] = useState<unknown>();
  const describe = useErrorText();
  const change = (checked: boolean) => save({ autoCommit: checked }).then(() => setError(undefined), setError);
  const note = <p className="mt-1 text-ink-faint text-xs">{autoCommitText}</p>;
  return (
    <div>
      <SwitchSetting checked={current.autoCommit ?? false} label={autoCommit} note={note} onChange={(checked) => void change(checked)} />
      {error !== undefined && <ErrorText>{describe(error)}</ErrorText>}
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
  const describe = useErrorText();
  const client = useQueryClient();
  const id = useId();
  const [name, setName] = useState(project.name);
  const [error, setError] = useState<string | null>(null);
  const wanted = name.trim();
  const rename = async () => {
    setError(null);
    try {
      const renamed = await api.updateProject(project.id, { name: wanted });
      client.setQueryData(projectsQuery.queryKey, (known) => known?.map((other) => (other.id === renamed.id ? renamed : other)));
      setName(renamed.name);
    } catch (failure) {
      setError(describe(failure));
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted !== "" && wanted !== project.name) void rename();
      }}
    >
      <label className="mb-1 block font-medium text-sm" htmlFor={id}>
        {text.projects.name}
      </label>
      <div className="flex gap-2">
        <input
          autoComplete="off"
          className="h-8 pointer-coarse:h-11 min-w-0 flex-1 rounded-md border border-line-strong bg-canvas px-2.5 text-sm"
          id={id}
          maxLength={500}
          onChange={(event) => setName(event.target.value)}
          value={name}
        />
        <Button disabled={wanted === "" || wanted === project.name} type="submit">
          {text.projects.rename}
        </Button>
      </div>
      {error && <ErrorText>{error}</ErrorText>}
    </form>
  );
}
