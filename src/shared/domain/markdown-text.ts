/** Plain text of Markdown, on one line per paragraph: without marks, addresses, table lines and merge fields. */
export const markdownText = (markdown: string): string =>
  markdown
    .replaceAll(/\{\{\s*block:[^{}]*\}\}/gi, ' ')
    .replaceAll(/\{\{[^{}|]*(?:\|([^{}]*))?\}\}/g, '$1')
    .replaceAll(/^[ \t]*>[ \t]?\[!(?:note|tip|warning|prompt|copy|toggle|gallery|bookmark)\][ \t]*$/gim, '')
    // A caption may contain parentheses.
    .replaceAll(/!\[([^[\]]*)\]\([^()"\n]*"(?:\\.|[^"\\\n]){0,1000}"\)/g, '$1')
    .replaceAll(/!\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '$1')
    .replaceAll(/\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '$1')
    .replaceAll(/^[ \t]*(?:#{1,6}[ \t]+|(?:>[ \t]?)+|[-*+][ \t]+|```.*|~~~.*)/gm, '')
    .replaceAll(/^[ \t|:-]+$/gm, '')
    .replaceAll(/(?<![ \t])[ \t]*\|[ \t]*/g, ' ')
    .replaceAll(/\*\*|__|`/g, '')
    .replaceAll(/(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])/g, '$1')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/(?<!\s)\s*\n\s*/g, '\n')
    .trim()

/** Headings, and bold words at the start of a line, which stand for headings in our texts. */
export const markdownHeadings = (markdown: string): string[] =>
  [...markdown.matchAll(/^(?:#{1,6}[ \t]+(.+)|\*\*([^*\n]+)\*\*)/gm)].map(([, heading, lead]) =>
    markdownText(heading ?? lead ?? ''),
  )

/** Markdown of plain text in one line. */
export const escapeMarkdown = (text: string) =>
  text
    .trim()
    .replaceAll(/[\\`*~[\]<]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w{1,31};)|(?<=\s)#(?=#*$)/gu, '\\$&')
    .replace(/^(?:[#>+=-]|\d+(?=[.)]))/, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`))
