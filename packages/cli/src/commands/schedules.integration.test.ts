import { describe, expect, it, vi } from "vitest";
import { createSandbox } from "../testing/spawn-skein.ts";

describe("skein schedules", () => {
  it("[L6] adds schedules of a prompt, a template and a message, runs one, turns it off and on, and lists what came of it", async () => {
    await using sandbox = createSandbox();
    const server = sandbox.skein(["serve", "--port", "0"]);
    await server.printed(/is ready/);
    const skein = (...args: string[]) => sandbox.skein(args).ended;
    const here = ["--repo", sandbox.repository];
    const when = ["--cron", "0 9 * * 1-5", "--time-zone", "Europe/Zurich"];
    expect((await skein("schedules")).stdout).toMatch(/^No schedules yet/);
    const model = ["--agent", "native", "--model", sandbox.script([{ text: "Done." }]), "--permission-mode", "full"];
    const added = await skein("schedules", "add", "nightly", "Report for {{date}}", ...here, ...when, ...model, "--run-missed");
    expect([added.code, added.stdout]).toEqual([
      0,
      expect.stringMatching(/^Saved nightly \(sch_\w+\)\. Next run: .* 09:00 \(Europe\/Zurich\)\n$/),
    ]);

    expect(await skein("schedules", "run", "nightly")).toMatchObject({ code: 0, stdout: expect.stringContaining("nightly runs now") });
    const runs = async () =>
      JSON.parse((await skein("schedules", "runs", "nightly", "--json")).stdout) as { state: string; taskId: string }[];
    await vi.waitFor(async () => expect(await runs()).toMatchObject([{ state: "done", isManual: true }]), { timeout: 60_000 });
    const [{ taskId } = { taskId: "" }] = await runs();
    expect((await skein("show", taskId)).stdout).toMatch(/> Report for \d{4}-\d\d-\d\d/);

    expect(await skein("templates", "add", "review", "Look at {{file}}", ...here)).toMatchObject({ code: 0 });
    const byTemplate = ["schedules", "add", "weekly", "--template", "review", ...here, "--cron", "0 9 * * 1"];
    expect((await skein(...byTemplate)).stderr).toContain("file");
    expect(await skein(...byTemplate, "--set", "file=a.ts", "--off")).toMatchObject({ code: 0 });
    expect(await skein("schedules", "add", "ping", "Go on", "--to", taskId, "--cron", "0 * * * *")).toMatchObject({ code: 0 });
    const { stdout } = await skein("schedules");
    expect(stdout).toMatch(/nightly .* done .* none +starts a task/);
    expect(stdout).toMatch(/weekly .* off +never +none +starts a template/);
    expect(stdout).toMatch(/ping .* sends a message/);

    expect((await skein("schedules", "off", "nightly")).stdout).toBe("nightly is off.\n");
    expect((await skein("schedules", "on", "nightly")).stdout).toMatch(/^nightly is on\. Next run: /);
    expect((await skein("schedules", "remove", "nightly")).stdout).toBe("Deleted nightly.\n");
    expect(await skein("schedules", "run", "nightly")).toMatchObject({ code: 2, stderr: expect.stringContaining("There is no schedule") });
    const bad = await skein("schedules", "add", "x", "y", ...here, "--cron", "61 * * * *");
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining("“61 * * * *” is not a cron expression")]);
    server.child.kill("SIGTERM");
    await server.ended;
  });
});
