import { describe, expect, it } from "vitest";
import { toApprovalView } from "./approval-view.ts";

describe("[E10] toApprovalView", () => {
  it("shows the whole command and everything else the tool is given", () => {
    const command = `echo ${"x".repeat(5000)}\nrm -rf build`;
    expect(toApprovalView({ input: { command, timeout: 5, description: "clean" } })).toEqual({
      command,
      fields: [
        { name: "timeout", value: "5" },
        { name: "description", value: "clean" },
      ],
    });
  });

  it("quotes the arguments of a list, so that one cannot pass for two", () => {
    expect(toApprovalView({ input: { command: ["git", "commit", "-m", "it's; rm -rf /"] } }).command).toBe(
      `git commit -m 'it'\\''s; rm -rf /'`,
    );
  });

  it("shows any other input as it is", () => {
    expect(toApprovalView({ input: { file_path: "a", edits: [1] } })).toEqual({
      command: null,
      fields: [
        { name: "file_path", value: "a" },
        { name: "edits", value: "[\n  1\n]" },
      ],
    });
    expect(toApprovalView({ input: "plain" }).fields).toEqual([{ name: "", value: "plain" }]);
    expect(toApprovalView({ input: { command: { a: 1 } } })).toMatchObject({ command: null, fields: [{ name: "command" }] });
  });
});
