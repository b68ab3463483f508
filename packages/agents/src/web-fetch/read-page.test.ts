import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { htmlToMarkdown } from "./html-to-markdown.ts";
import { readPage } from "./read-page.ts";

const convert = (html: string) => htmlToMarkdown(html, "https://x.example/dir/page").markdown;
const page = (contentType: string, body: string | Buffer) =>
  readPage({ url: "https://x.example/", status: 200, contentType, body: Buffer.from(body) });

describe("HTML", () => {
  test.each([
    ["<h2>A &amp; B</h2><p>one\n two</p><p>three</p>", "## A & B\n\none two\n\nthree"],
    ["<p>a<b> bold </b>word<br>next</p>", "a bold word\nnext"],
    ["<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n\n- c"],
    ["<ol><li>a<li>b</ol>", "1. a\n2. b"],
    ['<p>see <a href="../other?a=1&amp;b">the <i>other</i></a>.</p>', "see [the other](https://x.example/other?a=1&b)."],
    ['<a href="javascript:alert(1)">x</a> <a href="#top">y</a>', "x y"],
    ["<pre><code>a  b\n  c</code></pre><p>use <code>npm i</code></p>", "```\na  b\n  c\n```\n\nuse `npm i`"],
    ["<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", "a | b\n1 | 2"],
    ["x<script>alert(1)</script><style>p{}</style><noscript>n</noscript><p hidden>h</p>y", "xy"],
    ['<img src="a.png" alt="A cat"><img src="b.png" alt="">', "[image: A cat]"],
    ["a<hr>b", "a\n\n---\n\nb"],
    ["", ""],
  ])("%s", (html, markdown) => expect(convert(html)).toBe(markdown));

  test("only the main part of a page is returned, if it has one", () => {
    const long = "word ".repeat(100).trim();
    expect(convert(`<nav>menu</nav><main><h1>T</h1><p>${long}</p></main><footer>foot</footer>`)).toBe(`# T\n\n${long}`);
    expect(convert("<nav>menu</nav><main>short</main>")).toBe("menu\n\nshort");
  });

  test("the title is its own", () => {
    expect(htmlToMarkdown("<head><title> A\n page </title></head><body>x", "https://x.example/")).toEqual({
      title: "A page",
      markdown: "x",
    });
  });

  test.each([
    ["links in links", "y<a href=x>".repeat(60_000)],
    ["code in code", "y<code>".repeat(100_000)],
    ["lists in lists", "<ul><li>y".repeat(80_000)],
    ["space in a link", `<a href=x><pre>y${" ".repeat(1_000_000)}y</pre></a>`],
    ["open brackets", `y${"<".repeat(1_000_000)}`],
    ["many links", '<a href="x">y</a> '.repeat(50_000)],
  ])("[Q13] %s keep nobody waiting", (_, html) => expect(convert(html)).toContain("y"));

  test("[Q13] any text converts, and nesting of any depth", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(
          fc.constantFrom("<p>", "</p>", "<a href=x>", "</a>", "<pre>", "<ul>", "</ul>", "<li>", "<code>", "</code>", "<main>", "x", " "),
          { maxLength: 60 },
        ),
        (text, tags) => {
          expect(typeof convert(tags.join("") + text)).toBe("string");
        },
      ),
    );
    expect(convert(`${"<div>".repeat(900)}deep`)).toBe("deep");
    expect(convert(`seen${"<div>".repeat(1001)}deep`)).toMatch(/^seen\n\n\(The rest/);
  });
});

describe("types", () => {
  test.each([
    ["application/json", '{"a":1}', '{"a":1}'],
    ["text/plain; charset=utf-8", "ä", "ä"],
    ["application/ld+json", "{}", "{}"],
    ["", "plain", "plain"],
  ])("%s is given as it is", (type, body, text) => expect(page(type, body)).toEqual({ ok: true, title: undefined, text }));

  test("the charset is that of the header, else of the page, else UTF-8", () => {
    expect(page("text/plain; charset=ISO-8859-1", Buffer.from([0xe4]))).toMatchObject({ text: "ä" });
    const html = Buffer.concat([Buffer.from('<meta charset="iso-8859-1"><p>'), Buffer.from([0xe4])]);
    expect(page("text/html", html)).toMatchObject({ text: "ä" });
    expect(page("text/plain; charset=nonsense", "ä")).toMatchObject({ text: "ä" });
  });

  test.each(["image/png", "application/pdf", "application/octet-stream"])("%s is refused by name", (type) =>
    expect(page(type, "x")).toEqual({ ok: false, contentType: type }),
  );
});
