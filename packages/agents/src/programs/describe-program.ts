import type { AgentHint } from "@skein/contracts";
import { AgentUnusableError, formatText } from "@skein/engine";
import { findProgram } from "./find-program.ts";
import { isAtLeast, readVersion } from "./read-version.ts";

export interface ProgramNeeds {
  /** Looked up on PATH if the settings name no command. */
  program: string;
  /** The command that installs or updates it. */
  install: string;
  /** Skein does not support the protocol of earlier versions. */
  leastVersion?: string;
  /** False for programs that do not report a version. */
  reportsVersion?: boolean;
  /** Why it cannot work although it is installed (no login, no key); undefined if it can. */
  findProblem?(environment: Readonly<Record<string, string>>): Promise<AgentHint | undefined> | AgentHint | undefined;
}

export interface ProgramState {
  available: boolean;
  version?: string;
  /** The path that was found. */
  path?: string;
  hint?: string;
  hintText?: AgentHint;
}

export interface ProgramDescription {
  /** Cached; read again if `refresh` is set, or if the program is gone. */
  describe(input: { environment: Readonly<Record<string, string>>; refresh: boolean }): Promise<ProgramState>;
  /** Throws `AgentUnusableError` if it is missing or too old. */
  getCommand(environment: Readonly<Record<string, string>>): Promise<readonly [string, ...string[]]>;
}

/** Programs that download the agent's own. */
const launchers: ReadonlySet<string> = new Set(["npx", "uvx"]);

function toHint(hint: AgentHint): Pick<ProgramState, "hint" | "hintText"> {
  return { hint: formatText(hint), hintText: hint };
}

/** Finds an agent's program, whether it can be used, and what to do if it cannot. */
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
      // a program that does not report its version is started anyway: its own error has more detail
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
