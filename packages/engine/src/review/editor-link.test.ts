import { describe, expect, it } from "vitest";
import { editors, fillEditorAddress, fillEditorCommand, isEditorAddress, toEditorCommand, toEditorLink } from "./editor-link.ts";

const folder = { directory: "/srv/my app" };
const file = { ...folder, path: "src/a#1.ts", line: 12 };

describe("addresses of editors", () => {
  it("[L9] open a folder, a file and a line; what a path contains stays a path", () => {
    expect(editors.map((editor) => toEditorLink(editor, folder))).toEqual([
      "vscode://file/srv/my%20app",
      "cursor://file/srv/my%20app",
      "zed://file/srv/my%20app",
      "idea://open?file=%2Fsrv%2Fmy%20app",
    ]);
    expect(editors.map((editor) => toEditorLink(editor, file))).toEqual([
      "vscode://file/srv/my%20app/src/a%231.ts:12",
      "cursor://file/srv/my%20app/src/a%231.ts:12",
      "zed://file/srv/my%20app/src/a%231.ts:12",
      "idea://open?file=%2Fsrv%2Fmy%20app%2Fsrc%2Fa%231.ts&line=12",
    ]);
  });
  it("[L9] lead to another machine over ssh, where the editor can", () => {
    expect(editors.map((editor) => toEditorLink(editor, file, "box.lan"))).toEqual([
      "vscode://vscode-remote/ssh-remote+box.lan/srv/my%20app/src/a%231.ts:12",
      "cursor://vscode-remote/ssh-remote+box.lan/srv/my%20app/src/a%231.ts:12",
      "zed://ssh/box.lan/srv/my%20app/src/a%231.ts:12",
      undefined,
    ]);
  });
  it("[L9] of the user's own may not be one that the browser acts on", () => {
    expect(fillEditorAddress("sublime://open?url={path}&line={line}", file)).toBe("sublime://open?url=/srv/my%20app/src/a%231.ts&line=12");
    for (const bad of [
      "javascript:alert('{path}')",
      "https://example.com/{path}",
      " javascript:{path}",
      "data:text/html,{path}",
      "txmt://open",
      "{path}",
    ])
      expect([bad, isEditorAddress(bad), fillEditorAddress(bad, file)]).toEqual([bad, false, undefined]);
  });
});

describe("commands of editors", () => {
  it("[L9] get the place as arguments", () => {
    expect(toEditorCommand("vscode", folder)).toEqual(["code", "/srv/my app"]);
    expect(toEditorCommand("cursor", file)).toEqual(["cursor", "--goto", "/srv/my app/src/a#1.ts:12"]);
    expect(toEditorCommand("zed", file)).toEqual(["zed", "/srv/my app/src/a#1.ts:12"]);
    expect(toEditorCommand("jetbrains", file)).toEqual(["idea", "--line", "12", "/srv/my app/src/a#1.ts"]);
    expect(fillEditorCommand(["vim", "+{line}", "{path}"], file)).toEqual(["vim", "+12", "/srv/my app/src/a#1.ts"]);
    expect(fillEditorCommand(["ed", "{directory}"], folder)).toEqual(["ed", "/srv/my app"]);
  });
});
