import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { hasSandbox, newPlaceFolder, removePlaces, runSandboxed } from "../packages/agents/src/sandbox/sandbox.fixture.ts";
import { toDataFolders } from "../packages/host/src/local/data-folders.ts";
import { toSandboxOrder } from "../packages/host/src/local/to-sandbox-order.ts";

/** A user's home, a data dir with a token, and a folder beside them. */
function createMachine({ variable }: { variable: boolean }) {
  const root = newPlaceFolder();
  const [home, data, outside, settings] = ["home", "data", "outside", "settings"].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ];
  const folders = toDataFolders(data);
  const cwd = join(folders.worktrees, "attempt");
  for (const folder of [".cache", ".local/bin", ".local/share/app", "go/pkg", "go/src", ".claude", "notes"])
    mkdirSync(join(home, folder), { recursive: true });
  for (const folder of [cwd, outside, settings]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(data, "token"), "secret token");
  writeFileSync(join(home, ".local/file"), "readable");
  for (const folder of [settings, join(home, ".claude")]) writeFileSync(join(folder, "settings.json"), "{}");
  const environment = { HOME: home, ...(variable ? { AGENT_DIR: settings } : {}) };
  const entry = { path: ".claude", reads: ["settings.json", "commands"], ...(variable ? { variable: "AGENT_DIR" } : {}) };
  const run = async (script: string) => {
    const launch = { scope: "program", attemptId: "attempt", hosts: [], home: [entry] } as const;
    const order = await toSandboxOrder(launch as never, { folders, cwd, environment });
    const place = { workspace: cwd, secrets: data, outside, order };
    return runSandboxed(place, `export HOME=${home} AGENT_DIR=${settings}\n${script}`);
  };
  return { home, data, outside, settings, run };
}

describe.skipIf(!hasSandbox)("the home folder of an attempt in a sandbox", () => {
  afterAll(removePlaces);

  test.each([true, false])(
    "[L7] [X20] links that an agent leaves lead nowhere in the next message (own folder by variable: %s)",
    async (variable) => {
      const { home, data, outside, settings, run } = createMachine({ variable });
      const agentFolder = variable ? settings : join(home, ".claude");
      const links = [".claude", ".cache", ".local", "go", ".local/share", "go/pkg"].map(
        (path) => `rm -rf ~/${path} || mv ~/${path} ~/moved-$RANDOM; ln -s TARGET ~/${path}`,
      );
      for (const target of [data, `/oldroot${outside}`, `/oldroot${outside}/not-there`]) {
        const first = await run(
          `( ${links.join("; ").replaceAll("TARGET", target)} ) 2> /dev/null; ln -s ${target} ${agentFolder}/commands; echo left`,
        );
        expect(first).toMatchObject({ exitCode: 0, stdout: "left\n" });
        const next = await run(
          `cat ${agentFolder}/token ~/*/token ~/.*/token 2> /dev/null; echo x > ${agentFolder}/written; cat ~/.local/file; cat ${agentFolder}/settings.json`,
        );
        expect(next).toMatchObject({ exitCode: 0, stdout: "readable{}" });
      }
      expect(readdirSync(outside)).toEqual([]);
      expect(readdirSync(data).sort()).toEqual(["homes", "token", "worktrees"]);
    },
  );

  test("[X20] the folder of an agent's state is never what a link in its home names", async () => {
    const { data, run } = createMachine({ variable: true });
    await run(`mv ~/.claude ~/moved; ln -s ${data} ~/.claude`);
    expect((await run("cat $AGENT_DIR/token; echo x > $AGENT_DIR/written")).stdout).toBe("");
    expect(readdirSync(data)).not.toContain("written");
  });

  test("[L7] a file that the user has from now on is shown in place of an agent's link", async () => {
    const { home, outside, run } = createMachine({ variable: false });
    await run(`ln -s /oldroot${outside}/new ~/.netrc-mine; ln -s /oldroot${outside}/new ~/.claude/commands`);
    writeFileSync(join(home, ".netrc-mine"), "the user's");
    mkdirSync(join(home, ".claude/commands"));
    expect(await run("cat ~/.netrc-mine; ls ~/.claude")).toMatchObject({ stdout: "the user'scommands\nsettings.json\n", stderr: "" });
    expect(readdirSync(outside)).toEqual([]);
  });

  test("[L7] what an agent writes there is kept, and the user's links are copied", async () => {
    const { home, settings, run } = createMachine({ variable: true });
    symlinkSync("notes", join(home, "link"));
    writeFileSync(join(home, "notes/plan"), "the plan");
    await run("for folder in ~ ~/.cache ~/.local ~/go/pkg $AGENT_DIR; do echo kept > $folder/own; done; echo x > ~/notes/plan");
    const { stdout } = await run(`cat ~/own ~/.cache/own ~/.local/own ~/go/pkg/own; cat ~/link/plan; ls ~/.local`);
    expect(stdout).toBe("kept\nkept\nkept\nkept\nthe planbin\nfile\nown\nshare\n");
    expect(readFileSync(join(settings, "settings.json"), "utf8")).toBe("{}");
  });
});
