import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { hasPostgres } from "./scripts/setup/postgres.mjs";
import { browserStoriesOnPostgres, browserTestsOfNodes, storiesOnPostgres } from "./tests/support/stories-on-postgres.ts";

// For projects that drive real programs, on a machine whose load is unknown. `npm test` lists the tests that needed it.
const retry = 1;

// The summary of `npm test` shows messages only: "expected [ …(2) ]" explains nothing.
const chaiConfig = { truncateThreshold: 400 };

const ownFolder = "./scripts/setup/test-folder.mjs";
// The CPU time of each file, for the summary of `npm test`.
const setupFiles = "./scripts/setup/account-cpu.mjs";

// These projects run the programs as users do: built. Unit tests run the sources.
const globalSetup = [ownFolder, "./scripts/setup/use-program-build.mjs"];

// The runners and agents that a test starts from its own process share its compile cache, as they share the server's.
// Without one, each of them strips the types and compiles everything anew.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("./node_modules/.cache/tests", import.meta.url));

// Each look at a server, page or process costs both sides milliseconds of CPU time, and several workers wait at once.
const pollIntervalMs = 200;
const expectOptions = { poll: { interval: pollIntervalMs } };

// Only for what hangs: most of these tests start several processes, which takes its time on a busy machine.
const integrationTimeouts = { testTimeout: 180_000, hookTimeout: 180_000 };

/** Tests that are part of the integration step, with their servers on Postgres. */
const onPostgres = {
  test: {
    name: "postgres",
    setupFiles,
    globalSetup: [...globalSetup, "./scripts/setup/use-postgres.mjs"],
    env: { SKEIN_TEST_DATABASE: "postgres" },
    chaiConfig,
    retry,
    expect: expectOptions,
    isolate: false, // as below
    include: storiesOnPostgres({ isLong: process.env.SKEIN_TEST_LONG === "1" }),
    ...integrationTimeouts,
  },
};

// One second is not enough for a browser on a busy machine.
const browserTimeouts = { expect: { poll: { timeout: 60_000, interval: pollIntervalMs } }, testTimeout: 240_000, hookTimeout: 240_000 };

/** Browser tests with their servers on Postgres. */
const browserOnPostgres = {
  test: {
    ...onPostgres.test,
    ...browserTimeouts,
    name: "browser-postgres",
    include: browserStoriesOnPostgres({ isLong: process.env.SKEIN_TEST_LONG === "1" }),
  },
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          setupFiles,
          globalSetup: ownFolder,
          // Half of the time went into starting a process for each file and importing the same modules there. The tests
          // leave no state behind in a module.
          isolate: false,
          testTimeout: 180_000,
          include: ["packages/*/src/**/*.test.ts", "packages/*/src/**/*.test.tsx", "scripts/**/*.test.mjs"],
          exclude: ["**/*.integration.test.ts"],
        },
      },
      {
        test: {
          name: "integration",
          setupFiles,
          globalSetup: [...globalSetup, "./scripts/setup/use-postgres.mjs"],
          chaiConfig,
          retry,
          expect: expectOptions,
          isolate: false, // as above
          include: ["packages/*/src/**/*.integration.test.ts", "tests/**/*.test.ts"],
          exclude: ["tests/browser/**", "tests/real-agents/**"],
          ...integrationTimeouts,
        },
      },
      // without Postgres they are left out, as are the other tests that need it; `npm test` reports that as a failed step
      ...(hasPostgres() ? [onPostgres] : []),
      {
        test: {
          name: "browser",
          setupFiles,
          globalSetup,
          chaiConfig,
          retry,
          isolate: false, // as above; the files of a worker share one browser
          include: ["tests/browser/**/*.test.ts"],
          exclude: browserTestsOfNodes,
          ...browserTimeouts,
        },
      },
      ...(hasPostgres() ? [browserOnPostgres] : []),
      {
        test: {
          name: "agents",
          setupFiles,
          globalSetup,
          chaiConfig,
          retry,
          expect: expectOptions,
          isolate: false, // as above
          include: ["tests/real-agents/**/*.test.ts"],
          // Starting a real agent takes seconds of CPU, and a story may start several.
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
