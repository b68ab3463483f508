import { describe, expect, test } from "vitest";
import { createPathMover } from "./path-mover.ts";

const old = "/home/u/.skein/worktrees/fix-1-aaaaaa";
const now = "/home/u/.skein/worktrees/fix-2-bbbbbb";
const { moveText, moveJson } = createPathMover({ from: [old], to: now, home: "/home/u" });

describe("[E11] paths of an earlier folder become paths of the current one", () => {
  test.each([
    ["alone", old, now],
    ["with a slash at its end", `${old}/`, `${now}/`],
    ["a file in it, with a line", `see ${old}/src/a.ts:12.`, `see ${now}/src/a.ts:12.`],
    ["at the end of a sentence", `It is in ${old}. And "${old}"…`, `It is in ${now}. And "${now}"…`],
    ["in a command", `cd ${old} && cat '${old}/a b' >"${old}/c";`, `cd ${now} && cat '${now}/a b' >"${now}/c";`],
    ["in options", `gcc -I${old}/include --prefix=${old}`, `gcc -I${now}/include --prefix=${now}`],
    ["in a list of folders", `PATH=${old}/bin:${old}:/bin`, `PATH=${now}/bin:${now}:/bin`],
    ["as a URL", `file://${old}/a.ts#L3 and file://localhost${old}/b`, `file://${now}/a.ts#L3 and file://localhost${now}/b`],
    ["of the home folder", "~/.skein/worktrees/fix-1-aaaaaa/x", `${now}/x`],
    ["by a variable", `"$HOME/.skein/worktrees/fix-1-aaaaaa/x" "\${HOME}/.skein/worktrees/fix-1-aaaaaa"`, `"${now}/x" "${now}"`],
    ["mentioned", `@${old}/a.ts`, `@${now}/a.ts`],
    ["after a name and a colon", `tsc@5.1: ${old}/a.ts error:${old}/b`, `tsc@5.1: ${now}/a.ts error:${now}/b`],
    ["in colour", `\u001b[34m${old}\u001b[0m`, `\u001b[34m${now}\u001b[0m`],
    ["in a diff of two folders", `--- a${old}/x\n+++ b${old}/x`, `--- a${now}/x\n+++ b${now}/x`],
    ["with slashes and dots that mean nothing", "/home/u//.skein/./worktrees/fix-1-aaaaaa//x", `${now}//x`],
    ["between Chinese words", `请修改${old}/a.ts，在${old}下运行`, `请修改${now}/a.ts，在${now}下运行`],
    ["in JSON with escaped slashes", `{"p":"${old.replaceAll("/", "\\/")}\\/x"}`, `{"p":"${now.replaceAll("/", "\\/")}\\/x"}`],
    ["after an escaped line end", `"one\\n${old}/x\\n\\t${old}"`, `"one\\n${now}/x\\n\\t${now}"`],
    ["percent-encoded whole", encodeURIComponent(`${old}/x`), encodeURIComponent(`${now}/x`)],
  ])("%s", (_, text, expected) => {
    expect(moveText(text)).toBe(expected);
    expect(moveJson(text)).toBe(expected);
  });

  test.each([
    ["a longer name", `${old}-2/x ${old}b ${old}_old ${old}.bak/x ${old}~`],
    ["the end of another path", `/mnt${old}/x ../..${old} \${ROOT}${old} $(pwd)${old}`],
    ["a page", `https://example.com${old}`],
    ["a path of another machine", `scp u@build.example.com:${old}/x 'git@[::1]:${old}' root@10.0.0.5:~/.skein/worktrees/fix-1-aaaaaa`],
    ["a name that is cut off", "/home/u/.skein/worktrees/fix-1-aaaa"],
    ["another folder", "/home/u/.skein/worktrees/fix-3-cccccc"],
    ["the folder that is meant", `${now}/x`],
  ])("%s stays", (_, text) => {
    expect(moveText(text)).toBe(text);
  });

  test("all folders of a chain, one inside another, in one pass", () => {
    const chain = createPathMover({ from: ["/p", "/p/.skein/wt/a", "/p/.skein/wt/b"], to: "/p/.skein/wt/c", keep: ["/p/.skein"] });
    expect(chain.moveText("/p/x /p/.skein/wt/a/x /p/.skein/wt/b /p/.skein/wt/c/x /p/.skein/wt/other/x /p2 /p/.skein2")).toBe(
      "/p/.skein/wt/c/x /p/.skein/wt/c/x /p/.skein/wt/c /p/.skein/wt/c/x /p/.skein/wt/other/x /p2 /p/.skein/wt/c/.skein2",
    );
  });

  test("names that need escapes: spaces, quotes, Chinese", () => {
    const from = "/数据/修复 'x'-1";
    const to = '/data "q"/修复-2';
    const mover = createPathMover({ from: [from], to });
    expect(JSON.parse(mover.moveJson(JSON.stringify({ path: `${from}/a`, text: `"${from}"` })))).toEqual({
      path: `${to}/a`,
      text: `"${to}"`,
    });
    const ascii = JSON.stringify({ path: `${from}/a` }).replaceAll(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`);
    expect(JSON.parse(mover.moveJson(ascii))).toEqual({ path: `${to}/a` });
    expect(mover.moveText(`file://${encodeURI(from)}/a`)).toBe(`file://${encodeURI(to)}/a`);
    expect(mover.moveText(String.raw`cat /数据/修复\ \'x\'-1/a`)).toBe(String.raw`cat /data\ \"q\"/修复-2/a`);
    const plain = createPathMover({ from: ["/wt/a"], to: "/w t/b" });
    expect(plain.moveText("file:///wt/a/x")).toBe("file:///w%20t/b/x");
    const chinese = createPathMover({ from: ["/home/项目"], to: "/wt/b" });
    expect(chinese.moveText("/home/项目备份/x /home/项目/x")).toBe("/home/项目备份/x /wt/b/x");
  });

  test("[X19] a long text without a path, and one of nothing but paths, are fast", () => {
    const slashes = "/".repeat(200_000);
    expect(moveText(slashes)).toBe(slashes);
    const dots = `/home${"/.".repeat(100_000)}`;
    expect(moveText(`${dots} fix-1-aaaaaa`)).toBe(`${dots} fix-1-aaaaaa`);
    expect(moveText(`${old}/x\n`.repeat(20_000))).toBe(`${now}/x\n`.repeat(20_000));
  });
});
