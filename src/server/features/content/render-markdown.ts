import MarkdownIt, { type MarkdownIt as MarkdownParser } from 'markdown-it'

/** The page's title is h1 and a section's heading h2, so headings inside a text begin at h3. */
const headingShift = 2

/**
 * How Markdown of ours is read, in portal and mail: HTML in the source stays text, pictures are not fetched from
 * anywhere, links are https or mail only.
 */
export function createMarkdown(): MarkdownParser {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false }).disable('image')
  markdown.validateLink = (url) => /^(https:\/\/|mailto:)/i.test(url.trim())
  markdown.core.ruler.push('shift_headings', ({ tokens }) => {
    for (const token of tokens) {
      if (token.type !== 'heading_open' && token.type !== 'heading_close') continue
      token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + headingShift)}`
    }
  })
  return markdown
}

/** For a page: links open beside the portal without handing over its address. */
const markdown = createMarkdown()

markdown.renderer.rules.link_open = (tokens, index, options, _env, self) => {
  tokens[index]?.attrSet('target', '_blank')
  tokens[index]?.attrSet('rel', 'noopener noreferrer')
  return self.renderToken(tokens, index, options)
}

export const renderMarkdown = (source: string): string => markdown.render(source)
