import type { AgentHint } from "@skein/contracts";
import { AgentUnusableError, formatText } from "@skein/engine";
import { findProgram } from "./find-program.ts";
import { isAtLeast, readVersion } from "./read-version.ts";

export interface ProgramNeeds {
  /** Looked up on PATH where the settings name no command. */
  program: string;
  /** What installs it, or a newer one. */
  install: string;
  /** Below it, Skein does not speak its protocol. */
  leastVersion?: string;
  /** False for programs that are not asked for a version. */
  reportsVersion?: boolean;
  /** Why it cannot work although it is there (no login, no key); undefined when it can. */
  findProblem?(environment: Readonly<Record<string, string>>): Promise<AgentHint | undefined> | AgentHint | undefined;
}

export interface ProgramState {
  available: boolean;
  version?: string;
  /** Where it was found. */
  path?: string;
  hint?: string;
  hintText?: AgentHint;
}

export interface ProgramDescription {
  /** Asked once; again only when `refresh` says so, or when what was found is gone. */
  describe(input: { environment: Readonly<Record<string, string>>; refresh: boolean }): Promise<ProgramState>;
  /** Throws `AgentUnusableError` when it is not there, or too old to be started. */
  getCommand(environment: Readonly<Record<string, string>>): Promise<readonly [string, ...string[]]>;
}

/** Programs that download the agent's own. */
const launchers: ReadonlySet<string> = new Set(["npx", "uvx"]);

function toHint(hint: AgentHint): Pick<ProgramState, "hint" | "hintText"> {
  return { hint: formatText(hint), hintText: hint };
}

/** Where an agent's program is, whether it can be used, and what to do when it cannot. */
export function describeProgram(input: {
  needs: ProgramNeeds;
  name: string;
  command: readonly [string, ...string[]] | undefined;
  searchPath: string | undefined;
}): ProgramDescription {
  const { needs, name } = input;
  const versions = new Map<string, ReturnType<typeof readVersion>>();

  function findCommand(): readonly [string, ...string[]] | undefined {
    const [program, ...args] = input.command ?? [needs.program];
    const path = findProgram(program, input.searchPath);
    return path === undefined ? undefined : [path, ...args];
  }

  function explainMissing(): AgentHint {
    if (input.command === undefined) return { code: "agent-not-installed", agent: name, install: needs.install };
    const [program] = input.command;
    return { code: launchers.has(program) ? "agent-launcher-missing" : "agent-command-unusable", agent: name, program };
  }

  async function askVersion(command: readonly [string, ...string[]], environment: Readonly<Record<string, string>>) {
    const key = command.join("\0");
    const asked = versions.get(key) ?? readVersion(command, environment);
    versions.set(key, asked);
    const reading = await asked;
    if ("problem" in reading) versions.delete(key);
    return reading;
  }

  function explainAge(version: string): AgentHint | undefined {
    if (needs.leastVersion === undefined || isAtLeast(version, needs.leastVersion)) return undefined;
    return { code: "agent-too-old", agent: name, version, least: needs.leastVersion, install: needs.install };
  }

  async function findState(command: readonly [string, ...string[]], environment: Readonly<Record<string, string>>): Promise<ProgramState> {
    const [path] = command;
    if (needs.reportsVersion === false) return { available: true, path };
    const reading = await askVersion(command, environment);
    if ("problem" in reading) {
      const hint: AgentHint = { code: "agent-does-not-start", agent: name, reason: reading.problem, install: needs.install };
      return { available: false, path, ...toHint(hint) };
    }
    const { version } = reading;
    const hint = explainAge(version);
    if (hint !== undefined) return { available: false, path, version, ...toHint(hint) };
    const problem = await needs.findProblem?.(environment);
    return problem === undefined ? { available: true, path, version } : { available: false, path, version, ...toHint(problem) };
  }

  return {
    async describe({ environment, refresh }) {
      if (refresh) versions.clear();
      const command = findCommand();
      return command === undefined ? { available: false, ...toHint(explainMissing()) } : findState(command, environment);
    },
    async getCommand(environment) {
      const command = findCommand();
      if (command === undefined) throw new AgentUnusableError(explainMissing());
      if (needs.leastVersion === undefined) return command;
      // a program that does not report its version is started: what it says then says more
      const findAge = async () => {
        const reading = await askVersion(command, environment);
        return "problem" in reading ? undefined : explainAge(reading.version);
      };
      if ((await findAge()) === undefined) return command;
      versions.clear(); // it may have been updated since
      const age = await findAge();
      if (age !== undefined) throw new AgentUnusableError(age);
      return command;
    },
  };
}
