/** A browser asking for a page names HTML; an image, a script or a tool does not, and gets JSON. */
export const wantsHtml = (accept: string | undefined) => /\btext\/html\b/i.test(accept ?? '')
