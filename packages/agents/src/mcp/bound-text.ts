import { BoundedOutput } from "../tools/bounded-output.ts";
import { OutputSpill } from "../tools/output-spill.ts";

const shownLength = 16 * 1024;

/** Beginning and end of a long text; the whole of it is kept in a file. */
export function boundText(text: string, spillDirectory: string, name: string): { text: string; outputFile: string | undefined } {
  const bounded = new BoundedOutput(shownLength);
  const spill = new OutputSpill(spillDirectory, name, 2 * shownLength);
  bounded.append(text);
  spill.append(text);
  spill.close();
  const outputFile = spill.isOpen ? spill.path : undefined;
  const where = outputFile === undefined ? "the whole output could not be kept" : `the whole output is in ${outputFile}`;
  return { text: bounded.toText((leftOut) => `[${leftOut} characters left out; ${where}]`), outputFile };
}
