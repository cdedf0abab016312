import type { ExcerptBlock } from '../contracts/landing-samples.ts'

/** Joins lines that were broken for the editor's sake, and drops emphasis marks: the page sets its own. */
export const unwrap = (text: string) =>
  text
    .replaceAll('**', '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()

/** The few Markdown forms that excerpts of guides use: a bold line as heading, paragraphs, lists. */
export const readExcerpt = (markdown: string): ExcerptBlock[] =>
  markdown
    .trim()
    .split(/\n\s*\n|\n(?=- )/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map((block) => {
      if (block.startsWith('- ')) return { kind: 'point', text: unwrap(block.slice(2)) }
      return { kind: /^\*\*[^*]+\*\*$/.test(block) ? 'heading' : 'text', text: unwrap(block) }
    })
