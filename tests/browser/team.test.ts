import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, launchBrowser } from "../support/browser.ts";
import { newRepository } from "../support/repository.ts";
import { startTeamServer, type TeamServer } from "./team-server.ts";

afterAll(closeBrowser);

const password = "a long enough password";

/** A browser of its own, not signed in. */
async function openBrowser(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await (await launchBrowser()).newContext({
    locale: "en-US",
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    ...options,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return page;
}

/** Accepts an invitation in the browser. */
async function accept(page: Page, link: string, { email, name }: { email?: string; name: string }): Promise<void> {
  await page.goto(link);
  if (email !== undefined) await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  // the page is loaded anew
  await page.locator("#content").waitFor();
}

/** Invites by the settings page of an owner, and returns the link. */
async function invite(page: Page, server: TeamServer, { email, role }: { email: string; role: string }): Promise<string> {
  await page.goto(`${server.url}/settings/team`);
  const form = page.getByRole("form", { name: "Invite somebody" });
  await form.getByLabel("E-mail address (optional)").fill(email);
  await form.getByRole("combobox", { name: "Invite as" }).click();
  await page.getByRole("option", { name: role }).click();
  await form.getByRole("button", { name: "Create invitation link" }).click();
  return page.getByLabel("Invitation link").inputValue();
}

const composer = (page: Page) => page.getByRole("textbox", { name: "Message" });

test("[W5] an administrator invites a member and a viewer: the member sees only the project and sends a message with a name, the viewer cannot send", async () => {
  const server = await startTeamServer();
  const atlas = await server.api.createProject(newRepository("atlas"));
  const secret = await server.api.createProject(newRepository("secret"));
  const task = await server.api.createTask(atlas.id, "Show me around");
  const hidden = await server.api.createTask(secret.id, "Nobody else sees this");

  const admin = await openBrowser();
  await admin.goto(server.firstInvitation);
  await admin.getByRole("heading", { name: "Accept invitation" }).waitFor();
  // the code is in no history
  expect(admin.url()).toBe(`${server.url}/invite`);
  await expectAccessible(admin);
  await keepScreenshot(admin, "team-invitation");
  await admin.goto("about:blank");
  await accept(admin, server.firstInvitation, { email: "ada@example.com", name: "Ada Admin" });
  await admin.getByRole("heading", { name: "Board" }).waitFor();
  await admin.evaluate(`localStorage.setItem("skein.project", ${JSON.stringify(atlas.id)})`);

  const link = await invite(admin, server, { email: "mia@example.com", role: "Member of atlas" });
  await admin.getByText("mia@example.com").waitFor();
  await expectAccessible(admin);
  await keepScreenshot(admin, "team-settings");

  const member = await openBrowser();
  await accept(member, link, { name: "Mia Member" });
  await member.getByRole("heading", { name: "Board" }).waitFor();
  await member.getByRole("button", { name: /Switch project/ }).click();
  await member.getByRole("menuitemradio", { name: /atlas/ }).waitFor();
  expect(await member.getByRole("menuitemradio", { name: /secret/ }).count()).toBe(0);
  expect(await member.getByRole("menuitem", { name: /Add project/ }).count()).toBe(0);
  await member.keyboard.press("Escape");
  await member.goto(`${server.url}/t/${hidden.id}`);
  await member.getByRole("heading", { name: "Page not found" }).waitFor();

  await member.goto(`${server.url}/t/${task.id}`);
  await composer(member).fill("Hello from Mia");
  await composer(member).press("Enter");
  const sent = member.locator('article[data-role="user"]', { hasText: "Hello from Mia" });
  await sent.getByText("by Mia Member").waitFor();
  await expectAccessible(member);
  await keepScreenshot(member, "team-message");

  // an invitation works once
  const late = await openBrowser();
  await late.goto(link);
  await late.getByRole("heading", { name: "This invitation cannot be used" }).waitFor();
  await expectAccessible(late);

  const viewer = await openBrowser();
  await accept(viewer, await invite(admin, server, { email: "vic@example.com", role: "Viewer of atlas" }), { name: "Vic Viewer" });
  await viewer.getByText("You can read this project but not change it").waitFor();
  expect(await viewer.getByRole("button", { name: "New task" }).count()).toBe(0);
  await expectAccessible(viewer);
  await viewer.goto(`${server.url}/t/${task.id}`);
  await viewer.locator('article[data-role="user"]').getByText("by Mia Member").waitFor();
  await viewer.locator("[data-read-only]").first().waitFor();
  expect(await composer(viewer).count()).toBe(0);
  await expectAccessible(viewer);
  await keepScreenshot(viewer, "team-viewer");
  await viewer.goto(`${server.url}/settings/models`);
  await viewer.getByRole("heading", { name: "Page not found" }).waitFor();

  // a role that changes applies to pages that are open
  await viewer.goto(`${server.url}/t/${task.id}`);
  await viewer.locator("[data-read-only]").first().waitFor();
  await admin.goto(`${server.url}/settings/team`);
  await admin.getByRole("combobox", { name: "Role of Vic Viewer" }).selectOption("member");
  await composer(viewer).waitFor();

  await admin.goto(`${server.url}/settings/audit`);
  await admin.getByText("Mia Member").first().waitFor();
  await expectAccessible(admin);
  await keepScreenshot(admin, "team-audit");
});

test("[W5] a user who is signed out signs in where they were; a wrong password and too many attempts are explained", async () => {
  const server = await startTeamServer();
  const project = await server.api.createProject(newRepository("atlas"));
  const task = await server.api.createTask(project.id, "Come back here");
  const page = await openBrowser();
  await accept(page, server.firstInvitation, { email: "ada@example.com", name: "Ada Admin" });
  await page.goto(`${server.url}/t/${task.id}?view=changes`);
  await page.getByText("Come back here").first().waitFor();

  // the session is ended elsewhere
  const [user] = await server.api.request<{ id: string }[]>("GET", "/api/users");
  await server.api.request("DELETE", `/api/users/${user?.id}/sessions`);
  await page.getByRole("heading", { name: "Sign in to Skein" }).waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "team-sign-in");
  expect(await page.getByLabel("E-mail address").getAttribute("autocomplete")).toBe("username");
  expect(await page.getByLabel("Password", { exact: true }).getAttribute("autocomplete")).toBe("current-password");

  // by keyboard alone
  await expect.poll(() => page.getByLabel("E-mail address").evaluate((field) => field.matches(":focus"))).toBe(true);
  await page.keyboard.type("ada@example.com");
  await page.keyboard.press("Tab");
  await page.keyboard.type("not the password");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("The e-mail address or the password is wrong").waitFor();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await page.getByText("Come back here").first().waitFor();
  expect(new URL(page.url()).pathname).toBe(`/t/${task.id}`);

  const other = await openBrowser({ viewport: { width: 360, height: 740 } });
  await other.goto(server.url);
  const field = other.getByLabel("Password", { exact: true });
  await other.getByLabel("E-mail address").fill("ada@example.com");
  const limited = other.getByRole("alert").getByText(/Try again in \d+ second/);
  for (let attempt = 0; attempt < 30 && (await limited.count()) === 0; attempt++) {
    await field.fill(`wrong ${attempt}`);
    const answered = other.waitForResponse((response) => response.url().endsWith("/api/sign-in") && response.request().method() === "POST");
    await field.press("Enter");
    await answered;
  }
  await limited.waitFor();
  await expectFits(other);
  await expectAccessible(other);
});

test("[W5] a user changes the name and the password, creates and revokes an API token, and ends another session", async () => {
  const server = await startTeamServer();
  await server.api.createProject(newRepository("atlas"));
  const page = await openBrowser({ viewport: { width: 360, height: 740 } });
  await accept(page, server.firstInvitation, { email: "ada@example.com", name: "Ada" });
  const other = await openBrowser();
  await other.goto(server.url);
  await other.getByLabel("E-mail address").fill("ada@example.com");
  await other.getByLabel("Password", { exact: true }).fill(password);
  await other.keyboard.press("Enter");
  await other.getByRole("heading", { name: "Board" }).waitFor();

  await page.goto(`${server.url}/settings/account`);
  await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Your name was changed.").waitFor();
  await page.getByRole("button", { name: /End the session in/ }).click();
  await other.getByRole("heading", { name: "Sign in to Skein" }).waitFor();

  await page.getByLabel("Name of the token").fill("build");
  await page.getByRole("button", { name: "Create token" }).click();
  const token = await page.getByLabel("API tokens").and(page.locator("input")).inputValue();
  const ask = () => fetch(`${server.url}/api/me`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);
  expect(await ask()).toBe(200);
  await expectFits(page);
  await expectAccessible(page);
  await keepScreenshot(page, "team-account-narrow");
  await page.getByRole("button", { name: "Revoke the token build" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("You have no API tokens.").waitFor();
  expect(await ask()).toBe(401);
  await page.reload();
  expect((await page.content()).includes(token)).toBe(false);

  await page.getByLabel("Current password").fill("something else entirely");
  await page.getByLabel("New password").fill("another long password");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("The current password is wrong").waitFor();
  await page.getByLabel("Current password").fill(password);
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Your password was changed.").waitFor();
});

test("[W5] keys of a user and of a project are set, replaced and removed, and nobody reads them; members see which there are, viewers do not", async () => {
  const server = await startTeamServer();
  const atlas = await server.api.createProject(newRepository("atlas"));
  const admin = await openBrowser();
  await accept(admin, server.firstInvitation, { email: "ada@example.com", name: "Ada" });
  await admin.evaluate(`localStorage.setItem("skein.project", ${JSON.stringify(atlas.id)})`);
  const member = await openBrowser({ viewport: { width: 360, height: 740 } });
  await accept(member, await invite(admin, server, { email: "mia@example.com", role: "Member of atlas" }), { name: "Mia" });
  const viewer = await openBrowser();
  await accept(viewer, await invite(admin, server, { email: "vic@example.com", role: "Viewer of atlas" }), { name: "Vic" });

  const secret = "sk-of-the-project-4711";
  const ofProject = admin.getByRole("region", { name: "Keys of atlas" });
  await ofProject.getByLabel("OpenAI API key", { exact: true }).fill(secret);
  await ofProject.getByLabel("OpenAI API key", { exact: true }).press("Enter");
  await ofProject.getByRole("button", { name: "Remove: OpenAI API key" }).waitFor();
  await expectAccessible(admin);
  await keepScreenshot(admin, "team-project-keys");
  await admin.reload();
  await ofProject.getByRole("button", { name: "Remove: OpenAI API key" }).waitFor();
  expect(await ofProject.getByLabel("OpenAI API key", { exact: true }).inputValue()).toBe("");

  await member.goto(`${server.url}/settings/team`);
  const seen = member.getByRole("region", { name: "Keys of atlas" });
  await seen.getByRole("listitem").filter({ hasText: "OpenAI API key" }).getByText("Set", { exact: true }).waitFor();
  expect(await seen.getByRole("textbox").count()).toBe(0);
  expect(await seen.getByRole("button").count()).toBe(0);
  await expectFits(member);

  await member.goto(`${server.url}/settings/account`);
  const own = member.getByRole("region", { name: "My keys and logins" });
  await own.getByLabel("Claude Code login", { exact: true }).fill("sk-ant-oat01-mine");
  await own.getByRole("button", { name: "Save key" }).last().click();
  await own.getByRole("button", { name: "Remove: Claude Code login" }).waitFor();
  await expectFits(member);
  await expectAccessible(member);
  await keepScreenshot(member, "team-own-keys-narrow");
  await own.getByRole("button", { name: "Remove: Claude Code login" }).click();
  await own.getByRole("button", { name: "Remove: Claude Code login" }).waitFor({ state: "detached" });

  // the keys of others are not there, not even for an administrator
  await admin.goto(`${server.url}/settings/account`);
  await admin.getByRole("region", { name: "My keys and logins" }).getByText("Not set").first().waitFor();
  expect(await admin.getByRole("button", { name: /^Remove: / }).count()).toBe(0);
  await viewer.goto(`${server.url}/settings/team`);
  await viewer.getByRole("heading", { name: "Members of atlas" }).waitFor();
  expect(await viewer.getByRole("region", { name: "Keys of atlas" }).count()).toBe(0);
  const answers = await Promise.all(
    ["/api/settings", `/api/projects/${atlas.id}/keys`, "/api/audit"].map((path) => server.api.request("GET", path)),
  );
  expect(JSON.stringify(answers)).not.toContain(secret);
});
