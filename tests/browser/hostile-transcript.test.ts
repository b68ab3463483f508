import { afterAll, expect, test } from "vitest";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { openEventStream } from "../support/event-stream.ts";
import { startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { bash, newScriptedModel } from "../support/scripts.ts";

afterAll(closeBrowser);

const attacks = [
  "![pixel](https://evil.example/pixel.png)",
  "![ref][pixel]\n\n[pixel]: http://evil.example/ref.png",
  '<img src="https://evil.example/html.png" onerror="window.pwned=1">',
  "<script>window.pwned=2; fetch('https://evil.example/script')</script>",
  '<svg onload="window.pwned=3"><image href="https://evil.example/svg.png"/></svg>',
  "<style>@import url(https://evil.example/style.css); body { background: url(https://evil.example/bg.png) }</style>",
  '<iframe src="https://evil.example/frame"></iframe><object data="https://evil.example/object"></object>',
  '<link rel="stylesheet" href="https://evil.example/link.css"><meta http-equiv="refresh" content="0;url=https://evil.example/refresh">',
  "[click me](javascript:window.pwned=4) [and me](data:text/html,<script>window.pwned=5</script>) [vb](vbscript:x)",
  '```mermaid\ngraph TD; A-->B; click A href "javascript:window.pwned=6"\n```',
  '<form action="https://evil.example/form"><input autofocus onfocus="window.pwned=7"></form>',
  "| a |\n|---|\n| ![t](//evil.example/table.png) |",
];

test("[X5, X6] a hostile transcript makes no request to another origin and runs no script", async () => {
  const text = attacks.join("\n\n");
  const escapes =
    "printf '\\033]0;title\\007\\033[31mred\\033[0m \\033]8;;https://evil.example/osc\\033\\\\link\\033]8;;\\033\\\\ \\033[2J\\033[H%s'";
  const model = newScriptedModel([
    {
      reasoning: text,
      text,
      toolCalls: [
        bash(`${escapes} '<img src=https://evil.example/out.png>'`),
        { name: "write", arguments: { path: "evil.md", content: text } },
      ],
    },
    { text },
  ]);
  const server = await startRealServer();
  const project = await server.api.createProject(newRepository());
  const task = await server.api.createTask(project.id, '<img src="https://evil.example/title.png">');
  await server.api.createAttempt(task.id, { model });
  const stream = await openEventStream(server.api);

  const { page, foreignRequests } = await visit(server, { path: `/t/${task.id}` });
  await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
  await server.api.send(task.id, text);
  await stream.waitFor(({ event }) => event.type === "execution:completed");
  await page.getByText("click me").last().waitFor();
  for (const toggle of await page.locator("article [aria-expanded=false]").all()) await toggle.click({ timeout: 2000 }).catch(() => {});
  await page.waitForTimeout(500);
  await keepScreenshot(page, "hostile-transcript");
  for (const link of await page.getByText("click me").all()) await link.click({ timeout: 2000, noWaitAfter: true }).catch(() => {});

  expect(foreignRequests).toEqual([]);
  expect(await page.evaluate("window.pwned")).toBeUndefined();
  expect(page.url()).toBe(`${server.url}/t/${task.id}`);
  expect(await page.locator("article img[src^=http], article iframe, article script, article form").count()).toBe(0);
  const links = await page.locator("article a").evaluateAll((elements) => elements.map((element) => element.getAttribute("href") ?? ""));
  expect(links.filter((href) => !/^(https?:|mailto:|#)/.test(href))).toEqual([]);
});
