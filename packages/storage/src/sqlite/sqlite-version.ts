import { UnsupportedSqliteError } from "../errors.ts";

/** In earlier versions, a checkpoint during a write on another connection could corrupt a database in WAL mode. */
const minimumSqliteVersion = "3.51.3";

export function assertSqliteVersion(version: string = process.versions.sqlite ?? "0.0.0"): void {
  const [found, needed] = [version, minimumSqliteVersion].map((text) => text.split(".").map(Number));
  for (const [index, part] of (needed ?? []).entries()) {
    const difference = (found?.[index] ?? 0) - part;
    if (difference > 0) return;
    if (difference < 0) {
      throw new UnsupportedSqliteError(
        `Skein needs SQLite ${minimumSqliteVersion} or newer, and this Node (${process.version}) brings ${version}. Start it with Node 24.15 or newer, or 22.22.3.`,
      );
    }
  }
}
