import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { executionIdSchema, type MessageId } from "@skein/contracts";
import { createMessageProcessor } from "@skein/engine";
import { buildImage } from "@skein/testkit/histories";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createToolFixture, type ToolFixture } from "./tool-fixture.ts";

let fixture: ToolFixture;
beforeEach(async () => {
  fixture = await createToolFixture();
});
afterEach(() => fixture.remove());

const mediaTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
const toBytes = (mediaType: (typeof mediaTypes)[number], size = { width: 20, height: 10 }) =>
  Buffer.from(buildImage(mediaType, size).data, "base64");
const starts: Record<string, Buffer> = Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, toBytes(mediaType)]));

describe("pictures", () => {
  test.each(Object.entries(starts))("[E9] a file that is %s is given as a picture, whatever its name", async (mediaType, bytes) => {
    await writeFile(join(fixture.root, "x.txt"), bytes);
    expect(await fixture.call("read", { path: "x.txt" })).toEqual({
      output: `x.txt: ${mediaType}, ${bytes.length} bytes`,
      images: [{ type: "image", mediaType, data: bytes.toString("base64") }],
      state: "completed",
      structured: { filePath: "x.txt", mediaType },
    });
  });

  test("[T7] the card shows the image with its file", async () => {
    await writeFile(join(fixture.root, "x.png"), starts["image/png"] ?? "");
    const { output, structured, images = [] } = await fixture.call("read", { path: "x.png" });
    const processor = createMessageProcessor({ executionId: executionIdSchema.parse("exe_1") });
    const use = { toolUseId: "t", toolName: "read", messageId: "msg_1" as MessageId, index: 0, at: 1 };
    processor.apply({ type: "tool-use", input: { path: "x.png" }, ...use });
    const result = { toolUseId: "t", resultId: "msg_2" as MessageId, output, isError: false, images: [...images], at: 2 };
    const { conversation } = processor.apply({ type: "tool-result", ...result, ...(structured === undefined ? {} : { structured }) });
    expect(conversation[0]).toMatchObject({
      content: "Read x.png",
      metadata: { details: { type: "image", data: { mediaType: "image/png", filePath: "x.png" } } },
    });
  });

  test("[X19, E9] a small file with too many pixels is refused with its size and a hint", async () => {
    await writeFile(join(fixture.root, "bomb.png"), toBytes("image/png", { width: 16_000, height: 16_000 }));
    const outcome = await fixture.call("read", { path: "bomb.png" });
    expect(outcome).toMatchObject({ state: "failed", output: expect.stringContaining("16000 × 16000 pixels") });
    expect(outcome.images).toBeUndefined();
    await writeFile(join(fixture.root, "cut.png"), Buffer.from("89504e470d0a1a0a", "hex"));
    expect(await fixture.call("read", { path: "cut.png" })).toMatchObject({
      state: "failed",
      output: expect.stringContaining("not a readable"),
    });
  });

  test("[N3] an image that is too large is rejected with a hint", async () => {
    await writeFile(join(fixture.root, "x.png"), Buffer.concat([starts["image/png"] ?? Buffer.alloc(0), Buffer.alloc(5 * 1024 * 1024)]));
    expect(await fixture.call("read", { path: "x.png" })).toMatchObject({
      state: "failed",
      output: expect.stringContaining("smaller copy"),
    });
  });

  test("a PDF is refused with a hint", async () => {
    await writeFile(join(fixture.root, "x"), "%PDF-1.7\n...");
    expect(await fixture.call("read", { path: "x" })).toMatchObject({ state: "failed", output: expect.stringContaining("pdftotext") });
  });
});

describe("notebooks", () => {
  test("cells and outputs are given as text, in pieces", async () => {
    const cells = [
      { cell_type: "markdown", source: ["# Title\n", "words"] },
      {
        cell_type: "code",
        source: "print(1)\n",
        outputs: [
          { output_type: "stream", text: ["1\n"] },
          { output_type: "display_data", data: { "image/png": "AAAA", "text/plain": "<Figure>" } },
          { output_type: "error", ename: "ValueError", evalue: "no" },
          { output_type: "stream", text: "x".repeat(10_000) },
        ],
      },
    ];
    await writeFile(join(fixture.root, "n.ipynb"), JSON.stringify({ cells, metadata: {} }));
    const { output } = await fixture.call("read", { path: "n.ipynb" });
    const lines = output.split("\n").map((line) => line.slice(7));
    expect(lines.slice(0, -1)).toEqual([
      ...["# %% markdown 1", "# Title", "words", ""],
      ...["# %% code 2", "print(1)", "# %% output of 2", "1", "<Figure>", "(image/png, not shown)", "ValueError: no"],
    ]);
    expect(output.length).toBeLessThan(5000);
    expect((await fixture.call("read", { path: "n.ipynb", offset: 5, limit: 2 })).output).toMatch(
      /^ {5}5\t# %% code 2\n {5}6\tprint\(1\)\n\(lines/,
    );
  });

  test.each(["{", "[]", '{"cells":1}', '{"cells":[{"cell_type":1}]}'])("an invalid notebook (%s) is reported", async (text) => {
    await writeFile(join(fixture.root, "n.ipynb"), text);
    expect(await fixture.call("read", { path: "n.ipynb" })).toMatchObject({
      state: "failed",
      output: expect.stringContaining("not a valid notebook"),
    });
  });
});
