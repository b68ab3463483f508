import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { rolldown } from "rolldown";
import { contentHash } from "./content-hash.mjs";
import { packFolder } from "./pack-folder.mjs";
import { ensureProgramBuild } from "./program-build.mjs";
import { inRepository, root } from "./repository.mjs";
import { ensureWebBuild } from "./web-build.mjs";

/** Not for the package: what a process writes into its build, the link to the web UI (copied instead), and source maps (two thirds of the size). */
const excluded = /^(?:in-use|compile-cache|web)$|\.map$/;

/** Packs the built programs and the web UI as the npm package `@skein/cli`, without install scripts and with one optional dependency. Returns the file. */
export async function packSkein(folder) {
  await ensureWebBuild();
  const programs = await ensureProgramBuild();
  const assembled = path.join(folder, "package");
  const build = path.join(assembled, "build");
  rmSync(assembled, { recursive: true, force: true });
  mkdirSync(build, { recursive: true });
  const isIncluded = (file) => file === programs || !excluded.test(path.relative(programs, file));
  cpSync(programs, build, { recursive: true, filter: isIncluded });
  cpSync(inRepository("packages/web/dist"), path.join(build, "web"), { recursive: true });
  await bundleLauncher(path.join(assembled, "bin"));
  for (const name of ["README.md", "README.zh-CN.md", "CHANGELOG.md", "LICENSE"]) cpSync(inRepository(name), path.join(assembled, name));
  writeFileSync(path.join(assembled, "package.json"), `${JSON.stringify(describePackage(build), undefined, 2)}\n`);
  return packFolder(assembled, folder);
}

const readManifest = (name) => JSON.parse(readFileSync(inRepository("packages", name, "package.json"), "utf8"));

function describePackage(build) {
  const { name, version, license } = readManifest("cli");
  const { description } = JSON.parse(readFileSync(inRepository("package.json"), "utf8"));
  return {
    name,
    version,
    description,
    license,
    type: "module",
    bin: { skein: "bin/skein.js" },
    engines: { node: "^22.22.3 || >=24.15" }, // the first ones whose SQLite cannot corrupt a database in WAL mode,
    // a binary for each system, without an install script: where there is none, there are no terminals
    optionalDependencies: { "@lydell/node-pty": readManifest("host").dependencies["@lydell/node-pty"] },
    files: ["bin", "build", "CHANGELOG.md", "README.zh-CN.md"],
    build: contentHash([build], build).slice(0, 16),
  };
}

async function bundleLauncher(folder) {
  const bundle = await rolldown({ input: { skein: inRepository("packages/cli/bin/installed-skein.mjs") }, cwd: root, platform: "node" });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].js", comments: false });
  await bundle.close();
}
