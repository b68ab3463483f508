/** Whether the name of a file is that of an image which browsers show. */
export function isImagePath(path: string): boolean {
  return /\.(?:png|jpe?g|gif|webp)$/i.test(path);
}
