import { type EditorPlace, editors, fillEditorAddress, isEditorAddress, isLoopback, toEditorLink } from "@skein/engine";
import { createPreference } from "../preferences/preference.ts";
import { readStored, writeStored } from "../preferences/stored-value.ts";

/** The editor that this browser opens. `custom`: the user's own address. */
export const editorChoices = [...editors, "custom"] as const;
export type EditorChoice = (typeof editorChoices)[number];

export const editorPreference = createPreference<EditorChoice>("skein.editor", ["vscode", "cursor", "zed", "jetbrains", "custom"]);

const addressKey = "skein.editor-address";

/** An address of the user's own, with `{path}`, `{directory}` and `{line}`. Kept in this browser: no request names a program. */
export const editorAddress = {
  read: (): string => readStored(addressKey) ?? "",
  /** Ignores what does not lead to an editor; an empty one removes it. */
  write(address: string): boolean {
    if (address !== "" && !isEditorAddress(address)) return false;
    writeStored(addressKey, address === "" ? null : address);
    return true;
  },
};

/** Where a place is, seen from this browser. */
export interface FoundPlace extends EditorPlace {
  /** It is on a worker, whose address is not known. */
  isOnWorker: boolean;
}

/** The address that opens a place in an editor; undefined if the editor cannot open it from here. */
export function toAddress(editor: EditorChoice, { isOnWorker, ...place }: FoundPlace): string | undefined {
  if (isOnWorker) return undefined;
  const isHere = isLoopback(location.hostname);
  if (editor === "custom") return isHere ? fillEditorAddress(editorAddress.read(), place) : undefined;
  return toEditorLink(editor, place, isHere ? undefined : location.hostname);
}
