import {
  accessSync,
  constants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { freemem, tmpdir } from "node:os";
import path from "node:path";
import { runCommand } from "./run-command.mjs";

const prefix = "skein-test-";

/**
 * Vitest's global setup for all projects. Everything that a run creates is in one temporary folder, which is deleted at the end of the run,
 * and every process that still runs there is killed: the servers and agents of tests that failed halfway.
 */
export function setup(project) {
  // of another project in the same run
  if (path.basename(tmpdir()).startsWith(prefix)) return undefined;
  const folder = realpathSync(mkdtempSync(path.join(findParent(project), prefix)));
  process.env.TMPDIR = folder;
  // an interrupted run is not torn down by Vitest
  const endNow = () => {
    // the workers first, which would start more
    killProcesses(listProcesses((text) => text.includes(`TMPDIR=${folder}\0`)));
    killProcesses(listProcesses((text) => text.includes(`${folder}/`)));
    removeNow(folder);
  };
  process.once("exit", endNow);
  return async () => {
    // TMPDIR does not count: Vitest ends its workers itself
    killProcesses(listProcesses((text) => text.includes(`${folder}/`)));
    await remove(folder);
    process.off("exit", endNow);
    // fails, as it should, if it is not empty
    tryTo(() => rmdirSync(strayRepository));
  };
}

/** Codex's sandbox mounts one there, and leaves it behind. */
const strayRepository = "/tmp/.git";

const leastMemory = 8 * 2 ** 30;

/**
 * In memory where there is enough of it: the tests create tens of thousands of files, and git and SQLite wait for the disk after each
 * commit. Not for real agents: Codex's sandbox hides `/dev`.
 *
 * Otherwise not `/tmp`: while Codex's sandbox runs there is a `.git` in it, also of another run on this machine, and everything below would
 * look like part of a repository.
 */
function findParent(project) {
  if (realpathSync(tmpdir()) !== "/tmp") return tmpdir();
  if (project.name !== "agents" && isRoomyMemory("/dev/shm")) return "/dev/shm";
  return isWritable("/var/tmp") ? "/var/tmp" : tmpdir();
}

/** Containers often have 64 MB of it, and do not let programs run there. */
function isRoomyMemory(folder) {
  try {
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .map((line) => line.split(" "))
      .find(([, path]) => path === folder);
    const { bavail, bsize } = statfsSync(folder);
    const isEnough = Math.min(bavail * bsize, freemem()) >= leastMemory;
    return mount !== undefined && mount[2] === "tmpfs" && !mount[3].split(",").includes("noexec") && isEnough && isWritable(folder);
  } catch {
    return false; // not on this system
  }
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function killProcesses(pids) {
  for (const pid of pids) tryTo(() => process.kill(pid, "SIGKILL"));
}

/** Processes whose command, directory or environment matches. Linux only. */
function listProcesses(matches) {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(
      (pid) =>
        matches(`${read(() => readlinkSync(`/proc/${pid}/cwd`))}/`) ||
        matches(read(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"))) ||
        matches(read(() => readFileSync(`/proc/${pid}/environ`, "utf8"))),
    )
    .map(Number);
}

/**
 * Tens of thousands of files, in a process of its own: while they were deleted here, Vitest could not notice that its workers had ended,
 * and reported a timeout.
 */
async function remove(folder) {
  await runCommand("rm", ["-rf", "--", folder], { output: "keep" });
  // without `rm`, or with a file that a dying process has just written
  removeNow(folder);
}

const removeNow = (folder) => tryTo(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

function read(look) {
  try {
    return look();
  } catch {
    return ""; // ended, or another user's
  }
}

function tryTo(work) {
  try {
    work();
  } catch {
    // a failed cleanup must not fail a run that passed
  }
}
