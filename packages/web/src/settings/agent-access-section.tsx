import type { AgentLimits, Project } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { projectsQuery } from "../api/queries.ts";
import { settingsQuery } from "../api/shell-api.ts";
import { useSaveProject } from "../projects/use-save-project.ts";
import { useIsAdmin } from "../team/me.ts";
import { Part } from "../team/team-parts.tsx";
import { TokensPart } from "../team/tokens-part.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { SwitchSetting } from "../ui/switch-setting.tsx";
import { useAction } from "../ui/use-action.ts";
import { NumberSetting, SettingNote } from "./setting-fields.tsx";
import { useAgentAccessText } from "./use-agent-access-text.ts";
import { useSaveGeneral } from "./use-save-general.ts";

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
  const save = useSaveProject(project.id);
  const { busy, error, run } = useAction();
  const note = error ? <ErrorText>{error}</ErrorText> : null;
  return (
    <SwitchSetting
      checked={project.agentAccess ?? false}
      disabled={busy}
      label={project.name}
      note={note}
      onChange={(agentAccess) => void run(() => save({ agentAccess }))}
    />
  );
}

function LimitsPart() {
  const words = useAgentAccessText();
  const describe = useErrorText();
  const { data, error: loadError } = useQuery(settingsQuery);
  const { error, save } = useSaveGeneral();
  if (!data) return loadError ? <ErrorText>{describe(loadError)}</ErrorText> : null;
  const { agentLimits } = data.general;
  const field = (name: keyof AgentLimits, label: string, { max, effect, fallback }: { max: number; effect: string; fallback: number }) => (
    <NumberSetting
      emptyLabel={words.unlimited}
      label={label}
      max={max}
      min={0}
      note={<SettingNote effect={effect} fallback={String(fallback)} when="next" />}
      onChange={(value) => void save({ agentLimits: { [name]: value } })}
      value={agentLimits[name]}
    />
  );
  return (
    <Part title={words.limits}>
      {field("depth", words.depth, { max: 20, effect: words.depthEffect, fallback: 1 })}
      {field("starts", words.starts, { max: 100_000, effect: words.startsEffect, fallback: 10 })}
      {field("costUsd", words.cost, { max: 1_000_000, effect: words.costEffect, fallback: 10 })}
      {error && <ErrorText>{error}</ErrorText>}
    </Part>
  );
}
