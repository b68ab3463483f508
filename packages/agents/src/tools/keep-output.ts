import { BoundedOutput } from "./bounded-output.ts";
import { OutputSpill } from "./output-spill.ts";

/** Half of it at either end. */
const shownLength = 32 * 1024;

export interface KeptOutput {
  /** For the model: whole, or its beginning and end with a line that says where the rest is. */
  output: string;
  /** Where the whole text is, when it was cut and could be kept. */
  outputFile?: string;
}

/** For tools whose result is one text: what is too long to be shown goes to a file that `read` opens in pieces. */
export function keepOutput(input: { text: string; toolUseId: string; spillDirectory: string; maximumLength?: number }): KeptOutput {
  const { text, toolUseId, spillDirectory, maximumLength = shownLength } = input;
  if (text.length <= maximumLength) return { output: text };
  const bounded = new BoundedOutput(Math.floor(maximumLength / 2));
  bounded.append(text);
  const outputFile = spillText({ text, toolUseId, spillDirectory });
  return { output: bounded.toText((leftOut) => describeCut(leftOut, outputFile)), ...(outputFile === undefined ? {} : { outputFile }) };
}

/** The file's path; undefined when the disk would not take it. */
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
