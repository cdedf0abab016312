import { createDocument, type DomElement, type DomNode } from '@mixmark-io/domino'

/** Elements that aren't part of what someone wrote: what they quote, in common mail programs, and what isn't text. */
const left =
  'script, style, head, title, template, blockquote, .gmail_quote, .yahoo_quoted, .moz-cite-prefix, .zmail_extra, .protonmail_quote, .tutanota_quote, #appendonsend'
/** Outlook quotes everything after these. */
const quoteStarts = '#divRplyFwdMsg, #mail-editor-reference-message-container, #OLK_SRC_BODY_SECTION'
const blocks = new Set(['P', 'DIV', 'LI', 'TR', 'TABLE', 'UL', 'OL', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'PRE', 'HR'])

/** What comes after it is left out: the parser takes seconds for megabytes of tags or attributes. */
const maxHtmlLength = 64_000
/** Sum of the open elements at each tag. Emails have less than half of it; parsing takes time and memory in proportion. */
const maxNesting = 500_000

/** The text of an HTML email, with its lines. Of HTML that is nested like no email, only the tags are removed. */
export function htmlToText(given: string): string {
  const html = given.slice(0, maxHtmlLength)
  if (nestingOf(html) > maxNesting) return joinLines(html.replaceAll(/<[^<>]*(>|$)/g, ' ').replaceAll(/[ \t]+/g, ' '))
  const { body } = createDocument(`<body>${html}</body>`)
  for (const start of Array.from(body.querySelectorAll(quoteStarts))) removeFrom(start, body)
  for (const element of Array.from(body.querySelectorAll(left))) element.parentNode?.removeChild(element)
  return joinLines(textOf(body))
}

const joinLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()

/** Tags that need no end. */
const withoutEnd = new Set('p li br hr img input meta link wbr area base col embed source track param'.split(' '))

/** How much work the parser has with the tags of a text. */
function nestingOf(html: string): number {
  const open = new Map<string, number>()
  let depth = 0
  let sum = 0
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][^\s/<>]*)/gi)) {
    const tag = name.toLowerCase()
    const ofTag = open.get(tag) ?? 0
    if (slash === '' && !withoutEnd.has(tag)) {
      open.set(tag, ofTag + 1)
      depth += 1
    } else if (slash !== '' && ofTag > 0) {
      open.set(tag, ofTag - 1)
      depth -= 1
    }
    sum += depth
  }
  return sum
}

/** Removes an element with everything after it. */
function removeFrom(start: DomElement, body: DomElement): void {
  for (let node: DomNode | null = start; node && node !== body; ) {
    const { parentNode, nextSibling }: DomNode = node
    parentNode?.removeChild(node)
    node = nextSibling ?? nextAfter(parentNode, body)
  }
}

function nextAfter(node: DomNode | null, body: DomElement): DomNode | null {
  for (let at = node; at && at !== body; at = at.parentNode) {
    if (at.nextSibling) return at.nextSibling
  }
  return null
}

function textOf(node: DomNode): string {
  if (node.nodeType === 3) return (node.textContent ?? '').replaceAll(/\s+/g, ' ')
  if (node.nodeType !== 1) return ''
  if (node.nodeName === 'BR') return '\n'
  const inside = Array.from((node as DomElement).childNodes)
    .map(textOf)
    .join('')
  return blocks.has(node.nodeName) ? `\n${inside}\n` : inside
}
