import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { messageIdSchema } from "@skein/contracts";
import { expect, onTestFinished, test } from "vitest";
import { createRecordWriter } from "./record-writer.ts";

async function newLog() {
  const folder = await mkdtemp(join(tmpdir(), "skein-log-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const written: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      written.push(chunk);
      done();
    },
  });
  const writer = createRecordWriter(stream, () => {});
  const say = (text: string) => writer.write({ type: "notice", messageId: messageIdSchema.parse("msg_1"), text, at: 1 });
  return { log: join(folder, "out.log"), writer, say, bytes: () => Buffer.concat(written) };
}

test("[Q4] a record is in the log only when its last byte is", async () => {
  const { log, writer, say, bytes } = await newLog();
  await appendFile(log, "what was there before\n");
  const { untilLogged } = await writer.followLog(log);
  say("zwölf 🧵");
  const first = bytes();
  await appendFile(log, first.subarray(0, -1));
  expect(await untilLogged(AbortSignal.timeout(50))).toBe(false);
  const logged = untilLogged(new AbortController().signal);
  say("what comes later need not be there");
  await appendFile(log, first.subarray(-1));
  expect(await logged).toBe(true);
});

test("[N2] waiting for a log that is no longer written ends with the signal", async () => {
  const { log, writer, say } = await newLog();
  const { untilLogged } = await writer.followLog(log);
  say("lost");
  const stopping = new AbortController();
  const logged = untilLogged(stopping.signal);
  stopping.abort();
  expect(await logged).toBe(false);
});
