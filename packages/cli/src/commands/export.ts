import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type AttemptId, type ExportFormat, type ExportParts, type RedactionPreview, redactionPreviewSchema } from "@skein/contracts";
import { describeStorageFault, findStorageFault } from "@skein/contracts/storage-fault";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatBytes } from "../format/bytes.ts";
import { formatTable } from "../format/table.ts";
import { parseIdPrefix, resolveAttempt } from "../ids/resolve-id.ts";
import { toTerminalText } from "../terminal/terminal-text.ts";

interface ExportOptions {
  home?: string;
  format: ExportFormat;
  out?: string;
  preview?: boolean;
  /** Undefined: yes. */
  redact?: boolean;
  word: string[];
  keep: string[];
  without?: (keyof ExportParts)[];
  json?: boolean;
}

/** `skein export` */
export async function exportAttempt(id: string, options: ExportOptions): Promise<number> {
  const prefix = parseIdPrefix(id);
  if (options.preview && options.redact === false)
    throw new CliError("Use --preview or --no-redact, not both.", { exitCode: exitCode.usage });
  await using connection = await connect(options);
  const attemptId = await resolveAttempt(connection.client, prefix);
  const left = new Set(options.without);
  const include: ExportParts = { thinking: !left.has("thinking"), messages: !left.has("messages"), changes: !left.has("changes") };
  if (options.preview) return preview(connection.client, attemptId, { include, words: options.word }, options);
  const redaction = options.redact === false ? null : { keep: options.keep, words: options.word };
  const body = { format: options.format, include, redaction };
  const response = await connection.client.call("POST /api/attempts/:id/export", { params: { id: attemptId }, body });
  await save(response, options.out);
  if (options.out !== undefined) console.error(`Wrote ${options.out}.`);
  return exitCode.success;
}

/** Written while it is received: a long attempt does not have to fit into memory. */
async function save({ body }: Response, out: string | undefined): Promise<void> {
  const received = Readable.fromWeb((body ?? new ReadableStream()) as Parameters<typeof Readable.fromWeb>[0]);
  if (out === undefined) {
    let last = "";
    for await (const chunk of received) {
      last = String.fromCharCode((chunk as Uint8Array).at(-1) ?? 10);
      if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once("drain", resolve));
    }
    if (last !== "\n") process.stdout.write("\n");
    return;
  }
  // half of an export must not look like one
  const draft = `${out}.${process.pid}.part`;
  try {
    await pipeline(received, showProgress, createWriteStream(draft, { mode: 0o600 }));
    await rename(draft, out);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => {});
    throw explainFailure(out, cause);
  }
}

function explainFailure(out: string, cause: unknown): CliError {
  const fault = findStorageFault(cause);
  // that text is about the data dir
  if (fault === undefined || fault === "no-permission")
    return new CliError(`${out} cannot be written: ${cause instanceof Error ? cause.message : cause}`, { cause });
  const hint = "Free some space there, or write to another folder.";
  return new CliError(`${out} cannot be written. ${describeStorageFault(fault).cause}`, { cause, hint });
}

const progressAfterMs = 3000;
const progressEveryMs = 300;

/** Reports the size so far in a terminal, if it takes long. */
async function* showProgress(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  let next = performance.now() + progressAfterMs;
  let isShown = false;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (process.stderr.isTTY && performance.now() >= next) {
      process.stderr.write(`\r${formatBytes(bytes)} `);
      isShown = true;
      next = performance.now() + progressEveryMs;
    }
    yield chunk;
  }
  if (isShown) process.stderr.write("\r\u001b[K");
}

async function preview(
  client: ApiClient,
  attemptId: AttemptId,
  request: { include: ExportParts; words: string[] },
  { json }: ExportOptions,
): Promise<number> {
  const found = await client.post(`/api/attempts/${attemptId}/export/preview`, request, redactionPreviewSchema);
  console.log(json ? JSON.stringify(found, null, 2) : describe(found));
  return exitCode.success;
}

function describe({ findings, more }: RedactionPreview): string {
  if (findings.length === 0) return "No secrets were found.";
  const rows = findings.map(({ id, kind, name, masked, count, places: [first] }) => {
    const context = first === undefined ? "" : `${first.part}: …${first.before}[…]${first.after}…`;
    return [id, kind, [name, masked].filter(Boolean).join(" "), String(count), context].map((cell) =>
      toTerminalText(cell).replace(/\s+/g, " "),
    );
  });
  const unlisted = more === 0 ? "" : `\n\n${more} more ${more === 1 ? "value is" : "values are"} redacted and not listed.`;
  return `${formatTable(["ID", "KIND", "VALUE", "COUNT", "FIRST PLACE"], rows)}${unlisted}\n\nTo keep one: skein export <id> --keep <ID>`;
}
