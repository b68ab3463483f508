import { createHash } from "node:crypto";
import { type LoadedFiles, listDifferentFiles } from "@skein/agents/loaded-files";

/** SHA-256 by path: the files of a repository that trust covers, at the time it was given. */
export type FileHashes = Readonly<Record<string, string>>;

/** A trusted version: its definition, and the files that it named or loaded. */
export interface TrustedVersion {
  /** Hash of the definition. */
  hash: string;
  files?: FileHashes | undefined;
  trustedAt: number;
}

/** The hash that a user is shown and trusts: of the definition and the files that it names or loads. */
export function toContentHash(hash: string, files: FileHashes): string {
  return createHash("sha256")
    .update(JSON.stringify([hash, Object.entries(files)]))
    .digest("hex");
}

export type Comparison =
  | { state: "none" }
  | { state: "trusted"; version: TrustedVersion }
  /** Compared with the closest version of the same definition, else with the newest. */
  | { state: "changed"; version: TrustedVersion; different: string[] };

/** All files must match one version: two files trusted at different times were never trusted together. */
export function compareWithTrusted<Version extends TrustedVersion>(
  versions: readonly Version[],
  found: { hash: string | null } & LoadedFiles,
): Comparison & { version?: Version } {
  if (versions.length === 0) return { state: "none" };
  const compared = versions
    .map((version) => ({ version, isSame: version.hash === found.hash, different: listDifferentFiles(found, version.files ?? {}) }))
    .toSorted(
      (a, b) => Number(b.isSame) - Number(a.isSame) || a.different.length - b.different.length || b.version.trustedAt - a.version.trustedAt,
    );
  const [nearest] = compared;
  if (nearest === undefined) return { state: "none" };
  const { version, isSame, different } = nearest;
  return isSame && different.length === 0 && found.problem === undefined
    ? { state: "trusted", version }
    : { state: "changed", version, different };
}

const named = 3;

/** The first files, for a notice. An agent may have chosen the names, so they are made safe to show in a sentence. */
export function nameFiles(paths: readonly string[]): { names: string[]; more: number } {
  const names = paths.slice(0, named).map((path) => path.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\uFFFD"));
  return { names, more: Math.max(0, paths.length - named) };
}
