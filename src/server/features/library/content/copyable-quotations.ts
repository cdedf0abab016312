import type { MarkdownIt, Token } from 'markdown-it'
import { splitPlaceholders } from '#shared/domain/placeholders.ts'

/**
 * Wraps the placeholders of texts to copy in `<mark>`, with their hint or label: readers replace them with their own words.
 * Other quotations keep their brackets.
 */
export function markPlaceholders(markdown: MarkdownIt) {
  markdown.core.ruler.push('mark_placeholders', ({ tokens, Token: TokenClass }) => {
    const tag = (nesting: 1 | -1) => new TokenClass(nesting === 1 ? 'mark_open' : 'mark_close', 'mark', nesting)
    const text = (content: string, written: string | null) =>
      Object.assign(new TokenClass('text', '', 0), { content, meta: written && { written } })
    for (const { children } of copyableQuotations(tokens).flatMap((quotation) => quotation.tokens)) {
      const parts = (children ?? []).flatMap((child) =>
        child.type === 'text'
          ? splitPlaceholders(child.content).flatMap(({ text: shown, placeholder }) =>
              placeholder ? [tag(1), text(shown, placeholder.written), tag(-1)] : [text(shown, null)],
            )
          : [child],
      )
      children?.splice(0, children.length, ...parts)
    }
  })
}

/**
 * Adds the plain text of each text to copy as `data-copy`, for the Copy button. If it has placeholders, `data-template` is
 * the same text with their names, for filling them in. Prompts have `data-prompt` too.
 */
export function addCopyText(markdown: MarkdownIt) {
  markdown.core.ruler.push('copyable_quotations', ({ tokens }) => {
    for (const { open, tokens: quoted } of copyableQuotations(tokens)) {
      open.attrSet(
        'data-copy',
        copyText(quoted, ({ content }) => content),
      )
      const hasPlaceholders = quoted.some(({ children }) => children?.some(({ type }) => type === 'mark_open'))
      if (hasPlaceholders)
        open.attrSet(
          'data-template',
          copyText(quoted, ({ content, meta }) => String(meta?.written ?? content)),
        )
      if (open.meta?.copies === 'prompt') open.attrSet('data-prompt', '')
    }
  })
}

/** Quotations marked as a text to copy, each with its opening token and the tokens inside. */
function copyableQuotations(tokens: readonly Token[]): { open: Token; tokens: Token[] }[] {
  const found: { open: Token; tokens: Token[] }[] = []
  let depth = 0
  for (const token of tokens) {
    if (token.type === 'blockquote_close') depth -= 1
    if (depth > 0) found.at(-1)?.tokens.push(token)
    if (token.type === 'blockquote_open') {
      if (depth === 0) found.push({ open: token, tokens: [] })
      depth += 1
    }
  }
  return found.filter(({ open }) => open.meta?.copies)
}

/** Plain text: blank lines between paragraphs, list items with bullets or numbers, no Markdown. */
function copyText(tokens: readonly Token[], textOf: (token: Token) => string): string {
  let text = ''
  let bullet = ''
  let wasItem = false
  const lists: { next: number | null }[] = []
  const append = (content: string) => {
    const isItem = bullet !== ''
    if (text !== '') text += isItem && wasItem ? '\n' : '\n\n'
    text += bullet + content
    bullet = ''
    wasItem = isItem
  }
  for (const token of tokens) {
    const list = lists.at(-1)
    if (token.type === 'bullet_list_open') lists.push({ next: null })
    else if (token.type === 'ordered_list_open') lists.push({ next: Number(token.attrGet('start') ?? 1) })
    else if (token.type === 'bullet_list_close' || token.type === 'ordered_list_close') lists.pop()
    else if (token.type === 'list_item_open' && list) {
      bullet = '  '.repeat(lists.length - 1) + (list.next === null ? '- ' : `${list.next}. `)
      if (list.next !== null) list.next += 1
    } else if (token.type === 'inline') append(inlineText(token.children ?? [], textOf))
    else if (token.type === 'fence' || token.type === 'code_block') append(token.content.trimEnd())
  }
  return text
}

const inlineText = (tokens: readonly Token[], textOf: (token: Token) => string): string =>
  tokens.map((token) => (token.type === 'softbreak' || token.type === 'hardbreak' ? '\n' : textOf(token))).join('')
