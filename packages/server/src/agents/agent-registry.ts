import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Catalogue, CatalogueAgent } from "@skein/agents/catalogue";
import { findProgram } from "@skein/agents/programs";
import type { AddAgent, AddedAgent, AgentCatalogue, AgentHint, AgentId, AgentInfo, ConfigProblem, GeneralSettings } from "@skein/contracts";
import { type AgentAdapter, formatText, ServiceError } from "@skein/engine";
import { toAgentEnvironment } from "@skein/host";
import type { AgentSettings, AgentsConfig } from "../config/agent-settings.ts";
import { saveConfig, toObject } from "../config/change-config-file.ts";
import { type Config, ConfigError, readConfigFile } from "../config/load-config.ts";
import type { ModelAccess } from "../models/model-access.ts";
import { createConfiguredAgent, createNative, createRemovedAgent, listDrivenAgents } from "./create-agents.ts";

/**
 * All agents of this server. Their programs are configured in config.json; an HTTP request can add an entry of the shipped catalogue
 * by its id, but never a command (X7).
 */
export interface AgentRegistry {
  /** Available agents, in display order. Changes with the settings. */
  adapters: ReadonlyMap<AgentId, AgentAdapter>;
  /** Also finds a removed agent, so that its logs can still be read; undefined for an unknown id. */
  find(id: AgentId): AgentAdapter | undefined;
  /** Includes its settings. */
  describe(adapter: AgentAdapter, options: { refresh: boolean }): Promise<AgentInfo>;
  /** Reads config.json again. Returns the reason if that fails; the agents then stay unchanged. */
  reload(): ConfigProblem | undefined;
  catalogue(): Promise<AgentCatalogue>;
  /** Adds an entry of the catalogue, or updates it to the catalogue's version. */
  add(input: AddAgent): Promise<AgentId>;
  setEnabled(id: AgentId, enabled: boolean): void;
  remove(id: AgentId): void;
  /** Values of the environment variables that are set for agents. */
  listVariables(): Readonly<Record<string, string>>[];
}

export interface AgentRegistryOptions {
  config: Config;
  environment: NodeJS.ProcessEnv;
  access: ModelAccess;
  readGeneral(): GeneralSettings;
  /** Removes secrets. */
  redact(command: readonly string[]): string[];
}

export function createAgentRegistry({ config, environment, access, readGeneral, redact }: AgentRegistryOptions): AgentRegistry {
  const path = join(config.home, "config.json");
  const host = { environment, baseEnvironment: toAgentEnvironment(environment) };
  const native = createNative({ config, access, readGeneral });
  const adapters = new Map<AgentId, AgentAdapter>();
  const removed = new Map<AgentId, AgentAdapter | undefined>();
  let settings: AgentsConfig = {};
  let known: Promise<Catalogue> | undefined;

  /** Unchanged agents keep their cached state. */
  function apply(next: AgentsConfig): void {
    const before = new Map(adapters);
    adapters.clear();
    adapters.set("native", native);
    for (const id of listDrivenAgents(next)) {
      const isSame = JSON.stringify(next[id] ?? {}) === JSON.stringify(settings[id] ?? {});
      const adapter = (isSame && before.get(id)) || createConfiguredAgent(id, next[id] ?? {}, host);
      if (adapter !== undefined) adapters.set(id, adapter);
    }
    settings = next;
  }

  function readRemoved(id: AgentId): AgentAdapter | undefined {
    if (!removed.has(id)) removed.set(id, createRemovedAgent(id, host));
    return removed.get(id);
  }

  // imported lazily: loading the data would slow every start
  const readCatalogue = () => (known ??= import("@skein/agents/catalogue").then(({ readCatalogue: read }) => read(process)));

  function getAdded(id: AgentId): AgentSettings {
    const found = id.includes(":") ? settings[id] : undefined;
    if (found === undefined) throw new ServiceError("not-found", { code: "agent-not-added", id });
    return found;
  }

  function save(change: (agents: Record<string, unknown>) => Record<string, unknown>): void {
    saveConfig(path, (file) => ({ ...file, agents: change(toObject(file.agents)) }));
    apply(readConfigFile(path).agents ?? {});
  }

  function toAdded(id: AgentId, entry: CatalogueAgent | undefined): AddedAgent | undefined {
    const { command, environment: variables = {}, enabled = true, catalogue } = settings[id] ?? {};
    if (!id.includes(":") || command === undefined) return undefined;
    const latest = entry !== undefined && entry.version !== catalogue?.version ? { latest: entry.version } : {};
    return {
      command: redact(command),
      variables: Object.keys(variables),
      enabled,
      ...(catalogue === undefined ? {} : { catalogue: { ...catalogue, ...latest } }),
    };
  }

  async function findEntry(id: AgentId): Promise<CatalogueAgent | undefined> {
    const catalogueId = settings[id]?.catalogue?.id;
    return catalogueId === undefined ? undefined : (await readCatalogue()).agents.find((entry) => entry.id === catalogueId);
  }

  apply(config.agents ?? {});
  return {
    adapters,
    find: (id) => adapters.get(id) ?? readRemoved(id),
    async describe(adapter, options) {
      const info = await adapter.describe(options);
      const entry = await findEntry(adapter.id);
      const added = toAdded(adapter.id, entry);
      if (added === undefined) return info;
      const isMissing = !info.available && added.enabled && entry?.source === "program";
      const hint: AgentHint = {
        code: "agent-program-not-found",
        agent: info.name,
        program: entry?.command[0] ?? "",
        ...(entry?.download === undefined ? {} : { download: entry.download }),
      };
      // npx and uvx start the pinned version
      const pinned = entry === undefined || entry.source === "program" ? {} : { version: added.catalogue?.version };
      return { ...info, ...(info.available ? pinned : {}), ...(isMissing ? { hint: formatText(hint), hintText: hint } : {}), added };
    },
    reload() {
      try {
        apply(readConfigFile(path).agents ?? {});
        return undefined;
      } catch (error) {
        if (error instanceof ConfigError && error.text !== undefined) return error.text;
        throw error;
      }
    },
    async catalogue() {
      const { origin, agents } = await readCatalogue();
      const entries = agents.map(({ agentId, command, environment: variables, ...entry }) => ({
        ...entry,
        command: [...command],
        environment: { ...variables },
        programPath: findProgram(command[0], environment.PATH) ?? null,
        ...toAddedEntry(agentId, settings[agentId], entry.id),
      }));
      return { entries, origin, customCommand: toCustomCommand(config.home, environment) };
    },
    async add({ catalogueId, hash }) {
      const entry = (await readCatalogue()).agents.find(({ id }) => id === catalogueId);
      if (entry === undefined) throw new ServiceError("not-found", { code: "not-in-catalogue", id: catalogueId });
      const { agentId, name, version, command, environment: variables, builtIn } = entry;
      if (builtIn !== undefined) {
        throw new ServiceError("conflict", { code: "agent-built-in", agent: name, builtIn });
      }
      if (entry.hash !== hash) throw new ServiceError("conflict", { code: "catalogue-changed", agent: name });
      const before = settings[agentId];
      if (before !== undefined && before.catalogue?.id !== catalogueId) {
        throw new ServiceError("conflict", { code: "agent-exists", id: agentId });
      }
      save((agents) => ({
        ...agents,
        [agentId]: {
          ...toObject(agents[agentId]),
          name,
          command: [...command],
          // the user's settings override the catalogue's
          environment: { ...variables, ...before?.environment },
          catalogue: { id: catalogueId, version },
        },
      }));
      return agentId;
    },
    setEnabled(id, enabled) {
      getAdded(id);
      save((agents) => {
        const { enabled: _before, ...others } = toObject(agents[id]);
        return { ...agents, [id]: enabled ? others : { ...others, enabled } };
      });
    },
    remove(id) {
      getAdded(id);
      save(({ [id]: _removed, ...others }) => others);
    },
    listVariables: () => Object.values(settings).map(({ environment: variables = {} }) => variables),
  };
}

function toAddedEntry(agent: AgentId, added: AgentSettings | undefined, id: string): { added?: { agent: AgentId; version: string } } {
  const { catalogue } = added ?? {};
  return catalogue?.id === id ? { added: { agent, version: catalogue.version } } : {};
}

/** The terminal command that adds a custom agent; the browser completes it. */
function toCustomCommand(home: string, environment: NodeJS.ProcessEnv): string[] {
  // npm adds a folder that contains our own command
  const folders = (environment.PATH ?? "").split(delimiter).filter((folder) => !folder.endsWith(join("node_modules", ".bin")));
  const skein = findProgram("skein", folders.join(delimiter)) === undefined ? ["npm", "run", "skein", "--"] : ["skein"];
  const place = home === join(homedir(), ".skein") ? [] : ["--home", home];
  return [...skein, "agents", "add", "--custom", ...place];
}
