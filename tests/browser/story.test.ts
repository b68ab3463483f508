import { afterAll, describe, expect, test } from "vitest";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { startRealServer } from "../support/real-server.ts";
import { newFolder, newRepository } from "../support/repository.ts";

afterAll(closeBrowser);

describe("a new user, in a browser", () => {
  test("[E8] adds a project, writes a task, watches the demo work, and finds it all again", async () => {
    const server = await startRealServer();
    const repository = newRepository();
    const { page, foreignRequests, complaints } = await visit(server);
    expect(page.url()).toBe(`${server.url}/`); // the launch code is gone from the address
    await keepScreenshot(page, "story-1-first-run");

    // a wrong path and a folder that is no repository show a message and what to do next
    const path = page.getByRole("combobox", { name: "Path of a git repository" });
    await path.fill("/no/such/folder");
    await page.getByRole("button", { name: "Add project" }).click();
    await page.getByText("There is no folder").waitFor();
    await path.fill(newFolder("plain"));
    await page.getByRole("button", { name: "Add project" }).click();
    await page.getByText("is not a git repository").waitFor();
    await keepScreenshot(page, "story-2-wrong-path");
    await path.fill(repository);
    await path.press("Enter");

    // a task that is created but not started, by keyboard alone, for an agent with full access
    const prompt = page.getByRole("textbox", { name: "What should be done?" });
    await prompt.waitFor();
    await keepScreenshot(page, "story-3-empty-board");
    await prompt.fill("Show me around");
    await page.locator("label", { hasText: "Full access" }).click();
    await page.getByRole("button", { name: "Create", exact: true }).press("Enter");
    const card = page.locator("[data-task-id]", { hasText: "Show me around" });
    await card.waitFor();
    await keepScreenshot(page, "story-4-board");
    await card.press("Enter");

    await page.getByRole("button", { name: "Permissions: Full access" }).waitFor();
    await page.getByRole("textbox", { name: "Message", exact: true }).fill("Show me what you can do");
    await page.keyboard.press("Enter");

    // live: text that grows, a card that runs and then completes
    const text = page.locator('article[data-role="assistant"]:not([data-tool])');
    await text.first().waitFor();
    const shownLength = async () => (await text.allInnerTexts()).join("").length;
    const early = await shownLength();
    await expect.poll(shownLength).toBeGreaterThan(early);
    await page.locator("article[data-tool]").first().waitFor();
    await keepScreenshot(page, "story-5-running");
    await page.locator('article[data-tool="bash"][data-state="failed"]').waitFor();
    await page.getByText("What I did").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Stop" }).count()).toBe(0);
    await keepScreenshot(page, "story-6-done");

    const seen = await readConversation(page);
    expect(seen.map((entry) => entry.tool)).toEqual(expect.arrayContaining(["todo", "list", "read", "write", "edit", "bash"]));
    expect(seen.every((entry) => entry.state !== "running")).toBe(true);

    // an edit card opens to its diff, by keyboard
    const edit = page.locator('article[data-tool="edit"]').first();
    await edit.getByRole("button").first().focus();
    await page.keyboard.press("Enter");
    await edit.getByText("skein-demo.md").first().waitFor();
    await keepScreenshot(page, "story-7-diff");

    await page.reload();
    await page.getByText("What I did").waitFor();
    await expect.poll(() => readConversation(page)).toEqual(seen);

    // the page notices that the server is gone, and reconnects when it is back
    await server.stop();
    await page
      .getByText(/reconnecting/i)
      .first()
      .waitFor();
    await server.start();
    await page.getByText("Live", { exact: true }).waitFor();
    await page.reload();
    await page.getByText("What I did").waitFor();
    await expect.poll(() => readConversation(page)).toEqual(seen);

    // continues in the same conversation, and is stopped
    await page.getByRole("textbox", { name: "Message", exact: true }).fill("And now something else");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped.").waitFor();
    // “Retry” where it was stopped before its first output
    await page.getByRole("button", { name: /^(Continue|Retry)$/ }).waitFor();
    await keepScreenshot(page, "story-8-stopped");

    expect(foreignRequests).toEqual([]);
    expect(complaints.filter((text) => !/422|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE/.test(text))).toEqual([]);
  });
});

/** What is on the page, in order; the list is virtual, so it is read while scrolling from the top to the end. */
async function readConversation(
  page: import("playwright-core").Page,
): Promise<{ id: string; tool: string | null; state: string | null }[]> {
  const found = new Map<string, { id: string; tool: string | null; state: string | null; row: number }>();
  const scroller = page.getByRole("region", { name: "Conversation" });
  await scroller.evaluate((element) => element.scrollTo({ top: 0 }));
  for (;;) {
    await page.waitForTimeout(100);
    const entries = await page.locator("article[data-message-id]").evaluateAll((elements) =>
      elements.map((element) => ({
        id: element.getAttribute("data-message-id") ?? "",
        tool: element.getAttribute("data-tool"),
        state: element.getAttribute("data-state"),
        // positions change while rows are measured; the index of a row does not
        row: Number(element.closest("[data-index]")?.getAttribute("data-index")),
      })),
    );
    for (const entry of entries) if (!found.has(entry.id)) found.set(entry.id, entry);
    const atEnd = await scroller.evaluate((element) => {
      const before = element.scrollTop;
      element.scrollBy({ top: element.clientHeight * 0.7 });
      return element.scrollTop === before;
    });
    if (atEnd) break;
  }
  return [...found.values()].sort((a, b) => a.row - b.row).map(({ id, tool, state }) => ({ id, tool, state }));
}
