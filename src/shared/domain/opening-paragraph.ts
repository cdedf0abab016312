/** How a block begins that is no running text: headings, lists, quotations, tables, code, images, and reusable blocks. */
const notText = /^(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|>|\||```|~~~|!\[|\{\{\s*block:|<)/

/** The first paragraph of a Markdown text in plain words, or null where it begins with something else. */
export function openingParagraph(markdown: string): string | null {
  const [first = ''] = markdown.trim().split(/\n\s*\n/)
  if (first === '' || notText.test(first)) return null
  const plain = first
    .replaceAll(/\{\{[^{}|]*\|?([^{}]*)\}\}/g, '$1')
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*|__|`/g, '')
    .replaceAll(/(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return plain || null
}
