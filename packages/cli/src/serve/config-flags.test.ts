import { expect, it } from "vitest";
import { toConfigFlags } from "./config-flags.ts";

it("leaves missing options to the environment and config.json", () => {
  expect(toConfigFlags({ home: "/data", open: true })).toEqual({ home: "/data" });
});

it("combines certificate and key into one setting, and requires both", () => {
  const tls = { tlsCert: "c.pem", tlsKey: "k.pem" };
  expect(toConfigFlags({ open: true, ...tls }).tls).toEqual({ certFile: "c.pem", keyFile: "k.pem" });
  expect(() => toConfigFlags({ open: true, tlsCert: "c.pem" })).toThrow("TLS needs both --tls-cert and --tls-key.");
});
