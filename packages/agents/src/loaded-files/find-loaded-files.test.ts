import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { findLoadedFiles, listDifferentFiles } from "./find-loaded-files.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "skein-loaded-")));
});

function write(files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

const loaded = async (...words: string[]) => {
  const [script = ""] = words;
  return Object.keys((await findLoadedFiles(root, [words.length === 1 ? { script } : { words }])).files);
};

/** Files of an application that the commands of these tests do not load. */
const application = { "src/app.ts": "import './page.ts'", "src/page.ts": "", "README.md": "sh scripts/setup.sh", "index.html": "" };

describe("[X16] which files of a repository a command loads", () => {
  test.each<[string, Record<string, string>, string[], string[]]>([
    ["a script", { "scripts/setup.sh": "echo hi", "scripts/other.sh": "" }, ["sh scripts/setup.sh"], ["scripts/setup.sh"]],
    [
      "what a script sources, by its own folder and by the root",
      { "scripts/setup.sh": '. "$(dirname "$0")/lib.sh"\n. ./env.sh', "scripts/lib.sh": "", "env.sh": "" },
      ["sh scripts/setup.sh"],
      ["env.sh", "scripts/lib.sh", "scripts/setup.sh"],
    ],
    [
      "what a module imports, and what that imports",
      { "mcp.mjs": 'import { a } from "./lib/a.mjs";', "lib/a.mjs": 'export * from"../lib/b"', "lib/b.js": "", "lib/c.js": "" },
      ["node", "mcp.mjs"],
      ["lib/a.mjs", "lib/b.js", "mcp.mjs"],
    ],
    [
      "TypeScript by the names of what it is compiled to, and folders by their index",
      { "server/index.ts": 'import "./tools.js"; import "../shared"', "server/tools.ts": "", "shared/index.ts": "" },
      ["npx", "tsx", "server/index.ts"],
      ["server/index.ts", "server/tools.ts", "shared/index.ts"],
    ],
    [
      "a script of package.json, what it runs, and what runs before it",
      {
        "package.json": JSON.stringify({
          scripts: { mcp: "npm run inner", inner: "node tools/run.js", premcp: "sh pre.sh", test: "sh test.sh" },
        }),
        "tools/run.js": "",
        "pre.sh": "",
        "test.sh": "",
      },
      ["npm", "run", "mcp"],
      ["package.json", "pre.sh", "tools/run.js"],
    ],
    [
      "what npm runs when it installs, also of workspaces",
      {
        "package.json": JSON.stringify({ scripts: { postinstall: "node post.js", build: "node build.js" }, workspaces: ["packages/*"] }),
        "package-lock.json": "{}",
        "post.js": "",
        "build.js": "",
        "packages/a/package.json": JSON.stringify({ scripts: { prepare: "node prepare.js" } }),
        "packages/a/prepare.js": "",
      },
      ["npm ci"],
      ["package-lock.json", "package.json", "packages/a/package.json", "packages/a/prepare.js", "post.js"],
    ],
    ["a Makefile and what it runs", { Makefile: "setup:\n\tsh ./a.sh\n", "a.sh": "" }, ["make setup"], ["Makefile", "a.sh"]],
    [
      "a module of Python, with its package, and what would take a library's place",
      {
        "pkg/__init__.py": "",
        "pkg/__main__.py": "import json\nfrom .util import x\nfrom pkg import other",
        "pkg/util.py": "",
        "pkg/other.py": "",
        "json.py": "",
      },
      ["python3", "-m", "pkg"],
      ["json.py", "pkg/__init__.py", "pkg/__main__.py", "pkg/other.py", "pkg/util.py"],
    ],
    [
      "after a change of folder",
      { "server/run.sh": ". ./x.sh", "server/x.sh": "" },
      ["cd server && ./run.sh"],
      ["server/run.sh", "server/x.sh"],
    ],
    ["an option's value", { "hook.cjs": "", "main.js": "" }, ["node", "--require=./hook.cjs", "main.js"], ["hook.cjs", "main.js"]],
    ["gradle's wrapper and build", { gradlew: "#!/bin/sh", "build.gradle": "" }, ["./gradlew", "setup"], ["build.gradle", "gradlew"]],
    [
      "all code next to a file that computes what it loads",
      { "tools/mcp.mjs": "for (const f of readdirSync(here)) await import(f)", "tools/plugins/a.mjs": "", "tools/notes.md": "" },
      ["node", "tools/mcp.mjs"],
      ["tools/mcp.mjs", "tools/plugins/a.mjs"],
    ],
    [
      "a program that is compiled, and the packages of it that it imports",
      {
        "go.mod": "module example.com/me/app",
        "cmd/mcp/main.go": 'import "example.com/me/app/internal/tools"',
        "internal/tools/tools.go": "package tools",
        "web/server.go": "",
      },
      ["go", "run", "./cmd/mcp"],
      ["cmd/mcp/main.go", "go.mod", "internal/tools/tools.go"],
    ],
    [
      "all code of a crate that is run",
      { "Cargo.toml": "", "src/main.rs": "mod a;", "src/a/b.rs": "" },
      ["cargo", "run"],
      ["Cargo.toml", "src/a/b.rs", "src/app.ts", "src/main.rs", "src/page.ts"],
    ],
    [
      "what a script of Ruby requires",
      { "mcp.rb": 'require_relative "lib/tools"', "lib/tools.rb": "" },
      ["ruby", "mcp.rb"],
      ["lib/tools.rb", "mcp.rb"],
    ],
    [
      "a new module next to a Python program, which would take the place of one that the library imports",
      { "tools/mcp.py": "import argparse", "tools/gettext.py": "", "tools/locale/__init__.py": "", "tools/docs/x.md": "" },
      ["python3", "tools/mcp.py"],
      ["tools/gettext.py", "tools/locale/__init__.py", "tools/mcp.py"],
    ],
    ["a path after a variable", { ".claude/hooks/x.sh": "" }, ["$CLAUDE_PROJECT_DIR/.claude/hooks/x.sh"], [".claude/hooks/x.sh"]],
  ])("%s", async (_name, files, words, expected) => {
    write({ ...application, ...files });
    expect(await loaded(...words)).toEqual(expected);
  });

  test("a package of the repository that node_modules links to", async () => {
    write({ "mcp.mjs": 'import "@acme/lib"; import "zod"', "packages/lib/package.json": '{"main":"./lib.js"}', "packages/lib/lib.js": "" });
    write({ "node_modules/zod/index.js": "" });
    mkdirSync(join(root, "node_modules/@acme"));
    symlinkSync("../../packages/lib", join(root, "node_modules/@acme/lib"));
    expect(await loaded("node", "mcp.mjs")).toEqual(["mcp.mjs", "packages/lib/lib.js", "packages/lib/package.json"]);
  });

  test("a link counts with what it says, and what it leads to in the repository", async () => {
    write({ "real.sh": "" });
    symlinkSync("real.sh", join(root, "run.sh"));
    const before = await findLoadedFiles(root, [{ script: "sh run.sh" }]);
    expect(Object.keys(before.files)).toEqual(["real.sh", "run.sh"]);
  });

  test("other dependencies do not change what a module loads; its type and its own names do", async () => {
    const hash = async (content: object) => {
      write({ "mcp.mjs": "", "package.json": JSON.stringify(content) });
      return (await findLoadedFiles(root, [{ words: ["node", "mcp.mjs"] }])).files["package.json"];
    };
    const plain = await hash({ name: "a" });
    expect(await hash({ name: "a", dependencies: { x: "1" } })).toBe(plain);
    expect(await hash({ name: "a", imports: { "#x": "./evil.js" } })).not.toBe(plain);
  });

  test("too many files to compare are reported, and cannot be trusted", async () => {
    write(Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`tools/${index}.js`, ""])));
    write({ "tools/mcp.mjs": "await import(name)" });
    expect((await findLoadedFiles(root, [{ words: ["node", "tools/mcp.mjs"] }])).problem).toEqual({
      code: "loaded-files-too-many",
      max: 2000,
    });
  });

  test("what a script only tests for, prints or writes is not loaded; what it pipes or runs is", async () => {
    write({ mark: "", made: "", old: "", "gen.sh": "", "log.txt": "", "a.sh": "", "b.sh": "" });
    const script = "if [ ! -e mark ]; then echo old > made; fi; test -e mark && echo $(sh gen.sh) >> log.txt; echo a.sh | sh; sh<b.sh";
    expect(await loaded(script)).toEqual(["a.sh", "b.sh", "gen.sh"]);
  });

  test("data that a command mentions may be made by it; what was there must stay as it was", async () => {
    write({ "run.sh": "" });
    const find = () => findLoadedFiles(root, [{ script: "sh run.sh --out gen.json --state state" }]);
    const trusted = (await find()).files;
    write({ "gen.json": "{}" });
    expect(listDifferentFiles(await find(), trusted)).toEqual([]);
    expect(listDifferentFiles(await find(), { ...trusted, "gen.json": "0" })).toEqual(["gen.json"]);
    write({ state: "" });
    expect(listDifferentFiles(await find(), trusted)).toEqual(["state"]);
  });

  test("nothing outside, no git, no installed packages", async () => {
    write({ "run.sh": "../x /etc/passwd .git/config node_modules/a/index.js" });
    write({ ".git/config": "", "node_modules/a/index.js": "" });
    expect(await loaded("sh", "./run.sh")).toEqual(["run.sh"]);
  });
});
