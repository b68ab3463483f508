import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join, posix } from "node:path";
import type { LoadedFilesProblem } from "@skein/contracts";
import { isJsonObject } from "@skein/contracts/is-json-object";
import { FolderIndex, type Found, toFolder, toInside } from "./folder-index.ts";
import { findPrograms, isScriptRun } from "./program-files.ts";
import {
  isCode,
  isProse,
  isShell,
  listMeanings,
  listPythonImports,
  listTokens,
  listWords,
  loadsComputedNames,
  looksLikePath,
  removeHarmless,
  type TextKind,
  toTextKind,
} from "./scan-text.ts";

/** A program with its arguments, or a script for `sh`. It runs in the repository's root. */
export type LoadingCommand = { words: readonly string[] } | { script: string };

/** The files that a command runs or loads, as far as they can be found without running it. */
export interface LoadedFiles {
  /** SHA-256 by path, sorted. */
  files: Readonly<Record<string, string>>;
  /** Data files that a command only mentions, and may create itself. */
  mentioned?: readonly string[];
  /** Why they cannot be listed. */
  problem?: LoadedFilesProblem;
}

/**
 * The files that differ from `trusted`. A missing file runs nothing; data that did not exist when it was trusted is created by commands.
 */
export function listDifferentFiles({ files, mentioned = [] }: LoadedFiles, trusted: Readonly<Record<string, string>>): string[] {
  return Object.keys(files).filter((path) => (Object.hasOwn(trusted, path) ? trusted[path] !== files[path] : !mentioned.includes(path)));
}

const mostFiles = 2000;
const mostBytes = 200 * 1024 * 1024;
const longestText = 1024 * 1024;
const mostFolders = 100;
const mostLeading = 4;
const leftOutFolders = new Set([".git", "node_modules"]);

/**
 * The files of a repository that commands name or load, found in the commands and recursively in the named files: paths and imports,
 * files that npm, make and other programs read from their folder, and, if a file computes what it loads, all code next to it.
 *
 * Runs nothing. Not found: names that are composed from parts outside of the file's own folder, and installed packages (`node_modules`
 * except for links into the repository).
 */
export async function findLoadedFiles(directory: string, commands: readonly LoadingCommand[]): Promise<LoadedFiles> {
  const root = await realpath(directory).catch(() => undefined);
  if (root === undefined) return { files: {}, problem: { code: "loading-folder-missing" } };
  const search = new Search(root);
  try {
    for (const command of commands) await search.addCommand(command);
    await search.finish();
    return search.toLoadedFiles();
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    return { ...search.toLoadedFiles(), problem: error.problem };
  }
}

class TooMuch extends Error {
  readonly problem: LoadedFilesProblem;

  constructor(problem: LoadedFilesProblem) {
    super(problem.code);
    this.problem = problem;
  }
}

class Search {
  readonly #root: string;
  readonly #index: FolderIndex;
  readonly #files = new Map<string, string>();
  /** Words of command lines and scripts, including names of programs and of package.json scripts. */
  readonly #words = new Set<string>();
  readonly #tokens = new Set<string>();
  /** Commands may change into them, or take them as an argument. */
  readonly #folders = new Set<string>();
  readonly #mentioned = new Set<string>();
  /** Read by a program or loaded by a file, even if a command mentions them as well. */
  readonly #used = new Set<string>();
  readonly #scanned = new Set<string>();
  readonly #waiting: { path: string; kind: TextKind }[] = [];
  #bytes = 0;

  constructor(root: string) {
    this.#root = root;
    this.#index = new FolderIndex(root);
  }

  toLoadedFiles(): LoadedFiles {
    const files = Object.fromEntries([...this.#files].sort(([a], [b]) => (a < b ? -1 : 1)));
    const mentioned = [...this.#mentioned].filter((path) => !this.#used.has(path)).sort();
    return mentioned.length === 0 ? { files } : { files, mentioned };
  }

  async addCommand(command: LoadingCommand): Promise<void> {
    if ("script" in command) return this.#scan(removeHarmless(command.script), "", "command");
    for (const word of command.words) await this.#name(word, "", "command");
    await this.#scan(command.words.join("\n"), "", "command");
  }

  /** Repeats until nothing new is found. */
  async finish(): Promise<void> {
    for (let before = ""; before !== this.#progress(); ) {
      before = this.#progress();
      await this.#scanWaiting();
      const folders = [...this.#folders].slice(0, mostFolders);
      for (const folder of folders) for (const token of this.#tokens) await this.#name(token, folder, "command");
      await this.#addProgramFiles(folders);
      await this.#scanWaiting();
    }
  }

  #progress(): string {
    return [this.#files.size, this.#words.size, this.#folders.size, this.#scanned.size].join();
  }

  async #addProgramFiles(folders: readonly string[]): Promise<void> {
    const { files, entries, sources, runsScripts } = findPrograms(this.#words);
    for (const folder of ["", ...folders]) {
      for (const name of files) await this.#addPath(posix.join(folder, name), { whole: runsScripts });
      if (folder !== "" || this.#tokens.has(".")) {
        for (const name of entries) await this.#addPath(posix.join(folder, name), { isEntry: true });
      }
      if (sources !== undefined && folder !== "") await this.#addFolder(folder);
      for (const name of sources ?? []) await this.#addFolder(posix.join(folder, name));
      if (runsScripts) await this.#addPackageScripts(folder);
    }
  }

  async #addPackageScripts(folder: string): Promise<void> {
    const found = await this.#index.find(posix.join(folder, "package.json"));
    const content = found?.kind === "file" ? parsePackage(await this.#readText(found.path)) : undefined;
    if (content === undefined) return;
    for (const [name, script] of Object.entries(content.scripts)) {
      if (isScriptRun(name, this.#words)) await this.#scan(removeHarmless(script), folder, "command");
    }
    for (const pattern of content.workspaces) {
      const base = posix.join(folder, pattern.replace(/\/\*+$/, ""));
      const isPattern = /\/\*+$/.test(pattern);
      const members = isPattern ? [...(await this.#index.list(base)).keys()].map((name) => posix.join(base, name)) : [base];
      for (const member of members) if ((await this.#index.find(`${member}/package.json`))?.kind === "file") this.#folders.add(member);
    }
  }

  async #scanWaiting(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const text = await this.#readText(next.path);
      if (text === undefined) continue;
      await this.#scan(isShell(next.path, text) ? removeHarmless(text) : text, toFolder(next.path), next.kind);
      if (next.kind === "module") await this.#addNearestPackage(toFolder(next.path));
    }
  }

  /** Whether its modules are ESM, and what `#names` mean. */
  async #addNearestPackage(folder: string): Promise<void> {
    for (let current = folder; ; current = toFolder(current)) {
      if ((await this.#index.find(posix.join(current, "package.json")))?.kind === "file") {
        return this.#addPath(posix.join(current, "package.json"), {});
      }
      if (current === "") return;
    }
  }

  async #scan(text: string, folder: string, kind: TextKind): Promise<void> {
    const key = `${kind}\0${folder}\0${createHash("sha256").update(text).digest("hex")}`;
    if (kind === "data" || this.#scanned.has(key)) return;
    this.#scanned.add(key);
    if (kind === "package") return this.#scanPackage(text, folder);
    const isProgram = kind === "module" || kind === "python" || kind === "source";
    const tokens = [...listTokens(text)].filter((token) => !isProgram || looksLikePath(token));
    const isComputed = loadsComputedNames(text, kind);
    for (const token of tokens) {
      for (const base of new Set([folder, ""])) {
        const found = await this.#name(token, base, kind);
        if ((isComputed || kind === "source") && found?.kind === "folder" && found.path !== "") await this.#addFolder(found.path);
      }
      if (kind === "module") await this.#addWorkspacePackage(token);
    }
    // npm, node and others also run what a program passes on to them
    for (const word of isProgram ? [] : listWords(text)) this.#words.add(word);
    if (kind === "command") for (const token of tokens) this.#tokens.add(token);
    if (kind === "python") {
      await this.#addImports(listPythonImports(text), folder);
      await this.#addPythonModules(folder);
    }
    if (kind === "command" || kind === "script") {
      const modules = [...text.matchAll(/(?:^|\s)-m\s+([\w.]+)/g)].map(([, name = ""]) => `import ${name}.__main__`);
      await this.#addImports(listPythonImports(modules.join("\n")), folder);
      if (modules.length > 0) await this.#addPythonModules("");
    }
    if (isComputed && kind !== "command") await this.#addFolder(folder);
  }

  async #scanPackage(text: string, folder: string): Promise<void> {
    const content = parsePackage(text);
    for (const token of listTokens(JSON.stringify(content?.entries ?? {}))) await this.#name(token, folder, "package");
  }

  async #addImports(imports: readonly { path: string; isRelative: boolean }[], folder: string): Promise<void> {
    for (const { path, isRelative } of imports) {
      const bases = isRelative ? [folder] : new Set([folder, "", "src", ...this.#folders]);
      for (const base of bases) await this.#name(path, base, "python");
    }
  }

  /** Python looks for every module next to its program first, including those that its own library imports. */
  async #addPythonModules(folder: string): Promise<void> {
    for (const [name, entry] of await this.#index.list(folder)) {
      if (entry.isFile() && /\.(?:pyw?|so|pyd|pyc)$/.test(name)) await this.#addPath(posix.join(folder, name), {});
      if (entry.isDirectory()) await this.#addPath(posix.join(folder, name, "__init__.py"), {});
    }
  }

  /** A package of the repository itself, which node_modules links to. */
  async #addWorkspacePackage(token: string): Promise<void> {
    const name = /^(?:@[\w.-]+\/)?[\w.-]+/.exec(token)?.[0];
    if (name === undefined || name.startsWith(".")) return;
    const found = await this.#index.find(`node_modules/${name}`);
    if (found?.kind !== "folder" || found.links.length === 0 || isLeftOut(found.path)) return;
    for (const entry of ["package.json", "index.js", "index.mjs", "index.ts"]) {
      await this.#addPath(posix.join(found.path, entry), { isEntry: true });
    }
    const rest = token.slice(name.length);
    if (rest !== "") await this.#name(`.${rest}`, found.path, "module");
  }

  /** Resolves a piece of text from a folder: adds files, remembers folders. */
  async #name(token: string, folder: string, kind: TextKind): Promise<Found | undefined> {
    let first: Found | undefined;
    for (const way of toWays(this.#root, token, folder)) {
      for (const meaning of [way, ...listMeanings(way, kind)]) {
        const found = await this.#index.find(meaning);
        if (found === undefined || isLeftOut(found.path)) continue;
        first ??= found;
        if (found.kind === "file") {
          // a command names what it runs; a program also names what it only displays
          const isMentioned = kind === "command" || kind === "script";
          if (isMentioned || !isProse(found.path)) await this.#addFound(found, { isMentioned });
        } else if ((kind === "command" || kind === "script") && found.path !== "") this.#folders.add(found.path);
      }
      if (first !== undefined) return first;
    }
    return first;
  }

  async #addPath(path: string, how: { whole?: boolean; isEntry?: boolean }): Promise<void> {
    const found = await this.#index.find(path);
    if (found?.kind === "file" && !isLeftOut(found.path)) await this.#addFound(found, how);
  }

  async #addFound(
    found: Found,
    { whole = false, isEntry = false, isMentioned = false }: { whole?: boolean; isEntry?: boolean; isMentioned?: boolean },
  ): Promise<void> {
    (isMentioned && toTextKind(found.path) === "data" ? this.#mentioned : this.#used).add(found.path);
    for (const { path, target } of found.links) if (!isLeftOut(path)) this.#add(path, hash(`link to ${target}`));
    const { path } = found;
    const kind = toTextKind(path);
    const known = this.#files.get(path);
    if (kind === "package") {
      const fields = hash(JSON.stringify(parsePackage(await this.#readText(path))?.entries ?? null));
      if (known === undefined || (whole && known === fields)) this.#add(path, whole ? await this.#hashFile(path) : fields);
      if (isEntry || known === undefined) await this.#scan((await this.#readText(path)) ?? "", toFolder(path), kind);
      return;
    }
    if (known !== undefined) return;
    this.#add(path, await this.#hashFile(path));
    this.#waiting.push({ path, kind });
  }

  async #addFolder(folder: string): Promise<void> {
    const key = `folder\0${folder}`;
    if (this.#scanned.has(key)) return;
    this.#scanned.add(key);
    for (const [name, entry] of await this.#index.list(folder)) {
      const path = posix.join(folder, name);
      if (entry.isFile() && isCode(path)) await this.#addPath(path, {});
      // otherwise every change of the repository would need new trust
      else if (entry.isDirectory() && folder !== "" && !leftOutFolders.has(name)) await this.#addFolder(path);
    }
  }

  #add(path: string, contentHash: string): void {
    this.#files.set(path, contentHash);
    if (this.#files.size > mostFiles) throw new TooMuch({ code: "loaded-files-too-many", max: mostFiles });
  }

  async #hashFile(path: string): Promise<string> {
    const bytes = await this.#read(path, mostBytes - this.#bytes);
    if (bytes === undefined) throw new TooMuch({ code: "loaded-file-unreadable", path });
    this.#bytes += bytes.length;
    return hash(bytes);
  }

  async #readText(path: string): Promise<string | undefined> {
    const bytes = await this.#read(path, longestText);
    return bytes === undefined || bytes.subarray(0, 8192).includes(0) ? undefined : bytes.toString("utf8");
  }

  /** Never follows a final link, never blocks on a pipe. */
  async #read(path: string, most: number): Promise<Buffer | undefined> {
    const file = await open(join(this.#root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
      () => undefined,
    );
    try {
      const stats = await file?.stat();
      return stats?.isFile() && stats.size <= most ? await file?.readFile() : undefined;
    } finally {
      await file?.close();
    }
  }
}

/** The path as written, and without a leading folder that only the shell knows: `$ROOT/x/y`. */
function toWays(root: string, token: string, folder: string): string[] {
  if (token === "" || token.includes("\0")) return [];
  if (posix.isAbsolute(token)) {
    const inside = toInside(root, posix.normalize(token));
    if (inside !== undefined) return [inside];
  }
  const relative = token.replace(/^\/+/, "");
  const steps = relative.split("/");
  // `$ROOT/x/y` and `example.com/module/x/y`
  const shorter = steps.slice(1, mostLeading).map((_, index) => posix.join(folder, ...steps.slice(index + 1)));
  const ways = [posix.join(folder, relative), ...shorter];
  return ways.filter((way) => way !== ".." && !way.startsWith("../"));
}

function isLeftOut(path: string): boolean {
  return path.split("/").some((step) => leftOutFolders.has(step));
}

function hash(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

interface PackageContent {
  scripts: Record<string, string>;
  workspaces: string[];
  /** Files that decide which files are loaded, whichever packages are installed. */
  entries: Record<string, unknown>;
}

function parsePackage(text: string | undefined): PackageContent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { scripts, workspaces } = value;
  const patterns = isJsonObject(workspaces) ? workspaces.packages : workspaces;
  const entries = ["name", "type", "main", "module", "exports", "imports", "bin"].flatMap((name) =>
    name in value ? [[name, value[name]]] : [],
  );
  return {
    scripts: isJsonObject(scripts)
      ? (Object.fromEntries(Object.entries(scripts).filter((entry) => typeof entry[1] === "string")) as Record<string, string>)
      : {},
    workspaces: Array.isArray(patterns) ? patterns.filter((pattern) => typeof pattern === "string") : [],
    entries: Object.fromEntries(entries),
  };
}
