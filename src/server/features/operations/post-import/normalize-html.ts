import { createDocument, type DomDocument, type DomElement, type DomNode } from '@mixmark-io/domino'

/** Counts what is lost or changed. */
export type Note = (text: string) => void

/**
 * Parses a post's HTML and brings it into a form that Markdown has: no line breaks in bold words, no blocks in links, one
 * line per table cell, footnotes as a list, and the widgets of Substack as what readers saw.
 */
export function normalizeHtml(html: string, note: Note): DomElement {
  const document = createDocument(`<body>${html}</body>`)
  const { body } = document
  const steps = [
    showSubstackWidgets,
    unwrapImageLinks,
    listFootnotes,
    raiseNumbers,
    unwrapBlocksInLinks,
    splitAtBreaks,
    flattenTables,
    keepPreformatted,
    captionImages,
  ]
  for (const step of steps) step(document, note)
  return body
}

const all = (parent: DomElement, selector: string): DomElement[] => Array.from(parent.querySelectorAll(selector))
const childrenOf = (node: DomElement): DomNode[] => Array.from(node.childNodes)
const isElement = (node: DomNode): node is DomElement => node.nodeType === 1
const isNamed = (node: DomNode, ...names: string[]) => names.includes(node.nodeName)
const remove = (node: DomNode) => node.parentNode?.removeChild(node)
const inLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

function replace(node: DomNode, ...others: DomNode[]) {
  for (const other of others) node.parentNode?.insertBefore(other, node)
  remove(node)
}

function create(document: DomDocument, name: string, ...children: (DomNode | string)[]): DomElement {
  const element = document.createElement(name)
  for (const child of children) element.appendChild(typeof child === 'string' ? document.createTextNode(child) : child)
  return element
}

/** Substack keeps what a widget shows in JSON beside it. */
function dataOf(element: DomElement): Record<string, unknown> {
  try {
    const data: unknown = JSON.parse(element.getAttribute('data-attrs') ?? '{}')
    return data !== null && typeof data === 'object' ? (data as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
const textIn = (data: Record<string, unknown>, key: string) => (typeof data[key] === 'string' ? data[key] : '')

/** Buttons that do something at Substack only. */
const onlyThere = /\/subscribe\b|\/comments\b|[?&]action=share|%%(?:checkout|share|half_magic)|^%%/

/** Selectors of elements that are left out of a post. */
const lostWidgets: readonly [selector: string, name: string][] = [
  ['.poll-embed', 'a poll'],
  ['.native-video-embed, .native-audio-embed', 'a video or audio file of Substack'],
  ['.subscription-widget-wrap, .subscription-widget-wrap-editor, .subscribe-widget', 'a sign-up form'],
  ['.community-chat, .directMessage, .comment', 'a chat or comment of Substack'],
  ['.image-link-expand', ''],
]

function showSubstackWidgets(document: DomDocument, note: Note) {
  const { body } = document
  for (const [selector, name] of lostWidgets) {
    for (const widget of all(body, selector)) {
      if (name) note(`Removed: ${name}`)
      remove(widget)
    }
  }
  for (const wrapper of all(body, '.button-wrapper')) {
    const link = wrapper.querySelector('a[href]')
    const address = link?.getAttribute('href') || textIn(dataOf(wrapper), 'url')
    const words = inLine(link?.textContent || textIn(dataOf(wrapper), 'text'))
    if (!words || !address || onlyThere.test(address)) {
      note('Removed: a Subscribe, Share or Comment button')
      remove(wrapper)
    } else {
      const button = create(document, 'a', words)
      button.setAttribute('href', address)
      const card = create(document, 'div', button)
      card.setAttribute('class', 'kg-button-card')
      replace(wrapper, card)
    }
  }
  for (const gallery of all(body, '.image-gallery-embed')) {
    const data = dataOf(gallery)
    const shown = (data.gallery ?? data) as { images?: unknown; caption?: unknown; alt?: unknown }
    const images = Array.isArray(shown.images) ? (shown.images as { src?: unknown }[]) : []
    const caption = typeof shown.caption === 'string' ? shown.caption : ''
    const pictures = images.flatMap(({ src }) => {
      if (typeof src !== 'string') return []
      const image = create(document, 'img')
      image.setAttribute('src', src)
      image.setAttribute('alt', typeof shown.alt === 'string' ? shown.alt : caption)
      return [create(document, 'p', image)]
    })
    replace(gallery, ...pictures, ...(caption ? [create(document, 'p', create(document, 'em', caption))] : []))
  }
  for (const formula of all(body, '.latex-rendered')) {
    const text = textIn(dataOf(formula), 'persistentExpression') || formula.textContent
    note('Changed into code: a formula')
    replace(formula, create(document, 'pre', create(document, 'code', text)))
  }
}

/** An address that loads the image itself, from behind Substack's image server. */
const originalImage = (address: string) => {
  const [, original] = /^https:\/\/substackcdn\.com\/image\/fetch\/.*\/(https?%3A%2F%2F[^/]+)$/i.exec(address) ?? []
  try {
    return original ? decodeURIComponent(original) : address
  } catch {
    return address
  }
}

const fileOf = (address: string) => /([^/?#]+)(?:[?#].*)?$/.exec(address)?.[1] ?? address

/** A picture that links to itself is a picture. */
function unwrapImageLinks({ body }: DomDocument) {
  for (const image of all(body, 'img[src]')) image.setAttribute('src', originalImage(image.getAttribute('src') ?? ''))
  for (const link of all(body, 'a[href]')) {
    const image = link.querySelector('img')
    if (!image || inLine(link.textContent)) continue
    const target = originalImage(link.getAttribute('href') ?? '')
    if (fileOf(target) === fileOf(image.getAttribute('src') ?? '')) replace(link, image)
  }
}

const raisedDigits = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const raise = (digits: string) => [...digits].map((digit) => raisedDigits[Number(digit)] ?? digit).join('')

/** Footnotes of Substack, Ghost and Markdown: raised numbers, and the notes as a list at the end. */
function listFootnotes(document: DomDocument) {
  const { body } = document
  for (const anchor of all(body, 'a.footnote-anchor, sup.footnote-ref, sup[id^="fnref"], a[href^="#fn"]')) {
    const digits = /\d+/.exec(anchor.textContent)?.[0]
    if (digits && !isInside(anchor, 'footnotes')) replace(anchor, document.createTextNode(raise(digits)))
  }
  for (const back of all(body, '.footnote-backref, .footnote-number, a[href^="#fnref"], a[href^="#footnote-anchor"]')) {
    remove(back)
  }
  for (const line of all(body, 'hr.footnotes-sep')) remove(line)
  const notes = all(body, 'div.footnote')
  const [first] = notes
  if (!first) return
  const list = create(document, 'ol')
  replace(first, list)
  for (const each of notes) {
    const content = each.querySelector('.footnote-content') ?? each
    list.appendChild(create(document, 'li', ...childrenOf(content)))
    remove(each)
  }
}

const isInside = (node: DomNode, className: string): boolean =>
  node.parentNode !== null &&
  (new RegExp(`\\b${className}\\b`).test(node.parentNode.className ?? '') || isInside(node.parentNode, className))

/** Markdown has no raised or lowered text: numbers have characters of their own, and the rest stays as it is. */
function raiseNumbers(document: DomDocument) {
  for (const element of all(document.body, 'sup, sub')) {
    const digits = inLine(element.textContent)
    if (isNamed(element, 'SUP') && /^\d+$/.test(digits)) replace(element, document.createTextNode(raise(digits)))
    else replace(element, ...childrenOf(element))
  }
}

const blocks = ['P', 'DIV', 'SECTION', 'FIGURE', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'UL', 'OL', 'BLOCKQUOTE']
const emphasis = 'b, strong, i, em, del, s, u, mark, span, font, small'

/** Cards that become a link to their page, with the title in a block of its own. */
const linkCards = '(?:kg-bookmark-card|embedded-post|digest-post-embed)'

/** Links and emphasis are inside of blocks in Markdown, so blocks inside them become lines. */
function unwrapBlocksInLinks(document: DomDocument) {
  const { body } = document
  for (const inline of all(body, `a, ${emphasis}`).toReversed()) {
    if (inline.querySelector('table, pre, iframe, video') || isInside(inline, linkCards)) continue
    for (const block of all(inline, 'p, div, section, figure, h1, h2, h3, h4, h5, h6')) {
      const isLast = block.parentNode === inline && childrenOf(inline).at(-1) === block
      replace(block, ...childrenOf(block), ...(isLast ? [] : [document.createElement('br')]))
    }
  }
}

/** Emphasis that goes over line breaks becomes emphasis of each line. */
function splitAtBreaks(document: DomDocument) {
  for (const element of all(document.body, 'b, strong, i, em, del, s').toReversed()) {
    if (!element.querySelector('br') && !childrenOf(element).some((child) => isNamed(child, 'BR'))) continue
    const pieces: DomNode[] = []
    let line: DomNode[] = []
    const endLine = () => {
      if (line.some((node) => node.textContent.trim() !== '' || (isElement(node) && node.querySelector('img')))) {
        const piece = element.cloneNode(false) as DomElement
        for (const node of line) piece.appendChild(node)
        pieces.push(piece)
      } else pieces.push(...line)
      line = []
    }
    for (const child of childrenOf(element)) {
      if (isNamed(child, 'BR')) {
        endLine()
        pieces.push(child)
      } else line.push(child)
    }
    endLine()
    replace(element, ...pieces)
  }
}

/** A cell is one line: its paragraphs and items follow each other. Cells over several columns or rows become several. */
function flattenTables(document: DomDocument, note: Note) {
  const { body } = document
  for (const inner of all(body, 'table table')) {
    note('Changed: a table in a table')
    const lines = all(inner, 'tr').map((row) =>
      inLine(
        all(row, 'th, td')
          .map((cell) => cell.textContent)
          .join(' '),
      ),
    )
    replace(inner, document.createTextNode(lines.join('; ')))
  }
  for (const cell of all(body, 'td, th')) {
    for (const item of all(cell, 'li')) {
      const isLast = item.parentNode !== null && Array.from(item.parentNode.children).at(-1) === item
      replace(item, ...childrenOf(item), document.createTextNode(isLast ? ' ' : '; '))
    }
    for (const line of all(cell, 'br')) replace(line, document.createTextNode(' '))
    for (const block of all(cell, [...blocks, 'PRE', 'HR'].map((name) => name.toLowerCase()).join(', ')).toReversed()) {
      replace(block, document.createTextNode(' '), ...childrenOf(block), document.createTextNode(' '))
    }
    const span = Math.min(20, Number(cell.getAttribute('colspan') ?? 1) || 1)
    cell.removeAttribute('colspan')
    for (let column = 1; column < span; column += 1) {
      cell.parentNode?.insertBefore(create(document, cell.nodeName.toLowerCase()), nextOf(cell))
    }
  }
  for (const table of all(body, 'table')) fillRows(document, table)
}

const nextOf = (node: DomNode): DomNode | null => {
  const siblings = node.parentNode ? childrenOf(node.parentNode) : []
  return siblings[siblings.indexOf(node) + 1] ?? null
}

const cellsOf = (row: DomElement) => Array.from(row.children).filter((cell) => isNamed(cell, 'TD', 'TH'))

/** Cells over several rows leave the others of their column empty, and each row gets as many cells as the widest. */
function fillRows(document: DomDocument, table: DomElement) {
  const rows = all(table, 'tr')
  for (const [index, row] of rows.entries()) {
    for (const [column, cell] of cellsOf(row).entries()) {
      const span = Math.min(rows.length - index, Number(cell.getAttribute('rowspan') ?? 1) || 1)
      cell.removeAttribute('rowspan')
      for (const below of rows.slice(index + 1, index + span)) {
        below.insertBefore(document.createElement('td'), cellsOf(below)[column] ?? null)
      }
    }
  }
  const width = Math.max(0, ...rows.map((row) => cellsOf(row).length))
  for (const row of rows) while (cellsOf(row).length < width) row.appendChild(document.createElement('td'))
}

/** Line breaks in preformatted text are characters. */
function keepPreformatted(document: DomDocument) {
  for (const line of all(document.body, 'pre br')) replace(line, document.createTextNode('\n'))
}

/** A caption is a paragraph below its image, and describes the image if nothing else does. */
function captionImages(document: DomDocument) {
  for (const caption of all(document.body, 'figcaption')) {
    const words = inLine(caption.textContent)
    const image = caption.parentNode?.querySelector('img')
    if (image && !inLine(image.getAttribute('alt') ?? '')) image.setAttribute('alt', words)
    replace(caption, ...(words ? [create(document, 'p', create(document, 'em', ...childrenOf(caption)))] : []))
  }
}
