import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseOptions, UsageError, usage } from "./options.ts";
import { formatResults, formatTick } from "./report/results-table.ts";
import { simulate } from "./simulation.ts";

/** `npm run simulate`: exit code 1 if an invariant was violated, 2 for wrong usage. */
export async function runSimulation(args: readonly string[], program: string): Promise<number> {
  if (args.includes("--help")) {
    console.log(usage);
    return 0;
  }
  let options: ReturnType<typeof parseOptions>;
  try {
    options = parseOptions(args);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    return error instanceof UsageError || error instanceof TypeError ? 2 : 1;
  }
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skein-simulation-")));
  // repositories and the database are temporary files, too
  process.env.TMPDIR = folder;
  console.log(`seed ${options.seed}, in ${folder}`);
  let ticks = 0;
  const interrupt = new AbortController();
  process.once("SIGINT", () => interrupt.abort()).once("SIGTERM", () => interrupt.abort());
  const { results, violations } = await simulate({
    options,
    program,
    signal: interrupt.signal,
    folder: join(folder, "cluster"),
    onProgress: (text) => console.log(text),
    onViolation: ({ invariant, detail }) => console.log(`VIOLATED ${invariant}: ${detail}`),
    onTick: (now) => {
      if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${formatTick(now)}`);
      else if (ticks++ % 5 === 0) console.log(formatTick(now));
    },
  });
  console.log(`\n${formatResults(results)}\n`);
  writeFileSync(join(folder, "results.md"), formatResults(results));
  if (violations.length > 0) {
    for (const { invariant, detail } of violations) console.log(`VIOLATED ${invariant}: ${detail}`);
    console.log(`Seed ${options.seed}. With the events and faults around each: ${join(folder, "cluster", "violations.txt")}`);
    return 1;
  }
  if (options.keep) console.log(`Data dirs: ${folder}`);
  else rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  return 0;
}
