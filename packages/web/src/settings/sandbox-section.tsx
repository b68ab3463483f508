import { type ProjectId, parseNetworkRule, type Sandbox, type SandboxSettings, type SandboxSupport } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { projectsQuery } from "../api/queries.ts";
import { putSettings, settingsApi, settingsQuery } from "../api/shell-api.ts";
import { sandboxEn } from "../i18n/en-sandbox.ts";
import { createTexts } from "../i18n/page-texts.ts";
import { sandboxZhCN } from "../i18n/zh-cn-sandbox.ts";
import { Button } from "../ui/button.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Select } from "../ui/select.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { SettingNote } from "./setting-fields.tsx";

const useSandboxText = createTexts({ en: sandboxEn, "zh-CN": sandboxZhCN });

/** Whether agents are confined by the operating system, and what they may reach then. */
export function SandboxSection() {
  const words = useSandboxText();
  const describe = useErrorText();
  const { data: settings, error } = useQuery(settingsQuery);
  return (
    <div className="max-w-xl space-y-8">
      <p className="text-ink-soft text-sm">{words.about}</p>
      {error && !settings && <ErrorText>{describe(error)}</ErrorText>}
      {settings && <Support support={settings.sandboxSupport} />}
      {settings && <DefaultField sandbox={settings.general.sandbox} />}
      {settings && <Addresses sandbox={settings.general.sandbox} />}
    </div>
  );
}

function Support({ support }: { support: SandboxSupport }) {
  const words = useSandboxText();
  return (
    <section>
      <h3 className="mb-1 font-semibold">{words.state}</h3>
      {support.state === "supported" && <p className="text-sm">{words.supported}</p>}
      {support.state === "system" && <p className="text-sm text-warn">{words.system}</p>}
      {support.state === "not-permitted" && (
        <p className="text-sm text-warn [overflow-wrap:anywhere]">{words.notPermitted(support.detail)}</p>
      )}
      {support.state === "not-installed" && (
        <>
          <p className="text-sm text-warn">{words.notInstalled}</p>
          <CommandLine command="sudo apt install bubblewrap" />
        </>
      )}
    </section>
  );
}

const toLines = (text: string): string[] => text.split(/[\n,]/).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));

function useSave() {
  const words = useSandboxText();
  const client = useQueryClient();
  const { busy, error, run } = useAction();
  const change = (changes: Partial<SandboxSettings>) =>
    void run(async () => {
      const general = await settingsApi.setGeneral({ sandbox: changes });
      putSettings(client, (known) => ({ ...known, general }));
      showToast({ text: words.saved, tone: "plain" });
    });
  return { busy, error, change };
}

function DefaultField({ sandbox }: { sandbox: SandboxSettings }) {
  const words = useSandboxText();
  const { error, change } = useSave();
  return (
    <div>
      <Select
        label={words.default}
        onChange={(value) => change({ default: value as Sandbox })}
        options={[
          { value: "off", label: words.off },
          { value: "workspace", label: words.workspace },
        ]}
        value={sandbox.default}
      />
      <SettingNote effect={words.defaultEffect} fallback={words.off} when="next" />
      {error && <ErrorText>{error}</ErrorText>}
    </div>
  );
}

/** For all projects, and in addition for one. */
function Addresses({ sandbox }: { sandbox: SandboxSettings }) {
  const words = useSandboxText();
  const { busy, error, change } = useSave();
  const { data: projects = [] } = useQuery(projectsQuery);
  const [chosen, setChosen] = useState<ProjectId | null>(null);
  const project = projects.find(({ id }) => id === chosen);
  const hosts = project === undefined ? sandbox.hosts : (sandbox.perProject[project.id]?.hosts ?? []);
  const save = (changed: string[]) => {
    if (project === undefined) return change({ hosts: changed });
    const { [project.id]: _, ...others } = sandbox.perProject;
    change({ perProject: changed.length === 0 ? others : { ...others, [project.id]: { hosts: changed } } });
  };
  return (
    <section className="space-y-3">
      {projects.length > 0 && (
        <Select
          label={words.hostsOf}
          onChange={(id) => setChosen(projects.find((one) => one.id === id)?.id ?? null)}
          options={[{ value: "", label: words.allProjects }, ...projects.map(({ id, name }) => ({ value: id, label: name }))]}
          value={project?.id ?? ""}
        />
      )}
      <AddressList
        busy={busy}
        hosts={hosts}
        key={`${project?.id} ${hosts.join("\n")}`}
        note={project === undefined ? words.hostsText : words.projectHostsText}
        onSave={save}
      />
      {error && <ErrorText>{error}</ErrorText>}
    </section>
  );
}

function AddressList(props: { hosts: readonly string[]; note: string; busy: boolean; onSave(hosts: string[]): void }) {
  const { hosts, note, busy, onSave } = props;
  const words = useSandboxText();
  const id = useId();
  const [draft, setDraft] = useState(hosts.join("\n"));
  const lines = toLines(draft);
  const invalid = lines.find((line) => parseNetworkRule(line) === undefined);
  const isChanged = lines.join("\n") !== hosts.join("\n");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (invalid === undefined) onSave(lines);
      }}
    >
      <label className="mb-1 block font-medium text-sm" htmlFor={id}>
        {words.hosts}
      </label>
      <textarea
        aria-describedby={`${id}-note`}
        aria-invalid={invalid !== undefined}
        className="field-sizing-content block max-h-80 min-h-24 w-full rounded-md border border-line-strong bg-canvas px-2.5 py-2 font-mono text-sm"
        id={id}
        onChange={(event) => setDraft(event.target.value)}
        spellCheck={false}
        value={draft}
      />
      <p className="mt-1 text-ink-faint text-xs" id={`${id}-note`}>
        {note}
      </p>
      {invalid !== undefined && <ErrorText>{words.invalid(invalid)}</ErrorText>}
      <Button className="mt-2" disabled={busy || !isChanged || invalid !== undefined} type="submit">
        {words.save}
      </Button>
    </form>
  );
}
