import type { MarkdownIt, Token } from 'markdown-it'
import { parseImageTitle } from '#shared/domain/image-titles.ts'
import { boxKinds, calloutLabels, isBoxKind, isCopyKind, quotationKind } from '#shared/domain/marked-quotations.ts'
import { parseFileTitle, type TextFileKind, textFilePath } from '#shared/domain/text-files.ts'

/**
 * Images with a caption or size, callouts, toggles, galleries, bookmarks, texts to copy, buttons, videos, files and sounds. Each is plain Markdown that other programs show as a quotation or a link:
 * `> [!TIP]` or `> [!PROMPT]` above a quotation, and a paragraph that is only a link titled "button", or a linked image
 * titled "video", or a link to an upload titled "file, …" or "audio, …". An image that is all of a paragraph has its caption and size in its title.
 */
export function addContentBlocks(markdown: MarkdownIt) {
  markdown.core.ruler.push('marked_quotations', ({ tokens, Token: TokenClass }) => {
    const makeToken = (type: string, tag: string, nesting: 1 | 0 | -1, level: number) =>
      Object.assign(new TokenClass(type, tag, nesting), { level, block: true })
    let depth = 0
    for (let index = 0; index < tokens.length; index += 1) {
      const open = tokens[index] as Token
      if (open.type === 'blockquote_close') depth -= 1
      if (open.type !== 'blockquote_open') continue
      // A quotation in a quotation belongs to the text around it.
      const kind = depth === 0 ? markOf(tokens, index) : null
      if (kind === null || isCopyKind(kind)) {
        depth += 1
        if (kind === null) continue
        open.meta = { copies: kind }
        tokens.splice(index + 1, removeMark(tokens[index + 2] as Token))
        continue
      }
      const close = tokens.findIndex(
        ({ type, level }, at) => at > index && type === 'blockquote_close' && level === open.level,
      )
      const first = tokens[index + 2] as Token
      if (isBoxKind(kind)) {
        const { tag } = boxKinds[kind]
        Object.assign(open, { type: 'box_open', tag, meta: { box: kind }, attrs: [['class', kind]] })
        Object.assign(tokens[close] ?? {}, { type: 'box_close', tag })
        tokens.splice(index + 1, removeMark(first))
        if (kind === 'toggle') makeSummary(tokens, index + 1)
        // The title beside a bookmark's picture says it all.
        if (kind === 'bookmark')
          for (const child of tokens.slice(index, close).flatMap(({ children }) => children ?? []))
            if (child.type === 'image') child.meta = { isDecorative: true }
        continue
      }
      Object.assign(open, { type: 'callout_open', tag: 'div', meta: { callout: kind } })
      open.attrs = [
        ['class', `callout callout-${kind}`],
        ['role', 'note'],
      ]
      Object.assign(tokens[close] ?? {}, { type: 'callout_close', tag: 'div' })
      const level = open.level + 1
      const label = Object.assign(makeToken('inline', '', 0, level + 1), {
        content: calloutLabels[kind],
        children: [Object.assign(new TokenClass('text', '', 0), { content: calloutLabels[kind] })],
      })
      const title = makeToken('paragraph_open', 'p', 1, level)
      title.attrSet('class', 'callout-title')
      title.meta = { calloutTitle: kind }
      tokens.splice(index + 1, removeMark(first), title, label, makeToken('paragraph_close', 'p', -1, level))
    }
  })
  markdown.core.ruler.push('buttons_and_videos', ({ tokens, Token: TokenClass }) => {
    for (const [index, { type, children }] of tokens.entries()) {
      const paragraph = tokens[index - 1]
      const link = type === 'inline' ? onlyLinkOf(children) : null
      if (!link || !children || paragraph?.type !== 'paragraph_open' || paragraph.hidden) continue
      const title = String(link.attrGet('title') ?? '')
      const isPicture = children.length === 3 && children[1]?.type === 'image'
      if (title === 'button' && !children.some((child) => child.type === 'image')) {
        paragraph.attrSet('class', 'action')
        paragraph.meta = { isAction: true }
        const closing = tokens[index + 1]
        if (closing) closing.meta = { isAction: true }
        markLink(link, 'button')
      } else if (title === 'video' && isPicture) {
        markLink(link, 'video')
        children.splice(2, 0, Object.assign(new TokenClass('video_label', '', 0), { content: 'Watch the video' }))
      } else {
        const address = String(link.attrGet('href') ?? '')
        const file = textFilePath.test(address) && !isPicture ? parseFileTitle(title) : null
        if (!file) continue
        paragraph.attrSet('class', 'attachment')
        const words = children.map(({ content }) => content).join('')
        markLink(link, file.kind)
        children.push(Object.assign(new TokenClass('file_facts', '', 0), { content: file.facts }))
        if (file.kind === 'audio')
          children.push(Object.assign(new TokenClass('audio_player', '', 0), { content: words, meta: { address } }))
      }
    }
  })
  markdown.core.ruler.push('figures', ({ tokens, Token: TokenClass }) => {
    for (const [index, { type, children }] of tokens.entries()) {
      const [paragraph, close] = [tokens[index - 1], tokens[index + 1]]
      const image = type === 'inline' && children?.length === 1 && children[0]?.type === 'image' ? children[0] : null
      if (!image || paragraph?.type !== 'paragraph_open' || paragraph.hidden || !close) continue
      const { caption, size } = parseImageTitle(image.attrGet('title') as string | null)
      if (caption === '' && size === null) continue
      paragraph.tag = 'figure'
      close.tag = 'figure'
      paragraph.attrSet('class', size ? `figure image-${size}` : 'figure')
      if (caption) children?.push(Object.assign(new TokenClass('image_caption', '', 0), { content: caption }))
    }
  })
  markdown.renderer.rules.image_caption = (tokens, index) =>
    `<figcaption class="caption">${markdown.utils.escapeHtml(tokens[index]?.content ?? '')}</figcaption>`
  const { escapeHtml } = markdown.utils
  markdown.renderer.rules.file_facts = (tokens, index) =>
    `<span class="facts">${escapeHtml(tokens[index]?.content ?? '')}</span>`
  // Nothing loads before someone plays it.
  markdown.renderer.rules.audio_player = (tokens, index) =>
    `<audio controls preload="none" src="${escapeHtml(String(tokens[index]?.meta?.address))}" aria-label="${escapeHtml(tokens[index]?.content ?? '')}"></audio>`
  markdown.renderer.rules.video_label = (tokens, index) =>
    `<span class="video-label">${markdown.utils.escapeHtml(tokens[index]?.content ?? '')}</span>`
}

function markLink(link: Token, block: 'button' | 'video' | TextFileKind) {
  link.attrs = (link.attrs ?? []).filter(([name]) => name !== 'title')
  link.attrSet('class', block)
  link.meta = { block }
}

/** Makes a toggle's first paragraph its summary. Without one, browsers show a word of their own. */
function makeSummary(tokens: readonly Token[], at: number) {
  const [start, , end] = tokens.slice(at, at + 3)
  if (start?.type !== 'paragraph_open' || !end) return
  Object.assign(start, { tag: 'summary', meta: { isSummary: true } })
  end.tag = 'summary'
}

/** Removes the mark's line from a paragraph. Returns the number of tokens to remove, if it had no other line. */
function removeMark(paragraph: Token): 0 | 3 {
  paragraph.children?.splice(0, 2)
  paragraph.content = paragraph.content.replace(/^.*\n?/, '')
  if (paragraph.map) paragraph.map = [paragraph.map[0] + 1, paragraph.map[1]]
  return paragraph.children?.length ? 0 : 3
}

/** The kind of a quotation whose first line is only a mark, such as `[!TIP]`. */
function markOf(tokens: readonly Token[], index: number): ReturnType<typeof quotationKind> {
  if (tokens[index + 1]?.type !== 'paragraph_open') return null
  const [mark, lineBreak] = tokens[index + 2]?.children ?? []
  if (mark?.type !== 'text' || (lineBreak && !/^(?:soft|hard)break$/.test(lineBreak.type))) return null
  return quotationKind(mark.content)
}

/** The opening token of the link that a paragraph consists of; null for any other paragraph. */
function onlyLinkOf(children: readonly Token[] | null): Token | null {
  const [first] = children ?? []
  if (first?.type !== 'link_open' || children?.at(-1)?.type !== 'link_close') return null
  return children.filter(({ type }) => type === 'link_open').length === 1 ? first : null
}
