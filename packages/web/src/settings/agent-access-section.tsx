import type { AgentLimits, Project } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/api.ts";
import { projectsQuery } from "../api/queries.ts";
import { putSettings, settingsApi, settingsQuery } from "../api/shell-api.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { useIsAdmin } from "../team/me.ts";
import { Part } from "../team/team-parts.tsx";
import { TokensPart } from "../team/tokens-part.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { SwitchSetting } from "../ui/switch-setting.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { NumberSetting, SettingNote } from "./setting-fields.tsx";
import { useAgentAccessText } from "./use-agent-access-text.ts";

const commands = [
  ["Claude Code", "claude mcp add --scope user skein -- skein mcp"],
  ["Codex", "codex mcp add skein -- skein mcp"],
  ["Gemini CLI", "gemini mcp add --scope user skein skein mcp"],
] as const;
const opencodeFile = "~/.config/opencode/opencode.json";
const opencodeConfig = '{ "mcp": { "skein": { "type": "local", "command": ["skein", "mcp"] } } }';

/** How agents use Skein: from outside, and from inside its own projects. */
export function AgentAccessSection() {
  const words = useAgentAccessText();
  const isAdmin = useIsAdmin();
  return (
    <div className="max-w-xl space-y-6">
      <p className="text-ink-soft text-sm">{words.about}</p>
      <Part text={words.connectText} title={words.connect}>
        {commands.map(([agent, command]) => (
          <div key={agent}>
            <p className="font-medium text-sm">{agent}</p>
            <CommandLine command={command} />
          </div>
        ))}
        <div>
          <p className="font-medium text-sm">opencode</p>
          <p className="text-ink-faint text-xs">{words.openConfig(opencodeFile)}</p>
          <CommandLine command={opencodeConfig} />
        </div>
        <p className="text-ink-soft text-sm">{words.http}</p>
        <CommandLine command={new URL("/mcp", location.origin).href} />
        <p className="text-ink-soft text-sm">{words.skill}</p>
        <CommandLine command="skein skill install" />
      </Part>
      <TokensPart isAdmin={isAdmin} />
      {isAdmin && <InsidePart />}
      {isAdmin && <LimitsPart />}
    </div>
  );
}

function InsidePart() {
  const words = useAgentAccessText();
  const describe = useErrorText();
  const { data: projects, error } = useQuery(projectsQuery);
  return (
    <Part text={words.insideText} title={words.inside}>
      {error && !projects && <ErrorText>{describe(error)}</ErrorText>}
      {projects?.length === 0 && <p className="text-ink-faint text-sm">{words.noProjects}</p>}
      {projects?.map((project) => (
        <ProjectSwitch key={project.id} project={project} />
      ))}
    </Part>
  );
}

function ProjectSwitch({ project }: { project: Project }) {
  const client = useQueryClient();
  const { busy, error, run } = useAction();
  const change = (agentAccess: boolean) =>
    run(async () => {
      const changed = await api.updateProject(project.id, { agentAccess });
      client.setQueryData(projectsQuery.queryKey, (known) => known?.map((other) => (other.id === changed.id ? changed : other)));
    });
  const note = error ? <ErrorText>{error}</ErrorText> : null;
  return (
    <SwitchSetting
      checked={project.agentAccess ?? false}
      disabled={busy}
      label={project.name}
      note={note}
      onChange={(checked) => void change(checked)}
    />
  );
}

function LimitsPart() {
  const words = useAgentAccessText();
  const { settings } = useSettingsText().shell;
  const describe = useErrorText();
  const client = useQueryClient();
  const { data, error: loadError } = useQuery(settingsQuery);
  const { error, run } = useAction();
  if (!data) return loadError ? <ErrorText>{describe(loadError)}</ErrorText> : null;
  const change = (agentLimits: Partial<AgentLimits>) =>
    run(async () => {
      const general = await settingsApi.setGeneral({ agentLimits });
      putSettings(client, (known) => ({ ...known, general }));
      showToast({ text: settings.conversations.saved, tone: "plain" });
    });
  const { depth, starts, costUsd } = data.general.agentLimits;
  return (
    <Part title={words.limits}>
      <NumberSetting
        emptyLabel={words.unlimited}
        label={words.depth}
        max={20}
        min={0}
        note={<SettingNote effect={words.depthEffect} fallback="1" when="next" />}
        onChange={(value) => void change({ depth: value })}
        value={depth}
      />
      <NumberSetting
        emptyLabel={words.unlimited}
        label={words.starts}
        max={100_000}
        min={0}
        note={<SettingNote effect={words.startsEffect} fallback="10" when="next" />}
        onChange={(value) => void change({ starts: value })}
        value={starts}
      />
      <NumberSetting
        emptyLabel={words.unlimited}
        label={words.cost}
        max={1_000_000}
        min={0}
        note={<SettingNote effect={words.costEffect} fallback="10" when="next" />}
        onChange={(value) => void change({ costUsd: value })}
        value={costUsd}
      />
      {error && <ErrorText>{error}</ErrorText>}
    </Part>
  );
}
