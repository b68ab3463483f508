import { findProgram } from "./find-program.ts";
import { isAtLeast, readVersion } from "./read-version.ts";

export interface ProgramNeeds {
  /** Looked up on PATH where the user named no command. */
  program: string;
  /** What installs it, or a newer one. */
  install: string;
  /** Below it, Skein does not speak its protocol. */
  leastVersion?: string;
  /** False for programs that are not asked for a version. */
  reportsVersion?: boolean;
  /** What to do when the program is installed but cannot work (no login, no key), in one sentence; undefined when it can. */
  findProblem?(environment: Readonly<Record<string, string>>): Promise<string | undefined> | string | undefined;
}

export interface ProgramState {
  available: boolean;
  version?: string;
  /** Where it was found. */
  path?: string;
  hint?: string;
}

export interface ProgramDescription {
  /** Asked once; again only when `refresh` says so, or when what was found is gone. */
  describe(input: { environment: Readonly<Record<string, string>>; refresh: boolean }): Promise<ProgramState>;
  /** Throws with what to do when it is not there, or too old to be started. */
  getCommand(environment: Readonly<Record<string, string>>): Promise<readonly [string, ...string[]]>;
}

/** Programs that get the agent's own, and what brings them along. */
const launchers: Readonly<Record<string, string>> = {
  npx: "It is part of Node.js: https://nodejs.org",
  uvx: "It is part of uv: https://docs.astral.sh/uv",
};

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

  function explainMissing(): string {
    if (input.command === undefined) return `${name} is not installed. Run: ${needs.install}`;
    const [program] = input.command;
    const launcher = launchers[program];
    if (launcher !== undefined) return `${name} is started by ${program}, which is not on this machine. ${launcher}`;
    return `${name}: the command “${program}” in your settings is not a program that can be run. Correct it there.`;
  }

  async function askVersion(command: readonly [string, ...string[]], environment: Readonly<Record<string, string>>) {
    const key = command.join("\0");
    const asked = versions.get(key) ?? readVersion(command, environment);
    versions.set(key, asked);
    const reading = await asked;
    if ("problem" in reading) versions.delete(key);
    return reading;
  }

  function explainAge(version: string): string | undefined {
    if (needs.leastVersion === undefined || isAtLeast(version, needs.leastVersion)) return undefined;
    return `${name} ${version} is too old: Skein needs ${needs.leastVersion} or newer. Run: ${needs.install}`;
  }

  async function findState(command: readonly [string, ...string[]], environment: Readonly<Record<string, string>>): Promise<ProgramState> {
    const [path] = command;
    if (needs.reportsVersion === false) return { available: true, path };
    const reading = await askVersion(command, environment);
    if ("problem" in reading) {
      return { available: false, path, hint: `${name} does not start: ${reading.problem}. Install it again: ${needs.install}` };
    }
    const { version } = reading;
    const hint = explainAge(version);
    if (hint !== undefined) return { available: false, path, version, hint };
    const problem = await needs.findProblem?.(environment);
    return problem === undefined ? { available: true, path, version } : { available: false, path, version, hint: problem };
  }

  return {
    async describe({ environment, refresh }) {
      if (refresh) versions.clear();
      const command = findCommand();
      return command === undefined ? { available: false, hint: explainMissing() } : findState(command, environment);
    },
    async getCommand(environment) {
      const command = findCommand();
      if (command === undefined) throw new Error(explainMissing());
      if (needs.leastVersion === undefined) return command;
      // a program that does not report its version is started: what it says then says more
      const findAge = async () => {
        const reading = await askVersion(command, environment);
        return "problem" in reading ? undefined : explainAge(reading.version);
      };
      if ((await findAge()) === undefined) return command;
      versions.clear(); // it may have been updated since
      const age = await findAge();
      if (age !== undefined) throw new Error(age);
      return command;
    },
  };
}
