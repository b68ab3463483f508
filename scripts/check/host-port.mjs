import { isTestFile, listImportStatements, listSources } from "./source-files.mjs";

/** Modules that reach the machine: its files, processes and sockets. */
const machineModules = new Set([
  "node:fs",
  "node:fs/promises",
  "node:child_process",
  "node:net",
  "node:os",
  "node:cluster",
  "node:dgram",
  "node:worker_threads",
]);

/**
 * The parts of the server that may reach the machine that it runs on, and why. Everything else sees the machine of an attempt only
 * through the `Host` port, which may be another machine.
 */
export const ownMachine = {
  "start-server.ts": "reads the TLS certificate",
  "start/": "wires everything: creates the local host, finds the built web UI",
  "logger.ts": "the server's log",
  "config/": "config.json, and the environment of the server",
  "data-dir/": "the server's own data: database, token, lock, backups, trust, journals",
  "faults/": "whether the database's disk can be written",
  "hosts/": "connects to the hosts of attempts",
  "worker/": "a worker, which serves the machine that it runs on",
  "http/": "connections, sessions, and the files of the web UI",
  "tool-processors/": "the user's own programs, which run in threads of the server",
  "telemetry/": "measures the process and the database file of the server, and names its machine",
  "agents/": "wires the agents: finds their programs and describes how they are started",
};

/**
 * Imports of the server that bypass the `Host` port, one sentence each: of a module that reaches the machine, or of more than types of
 * the host. The port itself has only types. `sources`: `{ file, text }`, with paths relative to the repository.
 */
export function findPortBypasses(sources) {
  return sources.flatMap(({ file, text }) => {
    if (isTestFile(file)) return [];
    const statements = listImportStatements(text);
    if (file.startsWith("packages/host/src/port/")) {
      return statements.filter(({ isType }) => !isType).map(({ specifier }) => `${file} imports ${specifier}: the port has only types`);
    }
    const [, inServer] = /^packages\/server\/src\/(.+)$/.exec(file) ?? [];
    if (inServer === undefined || Object.keys(ownMachine).some((own) => inServer.startsWith(own))) return [];
    return statements.flatMap(({ specifier, isType }) => {
      if (machineModules.has(specifier)) return [`${file} imports ${specifier}: use the Host port, or move it to data-dir`];
      return specifier === "@skein/host" && !isType ? [`${file} imports values of ${specifier}: only its types are for services`] : [];
    });
  });
}

/** The violations in this repository. */
export function findPortBypassesOf(root) {
  return findPortBypasses(listSources(root));
}
