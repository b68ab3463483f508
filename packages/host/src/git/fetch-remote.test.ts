import { expect, test } from "vitest";
import { toFetchAddress } from "./fetch-remote.ts";

test.each([
  ["https://example.com/a.git", "https://example.com/a.git"],
  ["https://ada:secret@example.com/a.git", "https://example.com/a.git"],
  ["ssh://git@example.com:22/a.git", "ssh://git@example.com:22/a.git"],
  ["ssh://git:secret@example.com/a.git", "ssh://git@example.com/a.git"],
  ["git@example.com:ada/a.git", "git@example.com:ada/a.git"],
  ["git://example.com/a.git", "git://example.com/a.git"],
])("[W3] a worker fetches %s from %s, with its own credentials", (url, address) => {
  expect(toFetchAddress(url)).toBe(address);
});

test.each([
  "/srv/a.git",
  "../a.git",
  "file:///srv/a.git",
  "ext::sh -c id",
  "-oProxyCommand=id:x",
  "git@example.com:-oProxyCommand",
  "",
  "host",
])("[W3] a worker does not fetch from %s", (url) => {
  expect(toFetchAddress(url)).toBeUndefined();
});
