import type { Logger } from "./logger.ts";

export const silentLogger: Logger = { info() {}, warn() {}, error() {} };
