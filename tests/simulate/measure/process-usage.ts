import { readdirSync, readFileSync } from "node:fs";

/** CPU seconds and memory of a group of processes. */
export interface Usage {
  cpuSeconds: number;
  /** Proportional set size: memory that processes share is counted once. */
  megabytes: number;
  maxMegabytes: number;
  processes: number;
}

const ticksPerSecond = 100;

interface ProcessStat {
  pid: number;
  parent: number;
  ticks: number;
}

/** Adds up the CPU time of groups of processes, from repeated samples: what a process uses between its last sample and its end is lost. */
export class ProcessUsage {
  readonly groups = new Map<string, Usage>();
  readonly #classify: (pid: number, parent: number) => string | undefined;
  readonly #known = new Map<number, { group: string | undefined; ticks: number }>();

  constructor(classify: (pid: number, parent: number) => string | undefined) {
    this.#classify = classify;
  }

  sample({ withMemory }: { withMemory: boolean }): void {
    const megabytes = new Map<string, number>();
    const counts = new Map<string, number>();
    const living = new Set<number>();
    for (const stat of listProcesses()) {
      living.add(stat.pid);
      const known = this.#known.get(stat.pid);
      const group = known === undefined ? this.#classify(stat.pid, stat.parent) : known.group;
      this.#known.set(stat.pid, { group, ticks: stat.ticks });
      if (group === undefined) continue;
      const usage = this.#usage(group);
      usage.cpuSeconds += Math.max(0, stat.ticks - (known?.ticks ?? 0)) / ticksPerSecond;
      counts.set(group, (counts.get(group) ?? 0) + 1);
      if (withMemory) megabytes.set(group, (megabytes.get(group) ?? 0) + readPss(stat.pid) / 1024);
    }
    for (const pid of this.#known.keys()) if (!living.has(pid)) this.#known.delete(pid);
    for (const [group, usage] of this.groups) {
      usage.processes = counts.get(group) ?? 0;
      if (!withMemory) continue;
      usage.megabytes = megabytes.get(group) ?? 0;
      usage.maxMegabytes = Math.max(usage.maxMegabytes, usage.megabytes);
    }
  }

  #usage(group: string): Usage {
    const usage = this.groups.get(group) ?? { cpuSeconds: 0, megabytes: 0, maxMegabytes: 0, processes: 0 };
    this.groups.set(group, usage);
    return usage;
  }
}

function listProcesses(): ProcessStat[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return [{ pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }];
    } catch {
      return []; // it has ended
    }
  });
}

function readPss(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

export function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}
