import MarkdownIt, { type MarkdownIt as MarkdownParser, type Token } from 'markdown-it'
import { parseImageAddress } from '#shared/domain/markdown-images.ts'
import { addCopyText, markPlaceholders } from './quoted-prompts.ts'

/** The page's title is h1 and a section's heading h2, so headings inside a text begin at h3. */
const topHeading = 3

/**
 * How Markdown of ours is read, in portal and mail: HTML in the source stays text, pictures are our own and say what
 * they show (all others stay text), links are https or mail only.
 * @param origin stands before the address of a picture; a mail needs it
 */
export function createMarkdown(origin = ''): MarkdownParser {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false })
  const isOurs = (url: string) => parseImageAddress(url.trim()) !== null
  markdown.validateLink = (url) => /^(https:\/\/|mailto:)/i.test(url.trim()) || isOurs(url)
  markdown.renderer.rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index]
    const address = String(token?.attrGet('src') ?? '')
    const alt = self.renderInlineAsText(token?.children ?? [], options, env)
    const image = parseImageAddress(address)
    const { escapeHtml } = markdown.utils
    if (!image || !alt.trim()) return escapeHtml(`![${alt}](${address})`)
    // Told in the address, so that a page keeps the room for a picture that is still on its way.
    const size = image.width && image.height ? ` width="${image.width}" height="${image.height}"` : ''
    return `<img src="${origin}${image.path}" alt="${escapeHtml(alt)}"${size} loading="lazy">`
  }
  wrapTables(markdown)
  markdown.core.ruler.push('shift_headings', ({ tokens }) => shiftHeadings(tokens))
  markPlaceholders(markdown)
  return markdown
}

/**
 * The largest heading of a text becomes h3, the next smaller h4 and so on, whether the writer began with `#` or `###`:
 * no level is skipped, and equal headings look equal in every text.
 */
function shiftHeadings(tokens: readonly Token[]) {
  const headings = tokens.filter(({ type }) => type === 'heading_open' || type === 'heading_close')
  const levels = [...new Set(headings.map(({ tag }) => tag))].sort()
  for (const heading of headings) heading.tag = `h${Math.min(6, topHeading + levels.indexOf(heading.tag))}`
}

/**
 * A table that is wider than the page scrolls in a box of its own. The box takes the focus, so that the arrow keys scroll
 * it too.
 * @param look how the box scrolls: a class, or a style where there is no style sheet
 */
export function wrapTables(markdown: MarkdownParser, look = 'class="table-box"') {
  const { rules } = markdown.renderer
  rules.table_open = (tokens, index, options, _env, self) =>
    `<div ${look} role="group" aria-label="Table" tabindex="0">${self.renderToken(tokens, index, options)}`
  rules.table_close = () => '</table></div>\n'
}

/** For a page: links open beside the portal without handing over its address. */
const markdown = createMarkdown()
addCopyText(markdown)

markdown.renderer.rules.link_open = (tokens, index, options, _env, self) => {
  tokens[index]?.attrSet('target', '_blank')
  tokens[index]?.attrSet('rel', 'noopener noreferrer')
  return self.renderToken(tokens, index, options)
}

export const renderMarkdown = (source: string): string => markdown.render(source)
