import { describeStorageFault, findStorageFault } from "@skein/contracts/storage-fault";
import { exitCode } from "../exit-code.ts";

let isServing = false;

/** From now on nothing that happens to the terminal, or to the file that stands for it, ends the process. */
export function keepServingWithoutOutput(): void {
  isServing = true;
  process.stderr.on("error", () => {});
}

/** `skein tasks | head -1` closes the pipe early; that is no error of ours. What cannot be written to a file is one. */
export function handleOutputError(error: NodeJS.ErrnoException): void {
  if (isServing) return;
  if (error.code === "EPIPE") process.exit(exitCode.success);
  const fault = findStorageFault(error);
  if (fault === undefined) throw error;
  console.error(`skein: Cannot write the output. ${describeStorageFault(fault).cause}`);
  process.exit(exitCode.failed);
}
