import { expect, it } from "vitest";
import { toConfigFlags } from "./config-flags.ts";

it("leaves what was not given to the environment and the file", () => {
  expect(toConfigFlags({ home: "/data", open: true })).toEqual({ home: "/data" });
});

it("makes one setting of certificate and key, and asks for both", () => {
  const tls = { tlsCert: "c.pem", tlsKey: "k.pem" };
  expect(toConfigFlags({ open: true, ...tls }).tls).toEqual({ certFile: "c.pem", keyFile: "k.pem" });
  expect(() => toConfigFlags({ open: true, tlsCert: "c.pem" })).toThrow("TLS needs both --tls-cert and --tls-key.");
});
