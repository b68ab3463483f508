import type { Dirent } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { join, posix } from "node:path";

/** The target of a path inside the folder; `path` is its real path, relative to the root and without links. */
export interface Found {
  kind: "file" | "folder";
  path: string;
  /** The links on the way, with their targets. */
  links: readonly { path: string; target: string }[];
}

const longestWay = 20;

/** Looks up paths by folder listings, each of which is read once. Nothing outside the root is ever found. */
export class FolderIndex {
  readonly #root: string;
  readonly #listings = new Map<string, Promise<Map<string, Dirent>>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** `path` is relative to the root, with `/`; undefined if nothing is there, or it leads out. */
  async find(path: string): Promise<Found | undefined> {
    const rest = path.split("/").filter((step) => step !== "" && step !== ".");
    const links: { path: string; target: string }[] = [];
    let current = "";
    for (let steps = 0; rest.length > 0; steps++) {
      const name = rest.shift() ?? "";
      if (steps > longestWay + rest.length || links.length > longestWay) return undefined;
      if (name === "..") {
        if (current === "") return undefined;
        current = toFolder(current);
        continue;
      }
      const entry = (await this.list(current)).get(name);
      if (entry === undefined) return undefined;
      const here = posix.join(current, name);
      if (entry.isSymbolicLink()) {
        const target = await readlink(join(this.#root, here)).catch(() => undefined);
        if (target === undefined) return undefined;
        links.push({ path: here, target });
        const inside = posix.isAbsolute(target) ? toInside(this.#root, target) : target;
        if (inside === undefined) return undefined;
        if (posix.isAbsolute(target)) current = "";
        rest.unshift(...inside.split("/").filter((step) => step !== "" && step !== "."));
        continue;
      }
      if (rest.length === 0 && entry.isFile()) return { kind: "file", path: here, links };
      if (!entry.isDirectory()) return undefined;
      current = here;
    }
    return { kind: "folder", path: current, links };
  }

  /** Empty for a folder that is missing. */
  list(folder: string): Promise<Map<string, Dirent>> {
    const known = this.#listings.get(folder);
    if (known !== undefined) return known;
    const listing = readdir(join(this.#root, folder), { withFileTypes: true }).then(
      (entries) => new Map(entries.map((entry) => [entry.name, entry])),
      () => new Map<string, Dirent>(),
    );
    this.#listings.set(folder, listing);
    return listing;
  }
}

/** The parent folder of a path; empty for the root. */
export function toFolder(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

/** Relative to the root; undefined if it is outside. */
export function toInside(root: string, absolute: string): string | undefined {
  if (absolute === root) return "";
  return absolute.startsWith(`${root}/`) ? absolute.slice(root.length + 1) : undefined;
}
