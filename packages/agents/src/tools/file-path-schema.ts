import { z } from "zod";

export const filePathSchema = z.string().min(1).max(4096).describe("Path of the file, relative to the root of the working folder");
export const folderPathSchema = z
  .string()
  .min(1)
  .max(4096)
  .optional()
  .describe("Folder to start in, relative to the root of the working folder; the root itself when left out");
