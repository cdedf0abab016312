/**
 * With TEST_ALL=1, pages are inspected in every state, at every width and in both themes, and tests tagged `@all` run.
 * Otherwise each page is inspected once per theme.
 */
export const allLooks = process.env.TEST_ALL === '1'
