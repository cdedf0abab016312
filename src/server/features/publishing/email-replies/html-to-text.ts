import { createDocument, type DomElement, type DomNode } from '@mixmark-io/domino'

/** Not part of what someone wrote: what they quote, in common mail programs, and what isn't text. */
const left =
  'script, style, head, title, template, blockquote, .gmail_quote, .yahoo_quoted, .moz-cite-prefix, #appendonsend'
/** Outlook quotes everything after these. */
const quoteStarts = '#divRplyFwdMsg, #mail-editor-reference-message-container'
const blocks = new Set(['P', 'DIV', 'LI', 'TR', 'TABLE', 'UL', 'OL', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'PRE', 'HR'])

/** The text of an HTML email, with its lines. */
export function htmlToText(html: string): string {
  const { body } = createDocument(`<body>${html}</body>`)
  for (const start of Array.from(body.querySelectorAll(quoteStarts))) removeFrom(start, body)
  for (const element of Array.from(body.querySelectorAll(left))) element.parentNode?.removeChild(element)
  return textOf(body)
    .replaceAll(/[ \t]*\n[ \t]*/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
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
