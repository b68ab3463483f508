/* Comments belong to the app. */

const nothing = () => null;

export { nothing as FileComments, nothing as FileReviewActions, nothing as ReviewedDiff };
