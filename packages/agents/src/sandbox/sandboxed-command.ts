import type { ChildProcess } from "node:child_process";
import { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { locateProgram } from "../programs/locate-program.ts";
import { findBubblewrap, namespaces } from "./find-bubblewrap.ts";
import { listMounts } from "./list-mounts.ts";
import { proxyEnvironment, type SandboxStart } from "./network-channel.ts";
import { NetworkRules } from "./network-rules.ts";
import type { SandboxOrder } from "./sandbox-order.ts";
import { serveNetwork } from "./serve-network.ts";
import { createSystemCallFilter } from "./system-call-filter.ts";

const filterDescriptor = 3;
/** Variables that lead to services outside. */
const removedVariables = new Set([
  "SSH_AUTH_SOCK",
  "SSH_AGENT_PID",
  "GPG_AGENT_INFO",
  "DBUS_SESSION_BUS_ADDRESS",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XDG_RUNTIME_DIR",
  "DOCKER_HOST",
]);

/** How to start a program in a sandbox: `spawn(program, args, { env: environment, stdio: [stdin, stdout, stderr, ...stdio] })`. */
export interface SandboxedCommand {
  program: string;
  args: string[];
  environment: Record<string, string>;
  /** Streams after the standard ones. */
  stdio: ["pipe", "pipe"];
  /** To be called at once after `spawn`: the program does not start before. */
  onSpawned(child: ChildProcess): void;
}

/** The machine cannot run a sandbox. */
export class SandboxUnavailable extends Error {
  override readonly name = "SandboxUnavailable";
}

/**
 * Wraps a command so that it runs in a sandbox (bubblewrap): the machine's files are read-only, what the order hides is empty, `/tmp` is
 * private, and connections follow the order's rules.
 * @throws SandboxUnavailable: the command must not be started then
 */
export function toSandboxedCommand(
  order: SandboxOrder,
  {
    program,
    args,
    cwd,
    environment,
  }: { program: string; args: readonly string[]; cwd: string; environment: Readonly<Record<string, string>> },
): SandboxedCommand {
  const support = findBubblewrap();
  const filter = createSystemCallFilter();
  if (!support.ok || filter === undefined) throw new SandboxUnavailable(support.ok ? `processor ${process.arch}` : support.reason);
  const rules = new NetworkRules(order.hosts);
  const hasNetwork = order.hosts.length > 0;
  const inside = hasNetwork ? withNetwork(rules, { program, args }) : withDefaultSignals({ program, args });
  return {
    // bubblewrap's own process stays when the group is asked to end: the program in the sandbox decides when it exits
    program: "/bin/sh",
    args: [
      "-c",
      'trap "" TERM INT HUP; exec "$@"',
      "sh",
      support.program,
      ...namespaces,
      "--die-with-parent",
      "--seccomp",
      String(filterDescriptor),
      ...listMounts(order),
      "--chdir",
      cwd,
      "--",
      ...inside,
    ],
    environment: {
      ...Object.fromEntries(Object.entries(environment).filter(([name]) => !removedVariables.has(name))),
      TMPDIR: "/tmp",
      ...(hasNetwork ? proxyEnvironment : {}),
    },
    stdio: ["pipe", "pipe"],
    onSpawned(child) {
      const [filterPipe, channel] = [child.stdio[filterDescriptor], child.stdio[filterDescriptor + 1]];
      for (const stream of [filterPipe, channel]) stream?.on("error", () => {}); // it ended early: its exit is reported
      if (filterPipe instanceof Duplex) filterPipe.end(filter);
      if (!(channel instanceof Duplex)) return; // without free file descriptors there are no pipes
      if (hasNetwork) serveNetwork(channel, rules);
      else channel.destroy();
    },
  };
}

function withNetwork(rules: NetworkRules, command: Pick<SandboxStart, "program" | "args">): string[] {
  const start: SandboxStart = { localPorts: rules.localPorts, ...command };
  const nodeArgs = ["--max-semi-space-size=1", "--disable-warning=ExperimentalWarning"];
  return [
    process.execPath,
    ...nodeArgs,
    fileURLToPath(locateProgram(new URL("./sandbox-program.ts", import.meta.url))),
    JSON.stringify(start),
  ];
}

/** Signals that are ignored stay so in children, and a shell cannot undo that. */
function withDefaultSignals({ program, args }: Pick<SandboxStart, "program" | "args">): string[] {
  return ["/usr/bin/env", "--default-signal=TERM,INT,HUP", program, ...args];
}
