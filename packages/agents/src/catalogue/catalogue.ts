import { createHash } from "node:crypto";
import type { AgentId, AgentSource } from "@skein/contracts";
import { z } from "zod";
import { drivenAgentKinds } from "../driven-agents.ts";
import registry from "./acp-registry.json" with { type: "json" };

const packageSchema = z.object({
  // never an option, an address or a path
  package: z.string().regex(/^(?:@[\w.-]+\/)?[\w][\w.-]*(?:(?:@|==)[\w.+-]+)?$/),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
});
const targetSchema = z.object({
  archive: z.url({ protocol: /^https$/ }),
  cmd: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
});
const registrySchema = z.object({
  source: z.url({ protocol: /^https$/ }),
  commit: z.string(),
  date: z.string(),
  agents: z.array(
    z.object({
      id: z.string().regex(/^[a-z][a-z0-9-]*$/),
      name: z.string(),
      version: z.string(),
      description: z.string(),
      repository: z.url({ protocol: /^https$/ }).optional(),
      license: z.string().optional(),
      distribution: z.object({
        npx: packageSchema.optional(),
        uvx: packageSchema.optional(),
        binary: z.record(z.string(), targetSchema).optional(),
      }),
    }),
  ),
});

/** An agent that can be added without entering a command: it is part of Skein's own data. */
export interface CatalogueAgent {
  id: string;
  /** The agent id under which it is added. */
  agentId: AgentId;
  name: string;
  description: string;
  version: string;
  license?: string;
  repository?: string;
  source: AgentSource;
  command: readonly [string, ...string[]];
  environment: Readonly<Record<string, string>>;
  /** Download page, if the user installs the program. */
  download?: string;
  /** The built-in agent that drives the same program, and shields it from files of the repository. */
  builtIn?: AgentId;
  /** Hash of the command. Adding the agent confirms with it what the user was shown. */
  hash: string;
}

/** The agents that can be added by their id, and the state of the registry that they come from. */
export interface Catalogue {
  origin: { repository: string; commit: string; date: string };
  /** Agents that run on this kind of machine, by name. */
  agents: readonly CatalogueAgent[];
}

/** Entries of the registry for programs that Skein drives by itself. */
const builtIns: ReadonlyMap<string, AgentId> = new Map(
  drivenAgentKinds.flatMap(({ id, catalogueIds = [] }) => catalogueIds.map((entry) => [entry, id] as const)),
);

const systems: Partial<Record<NodeJS.Platform, string>> = { darwin: "darwin", linux: "linux" };
const processors: Partial<Record<NodeJS.Architecture, string>> = { arm64: "aarch64", x64: "x86_64" };

/**
 * The ACP registry as of this release. npx and uvx use the exact version, and are preferred to a program that has to be installed, whose
 * version is the user's.
 */
export function readCatalogue(machine: { platform: NodeJS.Platform; arch: NodeJS.Architecture }): Catalogue {
  const { source, commit, date, agents } = registrySchema.parse(registry);
  const target = `${systems[machine.platform]}-${processors[machine.arch]}`;
  const known = agents.flatMap(({ distribution, ...agent }): CatalogueAgent[] => {
    const start = toStart(distribution, { target, version: agent.version });
    if (start === undefined) return [];
    const { id, name, description, version, license, repository } = agent;
    const builtIn = builtIns.get(id);
    return [
      {
        ...{ id, agentId: `acp:${id}`, name, description, version, ...start },
        ...(license === undefined ? {} : { license }),
        ...(repository === undefined ? {} : { repository }),
        ...(builtIn === undefined ? {} : { builtIn }),
        hash: createHash("sha256")
          .update(JSON.stringify([id, version, start.command, Object.entries(start.environment).sort()]))
          .digest("hex"),
      },
    ];
  });
  return { origin: { repository: source, commit, date }, agents: known.sort((a, b) => a.name.localeCompare(b.name, "en")) };
}

type Start = Pick<CatalogueAgent, "source" | "command" | "environment" | "download">;
type Distribution = z.output<typeof registrySchema>["agents"][number]["distribution"];

function toStart({ npx, uvx, binary }: Distribution, { target, version }: { target: string; version: string }): Start | undefined {
  if (npx !== undefined) {
    return { source: "npx", command: ["npx", "--yes", toPinned(npx.package, version), ...npx.args], environment: npx.env };
  }
  if (uvx !== undefined) return { source: "uvx", command: ["uvx", toPinned(uvx.package, version), ...uvx.args], environment: uvx.env };
  const program = binary?.[target];
  if (program === undefined) return undefined;
  // looked up on PATH: Skein downloads no programs
  const name = program.cmd.replace(/^.*\//, "");
  return { source: "program", command: [name, ...program.args], environment: program.env, download: program.archive };
}

/** `@scope/name` contains an `@` of its own. */
function toPinned(name: string, version: string): string {
  return /.(?:@|==)/.test(name) ? name : `${name}@${version}`;
}
