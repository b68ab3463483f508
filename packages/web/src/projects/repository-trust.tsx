import type { AgentSettings, AttemptId, GitHooks, GitLfs, ProjectId, ProjectScripts, TrustState } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { agentSettingsQuery, gitHooksQuery, gitLfsQuery, projectScriptsQuery, type TrustKind, trustApi } from "../api/trust-api.ts";
import { RevealedText } from "../approvals/revealed-text.tsx";
import { useSettingsText } from "../i18n/settings-text.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { CoveredFiles } from "./covered-files.tsx";
import { useTrustAction } from "./use-trust-action.ts";

/** Scripts of the repository for its worktrees: shown whole, and not run before they are trusted as they are. */
export function RepositoryScripts({ projectId, attemptId }: { projectId: ProjectId; attemptId?: AttemptId | undefined }) {
  const { trust: words } = useSettingsText().shell;
  const query = projectScriptsQuery(projectId, attemptId);
  const { data: scripts, error } = useQuery(query);
  const describe = useErrorText();
  if (error) return <ErrorText>{describe(error)}</ErrorText>;
  if (!scripts) return null;
  if (scripts.hash === null && scripts.setup === null && scripts.cleanup === null && scripts.check === null && scripts.dev === null)
    return <Nothing shown={scripts}>{words.noScripts}</Nothing>;
  return (
    <Trusted attemptId={attemptId} kind="scripts" projectId={projectId} queryKey={query.queryKey} shown={scripts}>
      {(["setup", "cleanup", "check", "dev"] as const).map((name) => {
        const script = scripts[name];
        return script === null ? null : <Content key={name} title={words[name]} value={script} />;
      })}
      {scripts.copy.length > 0 && <Content title={words.copy} value={scripts.copy.join("\n")} />}
    </Trusted>
  );
}

/** Settings that agents read from the repository itself: they can name programs that run. */
export function RepositoryAgentSettings({ projectId, attemptId }: { projectId: ProjectId; attemptId?: AttemptId | undefined }) {
  const { trust: words } = useSettingsText().shell;
  const query = agentSettingsQuery(projectId, attemptId);
  const { data: settings, error } = useQuery(query);
  const describe = useErrorText();
  if (error) return <ErrorText>{describe(error)}</ErrorText>;
  if (!settings) return null;
  if (settings.hash === null) return <Nothing shown={settings}>{words.noSettings}</Nothing>;
  return <Trusted attemptId={attemptId} kind="agent-settings" projectId={projectId} queryKey={query.queryKey} shown={settings} />;
}

/** Hooks that a commit or a push runs, whole, with the git settings that they make git read. */
export function RepositoryHooks({ projectId, attemptId }: { projectId: ProjectId; attemptId?: AttemptId | undefined }) {
  const { trust: words } = useSettingsText().shell;
  const query = gitHooksQuery(projectId, attemptId);
  const { data, error } = useQuery(query);
  const describe = useErrorText();
  if (error) return <ErrorText>{describe(error)}</ErrorText>;
  if (!data) return null;
  if (data.hooks.length === 0) return <Nothing shown={data}>{words.noSettings}</Nothing>;
  return (
    <Trusted attemptId={attemptId} kind="hooks" projectId={projectId} queryKey={query.queryKey} shown={data}>
      {data.hooks.map(({ name, text }) => (
        <Content key={name} title={name} value={text} />
      ))}
      {data.settings.length > 0 && <Content title={words.gitSettings} value={data.settings.join("\n")} />}
    </Trusted>
  );
}

/** The server that missing LFS files are downloaded from; nothing for a repository without LFS. */
export function RepositoryGitLfs({ projectId, children }: { projectId: ProjectId; children(content: ReactNode): ReactNode }) {
  const { trust: words } = useSettingsText().shell;
  const query = gitLfsQuery(projectId);
  const { data: lfs } = useQuery(query);
  if (!lfs?.isUsed) return null;
  if (lfs.url === null) return children(<Nothing shown={lfs}>{words.noSettings}</Nothing>);
  return children(
    <Trusted attemptId={undefined} kind="git-lfs" projectId={projectId} queryKey={query.queryKey} shown={lfs}>
      <Content title={words.lfsServer} value={lfs.url} />
      <Content title={words.lfsProgram} value={lfs.program ?? words.lfsNoProgram} />
    </Trusted>,
  );
}

type Shown = ProjectScripts | AgentSettings | GitHooks | GitLfs;

function Nothing({ children, shown }: { children: string; shown: Shown }) {
  return shown.problem ? <ProblemOf shown={shown} /> : <p className="text-ink-soft text-sm">{children}</p>;
}

function ProblemOf({ shown: { problem = "", problemText } }: { shown: Shown }) {
  return <ErrorText>{useSettingsText().coded(problemText, problem)}</ErrorText>;
}

function Content({ title, value }: { title: string; value: string }) {
  return (
    <div className="mt-1.5">
      <p className="text-ink-faint text-xs">{title}</p>
      <pre className="scroll-quiet max-h-48 overflow-auto whitespace-pre-wrap rounded-md bg-code px-2 py-1.5 font-mono text-[0.8rem] [overflow-wrap:anywhere]">
        <RevealedText text={value} />
      </pre>
    </div>
  );
}

const tones: Record<TrustState, string> = {
  trusted: "bg-good-wash text-good",
  changed: "bg-warn-wash text-warn",
  none: "bg-warn-wash text-warn",
};

function Trusted(props: {
  projectId: ProjectId;
  kind: TrustKind;
  shown: Shown;
  attemptId: AttemptId | undefined;
  queryKey: readonly unknown[];
  children?: ReactNode;
}) {
  const { trust: words } = useSettingsText().shell;
  const { shown, projectId, kind, attemptId } = props;
  const { busy, error, run } = useTrustAction(projectId, props.queryKey);
  return (
    <div className="rounded-lg border border-line px-3 py-2.5 text-sm">
      <span className={`rounded px-1.5 text-xs ${tones[shown.trust]}`}>{words.state[shown.trust]}</span>
      {shown.problem && <ProblemOf shown={shown} />}
      {props.children}
      <CoveredFiles changes={shown.changes} files={shown.files} />
      {error && <ErrorText>{error}</ErrorText>}
      <div className="mt-2">
        {shown.trust === "trusted" ? (
          <Button disabled={busy} look="danger" onClick={() => void run(() => trustApi.revoke(projectId, kind))}>
            {words.revoke}
          </Button>
        ) : (
          <Button
            disabled={busy || shown.hash === null}
            onClick={() =>
              void run(() => trustApi.trust(projectId, kind, { hash: shown.hash ?? "", ...(attemptId === undefined ? {} : { attemptId }) }))
            }
          >
            {shown.trust === "changed" ? words.trustAgain : words.trust}
          </Button>
        )}
      </div>
    </div>
  );
}
