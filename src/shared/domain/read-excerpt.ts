import type { ExcerptBlock } from '#shared/contracts/library/landing-samples.ts'

/** Joins hard-wrapped lines and removes bold markers. */
export const unwrap = (text: string) =>
  text
    .replaceAll('**', '')
    .replaceAll(/(?<!\s)\s*\n\s*/g, ' ')
    .trim()

/** Parses the Markdown of guide excerpts: bold lines as headings, paragraphs, lists. */
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
