import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { DriverRecord } from "../driver/driver-record.ts";
import { driveFake } from "./fake-agent.fixture.ts";
import { explainDownloadFailure, watchDownload } from "./first-start.ts";

const order = { name: "Qoder", command: ["/usr/bin/npx", "--yes", "@qoder-ai/qodercli@0.1.26", "--acp"] } as const;

// as npm 11.19 wrote it
const unreachable = `npm error code ENOTFOUND
npm error syscall getaddrinfo
npm error network request to https://nope.invalid/@qoder-ai%2fqodercli failed, reason: getaddrinfo ENOTFOUND nope.invalid
npm error A complete log of this run can be found in: /root/.npm/_logs/x.log
`;
const unknown = `npm error code ETARGET
npm error notarget No matching version found for @qoder-ai/qodercli@0.1.26.
npm error A complete log of this run can be found in: /root/.npm/_logs/x.log
`;
const full = `npm error code ENOSPC
npm error nospc ENOSPC: no space left on device, write
`;

describe("an agent that is downloaded by its first start", () => {
  it("[E5] is shown as downloading if it is slow, and not if it answers at once", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const records: DriverRecord[] = [];
    const watch = (command: readonly [string, ...string[]]) =>
      watchDownload({ name: "Qoder", command }, (record) => void records.push(record));
    watch(["qoder"]);
    watch(order.command)();
    vi.advanceTimersByTime(60_000);
    expect(records).toEqual([]);
    watch(order.command);
    vi.advanceTimersByTime(60_000);
    const text = { code: "agent-downloading", agent: "Qoder", program: "npx" };
    expect(records).toEqual([{ type: "notice", text, code: "agent-downloading" }]);
  });

  it("[E5] without a network the message explains what is missing", () => {
    expect(explainDownloadFailure(order, unreachable)).toEqual({ code: "download-unreachable", agent: "Qoder", program: "npx" });
    expect(explainDownloadFailure(order, unknown)).toEqual({
      code: "download-unknown",
      agent: "Qoder",
      program: "npx",
      package: "@qoder-ai/qodercli@0.1.26",
    });
    expect(explainDownloadFailure(order, full)).toEqual({
      code: "download-failed",
      agent: "Qoder",
      program: "npx",
      said: "nospc ENOSPC: no space left on device, write",
    });
  });

  it("[E5] output of the agent or of another program is not mistaken for that of npx", () => {
    expect(explainDownloadFailure(order, "Error: no key: ENOTFOUND\n")).toBeUndefined();
    expect(explainDownloadFailure({ ...order, command: ["qoder"] }, unreachable)).toBeUndefined();
  });

  it("[E5] the execution ends with that reason", async () => {
    const program = join(mkdtempSync(join(tmpdir(), "skein-npx-")), "npx");
    writeFileSync(program, `#!/bin/sh\ncat >&2 <<'END'\n${unreachable}END\nexit 1\n`);
    chmodSync(program, 0o755);
    const run = await driveFake("", { order: { command: [program, "--yes", "x@1.0.0"] } });
    expect([run.exitCode, run.records]).toEqual([
      1,
      [
        {
          type: "end",
          status: "failed",
          code: "agent-not-started",
          reason: { code: "download-unreachable", agent: "Fake", program: "npx" },
        },
      ],
    ]);
  });
});
