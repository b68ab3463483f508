import { z } from "zod";

/*
 * What is read of GitHub's answers. Everything else is left out, and what an older Enterprise server does not send is optional.
 */

const userSchema = z.object({ login: z.string(), type: z.string().optional() }).nullable();
const associationSchema = z.string().optional();
const timeSchema = z.iso.datetime({ offset: true }).transform((time) => Date.parse(time));
const idSchema = z.union([z.number(), z.string()]).transform(String);

export const pullSchema = z.object({
  number: z.int().positive(),
  node_id: z.string(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullable(),
  state: z.enum(["open", "closed"]),
  draft: z.boolean().optional(),
  merged: z.boolean(),
  mergeable: z.boolean().nullable(),
  mergeable_state: z.string(),
  head: z.object({ ref: z.string(), sha: z.string() }),
  base: z.object({ ref: z.string() }),
});

export const listedPullSchema = pullSchema.pick({ number: true });

export const checkRunSchema = z.object({
  id: idSchema,
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
  details_url: z.string().nullish(),
  html_url: z.string().nullish(),
  output: z.object({ title: z.string().nullish(), summary: z.string().nullish() }),
});

export const statusSchema = z.object({
  id: idSchema,
  context: z.string(),
  state: z.string(),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
});

export const reviewSchema = z.object({
  id: idSchema,
  user: userSchema,
  body: z.string().nullish(),
  state: z.string(),
  html_url: z.string(),
  submitted_at: timeSchema.optional(),
  author_association: associationSchema,
});

export const lineCommentSchema = z.object({
  id: idSchema,
  user: userSchema,
  body: z.string(),
  path: z.string(),
  line: z.int().positive().nullish(),
  original_line: z.int().positive().nullish(),
  html_url: z.string(),
  created_at: timeSchema,
  author_association: associationSchema,
});

export const commentSchema = z.object({
  id: idSchema,
  user: userSchema,
  body: z.string().nullish(),
  html_url: z.string(),
  created_at: timeSchema,
  author_association: associationSchema,
});

export const annotationSchema = z.object({
  path: z.string(),
  start_line: z.int().nullish(),
  annotation_level: z.string().nullish(),
  message: z.string().nullish(),
});

/** Errors of GraphQL come with status 200. */
export const graphQlSchema = z.object({ errors: z.array(z.object({ message: z.string() })).optional() });
