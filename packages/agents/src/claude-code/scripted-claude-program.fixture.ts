/*
 * Replaces Claude Code for behaviour that the real one cannot be made to show. Arguments: a file for every line that it reads, and its
 * steps as JSON. A step is printed, or waits: `{ hear: "user" }` for a line of that type, which `echo` prints; `{ exit: 1 }` and `{ hang:
 * true }` end it.
 */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

type Step = { hear: string; echo?: true } | { exit: number } | { hang: true } | { print: string } | { type: string };

const [heardFile = "", steps = "[]"] = process.argv.slice(2);
const lines: { type: string }[] = [];
let isClosed = false;
let wake = (): void => {};
const input = createInterface({ input: process.stdin });
input.on("line", (line) => {
  appendFileSync(heardFile, `${line}\n`);
  lines.push(JSON.parse(line));
  wake();
});
input.on("close", () => {
  isClosed = true;
  wake();
});
const news = (): Promise<void> => new Promise((resolve) => (wake = resolve));

for (const step of JSON.parse(steps) as Step[]) {
  if ("hear" in step) {
    while (!lines.some(({ type }) => type === step.hear) && !isClosed) await news();
    const [line] = lines.splice(
      lines.findIndex(({ type }) => type === step.hear),
      1,
    );
    if (step.echo) process.stdout.write(`${JSON.stringify(line)}\n`);
  } else if ("exit" in step) process.exit(step.exit);
  else if ("hang" in step) setInterval(() => {}, 60_000);
  else process.stdout.write(`${"print" in step ? step.print : JSON.stringify(step)}\n`);
}
if (!JSON.parse(steps).some((step: Step) => "hang" in step)) {
  while (!isClosed) await news();
  process.exit(0);
}
