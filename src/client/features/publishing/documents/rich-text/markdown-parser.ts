import MarkdownIt, { type MarkdownIt as Parser } from 'markdown-it'

/** Deeper blocks would be left out by the parser. */
export const maxNesting = 100

/**
 * The server's syntax, see render-markdown.ts. All addresses become links and images here, so that nothing is lost; the
 * checks report those that readers can't open.
 */
export const markdownParser: Parser = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting })
markdownParser.validateLink = () => true
// Addresses stay as written.
markdownParser.normalizeLink = (address) => address

const field = /\{\{[^{}\n]*\}\}/y
markdownParser.inline.ruler.before('escape', 'merge_field', (state, silent) => {
  field.lastIndex = state.pos
  const [written] = field.exec(state.src) ?? []
  if (!written) return false
  if (!silent) state.push('merge_field', '', 0).content = written
  state.pos += written.length
  return true
})
markdownParser.normalizeLinkText = (address) => address
