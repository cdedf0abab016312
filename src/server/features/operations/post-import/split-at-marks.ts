import { createDocument, type DomDocument, type DomElement, type DomNode } from '@mixmark-io/domino'
import { type Audience, createGate, type Mark, readMark } from './audience.ts'

/** Counts what is lost or changed. */
export type Note = (text: string) => void

export const all = (parent: DomElement, selector: string): DomElement[] => Array.from(parent.querySelectorAll(selector))
export const childrenOf = (node: DomElement): DomNode[] => Array.from(node.childNodes)
export const isElement = (node: DomNode): node is DomElement => node.nodeType === 1
export const isNamed = (node: DomNode, ...names: string[]) => names.includes(node.nodeName)
export const remove = (node: DomNode) => node.parentNode?.removeChild(node)
export const inLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

export function replace(node: DomNode, ...others: DomNode[]) {
  for (const other of others) node.parentNode?.insertBefore(other, node)
  remove(node)
}

export function create(document: DomDocument, name: string, ...children: (DomNode | string)[]): DomElement {
  const element = document.createElement(name)
  for (const child of children) element.appendChild(typeof child === 'string' ? document.createTextNode(child) : child)
  return element
}

/** A part of a text, and whether everyone may read it. */
export type Part = { text: string; isOpen: boolean }

/** Words that every mark has. The parser is slow, and most posts have none. */
const mayHaveMarks = /only|pay[\s_-]*wall|gated-block|data-gh-segment/i
/** Dividers that are elements: Substack's, and those of themes. */
const dividers = '.paywall-jump, .paywall, .paywall-divider, .kg-paywall-card, [data-component-name="PaywallToDOM"]'
/** Parts that Ghost sent to some readers only. */
const closedElements = '[data-gh-segment], [data-kg-visibility]'

/** Each cut moves the rest of its element. A post with more of them is closed as a whole. */
const maxMarks = 300

/** Cuts a post's HTML where its readers change, however deeply the marks are nested. */
export function splitAtMarks(html: string, audience: Audience, note: Note): Part[] {
  if (!mayHaveMarks.test(html)) return [{ text: html, isOpen: createGate(audience, false).isOpen() }]
  const document = createDocument(`<body>${html}</body>`)
  const marks = findMarks(document)
  if (marks.size > maxMarks) return [{ text: html, isOpen: false }]
  const gate = createGate(audience, [...marks.values()].includes('divider'))
  // If the parser drops a mark, or a mark is broken, the whole post is closed.
  const written = html.match(/kg-gated-block\s*:\s*begin/gi)?.length ?? 0
  const found = [...marks.keys()].filter(({ nodeValue }) => nodeValue?.includes('begin')).length
  const isBroken = /<!-*\s*kg-gated-block/i.test(html) && found < written
  for (const mark of marks.keys()) lift(document.body, mark)
  const parts: Part[] = []
  let holder = document.createElement('div')
  const close = () => {
    parts.push({ text: holder.innerHTML, isOpen: !isBroken && gate.isOpen() })
    holder = document.createElement('div')
  }
  for (const node of Array.from(document.body.childNodes)) {
    const mark = marks.get(node)
    if (!mark) {
      holder.appendChild(node)
      continue
    }
    close()
    gate.pass(mark)
    if (mark === 'begin-open') note('Everyone can read it: a part that paying members didn’t see at the source')
  }
  close()
  return parts
}

/** Marks in the order of the text. Elements are replaced by comments. */
function findMarks(document: DomDocument): Map<DomNode, Mark> {
  const { body } = document
  for (const element of Array.from(body.querySelectorAll(dividers))) {
    element.parentNode?.replaceChild(document.createComment('members-only'), element)
  }
  for (const element of Array.from(body.querySelectorAll(closedElements))) {
    element.parentNode?.insertBefore(document.createComment('kg-gated-block'), element)
    element.parentNode?.insertBefore(document.createComment('kg-gated-block:end'), element.nextSibling)
  }
  const marks = new Map<DomNode, Mark>()
  const visit = (node: DomNode) => {
    if (node.nodeType === 8) {
      const mark = readMark(node.nodeValue ?? '')
      if (mark) marks.set(node, mark)
    }
    for (const child of Array.from((node as DomElement).childNodes ?? [])) visit(child)
  }
  visit(body)
  return marks
}

/** Moves a mark to the top by cutting the elements around it in two. */
function lift(body: DomElement, mark: DomNode) {
  for (let parent = mark.parentNode; parent && parent !== body; parent = mark.parentNode) {
    const rest = parent.cloneNode(false) as DomElement
    while (mark.nextSibling) rest.appendChild(mark.nextSibling)
    parent.parentNode?.insertBefore(rest, parent.nextSibling)
    parent.parentNode?.insertBefore(mark, rest)
  }
}
