import type { AttemptId, McpServerInfo, ProjectId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/api.ts";
import { mcpServersQuery } from "../api/queries.ts";
import { RevealedText } from "../approvals/revealed-text.tsx";
import { useSettingsText } from "../i18n/settings-text.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Spinner } from "../ui/icon.tsx";
import { CoveredFiles } from "./covered-files.tsx";
import { toMcpServerView } from "./mcp-server-view.ts";
import { useTrustAction } from "./use-trust-action.ts";

/** What the native agent's MCP servers are, where they come from, and whether they may run. */
export function McpServers({ projectId, attemptId }: { projectId: ProjectId; attemptId?: AttemptId | undefined }) {
  const text = useSettingsText();
  const describe = useErrorText();
  const { data: list, error } = useQuery(mcpServersQuery(projectId, attemptId));
  return (
    <div className="space-y-2">
      {error && <ErrorText>{describe(error)}</ErrorText>}
      {list?.problems.map((problem, index) => (
        <ErrorText key={problem}>{text.coded(list.problemTexts[index], problem)}</ErrorText>
      ))}
      {list?.servers.length === 0 && <p className="text-ink-soft text-sm">{text.mcp.none}</p>}
      {list?.servers.map((server) => (
        <McpServer attemptId={attemptId} key={`${server.source}:${server.name}`} projectId={projectId} server={server} />
      ))}
    </div>
  );
}

const tones = { good: "bg-good-wash text-good", warn: "bg-warn-wash text-warn", quiet: "bg-hover text-ink-faint" };

function McpServer(props: { projectId: ProjectId; attemptId: AttemptId | undefined; server: McpServerInfo }) {
  const { projectId, attemptId, server } = props;
  const text = useSettingsText();
  const { busy, error, run } = useTrustAction(projectId, mcpServersQuery(projectId, attemptId).queryKey);
  const view = toMcpServerView(server);
  return (
    <article aria-label={server.name} className="rounded-lg border border-line px-3 py-2.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h4 className="min-w-0 font-medium [overflow-wrap:anywhere]">{server.name}</h4>
        <span className="text-ink-faint text-xs">{text.mcp.source[server.source]}</span>
        <span className={`rounded px-1.5 text-xs ${tones[view.tone]}`}>{text.mcp.state[server.state]}</span>
        {server.trustedTools && <span className="text-ink-faint text-xs">{text.mcp.tools(server.trustedTools.length)}</span>}
      </div>
      {view.canTrust && <p className="mt-1.5 text-ink-soft text-xs">{view.runsCommand ? text.mcp.trustHint : text.mcp.trustUrlHint}</p>}
      <pre className="mt-1.5 whitespace-pre-wrap rounded-md bg-code px-2 py-1.5 font-mono text-[0.8rem] [overflow-wrap:anywhere]">
        <RevealedText text={[view.target, ...view.given].join("\n")} />
      </pre>
      <CoveredFiles changes={server.changes} files={server.files} />
      {server.problem && <ErrorText>{text.coded(server.problemText, server.problem)}</ErrorText>}
      {error && <ErrorText>{error}</ErrorText>}
      {(view.canTrust || view.canRevoke) && (
        <div className="mt-2 flex gap-2">
          {view.canTrust && (
            <Button
              disabled={busy}
              onClick={() =>
                void run(() =>
                  api.trustMcpServer(projectId, server.name, { hash: server.hash, ...(attemptId === undefined ? {} : { attemptId }) }),
                )
              }
            >
              {busy && <Spinner size={14} />}
              {server.state === "changed" ? text.mcp.trustAgain : text.mcp.trust}
            </Button>
          )}
          {view.canRevoke && (
            <Button disabled={busy} look="danger" onClick={() => void run(() => api.revokeMcpServer(projectId, server.name))}>
              {text.mcp.revoke}
            </Button>
          )}
        </div>
      )}
    </article>
  );
}
