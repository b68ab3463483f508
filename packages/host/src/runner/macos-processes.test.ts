import { describe, expect, it } from "vitest";
import { createMacosProcesses } from "./macos-processes.ts";

/** Outputs of the programs of macOS, with the options that Skein passes. */
const outputs: Readonly<Record<string, string>> = {
  "ps -A -o pid=,ppid=,pgid=,state=,lstart=": `    1     0     1 Ss   Mon Nov 16 07:02:11 2026${" ".repeat(4)}
  512     1   512 S    Mon Nov 16 07:02:40 2026
80211   512 80211 S+   Wed Nov 18 16:58:01 2026
80240 80211 80211 R+   Wed Nov 18 16:58:02 2026
80241 80240 80241 S    Wed Nov 18 16:58:02 2026
80242 80240 80211 Z    Wed Nov 18 16:58:03 2026
`,
  "ps -o state=,lstart= -p 80240": "R+   Wed Nov 18 16:58:02 2026\n",
  "ps -o state=,lstart= -p 80242": "Z    Wed Nov 18 16:58:03 2026\n",
  "ps -o state=,lstart= -p 4": "",
  "sysctl -n kern.bootsessionuuid": "3A2F6F2E-7B61-4F38-9D3C-2B8C4C9E6D11\n",
  "ps -A -ww -E -o pid=,command=": `    1 /sbin/launchd
  512 /usr/sbin/cfprefsd agent
80240 node agent.js --say SKEIN_EXECUTION_ID PATH=/usr/bin:/bin HOME=/Users/ada SKEIN_EXECUTION_ID=exe_1 LANG=en_US.UTF-8
80241 sleep 60 SKEIN_EXECUTION_ID=exe_10 PATH=/usr/bin:/bin
99999 late SKEIN_EXECUTION_ID=exe_1
`,
  "ps -A -o pid=,rss=": `    1  18112
80240  92160
80241   1024
`,
  "lsof -nP -iTCP:50213 -sTCP:ESTABLISHED -Fpn": `p79000
f12
n127.0.0.1:4180->127.0.0.1:50213
p80240
f7
n127.0.0.1:50213->127.0.0.1:4180
f9
n[::1]:50213->[::1]:41800
`,
};

const processes = createMacosProcesses((program, args) => {
  const output = outputs[`${program} ${args.join(" ")}`];
  if (output === undefined) throw new Error(`not recorded: ${program} ${args.join(" ")}`);
  return output;
});

describe("the processes of macOS", () => {
  it("are listed with parents, groups, ends and start times", () => {
    const list = processes.list();
    expect(list.map(({ pid }) => pid)).toEqual([1, 512, 80211, 80240, 80241, 80242]);
    expect(list[3]).toEqual({ pid: 80240, parent: 80211, group: 80211, zombie: false, startTime: "Wed Nov 18 16:58:02 2026" });
    expect(list[5]?.zombie).toBe(true);
  });

  it("have a start time that tells a reused pid apart; a zombie and a missing process have none", () => {
    expect([80240, 80242, 4].map((pid) => processes.readStartTime(pid))).toEqual(["Wed Nov 18 16:58:02 2026", null, null]);
    expect(processes.readStartTime(80240)).toBe(processes.list()[3]?.startTime);
  });

  it("[L7] the memory of an execution is that of the processes with its variable and of their descendants", () => {
    expect(processes.followExecution("exe_1")()).toEqual([
      { pid: 80240, startTime: "Wed Nov 18 16:58:02 2026", memory: 92_160 * 1024, threads: 1 },
      { pid: 80241, startTime: "Wed Nov 18 16:58:02 2026", memory: 1024 * 1024, threads: 1 },
    ]);
    expect(processes.followExecution("exe_2")()).toEqual([]);
  });

  it("the machine's start is known", () => {
    expect(processes.readBootId()).toBe("3A2F6F2E-7B61-4F38-9D3C-2B8C4C9E6D11");
  });

  it("are found by the variable of their execution, not by a similar one or an argument", () => {
    const entries = processes.list();
    expect(processes.findMarked(entries, ["exe_1", "exe_2"])).toEqual([{ pid: 80240, executionId: "exe_1" }]);
    expect(processes.findMarked(entries, [])).toEqual([]);
  });

  it("the other end of a connection is found, not the server's own end", () => {
    expect(processes.findConnected({ remotePort: 50213, localPort: 4180 }, [79000, 80240, 80241])).toEqual([80240]);
    expect(processes.findConnected({ remotePort: 50213, localPort: 4180 }, [80241])).toEqual([]);
  });
});
