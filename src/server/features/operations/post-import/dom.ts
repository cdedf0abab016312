import type { DomDocument, DomElement, DomNode } from '@mixmark-io/domino'

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
