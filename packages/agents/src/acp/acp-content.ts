import { type ImagePart, imagePartSchema, type JsonValue } from "@skein/contracts";
import { objectField, stringField } from "@skein/engine";

/** A change of one file: its text before and after, or the agent's unified diff. */
export type AcpDiff = { path: string; kind: "add" | "update" | "delete" } & (
  | { oldText: string; newText: string }
  | { diff: string; movePath?: string }
);

/** The text of a content block. Other kinds of blocks have none. */
export function toContentText(block: JsonValue | undefined): string {
  switch (stringField(block, "type")) {
    case "text":
      return stringField(block, "text") ?? "";
    case "resource_link":
      return stringField(block, "uri") ?? "";
    case "resource":
      return stringField(objectField(block, "resource"), "text") ?? "";
    default:
      return "";
  }
}

export function toToolText(content: readonly JsonValue[]): string {
  return content
    .map((entry) => (stringField(entry, "type") === "content" ? toContentText(objectField(entry, "content")) : ""))
    .filter((text) => text !== "")
    .join("\n");
}

export function toToolImages(content: readonly JsonValue[]): ImagePart[] {
  return content.flatMap((entry): ImagePart[] => {
    const block = objectField(entry, "content");
    const image = imagePartSchema.safeParse({ type: block?.type, mediaType: block?.mimeType, data: block?.data });
    return image.success ? [image.data] : [];
  });
}

export function toDiffs(content: readonly JsonValue[]): AcpDiff[] {
  return content.flatMap((entry): AcpDiff[] => {
    const path = stringField(entry, "path");
    const newText = stringField(entry, "newText");
    if (stringField(entry, "type") !== "diff" || path === undefined || newText === undefined) return [];
    const oldText = stringField(entry, "oldText");
    const reported = stringField(objectField(entry, "_meta"), "kind");
    const kind = reported === "delete" ? "delete" : reported === "add" || !oldText ? "add" : "update";
    return [{ path, kind, oldText: oldText ?? "", newText }];
  });
}

/** Changes by path, as Codex reports them in the raw input and output of a patch. */
export function toReportedDiffs(changes: { [path: string]: JsonValue } | undefined): AcpDiff[] {
  return Object.entries(changes ?? {}).flatMap(([path, change]): AcpDiff[] => {
    const diff = stringField(change, "unified_diff");
    const content = stringField(change, "content");
    const movePath = stringField(change, "move_path");
    switch (stringField(change, "type")) {
      case "add":
        return content === undefined ? [] : [{ path, kind: "add", oldText: "", newText: content }];
      case "delete":
        return [{ path, kind: "delete", oldText: content ?? "", newText: "" }];
      case "update":
        return diff === undefined ? [] : [{ path, kind: "update", diff, ...(movePath === undefined ? {} : { movePath }) }];
      default:
        return [];
    }
  });
}
