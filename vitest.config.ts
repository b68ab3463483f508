import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          testTimeout: 30_000,
          include: ["packages/*/src/**/*.test.ts", "packages/*/src/**/*.test.tsx", "scripts/**/*.test.mjs"],
          exclude: ["**/*.integration.test.ts"],
        },
      },
      {
        test: {
          name: "integration",
          include: ["packages/*/src/**/*.integration.test.ts", "tests/**/*.test.ts"],
          exclude: ["tests/browser/**", "tests/real-agents/**"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "browser",
          include: ["tests/browser/**/*.test.ts"],
          // One second is not enough for a browser on a busy machine.
          expect: { poll: { timeout: 60_000 } },
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: "agents",
          include: ["tests/real-agents/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
