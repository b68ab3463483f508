import { expect, it } from "vitest";
import { explainListenError } from "./listen-error.ts";

const failure = (code: string) => Object.assign(new Error("listen"), { code });

it("a port in use names the port and how to choose another", () => {
  const error = explainListenError(failure("EADDRINUSE"), { host: "127.0.0.1", port: 4180 });
  expect(error?.message).toBe("Port 4180 on 127.0.0.1 is in use by another program.");
  expect(error?.hint).toContain("SKEIN_PORT=4181");
});

it("leaves other errors alone", () => {
  expect(explainListenError(failure("EIO"), { host: "127.0.0.1", port: 4180 })).toBeUndefined();
});
