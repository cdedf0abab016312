import { gfm } from '@joplin/turndown-plugin-gfm'
import TurndownService from 'turndown'
import { shortenGaps } from '#shared/domain/shorten-gaps.ts'
import type { Audience } from './audience.ts'
import { normalizeHtml } from './normalize-html.ts'
import { noOwnLinks, type OwnLinks, PostFileError } from './source-post.ts'
import { type Note, type Part, splitAtMarks } from './split-at-marks.ts'

type Converted = { markdown: string; notes: string[] }

/** Removed with what is in them, by element; the name is for people. */
const removed: Readonly<Record<string, string>> = {
  SCRIPT: 'a script',
  STYLE: 'a style sheet',
  OBJECT: 'an embedded object',
  EMBED: 'an embedded object',
  APPLET: 'an embedded object',
  FORM: 'a form',
  INPUT: 'a form field',
  BUTTON: 'a button without an address',
  SELECT: 'a form field',
  TEXTAREA: 'a form field',
  SVG: 'a drawing (SVG)',
  CANVAS: 'a drawing',
  TEMPLATE: 'a template',
  NOSCRIPT: 'text for browsers without scripts',
  LINK: 'a style sheet',
  META: 'metadata',
  BASE: 'metadata',
}

/** An element of the parser, which has no types of the DOM here. */
type Element = {
  nodeName: string
  textContent: string
  parentNode: Element | null
  nextElementSibling: Element | null
  previousElementSibling: Element | null
  children: ArrayLike<Element>
  getAttribute(name: string): string | null
  querySelector(selector: string): Element | null
}
const asElement = (node: unknown) => node as Element
const attribute = (node: unknown, name: string) => asElement(node).getAttribute?.(name) ?? ''
/** An address that works on its own. Older posts leave out the protocol ("//example.com/a"). */
const webAddress = (address: string | null | undefined) => (address ?? '').trim().replace(/^\/\//, 'https://')
const inLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const inLink = (address: string) => address.replaceAll(' ', '%20').replaceAll('(', '%28').replaceAll(')', '%29')
const forAlt = (text: string) => inLine(text).replaceAll(/[[\]]/g, '')

/** The page of a video whose player is embedded; other addresses stay. */
const videoPage = (address: string) =>
  address
    .replace(
      /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]{5,20})\b.*$/i,
      'https://www.youtube.com/watch?v=$1',
    )
    .replace(/^https?:\/\/player\.vimeo\.com\/video\/(\d+)\b.*$/i, 'https://vimeo.com/$1')

/** The parser takes a second for 200 kB, and more than that for each level and tag. Real posts have far less of all. */
const maxLength = 1_000_000
const maxDepth = 400
const maxTags = 30_000
/** Elements that need no end tag. */
const withoutEnd = /^(area|base|br|col|dd|dt|embed|hr|img|input|li|link|meta|option|p|source|td|th|tr|track|wbr)$/i
/** Drawings have thousands of these side by side. */
const drawnAlone = /^<(?:circle|ellipse|image|line|path|polygon|polyline|rect|stop|use)\b[^<>]*\/>$/i

/** @throws PostFileError */
export function requireReasonable(html: string) {
  if (html.length > maxLength) throw new PostFileError('Its HTML is longer than 1 MB')
  let depth = 0
  let tags = 0
  const open = new Map<string, number>()
  for (const [tag, slash, written = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)[^<>]*>?/gi)) {
    if (drawnAlone.test(tag)) continue
    if (++tags > maxTags) throw new PostFileError('Its HTML has too many elements')
    if (withoutEnd.test(written)) continue
    const name = written.toLowerCase()
    const count = open.get(name) ?? 0
    // The end of an element that isn't open ends nothing.
    if (slash && count === 0) continue
    open.set(name, slash ? count - 1 : count + 1)
    depth += slash ? -1 : 1
    if (depth > maxDepth) throw new PostFileError('Its HTML is nested too deeply')
  }
}

/**
 * Converts a post's HTML into parts with the same readers. Nothing executable survives; what is lost or changed is noted once
 * for each kind. @throws PostFileError
 */
export function htmlToParts(
  html: string,
  audience: Audience,
  ownLinks: OwnLinks = noOwnLinks,
): { parts: Part[]; notes: string[] } {
  requireReasonable(html)
  const short = shortenGaps(html)
  const counts = new Map<string, number>()
  const note = (text: string) => counts.set(text, (counts.get(text) ?? 0) + 1)
  const converted = splitAtMarks(short, audience, note).map(({ text, isOpen }) => ({
    text: convert(text, note, ownLinks),
    isOpen,
  }))
  return {
    parts: joinParts(converted),
    notes: [...counts].map(([text, count]) => (count === 1 ? text : `${text} (${count})`)),
  }
}

export function htmlToMarkdown(html: string): Converted {
  const { parts, notes } = htmlToParts(html, 'public')
  return { markdown: parts.map(({ text }) => text).join('\n\n'), notes }
}

/** Parts with text; neighbors with the same readers become one. */
export function joinParts(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    const text = part.text.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
    if (text === '') continue
    if (last?.isOpen === part.isOpen) last.text += `\n\n${text}`
    else joined.push({ text, isOpen: part.isOpen })
  }
  return joined
}

/** A reference of a character ("&copy;") and a number of a list ("1)") stay as written too. */
const escapeText = (text: string) =>
  TurndownService.prototype
    .escape(text)
    .replaceAll(/&(?=#?\w{1,31};)/g, '\\&')
    .replace(/^(\s*\d{1,9})\)(?=\s|$)/, '$1\\)')

/** Lists right after each other have other marks, else they would be one. */
const isSecondList = (list: Element | null): boolean => {
  const before = list?.previousElementSibling
  return before?.nodeName === list?.nodeName && before ? !isSecondList(before) : false
}

function convert(html: string, note: Note, ownLinks: OwnLinks): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    hr: '---',
    // Elements without text or images. Drawings in links and buttons are icons.
    blankReplacement: (_text, node) => {
      const { nodeName, parentNode } = asElement(node)
      if (nodeName.toUpperCase() === 'SVG' && !/^(?:A|BUTTON)$/.test(parentNode?.nodeName ?? ''))
        note(`Removed: ${removed.SVG}`)
      return (node as unknown as { isBlock: boolean }).isBlock ? '\n\n' : ''
    },
  })
  service.use(gfm)
  service.escape = escapeText
  service.addRule('removed', {
    filter: (node) => asElement(node).nodeName.toUpperCase() in removed,
    replacement: (_text, node) => {
      note(`Removed: ${removed[asElement(node).nodeName.toUpperCase()]}`)
      return ''
    },
  })
  service.addRule('buttonCards', {
    filter: (node) => /\bkg-button-card\b/.test(attribute(node, 'class')),
    replacement: (_text, node) => {
      const link = asElement(node).querySelector('a[href]')
      const given = webAddress(link?.getAttribute('href'))
      const address = ownLinks(given) ?? given
      if (!link || !/^(https?:\/\/|mailto:|\/portal\/)/i.test(address)) return ''
      return `\n\n[${forAlt(link.textContent)}](${inLink(address)} "button")\n\n`
    },
  })
  service.addRule('calloutEmoji', {
    filter: (node) => /\bkg-callout-emoji\b/.test(attribute(node, 'class')),
    replacement: () => '',
  })
  service.addRule('calloutCards', {
    filter: (node) => /\bkg-callout-card\b/.test(attribute(node, 'class')),
    replacement: (text) => `\n\n> [!NOTE]\n${text.trim().replaceAll(/^/gm, '> ')}\n\n`,
  })
  service.addRule('boxes', {
    filter: (node) => /^box-\w+$/.test(attribute(node, 'class')),
    replacement: (text, node) =>
      `\n\n> [!${attribute(node, 'class').slice(4).toUpperCase()}]\n${text.trim().replaceAll(/^/gm, '> ').replaceAll(/ +$/gm, '')}\n\n`,
  })
  service.addRule('frames', {
    filter: ['iframe', 'video', 'audio'],
    replacement: (_text, node) => {
      const source = asElement(node).querySelector('source')?.getAttribute('src')
      const address = webAddress(attribute(node, 'src') || source)
      if (!/^https?:/i.test(address)) {
        note('Removed: an embed without an address')
        return ''
      }
      note('Changed into a link: an embed or video')
      const title = forAlt(attribute(node, 'title'))
      return `\n\n[${title || new URL(address).hostname}](${videoPage(address)})\n\n`
    },
  })
  service.addRule('images', {
    filter: 'img',
    replacement: (_text, node) => {
      const address = webAddress(attribute(node, 'src'))
      if (!address || address.startsWith('data:')) {
        note('Removed: an image that is part of the text (data:)')
        return ''
      }
      return `![${forAlt(attribute(node, 'alt') || attribute(node, 'title'))}](${inLink(address)})`
    },
  })
  service.addRule('links', {
    filter: (node) => asElement(node).nodeName === 'A' && attribute(node, 'href') !== '',
    replacement: (text, node) => {
      const address = webAddress(attribute(node, 'href'))
      const kind = attribute(node, 'data-file')
      if (kind)
        return text.trim() ? `[${escapeText(forAlt(asElement(node).textContent))}](${inLink(address)} "${kind}")` : ''
      const own = ownLinks(address)
      if (own) return text.trim() ? `[${text}](${own})` : ''
      if (/^(https?:\/\/|mailto:)/i.test(address)) return text.trim() ? `[${text}](${inLink(address)})` : ''
      if (!address.startsWith('#')) note('Removed: a link that only works at the source')
      return text
    },
  })
  service.addRule('items', {
    filter: 'li',
    replacement: (text, node) => {
      const { parentNode: list, nextElementSibling: next } = asElement(node)
      const isSecond = isSecondList(list)
      const place = Array.from(list?.children ?? []).indexOf(asElement(node))
      const number = `${(Number(list?.getAttribute('start') ?? 1) || 0) + place}${isSecond ? ')' : '.'}`
      const mark = list?.nodeName === 'OL' ? number : isSecond ? '*' : '-'
      const indent = ' '.repeat(mark.length + 1)
      return `${mark} ${text.trim().replaceAll(/\n(?=[^\n])/g, `\n${indent}`)}${next ? '\n' : ''}`
    },
  })
  service.addRule('preformatted', {
    filter: 'pre',
    replacement: (_text, node) => {
      const text = asElement(node).textContent.replace(/\n$/, '')
      const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
      const fence = '`'.repeat(longest + 1)
      const code = asElement(node).querySelector('code')
      const language = /\blanguage-([\w-]+)/.exec(attribute(code ?? node, 'class'))?.[1] ?? ''
      return `\n\n${fence}${language}\n${text}\n${fence}\n\n`
    },
  })
  // The parser's DOM is the one that the converter has, without types of the DOM here.
  return service.turndown(normalizeHtml(html, note) as unknown as string).trim()
}
