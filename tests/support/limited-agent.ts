import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "./repository.ts";

/**
 * A program that counts its runs in a journal, with the times. While there is a file `limit` in its folder, it fails with the text of that
 * file, as agents report a limit of their provider.
 */
export function newLimitedAgent(limit?: string) {
  const folder = newFolder("limited");
  const program = join(folder, "agent.mjs");
  const journal = join(folder, "runs");
  writeFileSync(
    program,
    `
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
const prompt = await text(process.stdin);
const limit = ${JSON.stringify(join(folder, "limit"))};
const isLimited = existsSync(limit);
appendFileSync(${JSON.stringify(journal)}, JSON.stringify({ at: Date.now(), isLimited, prompt }) + "\\n");
if (isLimited) { console.error(readFileSync(limit, "utf8").trim()); process.exit(1); }
appendFileSync("work.txt", "worked\\n");
console.log("The work is done.");
`,
  );
  const setLimit = (words: string): void => writeFileSync(join(folder, "limit"), words);
  if (limit !== undefined) setLimit(limit);
  return {
    command: [process.execPath, program],
    folder,
    setLimit,
    runs: (): { at: number; isLimited: boolean; prompt: string }[] =>
      existsSync(journal)
        ? readFileSync(journal, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
        : [],
  };
}
