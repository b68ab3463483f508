import { parseNetworkRule } from "@skein/contracts/network-rule";
import { describe, expect, it } from "vitest";
import { NetworkRules } from "./network-rules.ts";

const allows = (rules: string[], host: string, port = 443) => new NetworkRules(rules).allow({ host, port });

describe("rules of a sandbox's network", () => {
  it("[L7] a name is allowed on the usual ports, and leads to public addresses only", () => {
    expect(allows(["example.com"], "example.com")).toBe("public-addresses");
    expect(allows(["example.com"], "EXAMPLE.com.", 80)).toBe("public-addresses");
    expect(allows(["example.com"], "example.com", 22)).toBeUndefined();
    expect(allows(["example.com"], "www.example.com")).toBeUndefined();
    expect(allows(["example.com"], "example.com.evil.test")).toBeUndefined();
    expect(allows(["example.com:8443"], "example.com", 8443)).toBe("public-addresses");
    expect(allows(["example.com:8443"], "example.com", 443)).toBeUndefined();
  });

  it("[L7] a star covers names below a name, not the name itself and not others that end alike", () => {
    expect(allows(["*.example.com"], "a.b.example.com")).toBe("public-addresses");
    expect(allows(["*.example.com"], "example.com")).toBeUndefined();
    expect(allows(["*.example.com"], "evilexample.com")).toBeUndefined();
  });

  it("[L7] a lone star is the public internet, never this machine or its network", () => {
    expect(allows(["*"], "anything.test")).toBe("public-addresses");
    expect(allows(["*"], "1.1.1.1")).toBe("public-addresses");
    for (const host of ["127.0.0.1", "localhost", "10.0.0.1", "169.254.169.254", "[::1]", "::ffff:127.0.0.1", "0.0.0.0"]) {
      expect(allows(["*"], host), host).toBeUndefined();
    }
  });

  it("[L7] an address needs its port, and only exactly that is allowed", () => {
    expect(allows(["127.0.0.1:4010"], "localhost", 4010)).toBe("any-address");
    expect(allows(["localhost:4010"], "127.0.0.1", 4010)).toBe("any-address");
    expect(allows(["127.0.0.1:4010"], "127.0.0.1", 4011)).toBeUndefined();
    expect(allows(["127.0.0.1:4010"], "127.0.0.2", 4010)).toBeUndefined();
    expect(allows(["[fd00::1]:80"], "fd00::1", 80)).toBe("any-address");
    expect(new NetworkRules(["localhost:4010", "127.0.0.1:4010", "example.com:5"]).localPorts).toEqual([4010]);
  });

  it("[L7] what is not a rule is reported and allows nothing", () => {
    for (const rule of [
      "",
      " ",
      "http://example.com",
      "example.com/path",
      "127.0.0.1",
      "::1",
      "a b",
      "exa*mple.com",
      "*.*.com",
      "x:0",
      "x:70000",
      "x:1:2",
      "-a.com",
    ]) {
      expect(parseNetworkRule(rule), rule).toBeUndefined();
      expect(allows([rule], "example.com")).toBeUndefined();
    }
    for (const rule of ["example.com", "*.example.com", "*", "EXAMPLE.com:8443", "localhost:1", "[::1]:80"])
      expect(parseNetworkRule(rule), rule).toBeDefined();
  });
});
