import { type Attempt, type AttemptDiff, createId, type ReviewComment, type StoredComment } from "@skein/contracts";
import { formatReview, locateComment, quoteLines, type ReviewedFile, ServiceError, type StorageTransaction } from "@skein/engine";
import { getAttemptFolder } from "../executions/attempt-folder.ts";
import type { ReviewService } from "./change-services.ts";
import { getAttempt, missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { CommandService } from "./task-services.ts";

/** Comments on the changes of an attempt, and which files the user has looked at. */
export function createReviewService(context: ServiceContext, commands: CommandService): ReviewService {
  const { storage, now } = context;
  const { workspaces } = context.host;

  const report = (tx: StorageTransaction, { id, taskId }: Pick<Attempt, "id" | "taskId">) =>
    tx.appendEvent({ type: "review:changed", taskId, attemptId: id }, now());

  /** Both sides of the files that have comments: the base, and what is there now. Each is read once. */
  async function createFileReader(attempt: Attempt): Promise<(path: string, side: StoredComment["side"]) => Promise<ReviewedFile | null>> {
    const folder = await getAttemptFolder(context, attempt);
    let diff: Promise<AttemptDiff | undefined> | undefined;
    const known = new Map<string, Promise<ReviewedFile | null>>();
    const read = async (path: string, side: StoredComment["side"]): Promise<ReviewedFile | null> => {
      if (side === "new") return toReviewed(workspaces.readFile({ attempt: folder, path }));
      diff ??= workspaces.diff(folder).catch(() => undefined);
      const file = (await diff)?.files.find((one) => one.filePath === path || one.oldPath === path);
      // a file that is in no diff is on both sides as it is now
      if (file === undefined) return toReviewed(workspaces.readFile({ attempt: folder, path }));
      return file.oldId === undefined ? null : toReviewed(workspaces.readFile({ attempt: folder, path, blob: file.oldId }));
    };
    return (path, side) => {
      const key = `${side} ${path}`;
      const file = known.get(key) ?? read(path, side);
      known.set(key, file);
      return file;
    };
  }

  async function locate(attempt: Attempt, comments: readonly StoredComment[]): Promise<ReviewComment[]> {
    if (comments.length === 0) return [];
    const read = await createFileReader(attempt);
    return Promise.all(
      comments.map(async (comment) => locateComment(comment, comment.path === null ? null : await read(comment.path, comment.side))),
    );
  }

  async function getComment(id: StoredComment["id"]): Promise<{ comment: StoredComment; attempt: Attempt }> {
    const comment = (await storage.read.findComment({ id })) ?? missing("comment", id);
    return { comment, attempt: await getAttempt(storage.read, comment.attemptId) };
  }

  async function quote(attempt: Attempt, input: { path: string; side: StoredComment["side"]; startLine: number; endLine: number }) {
    const text = (await (await createFileReader(attempt))(input.path, input.side))?.text;
    const lines = text === null || text === undefined ? undefined : quoteLines(text, input.startLine, input.endLine);
    if (lines === undefined) {
      throw new ServiceError("invalid", { code: "no-such-lines", path: input.path });
    }
    return lines;
  }

  return {
    async get(id) {
      const attempt = await getAttempt(storage.read, id);
      const [comments, viewed] = await Promise.all([
        storage.read.listComments({ attemptId: id }),
        storage.read.listViewedFiles({ attemptId: id }),
      ]);
      return { comments: await locate(attempt, comments), viewed };
    },

    async addComment(id, input, by) {
      const attempt = await getAttempt(storage.read, id);
      const known = input.id === undefined ? undefined : await storage.read.findComment({ id: input.id });
      if (known !== undefined) return one(await locate(attempt, [known]));
      const { path = null, side, startLine = null, body } = input;
      const endLine = startLine === null ? null : (input.endLine ?? startLine);
      const at = now();
      const comment: StoredComment = {
        ...{ id: input.id ?? createId("cmt", at), taskId: attempt.taskId, attemptId: id, path, side, startLine, endLine, body },
        quote: path === null || startLine === null || endLine === null ? "" : await quote(attempt, { path, side, startLine, endLine }),
        ...(by === undefined ? {} : { by }),
        ...{ state: "draft", executionId: null, createdAt: at, updatedAt: at },
      };
      await storage.transaction(async (tx) => {
        await tx.putComment(comment);
        await report(tx, attempt);
      });
      return { ...comment, isOutdated: false };
    },

    async updateComment(id, { body, resolved }) {
      const { attempt } = await getComment(id);
      const changed = await storage.transaction(async (tx) => {
        const before = (await tx.findComment({ id })) ?? missing("comment", id);
        if (body !== undefined && body !== before.body && before.state !== "draft") {
          throw new ServiceError("conflict", { code: "comment-sent" });
        }
        if (resolved && before.state === "draft") throw new ServiceError("conflict", { code: "comment-not-sent" });
        // only what was sent can be resolved: a comment that is opened again is never sent a second time
        const state = resolved === undefined ? before.state : resolved ? "resolved" : before.state === "resolved" ? "sent" : before.state;
        const comment: StoredComment = { ...before, body: body ?? before.body, state, updatedAt: now() };
        await tx.putComment(comment);
        await report(tx, attempt);
        return comment;
      });
      return one(await locate(attempt, [changed]));
    },

    async removeComment(id) {
      const { attempt } = await getComment(id);
      await storage.transaction(async (tx) => {
        if (await tx.deleteComment({ id })) await report(tx, attempt);
      });
    },

    async send(id, input, by) {
      const attempt = await getAttempt(storage.read, id);
      const repeated = await storage.read.findCommandResult({ id: input.id });
      const drafts = await storage.read.listComments({ attemptId: id, state: "draft" });
      if (repeated !== undefined) return repeated;
      if (drafts.length === 0 && input.message.trim() === "") {
        throw new ServiceError("invalid", { code: "empty-review" });
      }
      const message = formatReview(await locate(attempt, drafts), input.message);
      const command = { type: "SEND_MESSAGE", id: input.id, taskId: attempt.taskId, attemptId: id, message } as const;
      return commands.execute(
        command,
        async (tx, { executionId = null }) => {
          for (const draft of drafts) {
            const comment = await tx.findComment({ id: draft.id });
            if (comment?.state === "draft") await tx.putComment({ ...comment, state: "sent", executionId, updatedAt: now() });
          }
          await report(tx, attempt);
        },
        by,
      );
    },

    async setViewed(id, { path, contentId, viewed }) {
      const attempt = await getAttempt(storage.read, id);
      await storage.transaction(async (tx) => {
        if (viewed) await tx.putViewedFile({ attemptId: id, path, contentId });
        else await tx.deleteViewedFile({ attemptId: id, path });
        await report(tx, attempt);
      });
    },
  };
}

async function toReviewed(reading: ReturnType<ServiceContext["host"]["workspaces"]["readFile"]>): Promise<ReviewedFile | null> {
  const file = await reading.catch(() => undefined);
  if (file === undefined) return null;
  return file.kind === "text" ? { text: file.content, isCut: file.truncated } : { text: null, isCut: false };
}

function one<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new Error("nothing was found");
  return first;
}
