/** Editors that open files by an address. */
export const editors = ["vscode", "cursor", "zed", "jetbrains"] as const;
/** An editor that Skein knows by name. */
export type Editor = (typeof editors)[number];

/** Names of products, the same in every language. */
export const editorNames: Readonly<Record<Editor, string>> = {
  vscode: "VS Code",
  cursor: "Cursor",
  zed: "Zed",
  jetbrains: "IntelliJ IDEA",
};

/** What to open: a folder, or a file in it at a line. */
export interface EditorPlace {
  /** Absolute path of the attempt's folder. */
  directory: string;
  /** Relative to the folder; absent: the folder itself. */
  path?: string | undefined;
  /** From 1. */
  line?: number | undefined;
}

/**
 * An address that opens a place in an editor. `sshHost`: the machine of the files, if it is another one; undefined if the editor cannot open
 * files of other machines.
 *
 * @example toEditorLink("vscode", { directory: "/srv/app", path: "src/a.ts", line: 3 }) // vscode://file/srv/app/src/a.ts:3
 */
export function toEditorLink(editor: Editor, place: EditorPlace, sshHost?: string): string | undefined {
  const path = encodePath(toFile(place));
  const at = place.path === undefined || place.line === undefined ? "" : `:${place.line}`;
  const host = sshHost === undefined ? undefined : encodeURIComponent(sshHost);
  switch (editor) {
    case "vscode":
    case "cursor":
      return host === undefined ? `${editor}://file${path}${at}` : `${editor}://vscode-remote/ssh-remote+${host}${path}${at}`;
    case "zed":
      return host === undefined ? `zed://file${path}${at}` : `zed://ssh/${host}${path}${at}`;
    case "jetbrains": {
      const line = at === "" ? "" : `&line=${place.line}`;
      return host === undefined ? `idea://open?file=${encodeURIComponent(toFile(place))}${line}` : undefined;
    }
    default:
      return editor satisfies never;
  }
}

/** The command that opens a place, for a program on the machine of the files. */
export function toEditorCommand(editor: Editor, place: EditorPlace): [string, ...string[]] {
  const file = toFile(place);
  const isFile = place.path !== undefined;
  const at = isFile && place.line !== undefined ? `${file}:${place.line}` : file;
  switch (editor) {
    case "vscode":
      return ["code", ...(isFile ? ["--goto", at] : [file])];
    case "cursor":
      return ["cursor", ...(isFile ? ["--goto", at] : [file])];
    case "zed":
      return ["zed", at];
    case "jetbrains":
      return ["idea", ...(isFile && place.line !== undefined ? ["--line", String(place.line)] : []), file];
    default:
      return editor satisfies never;
  }
}

/** Fills `{directory}`, `{path}` (the file, or the folder) and `{line}` (1 if there is none) into the arguments of a user's own command. */
export function fillEditorCommand(template: readonly string[], place: EditorPlace): string[] {
  const values: Record<string, string> = { directory: place.directory, path: toFile(place), line: String(place.line ?? 1) };
  return template.map((part) => part.replace(/\{(directory|path|line)\}/g, (_, name: string) => values[name] ?? ""));
}

/** The same for an address of the user's own; undefined if it is not one that opens a program. */
export function fillEditorAddress(template: string, place: EditorPlace): string | undefined {
  if (!isEditorAddress(template)) return undefined;
  const values: Record<string, string> = {
    ...{ directory: encodePath(place.directory), path: encodePath(toFile(place)), line: String(place.line ?? 1) },
  };
  return template.replace(/\{(directory|path|line)\}/g, (_, name: string) => values[name] ?? "");
}

/** Whether a template leads to a program: a scheme of its own, and none that the browser itself acts on. */
export function isEditorAddress(template: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]{1,40}):/i.exec(template)?.[1]?.toLowerCase();
  return scheme !== undefined && !ownSchemes.has(scheme) && /\{(?:directory|path)\}/.test(template);
}

const ownSchemes = new Set([
  ...["http", "https", "ws", "wss", "ftp", "file", "javascript", "data", "blob", "about", "view-source", "chrome", "filesystem"],
  ...["mailto", "tel", "vbscript"],
]);

function toFile({ directory, path }: EditorPlace): string {
  return path === undefined || path === "" ? directory : `${directory.replace(/\/$/, "")}/${path}`;
}

const encodePath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");
