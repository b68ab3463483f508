import { BoundedOutput } from "./bounded-output.ts";
import { OutputSpill } from "./output-spill.ts";

/** Half of it at each end. */
const shownLength = 32 * 1024;

export interface KeptOutput {
  /** For the model: complete, or its beginning and end with a line that names the file with the rest. */
  output: string;
  /** The file with the complete text, if it was truncated and could be kept. */
  outputFile?: string;
}

/** For tools whose result is one text: an output that is too long is written to a file, which `read` opens in parts. */
export function keepOutput(input: { text: string; toolUseId: string; spillDirectory: string; maximumLength?: number }): KeptOutput {
  const { text, toolUseId, spillDirectory, maximumLength = shownLength } = input;
  if (text.length <= maximumLength) return { output: text };
  const bounded = new BoundedOutput(Math.floor(maximumLength / 2));
  bounded.append(text);
  const outputFile = spillText({ text, toolUseId, spillDirectory });
  return { output: bounded.toText((leftOut) => describeCut(leftOut, outputFile)), ...(outputFile === undefined ? {} : { outputFile }) };
}

/** The file's path; undefined if it could not be written. */
export function spillText({
  text,
  toolUseId,
  spillDirectory,
}: {
  text: string;
  toolUseId: string;
  spillDirectory: string;
}): string | undefined {
  const spill = new OutputSpill(spillDirectory, toolUseId, 0);
  spill.append(text);
  spill.close();
  return spill.isOpen ? spill.path : undefined;
}

export function describeCut(leftOut: number, outputFile: string | undefined): string {
  const where = outputFile === undefined ? "the whole output could not be kept" : `the whole output is in ${outputFile}`;
  return `[${leftOut} characters left out; ${where}]`;
}
