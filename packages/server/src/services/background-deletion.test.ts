import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "@skein/engine";
import { createLocalHost } from "@skein/host";
import { expect, onTestFinished, test, vi } from "vitest";
import { silentLogger } from "../silent-logger.fixture.ts";
import { createBackgroundDeletion } from "./background-deletion.ts";

test.each([0, 1, 2, 3, 4])("[Q15] what is deleted %d ticks after a pass has ended is removed too", async (ticks) => {
  const home = mkdtempSync(join(tmpdir(), "skein-deletion-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const purge = vi.fn().mockRejectedValueOnce(new Error("busy")).mockResolvedValue(false);
  const logger = {
    ...silentLogger,
    // the last that a pass does
    async warn() {
      for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
      deletion.start();
    },
  };
  const deletion = createBackgroundDeletion({
    storage: { transaction: purge } as unknown as Storage,
    host: createLocalHost({ home, searchPath: undefined, readRunnerSecret: () => "secret" }),
    logger,
  });
  onTestFinished(() => deletion.close());
  deletion.start();
  await vi.waitFor(() => expect(purge).toHaveBeenCalledTimes(2));
});
