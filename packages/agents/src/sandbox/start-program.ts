import { type ChildProcess, type IOType, type SpawnOptions, spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { locateProgram } from "../programs/locate-program.ts";
import { findBubblewrap, namespaces } from "./find-bubblewrap.ts";
import { listMounts } from "./list-mounts.ts";
import { channelDescriptor, filterDescriptor, proxyEnvironment, type SandboxStart } from "./network-channel.ts";
import { NetworkRules } from "./network-rules.ts";
import type { SandboxMount, SandboxOrder } from "./sandbox-order.ts";
import { createSystemCallFilter } from "./system-call-filter.ts";

/** `O_CLOEXEC` in `/proc/<pid>/fdinfo`. */
const closeOnExec = 0o2000000;

/** How to start a program. */
export interface ProgramCommand {
  program: string;
  args: readonly string[];
  cwd: string;
  environment: Readonly<Record<string, string>>;
}

/** Variables that lead to services outside. */
const removedVariables = new Set([
  ...["SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"],
  ...["DISPLAY", "WAYLAND_DISPLAY", "DOCKER_HOST"],
]);

/** The machine cannot run a sandbox; nothing was started. */
export class SandboxUnavailable extends Error {
  override readonly name = "SandboxUnavailable";
}

/**
 * Starts a program in its own process group, in a sandbox (bubblewrap): it sees and may reach what the order says.
 * @param options.stdin `terminal`: the program shares the terminal of this process, and stays in its session
 * @param options.wrap changes the whole command before it is started
 * @throws SandboxUnavailable
 */
export function startSandboxed(
  order: SandboxOrder,
  command: ProgramCommand,
  {
    stdin,
    wrap = (wrapped) => wrapped,
  }: { stdin: "pipe" | "ignore" | "terminal"; wrap?(command: { program: string; args: string[] }): { program: string; args: string[] } },
): ChildProcess {
  const bubblewrap = findBubblewrap();
  const filter = createSystemCallFilter();
  if (bubblewrap === undefined || filter === undefined) throw new SandboxUnavailable("This machine cannot run sandboxes.");
  const rules = new NetworkRules(order.hosts);
  const hasNetwork = order.hosts.length > 0;
  const { program, args } = wrap({
    // bubblewrap's own process stays when the group is asked to end: the program in the sandbox decides when it exits
    program: "/bin/sh",
    args: [
      ...["-c", 'trap "" TERM INT HUP; exec "$@"', "sh", bubblewrap],
      ...[...namespaces, "--die-with-parent", "--seccomp", String(filterDescriptor)],
      ...[...listMounts(hasNetwork ? withOwnPrograms(order) : order), "--chdir", command.cwd, "--"],
      ...(hasNetwork ? withNetwork(rules, command) : withDefaultSignals(command)),
    ],
  });
  const options: SpawnOptions = {
    cwd: command.cwd,
    env: toEnvironment(command.environment, hasNetwork),
    // in a session of its own it would have no terminal
    detached: stdin !== "terminal",
  };
  const child = withNothing((nothing) => {
    // an open folder would lead out of the sandbox
    const own: (IOType | number)[] = stdin === "terminal" ? ["inherit", "inherit", "inherit"] : [stdin, "pipe", "pipe"];
    const stdio: (IOType | number)[] = [...own, "pipe", "pipe"];
    for (const descriptor of listInherited()) {
      while (stdio.length <= descriptor) stdio.push("ignore");
      if (descriptor > channelDescriptor) stdio[descriptor] = nothing;
    }
    return spawn(program, args, { ...options, stdio });
  });
  const [filterPipe, channel] = [child.stdio[filterDescriptor], child.stdio[channelDescriptor]];
  for (const stream of [filterPipe, channel]) stream?.on("error", () => {}); // it ended early: its exit is reported
  if (filterPipe instanceof Duplex) filterPipe.end(filter);
  if (channel instanceof Duplex) {
    if (hasNetwork) void openNetwork(channel, rules);
    else channel.destroy();
  }
  return child;
}

/** What the program sends until then waits in the channel. Loaded late: every agent would load Node's HTTP servers, which few use. */
async function openNetwork(channel: Duplex, rules: NetworkRules): Promise<void> {
  try {
    const { serveNetwork } = await import("./serve-network.ts");
    if (!channel.destroyed) serveNetwork(channel, rules);
  } catch {
    channel.destroy();
  }
}

/** Starts a program in its own process group: in a sandbox, if there is an order for one. */
export function startProgram(
  order: SandboxOrder | undefined,
  command: ProgramCommand,
  { stdin }: { stdin: "pipe" | "ignore" },
): ChildProcess {
  if (order !== undefined) return startSandboxed(order, command, { stdin });
  const { program, args, cwd, environment } = command;
  return spawn(program, args, { cwd, env: { ...environment }, stdio: [stdin, "pipe", "pipe"], detached: true });
}

/** Open files of this process that every program it starts would get: it has them from the program that started it. */
function listInherited(): number[] {
  return readdirSync("/proc/self/fdinfo").flatMap((name) => {
    try {
      const [, flags = ""] = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, "utf8")) ?? [];
      return (Number.parseInt(flags, 8) & closeOnExec) === 0 ? [Number(name)] : [];
    } catch {
      return []; // closed by now
    }
  });
}

function withNothing<T>(use: (descriptor: number) => T): T {
  const descriptor = openSync("/dev/null", "r+");
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function toEnvironment(environment: Readonly<Record<string, string>>, hasNetwork: boolean): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => !removedVariables.has(name));
  return { ...Object.fromEntries(kept), TMPDIR: "/tmp", ...(hasNetwork ? proxyEnvironment : {}) };
}

const sandboxProgram = fileURLToPath(locateProgram(new URL("./sandbox-program.ts", import.meta.url)));

/** Skein and its Node may be in a folder that looks empty: `npx` installs into a cache. */
function withOwnPrograms(order: SandboxOrder): SandboxOrder {
  const own = [dirname(sandboxProgram), process.execPath];
  return { ...order, mounts: [...order.mounts, ...own.map((path): SandboxMount => ({ path, access: "read" }))] };
}

function withNetwork(rules: NetworkRules, { program, args }: ProgramCommand): string[] {
  const start: SandboxStart = { localPorts: rules.localPorts, program, args };
  const nodeArgs = ["--max-semi-space-size=1", "--disable-warning=ExperimentalWarning"];
  return [process.execPath, ...nodeArgs, sandboxProgram, JSON.stringify(start)];
}

/** Signals that are ignored stay so in children, and a shell cannot undo that. */
function withDefaultSignals({ program, args }: ProgramCommand): string[] {
  return ["/usr/bin/env", "--default-signal=TERM,INT,HUP", program, ...args];
}
