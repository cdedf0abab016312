/** Shortens long runs of blanks in HTML, for which a converter to Markdown takes quadratic time. */
export const shortenGaps = (html: string): string =>
  html.replaceAll(/(?:\s|&nbsp;|&#160;|&#xa0;){100,}/gi, (gap) => (gap.includes('\n') ? '\n\n' : ' '))
