/** True for page navigations. Images, scripts and tools get JSON errors. */
export const wantsHtml = (accept: string | undefined) => /\btext\/html\b/i.test(accept ?? '')
