import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlace, hasSandbox, removePlaces, runSandboxed } from "./sandbox.fixture.ts";
import type { SandboxMount } from "./sandbox-order.ts";

/** Each line prints `escaped` if it succeeds. */
const tries = (...commands: string[]) =>
  commands.map((command) => `( ${command} ) >/dev/null 2>&1 && echo ${JSON.stringify(`escaped: ${command}`)}`).join("\n");

describe.skipIf(!hasSandbox)("a sandbox", () => {
  afterAll(removePlaces);

  it("[L7] lets a program change its workspace and its own /tmp, and reports its exit code", async () => {
    const place = createPlace();
    const script = "echo changed > file && mkdir sub && echo x > sub/new && mkdir /tmp/mine && echo $TMPDIR && id -u && exit 7";
    const run = await runSandboxed(place, script);
    expect(run).toEqual({ exitCode: 7, signal: null, stdout: `/tmp\n${process.getuid?.()}\n`, stderr: "" });
    expect(readFileSync(join(place.workspace, "file"), "utf8")).toBe("changed\n");
    expect(existsSync("/tmp/mine")).toBe(false);
  });

  it("[L7] no file outside the workspace can be created, changed, removed or given other rights", async () => {
    const place = createPlace();
    const { outside, workspace } = place;
    writeFileSync(join(outside, "file"), "as it was");
    symlinkSync(outside, join(workspace, "link"));
    const run = await runSandboxed(
      place,
      tries(
        `echo x > ${outside}/new`,
        `echo x > ${outside}/file`,
        `echo x > link/new`,
        `rm ${outside}/file`,
        `chmod 777 ${outside}/file`,
        `touch -t 200001010000 ${outside}/file`,
        `ln ${outside}/file hard && echo x > hard`,
        `mv .. ../../renamed`,
        "echo x > .git",
        "rm .git",
        "mv .git other",
        "touch /etc/new",
        "touch /usr/new",
        'touch "$(getent passwd "$(id -u)" | cut -d: -f6)/new-file"',
      ),
    );
    expect(run.stdout).toBe("");
    expect(readFileSync(join(outside, "file"), "utf8")).toBe("as it was");
    expect(readFileSync(join(workspace, ".git"), "utf8")).toBe("gitdir: elsewhere\n");
  });

  it("[L7] nothing of the machine itself can be changed, also not as root", async () => {
    const groups = "$(find /sys/fs/cgroup -name cgroup.procs 2>/dev/null | head -n 40)";
    const run = await runSandboxed(
      createPlace(),
      tries(
        "echo x > /proc/sys/kernel/core_pattern",
        "echo 1 > /proc/sys/vm/drop_caches",
        "echo x > /proc/sysrq-trigger",
        "echo x > /sys/kernel/uevent_helper",
        `ok=1; for group in ${groups}; do echo $$ > $group && ok=0; done; exit $ok`,
        "ok=1; for file in $(find /sys/fs/cgroup -name release_agent 2>/dev/null); do echo /bin/true > $file && ok=0; done; exit $ok",
        "mount -t tmpfs none /mnt",
        "mount -o remount,rw /",
        "umount /proc",
        "unshare -U true",
        "unshare -m true",
        "chroot / true",
        "mknod /tmp/disk b 8 0",
        "nsenter -t 1 -m true",
        "head -c 1 /proc/kcore",
        "dmesg",
      ),
    );
    expect(run.stdout).toBe("");
  });

  it("[L7] [X20] hidden folders look empty, whatever path leads there", async () => {
    const place = createPlace();
    const { secrets, workspace } = place;
    symlinkSync(secrets, join(workspace, "shortcut"));
    const run = await runSandboxed(
      place,
      [
        `ls -A ${secrets}`,
        tries(
          `cat ${secrets}/token`,
          "cat shortcut/token",
          `cat /proc/1/root${secrets}/token`,
          `cat /proc/self/root${secrets}/token`,
          `cat /proc/1/cwd${secrets}/token`,
        ),
        `find ${join(secrets, "..")} -name token`,
      ].join("\n"),
    );
    expect(run.stdout).toBe("");
  });

  it("[L7] what is visible in a hidden folder can be read, and what is writable there can be changed", async () => {
    const place = createPlace();
    const [attempt, history] = [join(place.secrets, "attempt"), join(place.secrets, "history")];
    mkdirSync(attempt);
    writeFileSync(history, "earlier");
    const mounts: SandboxMount[] = [...place.order.mounts, { path: attempt, access: "write" }, { path: history, access: "read" }];
    const order = { ...place.order, mounts };
    const run = await runSandboxed({ ...place, order }, `cd ${place.secrets}; ls -A; cat history; echo x > attempt/new; echo x > history`);
    expect(run.stdout).toBe("attempt\nhistory\nearlier");
    expect(existsSync(join(attempt, "new"))).toBe(true);
    expect(readFileSync(history, "utf8")).toBe("earlier");
  });

  it("[L7] another folder can take the place of one, with parts of it", async () => {
    const place = createPlace();
    const [home, own] = [join(place.outside, "home"), join(place.outside, "own")];
    for (const folder of [home, own]) mkdirSync(folder);
    writeFileSync(join(home, "settings"), "the user's");
    writeFileSync(join(home, "key"), "secret");
    const mounts: SandboxMount[] = [
      ...place.order.mounts,
      { path: home, access: "write", from: own },
      { path: join(home, "settings"), access: "read" },
    ];
    const script = `cd ${home}; ls; cat settings; echo x > new; echo x > settings`;
    expect((await runSandboxed({ ...place, order: { mounts, hosts: [] } }, script)).stdout).toBe("settings\nthe user's");
    expect(existsSync(join(home, "new"))).toBe(false);
    expect(readFileSync(join(own, "new"), "utf8")).toBe("x\n");
    expect(readFileSync(join(home, "settings"), "utf8")).toBe("the user's");
  });

  it("[L7] [X20] other processes, their memory and their environment are out of reach", async () => {
    const other = spawn("sleep", ["60"], { env: { SECRET_OF_ANOTHER: "1" }, stdio: "ignore" });
    try {
      const run = await runSandboxed(
        createPlace(),
        [
          "grep -l SECRET_OF_ANOTHER /proc/[0-9]*/environ 2>/dev/null",
          tries(
            `kill -0 ${other.pid}`,
            `head -c 1 /proc/${other.pid}/environ`,
            `kill -0 ${process.pid}`,
            `head -c 1 /proc/${process.ppid}/mem`,
          ),
          // the programs of the sandbox itself
          'for each in /proc/[0-9]*; do tr "\\0" "\\n" < $each/cmdline | head -n 1; done | sort -u',
        ].join("\n"),
      );
      expect(run.stdout.split("\n").filter((line) => !/^(\/usr\/bin\/bwrap|\/bin\/bash|sort|head|tr|)$/.test(line))).toEqual([]);
    } finally {
      other.kill("SIGKILL");
    }
  });

  it("[L7] [X20] sockets that programs listen on are out of reach, in any folder", async () => {
    const place = createPlace();
    const path = join(place.outside, "service.sock");
    const server = createSocketServer((socket) => socket.end("reached")).listen(path);
    try {
      await new Promise((resolve) => server.once("listening", resolve));
      chmodSync(path, 0o777);
      const program = `const { connect } = require("node:net"); connect(${JSON.stringify(path)}).on("data", (data) => console.log(String(data))).on("error", ({ code }) => console.log(code))`;
      const run = await runSandboxed(place, `${process.execPath} -e '${program}'`);
      expect(run.stdout).toBe("ECONNREFUSED\n");
    } finally {
      server.close();
    }
  });

  it("[L7] sockets that no namespace covers cannot be created, and the kernel's keyrings are closed", async () => {
    const families =
      "import socket\nfor family in (40, 17, 38):\n  try:\n    socket.socket(family, socket.SOCK_DGRAM)\n    print('opened', family)\n  except OSError as error: print(error.errno)";
    const keys =
      "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nnumber = 250 if __import__('platform').machine() == 'x86_64' else 219\nprint(libc.syscall(number, 0, -3, 0), ctypes.get_errno())";
    // io_uring_setup: a ring opens sockets without the call for that
    const ring =
      "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nprint(libc.syscall(425, 4, (ctypes.c_uint32 * 30)()), ctypes.get_errno())";
    const run = await runSandboxed(
      createPlace(),
      `command -v python3 > /dev/null || exit 9; python3 -c "${families}"; python3 -c "${keys}"; python3 -c "${ring}"`,
    );
    if (run.exitCode !== 9) expect(run.stdout).toBe("1\n1\n1\n-1 1\n-1 1\n");
  });

  it("[L7] [X20] files that Skein itself was started with are not open in it", async () => {
    const place = createPlace();
    const fixture = new URL("./sandbox.fixture.ts", import.meta.url).href;
    const script = `cat /proc/self/fd/20${place.secrets}/token; echo x > /proc/self/fd/20${place.outside}/new; echo finished`;
    const program = `const { runSandboxed } = await import(${JSON.stringify(fixture)});
      console.log((await runSandboxed(JSON.parse(process.argv[1]), process.argv[2])).stdout);`;
    const args = ["-c", 'exec 20< /; exec "$@"', "bash", process.execPath, "--input-type=module", "-e", program];
    const started = spawn("/bin/bash", [...args, JSON.stringify(place), script], { stdio: ["ignore", "pipe", "inherit"] });
    expect(String(await buffer(started.stdout))).toBe("finished\n\n");
    expect(existsSync(join(place.outside, "new"))).toBe(false);
  });

  it("[L7] signals reach the program, which decides how it ends; a kill leaves nothing running", async () => {
    const place = createPlace();
    const asked = await runSandboxed(place, 'trap "echo cleaned up; exit 5" TERM; echo ready > ready; sleep 60 & wait', {
      onStarted: (pid) => void untilFile(join(place.workspace, "ready")).then(() => process.kill(-pid, "SIGTERM")),
    });
    expect(asked).toMatchObject({ exitCode: 5, signal: null, stdout: "cleaned up\n" });

    const other = createPlace();
    const beat = join(other.workspace, "beat");
    await runSandboxed(other, `setsid sh -c 'while true; do date +%s%N > beat; sleep 0.05; done' & sleep 60`, {
      onStarted: (pid) => void untilFile(beat).then(() => process.kill(-pid, "SIGKILL")),
    });
    const last = readFileSync(beat, "utf8");
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(readFileSync(beat, "utf8")).toBe(last);
  });

  describe("its network", () => {
    let allowed: Server;
    let other: Server;
    const portOf = (server: Server) => (server.address() as AddressInfo).port;
    const fetchIn = (url: string, options = "{}") =>
      `${process.execPath} -e 'fetch(${JSON.stringify(url)}, ${options}).then(async (answer) => console.log(answer.status, await answer.text()), (error) => console.log(error.cause?.code ?? error.message))'`;

    beforeAll(async () => {
      const start = (answer: string) => {
        const server = createServer(async (request, response) => {
          response.end(`${answer} ${request.method} ${request.url} ${(await buffer(request)).length}`);
        }).listen(0, "127.0.0.1");
        return new Promise<Server>((resolve) => server.once("listening", () => resolve(server)));
      };
      [allowed, other] = await Promise.all([start("allowed"), start("other")]);
    });
    afterAll(() => {
      allowed.close();
      other.close();
    });

    it("[L7] [X20] does not exist without rules", async () => {
      const run = await runSandboxed(
        createPlace(),
        `${fetchIn(`http://127.0.0.1:${portOf(allowed)}/`)}; cat /proc/net/dev | grep -c :; env | grep -ci proxy`,
      );
      expect(run.stdout).toBe("ECONNREFUSED\n1\n0\n");
    });

    it("[L7] [X20] reaches what the rules name, as if it were local, and no other port of this machine", async () => {
      const place = createPlace({ hosts: [`localhost:${portOf(allowed)}`] });
      const run = await runSandboxed(
        place,
        [
          fetchIn(`http://127.0.0.1:${portOf(allowed)}/direct`),
          fetchIn(`http://localhost:${portOf(allowed)}/upload`, `{ method: "POST", body: "x".repeat(3000000) }`),
          fetchIn(`http://127.0.0.1:${portOf(other)}/`),
          `curl -sS --noproxy "" http://127.0.0.1:${portOf(allowed)}/proxied; echo`,
          `curl -sS --noproxy "" -o /dev/null -w "%{http_code}" http://127.0.0.1:${portOf(other)}/; echo`,
          `curl -sS --noproxy "" -p http://127.0.0.1:${portOf(other)}/ 2>&1 | grep -o 403`,
        ].join("\n"),
      );
      expect(run.stdout.split("\n")).toEqual([
        "200 allowed GET /direct 0",
        "200 allowed POST /upload 3000000",
        "ECONNREFUSED",
        "allowed GET /proxied 0",
        "403",
        "403",
        "",
      ]);
    });

    it("[L7] a slow connection does not stop the others, and many run at once", async () => {
      const place = createPlace({ hosts: [`127.0.0.1:${portOf(allowed)}`] });
      const program = `
        const { connect } = require("node:net");
        const stuck = connect(${portOf(allowed)}, "127.0.0.1"); stuck.pause(); stuck.write("GET /stuck HTTP/1.1\\r\\n");
        Promise.all(Array.from({ length: 200 }, (_, i) => fetch("http://127.0.0.1:${portOf(allowed)}/" + i).then((answer) => answer.text())))
          .then((texts) => { console.log(new Set(texts).size); process.exit(); });`;
      writeFileSync(join(place.workspace, "many.cjs"), program);
      expect((await runSandboxed(place, `${process.execPath} many.cjs`)).stdout).toBe("200\n");
    });

    it("[L7] the refusal says what to do", async () => {
      const run = await runSandboxed(createPlace({ hosts: ["allowed.example"] }), "curl -sS -i http://refused.example/");
      expect(run.stdout).toContain("403");
      expect(run.stdout).toContain("does not allow connections to refused.example:80");
    });
  });
});

async function untilFile(path: string): Promise<void> {
  while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 20));
}
