import { createPlural } from "./plural.ts";

const plural = createPlural("en");

/** What only the page of a task says. */
export const taskPageEn = {
  group: {
    read: (count: number) => plural(count, { one: "Read # file", other: "Read # files" }),
    search: (count: number) => plural(count, { one: "searched once", other: "searched # times" }),
    list: (count: number) => plural(count, { one: "listed # folder", other: "listed # folders" }),
    failed: (count: number) => plural(count, { one: "# failed", other: "# failed" }),
  },
  message: {
    copy: "Copy as Markdown",
    copyLink: "Copy link",
    linkCopied: "Link copied",
    notFound: "This message is not in the conversation any more.",
    unreadable: "Unreadable output",
    more: "Show all of it",
  },
  tools: {
    label: "Conversation tools",
    find: "Find in the conversation",
    previousError: "Previous error",
    nextError: "Next error",
    previousPerson: "Your previous message",
    nextPerson: "Your next message",
    none: "There is none.",
    menu: "More about the conversation",
    copyAll: "Copy the conversation as Markdown",
    downloadMarkdown: "Download as Markdown",
    downloadJson: "Download as JSON",
    mergeMode: "Tool calls",
    mergeLive: "One card, while it runs",
    mergeOnComplete: "One card, once it is done",
    mergeOff: "Call and result apart",
  },
  find: {
    label: "Find in the conversation",
    placeholder: "Find…",
    count: (current: number, total: string) => `${current} of ${total}`,
    none: "Nothing found",
    next: "Next hit",
    previous: "Previous hit",
    close: "Close the find bar",
  },
  json: {
    items: (count: number) => plural(count, { one: "# entry", other: "# entries" }),
    more: (count: number) => plural(count, { one: "# more", other: "# more" }),
  },
};
