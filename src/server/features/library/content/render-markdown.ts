import MarkdownIt, { type MarkdownIt as MarkdownParser, type Token } from 'markdown-it'
import { isInternalLink } from '#shared/domain/internal-links.ts'
import { parseImageAddress } from '#shared/domain/markdown-images.ts'
import { textFilePath } from '#shared/domain/text-files.ts'
import { addContentBlocks } from './content-blocks.ts'
import { addCopyText, markPlaceholders } from './copyable-quotations.ts'

/** The page's title is h1 and a section's heading h2, so headings inside a text begin at h3. */
const topHeading = 3

/**
 * Markdown parser for the portal and emails. HTML is escaped; images must be uploaded here and have alt text, or they stay
 * text; links must be https, mailto, or lead to the portal.
 * @param origin prefix of image URLs, needed in emails
 */
export function createMarkdown(origin = ''): MarkdownParser {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false })
  const isOurs = (url: string) => parseImageAddress(url.trim()) !== null
  markdown.validateLink = (url) =>
    /^(https:\/\/|mailto:)/i.test(url.trim()) || isInternalLink(url.trim()) || isOurs(url) || textFilePath.test(url)
  markdown.renderer.rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index]
    const address = String(token?.attrGet('src') ?? '')
    const alt = self.renderInlineAsText(token?.children ?? [], options, env)
    const image = parseImageAddress(address)
    const { escapeHtml } = markdown.utils
    if (!image || !alt.trim()) return escapeHtml(`![${alt}](${address})`)
    // The URL includes the size, so that pages reserve the space while the image loads.
    const size = image.width && image.height ? ` width="${image.width}" height="${image.height}"` : ''
    return `<img src="${origin}${image.path}" alt="${token?.meta?.isDecorative ? '' : escapeHtml(alt)}"${size} loading="lazy">`
  }
  wrapTables(markdown)
  markdown.core.ruler.push('shift_headings', ({ tokens, env }) =>
    shiftHeadings(tokens, Number(env?.topHeading ?? topHeading)),
  )
  addContentBlocks(markdown)
  markPlaceholders(markdown)
  return markdown
}

/** Makes the largest heading level of a text `top`, the next one `top` + 1 and so on, without skipping levels. */
function shiftHeadings(tokens: readonly Token[], top: number) {
  const headings = tokens.filter(({ type }) => type === 'heading_open' || type === 'heading_close')
  const levels = [...new Set(headings.map(({ tag }) => tag))].sort()
  for (const heading of headings) heading.tag = `h${Math.min(6, top + levels.indexOf(heading.tag))}`
}

/**
 * Wraps tables in a focusable box, so that wide ones scroll, with the arrow keys too.
 * @param look class or inline style of the box; emails have no style sheet
 */
export function wrapTables(markdown: MarkdownParser, look = 'class="table-box"') {
  const { rules } = markdown.renderer
  rules.table_open = (tokens, index, options, _env, self) =>
    `<div ${look} role="group" aria-label="Table" tabindex="0">${self.renderToken(tokens, index, options)}`
  rules.table_close = () => '</table></div>\n'
}

/** For pages: links to other sites open without a referrer. */
const markdown = createMarkdown()
addCopyText(markdown)

/** Links to other sites open in a new tab. */
function openOutside(parser: MarkdownParser, rel: string) {
  parser.renderer.rules.link_open = (tokens, index, options, _env, self) => {
    const token = tokens[index]
    const href = String(token?.attrGet('href') ?? '')
    if (!isInternalLink(href) && !textFilePath.test(href)) {
      token?.attrSet('target', '_blank')
      token?.attrSet('rel', rel)
    }
    return self.renderToken(tokens, index, options)
  }
}
openOutside(markdown, 'noopener noreferrer')

/** What readers write: no images, headings, tables or rules, and nothing that the publisher's texts have of their own. */
const comments = new MarkdownIt({ html: false, breaks: true }).disable(['image', 'heading', 'lheading', 'table', 'hr'])
comments.validateLink = (url) => /^https?:\/\//i.test(url.trim())
openOutside(comments, 'nofollow ugc noopener')

export const renderComment = (source: string): string => comments.render(source)

/** The words of a comment in one line, without Markdown. */
export const commentWords = (source: string): string =>
  comments
    .parse(source, {})
    .map(({ content, children }) =>
      children ? children.map((each) => (each.type.endsWith('break') ? ' ' : each.content)).join('') : content,
    )
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

export const renderMarkdown = (source: string): string => markdown.render(source)

/** For a text that is a whole page: its headings begin at h2. */
export const renderPage = (source: string): string => markdown.render(source, { topHeading: 2 })
