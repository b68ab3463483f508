import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { NoticeText } from "@skein/contracts";
import type { DriverOrder } from "../driver/driver-order.ts";
import type { AgentLogin } from "../failures/explain-model-failure.ts";

/** What one start of an agent gets in addition to its command. */
export type AcpStart = {
  args?: string[];
  /** `{directory}` in a value stands for the working folder, written as in JSON. */
  environment?: Record<string, string>;
  /** Variables that are set to nothing where the user has none, so that no file of the repository sets them. */
  blanks?: string[];
};

/** What is different between the agents that speak ACP. It travels in the order, as JSON. */
export type AcpOptions = {
  start?: AcpStart;
  /** By whether the repository's own settings may count. */
  trusted?: AcpStart;
  untrusted?: AcpStart;
  /**
   * A file whose variables the agent takes over in a folder that it trusts. That a repository has no `settings` for the agent
   * is no reason to trust it with those.
   */
  variables?: { file: string; settings: string };
  /** What a repository that is not trusted must not contain, because the agent runs it whatever its settings are. */
  refused?: string[];
  /** Which requests for files are served; the others are refused. */
  files: { read: boolean; write: boolean };
  terminals: boolean;
  /** The title of a call that runs a command is that command, word for word, and stands nowhere else. */
  titlesAreCommands?: boolean;
  /** It has no tool to propose a plan: what it answers in its plan mode is one. */
  answersWithPlan?: boolean;
  /** The way to log in that needs nobody: with a key that is in the environment. */
  keyLogin?: { methodId: string; variable: string };
  /** What a user does to log in. */
  login?: AgentLogin;
};

export function getAcpOptions({ options }: Pick<DriverOrder, "options">): AcpOptions {
  return options as unknown as AcpOptions;
}

type Place = Pick<DriverOrder, "directory" | "trustsRepository">;

/** Arguments and variables of one start, by whether the repository's own settings are trusted. */
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

/** Why the agent must not start in this folder; undefined when it may. */
export function explainRefusal(order: Place & Pick<DriverOrder, "name">, options: AcpOptions): NoticeText | undefined {
  const refused = findRefused(order, options);
  return refused === undefined ? undefined : { code: "agent-settings-refused", agent: order.name, names: [refused], more: 0 };
}

/** A file of an untrusted repository that the agent must not find. */
function findRefused({ directory, trustsRepository }: Place, { refused = [] }: AcpOptions): string | undefined {
  if (trustsRepository || refused.length === 0) return undefined;
  // without case: `.OpenCode` is the same folder on many disks
  return readdirSync(directory).find((name) => refused.includes(name.toLowerCase()));
}
