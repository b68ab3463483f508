import { execFileSync } from "node:child_process";
import { basename } from "node:path";
import { collectDescendants } from "./descendants.ts";
import { executionMarker } from "./execution-marker.ts";
import type { ProcessTable } from "./process-table.ts";

/** Runs a program of the system and returns its output. */
export type RunTool = (program: string, args: readonly string[]) => string;

/** Start times are printed in the local time, which changes twice a year, and in the user's language. */
const environment = { PATH: "/bin:/usr/bin:/sbin:/usr/sbin", LC_ALL: "C", TZ: "UTC" };
const timeoutMs = 10_000;
const mostOutput = 64 * 2 ** 20;

const runTool: RunTool = (program, args) => {
  try {
    return execFileSync(program, args, {
      ...{ env: environment, encoding: "utf8", timeout: timeoutMs, maxBuffer: mostOutput },
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch (error) {
    // `ps -p` and `lsof` fail if they find nothing
    return error instanceof Error && "stdout" in error ? String(error.stdout) : "";
  }
};

const columns = "pid=,ppid=,pgid=,state=,lstart=";

/**
 * Asks `ps`, `lsof` and `sysctl`. macOS has neither cgroups nor a resource limit that nothing enforces, so processes are found by their
 * parents, their groups and the variable; `ps -E` shows the variables of the user's own processes only.
 */
export function createMacosProcesses(run: RunTool = runTool): ProcessTable {
  const list: ProcessTable["list"] = () =>
    run("ps", ["-A", "-o", columns])
      .split("\n")
      .flatMap((line) => {
        const [, pid, parent, group, state, startTime] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line) ?? [];
        if (state === undefined || startTime === undefined) return [];
        return [{ pid: Number(pid), parent: Number(parent), group: Number(group), zombie: state.startsWith("Z"), startTime }];
      });
  const findMarked: ProcessTable["findMarked"] = (entries, executionIds) => {
    if (executionIds.length === 0) return [];
    const known = new Set(entries.map(({ pid }) => pid));
    return run("ps", ["-A", "-ww", "-E", "-o", "pid=,command="])
      .split("\n")
      .flatMap((line) => {
        const [, pid, text] = /^\s*(\d+)\s(.*)$/.exec(line) ?? [];
        if (pid === undefined || text === undefined || !known.has(Number(pid))) return [];
        const words = new Set(text.split(" "));
        return executionIds.flatMap((executionId) =>
          words.has(`${executionMarker}=${executionId}`) ? [{ pid: Number(pid), executionId }] : [],
        );
      });
  };
  return {
    list,
    readStartTime(pid) {
      const [, state, startTime] = /^\s*(\S+)\s+(\S.*?)\s*$/.exec(run("ps", ["-o", "state=,lstart=", "-p", String(pid)])) ?? [];
      return startTime === undefined || state?.startsWith("Z") ? null : startTime;
    },
    readName: (pid) => basename(run("ps", ["-o", "comm=", "-p", String(pid)]).trim()),
    readBootId: () => run("sysctl", ["-n", "kern.bootsessionuuid"]).trim() || null,
    findMarked,
    followExecution: (executionId) => () => {
      const entries = list();
      const found = new Set<number>();
      for (const { pid } of findMarked(entries, [executionId])) collectDescendants(entries, pid, found);
      found.delete(process.pid);
      const sizes = readSizes(run("ps", ["-A", "-o", "pid=,rss="]));
      return entries.flatMap(({ pid, startTime, zombie }) =>
        zombie || !found.has(pid) ? [] : [{ pid, startTime, memory: sizes.get(pid) ?? 0, threads: 1 }],
      );
    },
    costOfLook: 3,
    findConnected({ remotePort, localPort }, pids) {
      // of each process a line p<pid>, of each of its connections a line n<local>-><remote>
      const lines = run("lsof", ["-nP", `-iTCP:${remotePort}`, "-sTCP:ESTABLISHED", "-Fpn"]).split("\n");
      const isPeer = (line: string): boolean => line.startsWith("n") && line.includes(`:${remotePort}->`) && line.endsWith(`:${localPort}`);
      const found = new Set<number>();
      let owner = 0;
      for (const line of lines) {
        if (line.startsWith("p")) owner = Number(line.slice(1));
        else if (isPeer(line)) found.add(owner);
      }
      return pids.filter((pid) => found.has(pid));
    },
  };
}

/** Bytes by pid. `ps` counts what several processes share for each of them, and cannot count threads. */
function readSizes(output: string): Map<number, number> {
  return new Map(
    output.split("\n").flatMap((line): [number, number][] => {
      const [, pid, kilobytes] = /^\s*(\d+)\s+(\d+)\s*$/.exec(line) ?? [];
      return pid === undefined ? [] : [[Number(pid), Number(kilobytes) * 1024]];
    }),
  );
}
