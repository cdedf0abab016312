import { createDocument, type DomDocument, type DomElement, type DomNode } from '@mixmark-io/domino'
import { showBoxes, showGhostCards, showSubstackWidgets } from './show-cards.ts'
import { all, childrenOf, create, inLine, isElement, isNamed, type Note, remove, replace } from './split-at-marks.ts'

/**
 * Parses a post's HTML and brings it into a form that Markdown has: no line breaks in bold words, no blocks in links, one
 * line per table cell, footnotes as a list, and the widgets of Substack as what readers saw.
 */
export function normalizeHtml(html: string, note: Note): DomElement {
  const document = createDocument(`<body>${html}</body>`)
  const { body } = document
  const steps = [
    unwrapUnnamed,
    showBoxes,
    showGhostCards,
    showSubstackWidgets,
    unwrapImageLinks,
    listFootnotes,
    raiseNumbers,
    unwrapBlocksInLinks,
    splitAtBreaks,
    separateEmphasis,
    nestLists,
    numberLists,
    writePlainly,
    flattenTables,
    keepPreformatted,
    captionImages,
  ]
  for (const step of steps) step(document, note)
  return body
}

/** A tag that isn't closed ("<p<b>") has a name that can't be copied. */
function unwrapUnnamed({ body }: DomDocument) {
  for (const element of all(body, '*'))
    if (!/^[\w.:-]+$/.test(element.nodeName)) replace(element, ...childrenOf(element))
}

/** The HTML with cards and widgets as readers saw them. */
export function showWidgets(html: string): string {
  if (!/\bkg-|data-attrs|-wrap\b/.test(html)) return html
  const document = createDocument(`<body>${html}</body>`)
  showBoxes(document)
  showGhostCards(document, () => {})
  showSubstackWidgets(document, () => {})
  return document.body.innerHTML
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

const fileOf = (address: string) => address.split(/[?#]/, 1)[0]?.split('/').at(-1) || address

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
const loweredDigits = '₀₁₂₃₄₅₆₇₈₉'
const raise = (digits: string, characters = raisedDigits) =>
  [...digits].map((digit) => characters[Number(digit)] ?? digit).join('')

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
    const characters = isNamed(element, 'SUP') ? raisedDigits : loweredDigits
    if (/^\d+$/.test(digits)) replace(element, document.createTextNode(raise(digits, characters)))
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

const sameEmphasis: readonly [selector: string, names: string[]][] = [
  ['b, strong', ['B', 'STRONG']],
  ['i, em', ['I', 'EM']],
  ['del, s, strike', ['DEL', 'S', 'STRIKE']],
]
const isWord = (character: string | undefined) => character !== undefined && /[^\s\p{P}\p{S}]/u.test(character)
const textOf = (node: DomNode | null | undefined) => (node?.nodeType === 8 ? '' : (node?.textContent ?? ''))

/**
 * Markdown's marks don't work between a punctuation mark and a letter ("**Note:**keep"), so punctuation at the edges moves out.
 * Emphasis in the same emphasis, or right after it, becomes one.
 */
function separateEmphasis(document: DomDocument) {
  const { body } = document
  for (const [selector, names] of sameEmphasis) {
    for (const element of all(body, selector)) {
      for (let next = element.nextSibling; next && isNamed(next, ...names); next = element.nextSibling) {
        for (const child of childrenOf(next as DomElement)) element.appendChild(child)
        remove(next)
      }
      for (const inner of all(element, selector)) replace(inner, ...childrenOf(inner))
    }
    for (const element of all(body, selector)) {
      const [only, ...others] = childrenOf(element)
      // A link's marks are punctuation: the emphasis moves into it.
      if (only && others.length === 0 && isNamed(only, 'A') && !(only as DomElement).querySelector('img')) {
        const inner = element.cloneNode(false) as DomElement
        for (const child of childrenOf(only as DomElement)) inner.appendChild(child)
        ;(only as DomElement).appendChild(inner)
        replace(element, only)
      } else moveOutPunctuation(document, element)
    }
  }
}

const paired = /^[\p{Ps}\p{Pi}"'][\s\S]*[\p{Pe}\p{Pf}"']$/u

function moveOutPunctuation(document: DomDocument, element: DomElement) {
  const siblings = element.parentNode ? childrenOf(element.parentNode) : []
  const isAfterWord = isWord([...textOf(siblings[siblings.indexOf(element) - 1])].at(-1))
  const isBeforeWord = isWord([...textOf(element.nextSibling)][0])
  // Both brackets or quotation marks move, or none.
  const isPaired = paired.test(element.textContent) && (isAfterWord || isBeforeWord)
  if (isBeforeWord || isPaired) {
    const last = edgeText(element, (node) => childrenOf(node).at(-1))
    const [found = ''] = /(?<![\p{P}\p{S}])[\p{P}\p{S}]+$/u.exec(last?.nodeValue ?? '') ?? []
    if (last && found) {
      last.nodeValue = (last.nodeValue ?? '').slice(0, -found.length)
      element.parentNode?.insertBefore(document.createTextNode(found), element.nextSibling)
    }
  }
  if (isAfterWord || isPaired) {
    const first = edgeText(element, (node) => childrenOf(node)[0])
    const [found = ''] = /^[\p{P}\p{S}]+/u.exec(first?.nodeValue ?? '') ?? []
    if (first && found) {
      first.nodeValue = (first.nodeValue ?? '').slice(found.length)
      element.parentNode?.insertBefore(document.createTextNode(found), element)
    }
  }
  if (element.textContent === '' && !element.querySelector('img')) remove(element)
}

/** The text at an edge of an element, unless it's in a link or code. */
function edgeText(element: DomElement, edge: (node: DomElement) => DomNode | undefined): DomNode | undefined {
  let node: DomNode | undefined = element
  while (node && isElement(node)) node = isNamed(node, 'A', 'CODE', 'IMG') ? undefined : edge(node)
  return node
}

/** Ghost and Google Docs put a nested list beside its item instead of into it. */
function nestLists(document: DomDocument) {
  for (const list of all(document.body, 'ul > ul, ul > ol, ol > ul, ol > ol')) {
    const siblings = list.parentNode ? childrenOf(list.parentNode) : []
    const item = siblings.slice(0, siblings.indexOf(list)).findLast((node) => isNamed(node, 'LI'))
    if (item) (item as DomElement).appendChild(list)
    else replace(list, create(document, 'li', list))
  }
}

/** A number in the middle of a list begins another one, as in Markdown only a list's first number counts. */
function numberLists(document: DomDocument, note: Note) {
  for (const list of all(document.body, 'ol')) {
    if (list.getAttribute('reversed') !== null) note('Changed: a list that counts backward')
    const items = Array.from(list.children).filter((child) => isNamed(child, 'LI'))
    const [first] = items
    const start = Number(first?.getAttribute('value') ?? list.getAttribute('start') ?? 1)
    if (Number.isInteger(start) && start !== 1) list.setAttribute('start', String(start))
    const jump = items.findIndex((item, index) => {
      const value = Number(item.getAttribute('value') ?? start + index)
      return index > 0 && value !== start + index
    })
    if (jump <= 0) continue
    const rest = create(document, 'ol', ...items.slice(jump))
    rest.setAttribute('start', items[jump]?.getAttribute('value') ?? '1')
    list.parentNode?.insertBefore(rest, list.nextSibling)
  }
}

/** Elements that Markdown doesn't have, as characters: quotation marks and check boxes. */
function writePlainly(document: DomDocument) {
  for (const element of all(document.body, 'q'))
    replace(element, document.createTextNode('“'), ...childrenOf(element), document.createTextNode('”'))
  for (const box of all(document.body, 'li input[type="checkbox"], li .checkbox')) {
    const isOn = box.getAttribute('checked') !== null || /\bcheckbox-on\b/.test(box.className)
    replace(box, document.createTextNode(isOn ? '☑ ' : '☐ '))
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
    for (const inner of all(caption, 'em, i')) replace(inner, ...childrenOf(inner))
    const words = inLine(caption.textContent)
    const image = caption.parentNode?.querySelector('img')
    if (image && !inLine(image.getAttribute('alt') ?? '')) image.setAttribute('alt', words)
    replace(caption, ...(words ? [create(document, 'p', create(document, 'em', ...childrenOf(caption)))] : []))
  }
}
