import { readFileSync } from "node:fs";
import { isJsonObject } from "@skein/contracts/is-json-object";
import { ServiceError } from "@skein/engine";
import { ensurePrivateFile } from "../data-dir/private-path.ts";
import { writePrivateFile } from "../data-dir/write-private-file.ts";
import { ConfigError, checkConfigFile } from "./load-config.ts";

type JsonObject = Record<string, unknown>;

/**
 * Changes config.json and keeps everything else that the user wrote there. The file is replaced atomically with mode 0600: a crash
 * leaves the old or the new one. Throws `ConfigError` if the file, or the changed content, is invalid.
 */
export function changeConfigFile(path: string, change: (config: JsonObject) => JsonObject): void {
  const changed = change(readObject(path));
  checkConfigFile(path, changed);
  writePrivateFile(path, `${JSON.stringify(changed, null, 2)}\n`);
}

/** Like `changeConfigFile`, for an HTTP request: rejects with a `ServiceError` that explains how to fix the problem. */
export function saveConfig(path: string, change: (config: JsonObject) => JsonObject): void {
  try {
    changeConfigFile(path, change);
  } catch (error) {
    if (error instanceof ConfigError)
      throw new ServiceError("conflict", { code: "config-unusable", reason: error.text ?? error.message }, { cause: error });
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
    throw new ConfigError({ code: "config-unreadable", path, reason: (error as Error).message }, { cause: error });
  }
}

export function toObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
