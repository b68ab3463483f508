import { join } from "node:path";
import { expect, test } from "vitest";
import { skeinProgram } from "../../packages/cli/src/testing/skein-program.ts";
import { isLong } from "../support/long.ts";
import { newFolder } from "../support/repository.ts";
import { parseOptions } from "./options.ts";
import { formatResults } from "./report/results-table.ts";
import { simulate } from "./simulation.ts";

const hasPostgres = process.env.SKEIN_TEST_DATABASE_URL !== undefined;

test.runIf(isLong && hasPostgres)(
  "[W6, Q23] a small cluster under all faults for a minute: no invariant is violated",
  {
    timeout: 600_000,
    retry: 0,
  },
  async () => {
    const { results, violations } = await simulate({
      options: parseOptions(["--minutes", "1", "--fault-seconds", "4"]),
      folder: join(newFolder("simulation"), "cluster"),
      program: skeinProgram,
      signal: new AbortController().signal,
      onProgress: () => {},
      onViolation: () => {},
      onTick: () => {},
    });
    expect(violations).toEqual([]);
    expect(results.executions.started).toBeGreaterThan(4);
    expect(results.parts).toBeGreaterThan(100);
    expect(results.checked).toBeGreaterThan(100);
    expect(formatResults(results)).toContain("| violations | 0 |");
  },
);
