import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { skeinProgram } from "../../packages/cli/src/testing/skein-program.ts";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import { newFolder } from "../support/repository.ts";
import { databaseEnvironment, dropDatabaseOf } from "../support/server-database.ts";

export interface TeamServer {
  url: string;
  /** With the token of the data dir. */
  api: ApiClient;
  /** The link for the first administrator. */
  firstInvitation: string;
}

/** The program in team mode, with its own data dir and a free port. Stopped when the test ends. */
export async function startTeamServer(): Promise<TeamServer> {
  const home = newFolder("home");
  const node = ["--disable-warning=ExperimentalWarning", skeinProgram];
  const child: ChildProcess = spawn(process.execPath, [...node, "serve", "--team", "--home", home, "--port", "0", "--no-open"], {
    env: { PATH: process.env.PATH ?? "", HOME: home, SKEIN_SCRIPTED_MODELS: "1", ...(await databaseEnvironment(home)) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGINT");
    await exited;
    await dropDatabaseOf(home);
  });
  let output = "";
  child.stdout?.on("data", (chunk) => (output += chunk));
  child.stderr?.on("data", (chunk) => (output += chunk));
  const ended = exited.then(() => Promise.reject(new Error(`the server ended:\n${output}`)));
  ended.catch(() => {});
  const listening = vi.waitFor(
    () => {
      const link = /(http\S+)\/invite#\S+/.exec(output);
      if (link?.[1] === undefined) throw new Error("not listening yet");
      return { url: link[1], firstInvitation: link[0] };
    },
    { timeout: 90_000, interval: 20 },
  );
  const { url, firstInvitation } = await Promise.race([listening, ended]);
  return { url, firstInvitation, api: createApiClient({ url, token: readFileSync(join(home, "token"), "utf8").trim() }) };
}
