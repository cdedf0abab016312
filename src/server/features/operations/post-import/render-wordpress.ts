import { readMark } from './audience.ts'
import { escapeAttribute, PostFileError } from './source-post.ts'

/** Addresses of the site's files by id, and the id of the post's picture. */
type Files = { uploads: ReadonlyMap<string, string>; cover: string }
type Notes = Set<string>

/**
 * Renders a text as WordPress would: its shortcodes, and its blocks or, in older posts, lines without tags. What only a plugin
 * can render is left out with a note. Content that a plugin encloses may be for members, so it's closed. @throws PostFileError
 */
export function renderWordPress(written: string, { uploads, cover }: Files) {
  const notes: Notes = new Set()
  const text = renderShortcodes(written.replaceAll('\r\n', '\n'), uploads, notes)
  const html = /<!--\s*wp:/.test(written) ? renderBlocks(text, notes) : addParagraphs(text, notes)
  const address = uploads.get(cover.trim()) ?? ''
  if (cover.trim() && !address) notes.add('Image not imported: the post’s picture, which the file doesn’t name')
  return { html, cover: address && imageOf(address), notes: [...notes] }
}

const imageOf = (address: string) => `<img src="${escapeAttribute(address)}" alt="">`
const embedded = 'Changed into a link: an embed or video'
const linkTo = (given: string, notes: Notes) => {
  const address = escapeAttribute(given.trim().replaceAll('&amp;', '&'))
  notes.add(embedded)
  return `\n\n<p><a href="${address}">${address}</a></p>\n\n`
}
const closed = (html: string) => `<!--kg-gated-block:begin-->${html}<!--kg-gated-block:end-->`

const tag = /\[(\[?)(\/?)([a-z][\w-]{0,40})((?:\s[^[\]<>]{0,2000}|\/)?)\](\]?)/gi
const maxTags = 5_000

/** A shortcode that isn't closed yet, with its content so far. */
type Frame = { name: string; attributes: string; inside: string }

/** Renders shortcodes in one pass. One that is never closed has no content. */
function renderShortcodes(text: string, uploads: Files['uploads'], notes: Notes): string {
  const tags = [...text.matchAll(tag)]
  if (tags.length > maxTags) throw new PostFileError('Its text has too many shortcodes')
  const endsLeft = new Map<string, number>()
  const countEnd = (name: string, by: number) => endsLeft.set(name, (endsLeft.get(name) ?? 0) + by)
  for (const [, , slash, name = ''] of tags) if (slash) countEnd(name.toLowerCase(), 1)
  const frames: Frame[] = [{ name: '', attributes: '', inside: '' }]
  const add = (html: string) => {
    const last = frames.at(-1)
    if (last) last.inside += html
  }
  let from = 0
  for (const { 0: whole, 1: before, 2: slash, 3: written = '', 4: attributes = '', 5: after, index } of tags) {
    add(text.slice(from, index))
    from = index + whole.length
    const name = written.toLowerCase()
    if (slash) countEnd(name, -1)
    if (before && after) add(whole.slice(1, -1))
    else if (slash) {
      const at = frames.findLastIndex((frame) => frame.name === name)
      if (at > 0) while (frames.length > at) leave(frames.length > at + 1)
      else add(whole)
    } else if ((endsLeft.get(name) ?? 0) > 0 && !attributes.endsWith('/')) frames.push({ name, attributes, inside: '' })
    else add(renderAlone(whole, name, attributes, uploads, notes))
  }
  function leave(isAlone: boolean) {
    const frame = frames.pop()
    if (!frame) return
    const { name, attributes, inside } = frame
    if (isAlone) add(renderAlone(`[${name}${attributes}]`, name, attributes, uploads, notes) + inside)
    else add(renderEnclosing(frame, uploads, notes))
  }
  add(text.slice(from))
  while (frames.length > 1) leave(true)
  return frames[0]?.inside ?? ''
}

const valueIn = (attributes: string, ...names: string[]): string => {
  const pattern = new RegExp(`(?:^|\\s)(?:${names.join('|')})\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"']+))`, 'i')
  return pattern.exec(attributes)?.slice(1).find(Boolean) ?? ''
}
const mediaSources = ['src', 'mp3', 'm4a', 'ogg', 'wav', 'mp4', 'm4v', 'webm', 'ogv']

function renderAlone(whole: string, name: string, attributes: string, uploads: Files['uploads'], notes: Notes): string {
  if (name === 'gallery' || name === 'playlist') return renderGallery(attributes, uploads, notes)
  const source = valueIn(attributes, ...mediaSources)
  if ((name === 'audio' || name === 'video' || name === 'embed') && source) return linkTo(source, notes)
  // Words in brackets, such as [sic], are text.
  if (!/=|^$|^\/$/.test(attributes.trim()) || (!attributes.includes('=') && !/[_-]/.test(name))) return whole
  notes.add(`Removed: the shortcode [${name}]`)
  return ''
}

function renderEnclosing({ name, attributes, inside }: Frame, uploads: Files['uploads'], notes: Notes): string {
  if (name === 'caption' || name === 'wp_caption') {
    const [, image, words = ''] = /^\s*((?:<a\b[^<>]*>\s*)?<img\b[^<>]*>(?:\s*<\/a>)?)([\s\S]*)$/.exec(inside) ?? []
    const caption = words.trim() || escapeAttribute(valueIn(attributes, 'caption'))
    return image ? `<figure>${image}<figcaption>${caption}</figcaption></figure>` : inside
  }
  if (name === 'embed' || name === 'audio' || name === 'video') {
    const address = valueIn(attributes, ...mediaSources) || /https?:\/\/[^\s<>"[\]]+/.exec(inside)?.[0]
    if (address) return linkTo(address, notes)
  }
  if (name === 'gallery' || name === 'playlist') return renderGallery(attributes, uploads, notes) + inside
  notes.add(`For members, because only the old site knows who could read the shortcode [${name}]`)
  return closed(inside)
}

function renderGallery(attributes: string, uploads: Files['uploads'], notes: Notes): string {
  const ids = valueIn(attributes, 'ids', 'include')
    .split(',')
    .flatMap((id) => id.trim() || [])
  const addresses = ids.flatMap((id) => uploads.get(id) || [])
  const missing = ids.length - addresses.length
  if (ids.length === 0) notes.add('Not imported: a gallery that doesn’t name its pictures')
  if (missing > 0) notes.add(`Not imported: pictures of a gallery that the file doesn’t name (${missing})`)
  const pictures = addresses.map((address) => `<p>${imageOf(address)}</p>`).join('')
  return pictures && `\n\n<div class="wp-block-gallery">${pictures}</div>\n\n`
}

/** Words in the names of plugins' blocks that may restrict who reads their content. */
const closingBlock =
  /premium|paywall|member|restrict|private|protect|subscri|paid|log(?:ged)?-?(?:in|out)|visib|condition|user-?role|hide/i

function renderBlocks(html: string, notes: Notes): string {
  /** Whether each open block restricts its content to members. */
  const open: boolean[] = []
  return html
    .replaceAll(
      /<!--\s*(\/?)wp:([a-z][\w/-]*)([^<>]*?)(\/?)-->/gi,
      (comment, end, name: string, rest: string, alone) => {
        if (end) return open.pop() ? '<!--kg-gated-block:end-->' : ''
        if (alone) {
          if (readMark(comment.slice(4, -3))) return comment
          if (!/^(?:more|nextpage|spacer|separator)$/.test(name)) notes.add(`Removed: the block “${name.slice(0, 60)}”`)
          return ''
        }
        const isClosing = closingBlock.test(name + rest)
        open.push(isClosing)
        if (!isClosing) return ''
        notes.add(`For members, because of the block “${name.slice(0, 60)}”`)
        return '<!--kg-gated-block:begin-->'
      },
    )
    .replaceAll(/<div class="wp-block-embed__wrapper">\s*(https?:\/\/[^\s<>"]+)\s*<\/div>/g, (_, address: string) =>
      linkTo(address, notes),
    )
    .replaceAll(/(<div class=")(?=wp-block-button[\s"])/g, '$1kg-button-card ')
}

/** Elements that aren't split into paragraphs. */
const blockTag = /<(\/?)(?:pre|table|ul|ol|dl|blockquote|div|section|figure|form|script|style|h[1-6])\b[^<>]*>/gi

/** Older posts separate paragraphs with blank lines instead of tags. */
function addParagraphs(html: string, notes: Notes): string {
  const pieces: string[] = []
  let depth = 0
  let from = 0
  for (const { 0: found, 1: slash, index } of html.matchAll(blockTag)) {
    if (slash) {
      if (depth === 0) continue
      depth -= 1
      if (depth > 0) continue
      pieces.push(html.slice(from, index + found.length))
      from = index + found.length
      continue
    }
    if (depth === 0) {
      pieces.push(paragraphsOf(html.slice(from, index), notes))
      from = index
    }
    depth += 1
  }
  return pieces.join('') + paragraphsOf(html.slice(from), notes)
}

const paragraphsOf = (text: string, notes: Notes): string =>
  text
    .split(/\n[ \t]*\n/)
    .map((piece) => piece.trim())
    .filter(Boolean)
    .map((piece) => {
      if (/^https?:\/\/[^\s<>]+$/.test(piece)) return linkTo(piece, notes)
      return /^<(?:p|hr|iframe)\b/i.test(piece) ? piece : `<p>${piece.replaceAll('\n', '<br>\n')}</p>`
    })
    .join('\n')
