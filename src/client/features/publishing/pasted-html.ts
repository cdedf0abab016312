import { linkMarkdown, linkWords, problemOfAddress } from './markdown-commands.ts'

const blockSelector =
  'p, div, h1, h2, h3, h4, h5, h6, ul, ol, li, table, blockquote, pre, hr, section, article, header, footer, main'
const skipped = 'script, style, head, meta, title, template, noscript, iframe, object, svg, img, video, audio, input'

/** What was found besides plain text; without any, the plain text is pasted as it is. */
type Found = { isFormatted: boolean }

/**
 * The Markdown of what Word, Google Docs, a spreadsheet or a web page put on the clipboard; null if it has no formatting.
 * Images are left out, because only uploaded ones can be shown. Nothing is loaded or run.
 */
export function markdownOfHtml(html: string): string | null {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const found: Found = { isFormatted: false }
  const markdown = blocksOf(body, found).join('\n\n')
  return found.isFormatted && markdown !== '' ? markdown : null
}

/** Whether there are words, and not only an image. */
export const hasWords = (html: string): boolean =>
  html !== '' && textOf(new DOMParser().parseFromString(html, 'text/html').body).trim() !== ''

function textOf(body: HTMLElement): string {
  for (const element of body.querySelectorAll(skipped)) element.remove()
  return body.textContent
}

function blocksOf(parent: Element, found: Found): string[] {
  const blocks: string[] = []
  let words = ''
  const flush = () => {
    const text = tidy(words)
    if (text !== '') blocks.push(escapeStart(text))
    words = ''
  }
  let wordList: string[] = []
  const flushList = () => {
    if (wordList.length > 0) blocks.push(wordList.join('\n'))
    wordList = []
  }
  for (const node of parent.childNodes) {
    const item = node instanceof HTMLElement ? wordListItem(node, found) : null
    if (item !== null) {
      flush()
      wordList.push(item)
      continue
    }
    const isGap = node.nodeType !== Node.ELEMENT_NODE && (node.textContent ?? '').trim() === ''
    if (!isGap) flushList()
    if (node instanceof HTMLElement && !node.matches(skipped) && isBlock(node)) {
      flush()
      blocks.push(...blockOf(node, found))
    } else words += inline(node, found)
  }
  flush()
  flushList()
  return blocks
}

const isBlock = (element: Element) => element.matches(blockSelector) || element.querySelector(blockSelector) !== null

function blockOf(element: HTMLElement, found: Found): string[] {
  const name = element.localName
  if (/^h[1-6]$/.test(name)) {
    const words = tidy(inlineOf(element, found)).replaceAll(/\*\*|\n/g, (mark) => (mark === '\n' ? ' ' : ''))
    if (words === '') return []
    found.isFormatted = true
    // The title and the headings of sections are above them.
    return [`${Number(name[1]) <= 3 ? '###' : '####'} ${words}`]
  }
  if (name === 'ul' || name === 'ol') {
    const lines = listLines(element, found)
    if (lines.length > 0) found.isFormatted = true
    return lines.length > 0 ? [lines.join('\n')] : []
  }
  if (name === 'blockquote') {
    const inside = blocksOf(element, found).join('\n\n')
    if (inside === '') return []
    found.isFormatted = true
    return [inside.replaceAll(/^/gm, '> ').replaceAll(/ +$/gm, '')]
  }
  if (name === 'table') return tableOf(element, found)
  if (name === 'pre') {
    found.isFormatted = true
    return [`\`\`\`\n${element.textContent.replace(/\n$/, '')}\n\`\`\``]
  }
  return name === 'hr' ? [] : blocksOf(element, found)
}

function listLines(list: Element, found: Found, depth = 0): string[] {
  const isOrdered = list.localName === 'ol'
  const indent = '   '.repeat(depth)
  let number = 0
  return [...list.children].flatMap((child) => {
    if (child.matches('ul, ol')) return listLines(child, found, depth + 1)
    if (child.localName !== 'li') return []
    number += 1
    const nested = [...child.children].filter((each) => each.matches('ul, ol'))
    const own = child.cloneNode(true) as Element
    for (const each of [...own.children].filter((inner) => inner.matches('ul, ol'))) each.remove()
    const words = blocksOf(own, found).join(' ').replaceAll('\n', ' ')
    return [
      `${indent}${isOrdered ? `${number}.` : '-'} ${words}`.trimEnd(),
      ...nested.flatMap((each) => listLines(each, found, depth + 1)),
    ]
  })
}

/** Word writes lists as paragraphs that begin with their bullet or number. */
function wordListItem(element: HTMLElement, found: Found): string | null {
  if (element.localName !== 'p') return null
  const level = /mso-list:[^;]*level(\d)/.exec(element.getAttribute('style') ?? '')?.[1]
  if (!level) return null
  const own = element.cloneNode(true) as Element
  const markers = [...own.querySelectorAll('[style]')].filter((each) =>
    /mso-list:\s*ignore/i.test(each.getAttribute('style') ?? ''),
  )
  const marker = markers[0]?.textContent.trim() ?? ''
  for (const each of markers) each.remove()
  found.isFormatted = true
  const words = tidy(inlineOf(own, found)).replaceAll('\n', ' ')
  return `${'   '.repeat(Number(level) - 1)}${/^\w+[.)]/.test(marker) ? '1.' : '-'} ${words}`
}

/** A table of one column is text. */
function tableOf(table: Element, found: Found): string[] {
  const rows = [...table.querySelectorAll('tr')].map((row) =>
    [...row.children].map((cell) =>
      blocksOf(cell, found).join(' ').replaceAll('\n', ' ').replaceAll('|', '\\|').trim(),
    ),
  )
  const columns = Math.max(0, ...rows.map((row) => row.length))
  if (columns < 2) return rows.flat().filter((words) => words !== '')
  found.isFormatted = true
  const lines = rows.map((row) => `| ${Array.from({ length: columns }, (_, at) => row[at] ?? '').join(' | ')} |`)
  return [[lines[0], `|${' --- |'.repeat(columns)}`, ...lines.slice(1)].join('\n')]
}

const inlineOf = (parent: Node, found: Found) => [...parent.childNodes].map((node) => inline(node, found)).join('')

function inline(node: Node, found: Found): string {
  if (node.nodeType === Node.TEXT_NODE) return escapeText((node.textContent ?? '').replaceAll(/[\s\u00a0]+/g, ' '))
  if (!(node instanceof HTMLElement) || node.matches(skipped)) return ''
  if (node.localName === 'br') return '\n'
  if (node.localName === 'code') {
    found.isFormatted = true
    return `\`${node.textContent.replaceAll('`', '')}\``
  }
  const inside = inlineOf(node, found)
  if (inside.trim() === '') return inside
  const address = node.localName === 'a' ? (node.getAttribute('href') ?? '') : ''
  if (address !== '' && !address.startsWith('#') && problemOfAddress(address) === null) {
    found.isFormatted = true
    const words = linkWords(node.textContent.replaceAll(/[\s\u00a0]+/g, ' '))
    return words === '' ? inside : linkMarkdown(escapeText(words), address)
  }
  const marks = `${isBold(node) ? '**' : ''}${isItalic(node) ? '*' : ''}`
  if (marks === '' || inside.includes('\n') || inside.includes('*')) return inside
  found.isFormatted = true
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(inside) ?? []
  return `${before}${marks}${words}${[...marks].toReversed().join('')}${after}`
}

/** Google Docs wraps everything in a `b` that isn't bold, and writes bold words as a style. */
function isBold({ localName, style }: HTMLElement): boolean {
  if (style.fontWeight !== '') return style.fontWeight === 'bold' || Number(style.fontWeight) >= 600
  return localName === 'b' || localName === 'strong'
}

const isItalic = ({ localName, style }: HTMLElement): boolean =>
  style.fontStyle === '' ? localName === 'i' || localName === 'em' : style.fontStyle === 'italic'

/** Signs that Markdown would read. */
const escapeText = (text: string) => text.replaceAll(/[\\`*[\]]|(?<!\w)_|_(?!\w)/g, '\\$&')
const escapeStart = (text: string) =>
  text.replaceAll(/^(#{1,6} |>|- |\+ |\d+(?=[.)] ))/gm, '\\$1').replaceAll(/^\\(\d+)/gm, '$1\\')

const tidy = (text: string) =>
  text
    .replaceAll(/[ \t]*\n[ \t]*/g, '\n')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
