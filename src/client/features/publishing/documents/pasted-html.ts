import { gfm } from '@joplin/turndown-plugin-gfm'
import TurndownService from 'turndown'
import { shortenGaps } from '#shared/domain/shorten-gaps.ts'
import { linkMarkdown, linkWords, problemOfAddress } from './markdown-commands.ts'

/** Elements removed before conversion. Images are among them, because only uploaded ones can be shown. */
const leftOut =
  'script, style, head, meta, title, template, noscript, iframe, object, svg, img, video, audio, input, hr'
const blocks = 'p, div, h1, h2, h3, h4, h5, h6, ul, ol, li, table, blockquote, pre'
const formatted = 'h1, h2, h3, h4, h5, h6, ul, ol, blockquote, table, pre, code, strong, em, a[href]'

/**
 * The Markdown of what Word, Google Docs, a spreadsheet or a web page put on the clipboard; null if it has no formatting.
 * Nothing is loaded or run.
 */
export function markdownOfHtml(html: string): string | null {
  const body = parse(html)
  const changes = [breakLines, listWordParagraphs, formatByStyle, nestLists, headTables]
  for (const change of changes) change(body)
  return body.querySelector(formatted) ? converter.turndown(body) || null : null
}

/** How many pictures, videos and frames of the page aren't in the Markdown. */
export function leftOutOf(html: string): number {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  // Tracking pixels and bullet icons are a few pixels wide.
  const isShown = (picture: Element) => !/^[0-9]$/.test(picture.getAttribute('width') ?? '')
  return [...body.querySelectorAll('img, video, iframe, object')].filter(isShown).length
}

/** Returns true if there are words, and not only an image. */
export const hasWords = (html: string): boolean => parse(html).textContent.trim() !== ''

function parse(html: string): HTMLElement {
  const { body } = new DOMParser().parseFromString(shortenGaps(html).replaceAll(/&nbsp;|\u00a0/g, ' '), 'text/html')
  for (const element of body.querySelectorAll(leftOut)) element.remove()
  return body
}

/** Elements of the page's own document could load something. */
const inert = document.implementation.createHTMLDocument('')
const create = (name: string, ...children: Node[]) => {
  const element = inert.createElement(name)
  element.append(...children)
  return element
}

/** Line breaks in preformatted text are characters. */
function breakLines(body: HTMLElement) {
  for (const line of body.querySelectorAll('pre br')) line.replaceWith('\n')
}

/** Word writes lists as paragraphs that begin with their bullet or number. */
function listWordParagraphs(body: HTMLElement) {
  for (const paragraph of body.querySelectorAll('p[style*="mso-list"]')) {
    const level = Number(/mso-list:[^;:]*level(\d)/.exec(paragraph.getAttribute('style') ?? '')?.[1] ?? 0)
    if (level === 0) continue
    const markers = paragraph.querySelectorAll('[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]')
    const name = /^\w+[.)]/.test(markers[0]?.textContent.trim() ?? '') ? 'ol' : 'ul'
    for (const marker of markers) marker.remove()
    let list = listAt(paragraph.previousElementSibling) ?? create(name)
    if (!list.parentElement) paragraph.before(list)
    for (let depth = 1; depth < level; depth += 1) {
      const item: Element = list.lastElementChild ?? list.appendChild(create('li'))
      list = listAt(item.lastElementChild) ?? item.appendChild(create(name))
    }
    list.append(create('li', ...paragraph.childNodes))
    paragraph.remove()
  }
}

const listAt = (element: Element | null) => (element?.matches('ul, ol') ? element : null)

/** Google Docs writes bold words as a style, and wraps everything in a `b` that isn't bold. */
function formatByStyle(body: HTMLElement) {
  const isGap = ({ nodeName, nodeValue }: Node) => nodeName === 'BR' || nodeValue?.trim() === ''
  // The innermost first, so that breaks leave all marks.
  for (const element of [...body.querySelectorAll<HTMLElement>('b, strong, i, em, span')].toReversed()) {
    const { fontWeight, fontStyle } = element.style
    const isBold = fontWeight ? fontWeight === 'bold' || Number(fontWeight) >= 600 : element.matches('b, strong')
    const isItalic = fontStyle ? fontStyle === 'italic' : element.matches('i, em')
    // Marks don't open before a break or close behind one.
    while (element.lastChild && isGap(element.lastChild)) element.after(element.lastChild)
    while (element.firstChild && isGap(element.firstChild)) element.before(element.firstChild)
    // Markdown has no marks around paragraphs.
    const isInline = element.querySelector(blocks) === null
    const slanted = isItalic && isInline ? [create('em', ...element.childNodes)] : [...element.childNodes]
    element.replaceWith(...(isBold && isInline ? [create('strong', ...slanted)] : slanted))
  }
}

/** Google Docs puts a nested list beside its item instead of into it. */
function nestLists(body: HTMLElement) {
  for (const list of body.querySelectorAll(':is(ul, ol) > :is(ul, ol)')) list.previousElementSibling?.append(list)
}

/** A cell is one line, and the first row becomes the head that a Markdown table has. A table of one column is text. */
function headTables(body: HTMLElement) {
  for (const part of body.querySelectorAll('td p, td div, td br, th p, th div, th br')) {
    part.replaceWith(' ', ...part.childNodes, ' ')
  }
  for (const table of body.querySelectorAll('table')) {
    const rows = [...table.querySelectorAll('tr')]
    for (const cell of table.querySelectorAll<HTMLTableCellElement>('[colspan]')) {
      const columns = Math.min(cell.colSpan, 20)
      cell.removeAttribute('colspan')
      cell.after(...Array.from({ length: columns - 1 }, () => create(cell.localName)))
    }
    if (rows.every((row) => row.cells.length < 2)) {
      table.replaceWith(...rows.flatMap(({ cells }) => [...cells].map((cell) => create('div', ...cell.childNodes))))
    } else for (const cell of rows[0]?.querySelectorAll('td') ?? []) cell.replaceWith(create('th', ...cell.childNodes))
  }
}

const converter = createConverter()

function createConverter() {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    br: '',
  })
  service.use(gfm)
  service.escape = (text) => TurndownService.prototype.escape(text).replaceAll(/(?<=\w)\\_(?=\w)/g, '_')
  // The title and the headings of sections are above them.
  service.addRule('heading', {
    filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    replacement: (text, { nodeName }) =>
      `\n\n${Number(nodeName[1]) <= 3 ? '###' : '####'} ${text.replaceAll('**', '').replaceAll('\n', ' ')}\n\n`,
  })
  service.addRule('item', {
    filter: 'li',
    replacement: (text, node) => {
      const { parentElement: list, nextElementSibling: next } = node as Element
      const start = Number(list?.getAttribute('start') ?? 1) || 1
      const number = list?.matches('ol') ? `${start + [...list.children].indexOf(node as Element)}.` : '-'
      return `${number} ${text.trim().replaceAll(/(?<!\s)\s*\n+/g, '\n   ')}${next ? '\n' : ''}`
    },
  })
  service.addRule('link', {
    filter: 'a',
    replacement: (text, node) => {
      const address = (node as Element).getAttribute('href') ?? ''
      const words = service.escape(linkWords(node.textContent ?? '').replaceAll(/\s+/g, ' '))
      if (words === '' || address === '' || address.startsWith('#') || problemOfAddress(address) !== null) return text
      return linkMarkdown(words, address)
    },
  })
  service.addRule('preformatted', {
    filter: 'pre',
    replacement: (_text, { textContent }) => {
      const code = (textContent ?? '').replace(/\n$/, '')
      // Longer than any run of backticks in the code.
      const fence = '`'.repeat(Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length)) + 1)
      return `\n\n${fence}\n${code}\n${fence}\n\n`
    },
  })
  return service
}
