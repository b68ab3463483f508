import { readFileSync } from "node:fs";
import { ServiceError } from "@skein/engine";
import { ensurePrivateFile } from "../data-dir/private-path.ts";
import { writePrivateFile } from "../data-dir/write-private-file.ts";
import { ConfigError, checkConfigFile } from "./load-config.ts";

type JsonObject = Record<string, unknown>;

/**
 * Changes config.json and keeps everything else that a person wrote there. Written whole, readable by its owner alone: a crash
 * leaves the old file or the new one. Throws `ConfigError` when the file, or what would become of it, cannot be used.
 */
export function changeConfigFile(path: string, change: (config: JsonObject) => JsonObject): void {
  const changed = change(readObject(path));
  checkConfigFile(path, changed);
  writePrivateFile(path, `${JSON.stringify(changed, null, 2)}\n`);
}

/** The same for a request: rejects with what the user can do about it. */
export function saveConfig(path: string, change: (config: JsonObject) => JsonObject): void {
  try {
    changeConfigFile(path, change);
  } catch (error) {
    if (error instanceof ConfigError)
      throw new ServiceError("conflict", { code: "config-unusable", reason: error.message }, { cause: error });
    const reason = (error as NodeJS.ErrnoException).code ?? "unknown";
    throw new ServiceError("unavailable", { code: "config-not-saved", path, reason }, { cause: error });
  }
}

function readObject(path: string): JsonObject {
  try {
    ensurePrivateFile(path);
    return toObject(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new ConfigError(`${path} cannot be read: ${(error as Error).message}. Correct it, or remove it.`, { cause: error });
  }
}

export function toObject(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
