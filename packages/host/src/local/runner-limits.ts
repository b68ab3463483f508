import { totalmem } from "node:os";
import type { ResourceLimits } from "@skein/contracts";
import type { RunnerLimits } from "../runner/resource-watch.ts";

const megabyte = 1024 ** 2;
/** Of the memory of the machine, or of the container that Skein runs in. */
const defaultShare = 0.75;

/** Limits of an execution on this machine. */
export function toRunnerLimits({ memoryMb, processes }: ResourceLimits): RunnerLimits {
  const memoryBytes = memoryMb === null ? Math.floor(readMemory() * defaultShare) : memoryMb * megabyte;
  return { ...(memoryBytes === 0 ? {} : { memoryBytes }), ...(processes === 0 ? {} : { processes }) };
}

function readMemory(): number {
  const total = totalmem();
  const container = process.constrainedMemory();
  return container > 0 && container < total ? container : total;
}
