import { spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { canUseApt, runApt } from "./apt.mjs";
import { SetupError } from "./fail.mjs";
import { withProgress } from "./progress.mjs";
import { runCommand } from "./run-command.mjs";
import { printLine } from "./step-output.mjs";

const debianPrograms = "/usr/lib/postgresql";
const otherFolders = [
  "/opt/homebrew/opt/postgresql/bin",
  "/usr/local/opt/postgresql/bin",
  ...(process.env.PATH ?? "").split(path.delimiter),
];

/** The folder with the programs of a Postgres server, or undefined. Debian keeps them out of PATH; the newest is used. */
function findPrograms() {
  const versions = existsSync(debianPrograms) ? readdirSync(debianPrograms).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => path.join(debianPrograms, version, "bin")), ...otherFolders];
  return folders.find((folder) => existsSync(path.join(folder, "initdb")) && existsSync(path.join(folder, "postgres")));
}

/** A server runs elsewhere, or one can be started here. */
export const hasPostgres = () => Boolean(process.env.SKEIN_TEST_DATABASE_URL) || findPrograms() !== undefined;

/** Installs a Postgres server for the tests where that is possible. `SKEIN_TEST_DATABASE_URL` names one that runs elsewhere. */
export async function ensurePostgres() {
  if (hasPostgres()) return;
  const remedy =
    "Install PostgreSQL 14 or newer, or set SKEIN_TEST_DATABASE_URL to a server whose user may create databases. Tests on Postgres are skipped until then.";
  if (!canUseApt()) throw new SetupError(`The tests of the Postgres storage need a Postgres server, and none was found. ${remedy}`);
  await withProgress({ doing: "Installing PostgreSQL with apt-get (needs the network)", done: "Installed" }, async () => {
    // Debian would start a server of its own for the whole machine
    const install = () => runApt(["install", "-q", "-y", "--no-install-recommends", "postgresql"]);
    if ((await install()).code === 0) return;
    await runApt(["update", "-q"]);
    const { code, tail } = await install();
    if (code === 0) return;
    printLine(tail);
    throw new SetupError(`apt-get could not install postgresql. ${remedy}`);
  });
  if (findPrograms() === undefined) throw new SetupError(`apt-get installed postgresql, but it has no server programs. ${remedy}`);
}

/** Fast, and enough for tests: a test that kills the server's process sees its commits all the same. */
const fastSettings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", shared_buffers: "64MB", autovacuum: "off" };
/** As in production: a commit that was acknowledged survives an immediate shutdown. Statements are counted. */
const durableSettings = { shared_buffers: "256MB", shared_preload_libraries: "pg_stat_statements" };

/**
 * Starts an empty server in a temporary folder, on a free port of this machine; with durability switched off, unless it is `durable`.
 * Undefined if Postgres is not installed.
 */
export async function startPostgres({ durable = false } = {}) {
  const programs = findPrograms();
  if (programs === undefined) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), "skein-postgres-"));
  const owner = await findOwner();
  if (owner !== undefined) {
    // the folders above may be private
    for (let parent = path.dirname(folder); parent !== path.dirname(parent); parent = path.dirname(parent)) letPass(parent);
    chownSync(folder, owner.uid, owner.gid);
  }
  const data = path.join(folder, "data");
  const options = { ...owner, cwd: folder, env: { ...process.env, LC_ALL: "C.UTF-8" } };
  const created = await runCommand(
    path.join(programs, "initdb"),
    ["-D", data, "-U", "skein", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions"],
    { ...options, output: "keep" },
  );
  if (created.code !== 0) throw new SetupError(`initdb failed:\n${created.tail}`);
  const port = await findFreePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    max_connections: 300,
    ...(durable ? durableSettings : fastSettings),
  };
  const args = ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  let server = await launch(path.join(programs, "postgres"), args, options);
  /** Fast (SIGINT) ends the connections; immediate (SIGQUIT) is like a crash. */
  const shutDown = async (signal) => {
    server.child.kill(signal);
    const timer = setTimeout(() => server.child.kill("SIGKILL"), 10_000);
    await server.ended;
    clearTimeout(timer);
  };
  return {
    url: `postgres://skein@127.0.0.1:${port}/postgres`,
    get pid() {
      return server.child.pid;
    },
    async restart(mode) {
      await shutDown(mode === "fast" ? "SIGINT" : "SIGQUIT");
      server = await launch(path.join(programs, "postgres"), args, options);
    },
    async stop({ keep = false } = {}) {
      await shutDown("SIGINT");
      if (!keep) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Resolves when the server accepts connections. */
async function launch(program, args, options) {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  const ended = new Promise((resolve) => child.once("close", resolve));
  await new Promise((resolve, reject) => {
    const fail = () => reject(new SetupError(`Postgres did not start:\n${output}`));
    child.once("error", fail).once("close", fail);
    child.stderr.setEncoding("utf8").on("data", (text) => {
      output = (output + text).slice(-10_000);
      if (output.includes("ready to accept connections")) resolve();
    });
  });
  return { child, ended };
}

/** Postgres refuses to run as root: Debian's package has a user for it. */
async function findOwner() {
  if (process.getuid?.() !== 0) return undefined;
  const ask = async (flag) => Number((await runCommand("id", [flag, "postgres"], { output: "keep" })).tail.trim());
  const [uid, gid] = [await ask("-u"), await ask("-g")];
  if (!(uid > 0 && gid > 0)) throw new SetupError("Postgres does not run as root, and this machine has no user “postgres”.");
  return { uid, gid };
}

function letPass(folder) {
  try {
    if (path.basename(folder).startsWith("skein-")) chmodSync(folder, 0o711);
  } catch {
    // another user's: Postgres reports it if it cannot pass
  }
}

/** A port of this machine that nobody uses at the moment. */
export function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
