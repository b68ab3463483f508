import { createHash } from "node:crypto";
import type {
  AttemptDiff,
  AttemptId,
  ExportHead,
  ExportParts,
  ExportRequest,
  FileContent,
  MessageBody,
  SecretKind,
  StoredMessage,
} from "@skein/contracts";
import { createSecretFinder, isImagePath, ServiceError, type StorageReader, toSlug } from "@skein/engine";
import type { ExportedAttempt, ExportedImage } from "../exports/exported-attempt.ts";
import { toKnownSecrets } from "../exports/known-secrets.ts";
import { createRedaction, type Redaction } from "../exports/redaction.ts";
import { writeHtml } from "../exports/write-html.ts";
import { writeMarkdown } from "../exports/write-markdown.ts";
import { getAttempt, getTask } from "./lookup.ts";
import { readAttemptConversation, readAttemptExecutions, readAttemptMessages } from "./read-attempt-messages.ts";
import { readSnapshot } from "./read-snapshot.ts";
import type { ServiceContext } from "./service-context.ts";
import { writeJsonArray } from "./streamed-json.ts";
import type { AttemptService } from "./task-services.ts";

/** Of the images of one exported page. */
const maxImageBytes = 20_000_000;

const formats = {
  html: { mediaType: "text/html; charset=utf-8", extension: "html" },
  json: { mediaType: "application/json", extension: "json" },
  markdown: { mediaType: "text/markdown; charset=utf-8", extension: "md" },
} as const;

/** Exports attempts, and previews what an export redacts. */
export function createExportService(
  context: ServiceContext,
  readDiff: (id: AttemptId) => Promise<AttemptDiff>,
  readFile: (id: AttemptId, file: { path: string; blob: string }) => Promise<FileContent>,
): Pick<AttemptService, "export" | "previewRedaction"> {
  const { storage, now, version, exports: environment } = context;

  /** Null where the folder is gone: the conversation is exported all the same. */
  const readChanges = async (id: AttemptId, { changes }: ExportParts): Promise<AttemptDiff | null> =>
    changes ? readDiff(id).catch(() => null) : null;

  /** Both sides of each changed image, up to a size in all. What cannot be read is left out. */
  async function* readImages(id: AttemptId, changes: AttemptDiff | null): AsyncGenerator<ExportedImage, void> {
    let left = maxImageBytes;
    for (const { filePath, oldPath = filePath, oldId, newId } of changes?.files ?? []) {
      if (!isImagePath(filePath)) continue;
      for (const [path, blob] of [[oldPath, oldId] as const, [filePath, newId] as const]) {
        const content = blob === undefined ? undefined : await readFile(id, { path, blob }).catch(() => undefined);
        if (blob === undefined || content?.kind !== "image" || content.size > left) continue;
        left -= content.size;
        yield { blob, content };
      }
    }
  }

  function openRedaction(id: AttemptId, options: { words: readonly string[]; keep?: readonly string[]; collects?: boolean }): Redaction {
    const { words, keep, collects = false } = options;
    const finder = createSecretFinder(toKnownSecrets({ ...environment.listSecrets(), words }));
    return createRedaction({ finder, keep, collects, toId: (kind, value) => toFindingId(id, kind, value) });
  }

  async function* open(
    reader: StorageReader,
    input: { id: AttemptId; changes: AttemptDiff | null; include: ExportParts; redaction: Redaction | null },
  ): AsyncGenerator<ExportedAttempt, void> {
    const { id, include, redaction } = input;
    const redact = <T>(value: T, place: Parameters<Redaction["redact"]>[1]) =>
      redaction === null ? Promise.resolve(value) : redaction.redact(value, place);
    const attempt = await getAttempt(reader, id);
    const head: ExportHead = {
      format: "skein-attempt/2",
      exportedAt: now(),
      version,
      task: await getTask(reader, attempt.taskId),
      attempt,
      executions: await readAttemptExecutions(reader, { attemptId: id }),
    };
    yield {
      head: await redact(head, { part: "task" }),
      changes: input.changes && (await redactDiff(input.changes, redact)),
      images: () => readImages(id, input.changes),
      messages: include.messages
        ? () =>
            mapSlices(readAttemptMessages(reader, { attemptId: id }), (one) => redact(withThoughts(one, include), place("messages", one)))
        : undefined,
      conversation: () =>
        mapSlices(readAttemptConversation(reader, { attemptId: id }), (one) =>
          one.messageType === "thinking" && !include.thinking ? undefined : redact(one, place("conversation", one)),
        ),
      redaction: () => redaction?.toSummary() ?? null,
    };
  }

  return {
    async export(id, { format, include, redaction: chosen }: ExportRequest) {
      const attempt = await getAttempt(storage.read, id);
      const { title } = await getTask(storage.read, attempt.taskId);
      const page = format === "html" ? await environment.readPage() : undefined;
      if (format === "html" && page === undefined) throw new ServiceError("unavailable", { code: "export-page-missing" });
      const openChosen = () => (chosen === null ? null : openRedaction(id, chosen));
      // the file's name is made from the title, which may have a secret, too
      const name = toSlug((await openChosen()?.redact(title, { part: "task" })) ?? title);
      const write =
        page !== undefined ? writeHtml(page, await environment.readColours()) : format === "markdown" ? writeMarkdown : writeJson;
      async function* generate(): AsyncGenerator<string, void> {
        const changes = await readChanges(id, include);
        yield* readSnapshot(storage, async function* (reader) {
          for await (const exported of open(reader, { id, changes, include, redaction: openChosen() })) yield* write(exported);
        });
      }
      const { mediaType, extension } = formats[format];
      return { mediaType, fileName: `${name}-${attempt.number}.${extension}`, pieces: generate() };
    },

    async previewRedaction(id, { include, words }) {
      await getAttempt(storage.read, id);
      const redaction = openRedaction(id, { words, collects: true });
      const changes = await readChanges(id, include);
      const read = readSnapshot(storage, (reader) => open(reader, { id, changes, include, redaction }));
      for await (const { conversation, messages } of read) {
        for await (const _ of conversation());
        for await (const _ of messages?.() ?? []);
      }
      return redaction.toPreview();
    },
  };
}

/** Says nothing about the value: the same one has another id in another attempt. */
function toFindingId(attemptId: AttemptId, kind: SecretKind, value: string): string {
  return createHash("sha256").update(`${attemptId}\0${kind}\0${value}`).digest("base64url").slice(0, 22);
}

const place = (part: "messages" | "conversation", { id }: { id: string }) => ({ part, id });

async function redactDiff(
  diff: AttemptDiff,
  redact: <T>(value: T, place: { part: "changes"; id?: string }) => Promise<T>,
): Promise<AttemptDiff> {
  const files: AttemptDiff["files"] = [];
  for (const file of diff.files) files.push(await redact(file, { part: "changes", id: file.filePath }));
  return { ...(await redact({ ...diff, files: [] }, { part: "changes" })), files };
}

/** Slice by slice; what `map` returns undefined for is left out. */
async function* mapSlices<T>(slices: AsyncIterable<T[]>, map: (one: T) => Promise<T> | undefined): AsyncGenerator<T[], void> {
  for await (const slice of slices) {
    const mapped: T[] = [];
    for (const one of slice) {
      const result = await map(one);
      if (result !== undefined) mapped.push(result);
    }
    yield mapped;
  }
}

function withThoughts(message: StoredMessage, { thinking }: ExportParts): StoredMessage {
  const body = message.body as MessageBody;
  if (thinking || body.role !== "assistant") return message;
  const content = Array.isArray(body.content) ? body.content.filter(({ type }) => type !== "reasoning") : body.content;
  const segments = body.segments?.filter(({ type }) => type !== "reasoning");
  return { ...message, body: { ...body, content, ...(segments === undefined ? {} : { segments }) } };
}

/** Same format as `JSON.stringify(whole, null, 2)`; see `attemptExportSchema`. */
async function* writeJson({ head, changes, messages, conversation, redaction }: ExportedAttempt): AsyncGenerator<string, void> {
  yield JSON.stringify({ ...head, changes }, null, 2).slice(0, -"\n}".length);
  if (messages !== undefined) {
    yield ',\n  "messages": ';
    yield* writeJsonArray(messages(), indented);
  }
  yield ',\n  "conversation": ';
  yield* writeJsonArray(conversation(), indented);
  yield `,\n  "redaction": ${JSON.stringify(redaction(), null, 2).replaceAll("\n", "\n  ")}\n}`;
}

const indented = {
  write: (value: unknown) => JSON.stringify(value, null, 2).replaceAll("\n", "\n    "),
  begin: "[\n    ",
  between: ",\n    ",
  end: "\n  ]",
};
