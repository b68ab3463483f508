import { createHash } from "node:crypto";
import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { inRepository } from "../../scripts/setup/repository.mjs";
import { makeRepository } from "../agents/make-repository.mjs";
import { createDatabase } from "./create-database.mjs";

const cache = inRepository("node_modules/.cache/skein-bench-size");

/** What the databases depend on: with other texts, rows or another schema they are built again. */
function toVersion() {
  const hash = createHash("sha256");
  const storage = inRepository("packages/storage/src");
  const files = [
    ...readdirSync(path.join(storage, "sqlite")).map((name) => path.join(storage, "sqlite", name)),
    ...readdirSync(path.join(storage, "search")).map((name) => path.join(storage, "search", name)),
    ...["create-database.mjs", "texts.mjs"].map((name) => inRepository(`bench/size/${name}`)),
  ].filter((file) => /(schema|migrations|index|indexed-text|identifier-parts)[^/]*\.ts$|\.mjs$/.test(file) && !file.includes(".test."));
  for (const file of files.sort()) hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

async function build({ messages, ...form }) {
  const kind = [messages, ...Object.values(form)].join("x");
  const folder = path.join(cache, `${toVersion()}-${kind}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) if (name.endsWith(`-${kind}`)) rmSync(path.join(cache, name), { recursive: true });
  const unfinished = mkdtempSync(path.join(cache, "building-"));
  try {
    const made = await createDatabase({ file: path.join(unfinished, "skein.db"), messages, repository: "/nowhere/repository", ...form });
    writeFileSync(path.join(unfinished, "content.json"), JSON.stringify(made));
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

/**
 * A data dir with a database of `messages` messages (`form`: see `createDatabase`), to be changed freely: a copy of one that is kept between runs. Building one of
 * 1,000,000 takes a minute or two, once. `content` names tasks in it (see `createDatabase`), `close` deletes the data dir.
 */
export async function createLargeHome(messages, form = {}) {
  const built = await build({ messages, ...form });
  const home = mkdtempSync(path.join(os.tmpdir(), `skein-bench-${messages}-`));
  const close = () => rmSync(home, { recursive: true, force: true });
  try {
    cpSync(path.join(built, "skein.db"), path.join(home, "skein.db"), { mode: constants.COPYFILE_FICLONE });
    const content = JSON.parse(readFileSync(path.join(built, "content.json"), "utf8"));
    await useRepository(path.join(home, "skein.db"), { project: content.projects[0], repository: makeRepository(home) });
    return { home, content, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** The first project's folder is a real repository of this data dir. */
async function useRepository(file, { project, repository }) {
  const { DatabaseSync } = await import("node:sqlite");
  using database = new DatabaseSync(file);
  database.prepare("UPDATE projects SET path = ? WHERE id = ?").run(repository, project);
  database.prepare("UPDATE attempts SET directory = ?").run(repository);
}
