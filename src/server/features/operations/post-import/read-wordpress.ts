import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { SaxesParser } from 'saxes'
import { renderWordPress } from './render-wordpress.ts'
import {
  authorNotes,
  decodeHTML,
  maxPosts,
  maxTextBytes,
  PostFileError,
  parseDate,
  plainTextOf,
  reasonToHide,
  type SourcePost,
  safeDecode,
  sourcePage,
  writtenDay,
} from './source-post.ts'

/** An item of the export: the texts of its elements by name, its tags and its further fields. */
type Item = { fields: Record<string, string>; tags: string[]; meta: Record<string, string>; comments: number }

/** Position of a text in the file of texts, in bytes. */
type Kept = { at: number; length: number }

/** Posts of one export. Their texts are in a file, so that memory doesn't grow with them. */
type Export = {
  posts: SourcePost[]
  /** Names of authors by login, and addresses of uploaded files by id. */
  authors: Map<string, string>
  uploads: Map<string, string>
  /** Items of other types, by type. */
  others: Map<string, number>
  keepText(text: string): Kept
  readText(kept: Kept): string
}

/**
 * Posts of WordPress's export (WXR 1.0 to 1.2), read as a stream; WordPress.com splits large ones into several files.
 * @param textsPath where the texts of the posts are kept until `close`
 * @throws PostFileError
 */
export async function readWordPress(files: readonly AsyncIterable<Uint8Array>[], textsPath: string) {
  const texts = openSync(textsPath, 'w+', 0o600)
  let end = 0
  const found: Export = {
    ...{ posts: [], authors: new Map(), uploads: new Map(), others: new Map() },
    keepText(text) {
      const bytes = Buffer.from(text)
      end += writeSync(texts, bytes, 0, bytes.length, end)
      return { at: end - bytes.length, length: bytes.length }
    },
    readText({ at, length }) {
      const read = Buffer.alloc(length)
      readSync(texts, read, 0, length, at)
      return read.toString()
    },
  }
  const close = () => closeSync(texts)
  try {
    for (const file of files) await parseItems(file, found)
    for (const [type, count] of found.others) found.posts.push(otherItems(type, count))
    return { posts: found.posts, close }
  } catch (error) {
    close()
    throw error
  }
}

const otherItems = (type: string, count: number): SourcePost => ({
  ...sourcePage(`type ${type}`, `${type.slice(0, 60)} (${count})`),
  read: () =>
    Promise.reject(new PostFileError('It’s neither a post nor a page in WordPress. Add what you need by hand')),
})

/** Far above the length of any real element without children. */
const maxElementLength = 32 * 1024 * 1024
const maxDepth = 50
/** A substring keeps the whole string that it was cut from in memory. */
const copyOf = (piece: string) => Buffer.from(piece).toString()
/** Characters that XML forbids but plugins write. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

async function parseItems(file: AsyncIterable<Uint8Array>, found: Export): Promise<void> {
  const parser = new SaxesParser()
  const open: string[] = []
  let item: Item | null = null
  let [text, key, login, isTag] = ['', '', '', false]
  let lengthOfElement = 0
  parser.on('doctype', () => {
    throw new PostFileError('This XML file has a DOCTYPE, which exports of WordPress don’t have. It isn’t read')
  })
  const addText = (more: string) => {
    // One character above the limit shows that it's too long.
    if (item || open.includes('wp:author')) text += more.slice(0, maxTextBytes + 1 - text.length)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('opentag', ({ name, attributes }) => {
    if (open.push(name) > maxDepth) throw new PostFileError('This XML file is nested too deeply')
    if (open.length === 1 && name !== 'rss') throw new PostFileError('This XML file isn’t an export of WordPress')
    text = ''
    lengthOfElement = 0
    if (name === 'item') item = { fields: {}, tags: [], meta: {}, comments: 0 }
    isTag = /^(?:post_tag|category)$/.test(attributes.domain ?? '')
  })
  parser.on('closetag', ({ name }) => {
    open.pop()
    const parent = open.at(-1)
    lengthOfElement = 0
    if (name === 'wp:author_login') login = copyOf(text)
    else if (name === 'wp:author_display_name') found.authors.set(login, copyOf(text))
    else if (item && name === 'item') {
      addItem(item, found)
      item = null
    } else if (item && parent === 'item') {
      if (name === 'category' && isTag && text !== 'Uncategorized') item.tags.push(copyOf(decodeHTML(text)))
      else if (name === 'wp:comment') item.comments += 1
      else item.fields[name] = name === 'content:encoded' ? text : copyOf(text)
    } else if (item && parent === 'wp:postmeta') {
      if (name === 'wp:meta_key') key = text
      else if (name === 'wp:meta_value') item.meta[key] = text
    }
    text = ''
  })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of file) {
      const read = decoder.decode(chunk, { stream: true })
      lengthOfElement += read.length
      if (lengthOfElement > maxElementLength) throw new PostFileError('A text in this XML file is longer than 32 MB')
      parser.write(read.replaceAll(forbidden, ''))
    }
    parser.write(decoder.decode()).close()
  } catch (error) {
    if (error instanceof PostFileError) throw error
    if (error instanceof TypeError) throw new PostFileError('The XML file isn’t UTF-8 text. Export it again')
    const where = `line ${parser.line}`
    throw new PostFileError(`The XML in this file is broken or was cut off, at ${where}. Export it again`)
  }
}

/** Custom fields in which plugins restrict a post to members. */
const closingMeta = /restrict|member|paywall|newsletter_access|wishlist|protect|premium/i
const openValues = /^(?:|0|no|none|off|false|all|public|everybody|everyone|a:0:\{\})$/i

function addItem(item: Item, found: Export) {
  const { posts, authors, uploads, others } = found
  const { fields, tags, meta, comments } = item
  const of = (name: string) => fields[name]?.trim() ?? ''
  const [id, type] = [of('wp:post_id'), of('wp:post_type') || 'post']
  const title = plainTextOf(of('title'))
  if (type === 'attachment') uploads.set(id, of('wp:attachment_url'))
  else if (type === 'page') posts.push(sourcePage(id, title))
  else if (type === 'post') {
    const content = fields['content:encoded'] ?? ''
    const kept = content.length > maxTextBytes ? null : found.keepText(content)
    const hiddenBecause = hides(of('wp:status'), fields['wp:post_password'] ?? '')
    const gmt = parseDate(of('wp:post_date_gmt')) ?? parseDate(of('wp:post_date'))
    const closing = Object.keys(meta).filter(
      (name) => closingMeta.test(name) && !openValues.test(meta[name]?.trim() ?? ''),
    )
    const author = authors.get(of('dc:creator'))
    posts.push({
      ...{ id, title, slug: safeDecode(of('wp:post_name')).replace(/\.html?$/i, ''), address: of('link') },
      ...{ publishedAt: hiddenBecause === null ? gmt : null, day: writtenDay(of('wp:post_date')), hiddenBecause },
      audience: closing.length > 0 ? 'limited' : 'open-until-divider',
      ...{ excerpt: plainTextOf(of('excerpt:encoded')), tags: [...new Set(tags)], folder: '' },
      notes: [
        ...closing.map((name) => `For members, because of the field “${name.slice(0, 60)}”`),
        ...authorNotes(author ? [author] : []),
        ...(comments > 0 ? [`Removed: comments (${comments})`] : []),
      ],
      read: readerOf(found, kept, meta._thumbnail_id ?? ''),
    })
  } else if (!/^(?:revision|nav_menu_item|custom_css|customize_|oembed_|user_request|wp_)/.test(type)) {
    others.set(type, (others.get(type) ?? 0) + 1)
  }
  if (posts.length > maxPosts) throw new PostFileError(`The file has more than ${maxPosts} posts`)
}

/** Apart from what it reads, so that no text stays in memory. */
const readerOf =
  ({ readText, uploads }: Export, kept: Kept | null, cover: string) =>
  async () => {
    if (!kept) throw new PostFileError('Its text is longer than 2 MB')
    return renderWordPress(readText(kept), { uploads, cover })
  }

function hides(status: string, password: string): string | null {
  if (password !== '') return 'it’s protected by a password at the source'
  if (status === 'draft' || status === 'auto-draft') return 'it’s a draft at the source'
  return status ? reasonToHide({ status }) : 'the file has no status for it'
}
