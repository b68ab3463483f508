/* Comments belong to the app; the images of changed files are not part of an export. */

const nothing = () => null;

export { nothing as FileComments, nothing as FileReviewActions, nothing as ImageChange, nothing as ReviewedDiff };

export const isImagePath = (): boolean => false;
