import type { AgentInfo } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { agentsQuery } from "../api/queries.ts";
import { settingsApi } from "../api/shell-api.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { useStore } from "../state/external-store.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy-component.ts";
import { addAgentRequest } from "./add-agent-request.ts";
import { AddedAgentDetails } from "./added-agent.tsx";
import { useAgentsText } from "./use-agents-text.ts";

const AddAgentDialog = lazyComponent(() => import("./add-agent-dialog.tsx"), "AddAgentDialog");

export function AgentsSection() {
  const { shell, coded } = useSettingsText();
  const words = shell.settings.agents;
  const adding = useAgentsText();
  const describe = useErrorText();
  const client = useQueryClient();
  const { data, error } = useQuery(agentsQuery);
  const [checking, setChecking] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  /** What the dialog looks for first; null while it is closed. */
  const [search, setSearch] = useState<string | null>(null);
  const isRequested = useStore(addAgentRequest);
  useEffect(() => {
    if (!isRequested) return;
    addAgentRequest.set(false);
    setSearch("");
  }, [isRequested]);
  const check = async () => {
    setChecking(true);
    setFailure(null);
    try {
      client.setQueryData(agentsQuery.queryKey, await settingsApi.checkAgents());
    } catch (problem) {
      setFailure(problem);
    }
    setChecking(false);
  };
  const shown = failure ?? (data ? null : error);
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <p className="min-w-60 flex-1 text-ink-soft text-sm">{words.text}</p>
        <Button disabled={checking} onClick={() => void check()}>
          {checking ? <Spinner size={14} /> : <Icon name="refresh" size={14} />}
          {checking ? words.checking : words.check}
        </Button>
        <Button look="primary" onClick={() => setSearch("")} onFocus={AddAgentDialog.preload} onPointerEnter={AddAgentDialog.preload}>
          <Icon name="plus" size={14} />
          {adding.add}
        </Button>
      </div>
      {data?.problem !== undefined && <ErrorText>{adding.configProblem(coded(data.problemText, data.problem))}</ErrorText>}
      {shown !== null && <ErrorText>{describe(shown)}</ErrorText>}
      <ul className="divide-y divide-line rounded-lg border border-line">
        {data?.agents.map((agent) => (
          <Agent agent={agent} isDefault={agent.id === data.defaultAgent} key={agent.id} onUpdate={() => setSearch(agent.name)} />
        ))}
      </ul>
      {search !== null && (
        <Suspense>
          <AddAgentDialog.Component onClose={() => setSearch(null)} search={search} />
        </Suspense>
      )}
    </>
  );
}

function Agent({ agent, isDefault, onUpdate }: { agent: AgentInfo; isDefault: boolean; onUpdate(): void }) {
  const text = useSettingsText();
  const words = text.shell.settings.agents;
  const adding = useAgentsText();
  return (
    <li className="px-3 py-2.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h3 className="font-medium">{agent.name}</h3>
        <span className={`rounded px-1.5 text-xs ${agent.available ? "bg-good-wash text-good" : "bg-hover text-ink-faint"}`}>
          {agent.available ? words.available : agent.added?.enabled === false ? adding.off : words.missing}
        </span>
        {isDefault && <span className="rounded bg-accent-wash px-1.5 text-accent text-xs">{words.isDefault}</span>}
        <span className="text-ink-faint text-xs">
          {[agent.version && words.version(agent.version), agent.models.length > 0 && words.models(agent.models.length)]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </div>
      {agent.path && <p className="mt-1 font-mono text-ink-faint text-xs [overflow-wrap:anywhere]">{agent.path}</p>}
      {agent.hint && agent.added?.enabled !== false && (
        <p className="mt-1 text-ink-soft [overflow-wrap:anywhere]">{text.coded(agent.hintText, agent.hint)}</p>
      )}
      {agent.added && <AddedAgentDetails added={agent.added} agent={agent} onUpdate={onUpdate} />}
      {agent.missing?.map(({ name, hint, hintText }) => (
        <p className="mt-1 text-ink-soft text-xs" key={name}>
          {text.app.labelled(name, text.coded(hintText, hint))}
        </p>
      ))}
    </li>
  );
}
