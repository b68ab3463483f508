import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { canMountDisks, mountSmallDisk } from "../support/small-disk.ts";

afterAll(closeBrowser);

test.skipIf(!canMountDisks)(
  "[Q16] a full disk is shown on every page with what to do, an unsent message stays in the composer, and the banner disappears by itself",
  { timeout: 300_000 },
  async () => {
    const disk = mountSmallDisk({ megabytes: 16 });
    const home = join(disk.path, "home");
    mkdirSync(home);
    const server = await startRealServer({ home });
    const project = await server.api.createProject(newRepository());
    const task = await server.api.createTask(project.id, "Say something");
    await server.api.createAttempt(task.id);
    const { page } = await visit(server, { path: `/t/${task.id}` });
    const composer = page.getByRole("textbox", { name: "Message" });
    await composer.waitFor();

    disk.fill();
    await composer.fill("Keep this.");
    await composer.press("Enter");
    const banner = page.getByRole("alert").filter({ hasText: "Nothing can be saved at the moment." }).first();
    await banner.getByText(/The disk is full\. Free some space/).waitFor();
    await expect.poll(() => composer.inputValue()).toBe("Keep this.");
    await expectAccessible(page);
    await page.goto(`${server.url}/settings`);
    await banner.waitFor();
    await page.setViewportSize({ width: 360, height: 700 });
    await expectFits(page);
    await keepScreenshot(page, "storage-fault-narrow");
    await page.setViewportSize({ width: 1280, height: 800 });
    const chinese = await visit(server, { locale: "zh-CN" });
    await chinese.page.getByText("目前无法保存任何内容。").waitFor();
    await chinese.page.getByText(/磁盘已满/).waitFor();

    disk.free();
    await banner.waitFor({ state: "hidden" });
    await page.goto(`${server.url}/t/${task.id}`);
    expect(await composer.inputValue()).toBe("Keep this.");
    await composer.press("Enter");
    await page.getByText("Keep this.").first().waitFor();
    await expect.poll(() => composer.inputValue()).toBe("");
  },
);
