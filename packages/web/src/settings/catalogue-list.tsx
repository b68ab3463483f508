import type { CatalogueEntry } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { agentApi, catalogueQuery, refreshAgents } from "../api/agent-api.ts";
import { toCommandLine } from "../text/to-command-line.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { ExternalLink } from "../ui/external-link.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { findEntries } from "./find-entries.ts";
import { useAgentsText } from "./use-agents-text.ts";

const launcherPages = { npx: "https://nodejs.org", uvx: "https://docs.astral.sh/uv" } as const;

/** Agents of the catalogue, each with exactly what it would run. */
export function CatalogueList({ initialSearch, onCustom }: { initialSearch: string; onCustom(): void }) {
  const words = useAgentsText();
  const describe = useErrorText();
  const id = useId();
  const { data, error, refetch, isFetching } = useQuery(catalogueQuery);
  const [search, setSearch] = useState(initialSearch);
  if (!data) {
    if (error && !isFetching) {
      return (
        <div className="space-y-3">
          <ErrorText>{describe(error)}</ErrorText>
          <Button onClick={() => void refetch()}>{words.retry}</Button>
        </div>
      );
    }
    return (
      <p className="flex items-center gap-2 py-6 text-ink-soft text-sm" role="status">
        <Spinner size={14} /> {words.loading}
      </p>
    );
  }
  const found = findEntries(data.entries, search);
  return (
    <>
      <label className="sr-only" htmlFor={id}>
        {words.search}
      </label>
      <input
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened to look for an agent
        autoFocus
        className="h-9 pointer-coarse:h-11 w-full rounded-md border border-line-strong bg-canvas px-2.5 text-sm placeholder:text-ink-faint"
        id={id}
        onChange={(event) => setSearch(event.target.value)}
        placeholder={words.search}
        spellCheck={false}
        type="search"
        value={search}
      />
      <p className="sr-only" role="status">
        {words.count(found.length)}
      </p>
      {found.length === 0 && (
        <div className="py-6 text-center text-ink-soft text-sm">
          <p className="mb-3">{words.none(search.trim())}</p>
          <Button onClick={onCustom}>{words.useCustom}</Button>
        </div>
      )}
      <ul className="divide-y divide-line">
        {found.map((entry) => (
          <Entry entry={entry} key={entry.id} />
        ))}
      </ul>
      <p className="mt-3 border-line border-t pt-3 text-ink-faint text-xs">
        {words.origin(data.origin.date)} <ExternalLink url={data.origin.repository}>{words.originLink}</ExternalLink>
      </p>
    </>
  );
}

function Entry({ entry }: { entry: CatalogueEntry }) {
  const words = useAgentsText();
  const { name, description, license, repository, builtIn } = entry;
  return (
    <li className="py-3 text-sm">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h3 className="font-medium">{name}</h3>
          <p className="text-ink-soft [overflow-wrap:anywhere]">{description}</p>
        </div>
        <EntryAction entry={entry} />
      </div>
      {builtIn === undefined ? (
        <>
          <EntryCommand entry={entry} />
          <EntryNeeds entry={entry} />
        </>
      ) : (
        <p className="mt-1 text-ink-faint text-xs">{words.builtInHint(name)}</p>
      )}
      <p className="mt-1 flex flex-wrap gap-x-2.5 text-ink-faint text-xs">
        {builtIn === undefined && <span>{entry.source === "program" ? words.installedVersion : words.version(entry.version)}</span>}
        {license !== undefined && <span>{words.license(license)}</span>}
        {repository !== undefined && <ExternalLink url={repository}>{words.repository}</ExternalLink>}
      </p>
    </li>
  );
}

function EntryCommand({ entry }: { entry: CatalogueEntry }) {
  const words = useAgentsText();
  const variables = Object.entries(entry.environment).map(([name, value]) => `${name}=${value}`);
  return (
    <p className="mt-1.5 rounded-md bg-sunken px-2.5 py-1.5 font-mono text-xs [overflow-wrap:anywhere]">
      <span className="sr-only">{words.runs}: </span>
      {variables.length > 0 && <span className="text-ink-faint">{toCommandLine(variables)} </span>}
      {toCommandLine(entry.command)}
    </p>
  );
}

/** Whether what it needs is on this machine, and how to get it. */
function EntryNeeds({ entry }: { entry: CatalogueEntry }) {
  const words = useAgentsText();
  const { source, programPath, download } = entry;
  const program = entry.command[0] ?? "";
  if (programPath !== null) {
    return (
      <p className="mt-1 text-ink-soft text-xs [overflow-wrap:anywhere]">
        {source === "program" ? words.found(programPath) : words.downloads(program)}
      </p>
    );
  }
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-1.5 text-warn text-xs">
      <Icon name="warning" size={12} />
      {source === "program" ? words.notInstalled(program) : words.needs(program)}
      <ExternalLink url={source === "program" ? download : launcherPages[source]}>
        {source === "program" ? words.download : words.getLauncher[source]}
      </ExternalLink>
    </p>
  );
}

function EntryAction({ entry }: { entry: CatalogueEntry }) {
  const words = useAgentsText();
  const client = useQueryClient();
  const { busy, error, run } = useAction();
  const { name, version, added, builtIn } = entry;
  const isOld = added !== undefined && added.version !== version;
  if (builtIn !== undefined) return <State>{words.builtIn}</State>;
  if (added !== undefined && !isOld) return <State good>{words.added}</State>;
  const add = () =>
    run(async () => {
      await agentApi.add(entry);
      showToast({ text: isOld ? words.wasUpdated(name, version) : words.wasAdded(name), tone: "plain" });
      await refreshAgents(client);
    });
  return (
    <div className="flex max-w-[50%] shrink-0 flex-col items-end gap-1">
      <Button aria-label={isOld ? undefined : words.addOne(name)} disabled={busy} onClick={() => void add()}>
        {busy ? <Spinner size={14} /> : <Icon name={isOld ? "refresh" : "plus"} size={14} />}
        {busy ? words.adding : isOld ? words.update(version) : words.addShort}
      </Button>
      {error && <ErrorText>{error}</ErrorText>}
    </div>
  );
}

function State({ good = false, children }: { good?: boolean; children: string }) {
  return (
    <span className={`shrink-0 rounded px-1.5 text-xs ${good ? "bg-good-wash text-good" : "bg-hover text-ink-faint"}`}>{children}</span>
  );
}
