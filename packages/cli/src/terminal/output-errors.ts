import { describeStorageFault, findStorageFault } from "@skein/contracts/storage-fault";
import { exitCode } from "../exit-code.ts";

let isServing = false;

/** From now on, no error of the terminal, or of the file in its place, ends the process. */
export function keepServingWithoutOutput(): void {
  isServing = true;
  process.stderr.on("error", () => {});
}

/** `skein tasks | head -1` closes the pipe early, which is not an error. A failed write to a file is one. */
export function handleOutputError(error: NodeJS.ErrnoException): void {
  if (isServing) return;
  if (error.code === "EPIPE") process.exit(exitCode.success);
  const fault = findStorageFault(error);
  if (fault === undefined) throw error;
  console.error(`skein: Cannot write the output. ${describeStorageFault(fault).cause}`);
  process.exit(exitCode.failed);
}
