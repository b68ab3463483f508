import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { NoticeText } from "@skein/contracts";
import type { DriverOrder } from "../driver/driver-order.ts";
import type { AgentLogin } from "../failures/explain-model-failure.ts";

/** Additional arguments and variables for one start of an agent. */
export type AcpStart = {
  args?: string[];
  /** `{directory}` in a value is replaced by the working folder, JSON-escaped. */
  environment?: Record<string, string>;
  /** Variables that are set to an empty value if the user has none, so that no file of the repository sets them. */
  blanks?: string[];
};

/** The differences between ACP agents, as JSON in the driver's order. */
export type AcpOptions = {
  start?: AcpStart;
  /** By whether the repository's own settings may be used. */
  trusted?: AcpStart;
  untrusted?: AcpStart;
  /**
   * A file whose variables the agent loads in a trusted folder. A repository without `settings` for the agent must not be trusted because
   * of them.
   */
  variables?: { file: string; settings: string };
  /** Files that an untrusted repository must not contain, because the agent runs them regardless of its settings. */
  refused?: string[];
  /** File requests that are served; others are rejected. */
  files: { read: boolean; write: boolean };
  terminals: boolean;
  /** The title of a call that runs a command is that command verbatim, and the only place that has it. */
  titlesAreCommands?: boolean;
  /** It has no tool to propose a plan: its answer in plan mode is the plan. */
  answersWithPlan?: boolean;
  /** The non-interactive login method: with a key from the environment. */
  keyLogin?: { methodId: string; variable: string };
  /** How a user logs in. */
  login?: AgentLogin;
};

export function getAcpOptions({ options }: Pick<DriverOrder, "options">): AcpOptions {
  return options as unknown as AcpOptions;
}

type Place = Pick<DriverOrder, "directory" | "trustsRepository">;

/** Arguments and variables of one start, depending on whether the repository's settings are trusted. */
export function toAcpStart(
  order: Place,
  options: AcpOptions,
  given: Readonly<Record<string, string>>,
): { args: string[]; environment: Record<string, string> } {
  const { directory } = order;
  const parts = [options.start, isTrusted(order, options) ? options.trusted : options.untrusted];
  const blanks = parts.flatMap((part) => part?.blanks ?? []).filter((name) => given[name] === undefined);
  const folder = JSON.stringify(directory).slice(1, -1);
  const variables = parts.flatMap((part) => Object.entries(part?.environment ?? {}));
  return {
    args: parts.flatMap((part) => part?.args ?? []),
    environment: {
      ...Object.fromEntries(blanks.map((name) => [name, ""])),
      ...Object.fromEntries(variables.map(([name, value]) => [name, value.replaceAll("{directory}", folder)])),
    },
  };
}

function isTrusted({ directory, trustsRepository }: Place, { variables }: AcpOptions): boolean {
  if (!trustsRepository || variables === undefined) return trustsRepository;
  return existsSync(join(directory, variables.settings)) || !existsSync(join(directory, variables.file));
}

/** Why the agent must not start in this folder; undefined if it may. */
export function explainRefusal(order: Place & Pick<DriverOrder, "name">, options: AcpOptions): NoticeText | undefined {
  const refused = findRefused(order, options);
  return refused === undefined ? undefined : { code: "agent-settings-refused", agent: order.name, names: [refused], more: 0 };
}

/** A file of an untrusted repository that the agent must not find. */
function findRefused({ directory, trustsRepository }: Place, { refused = [] }: AcpOptions): string | undefined {
  if (trustsRepository || refused.length === 0) return undefined;
  // case-insensitive: `.OpenCode` is the same folder on many disks
  return readdirSync(directory).find((name) => refused.includes(name.toLowerCase()));
}
