declare module '@joplin/turndown-plugin-gfm' {
  import type { Plugin } from 'turndown'
  /** Tables, strikethrough and task lists. */
  export const gfm: Plugin
}

declare module '@mixmark-io/domino' {
  /** The parts of the DOM that we use; the server has no types for it. */
  export type DomNode = {
    nodeName: string
    nodeType: number
    textContent: string
    nodeValue: string | null
    parentNode: DomElement | null
    nextSibling: DomNode | null
    cloneNode(deep: boolean): DomNode
  }
  export type DomElement = DomNode & {
    className: string
    innerHTML: string
    childNodes: ArrayLike<DomNode>
    children: ArrayLike<DomElement>
    firstChild: DomNode | null
    getAttribute(name: string): string | null
    setAttribute(name: string, value: string): void
    removeAttribute(name: string): void
    querySelector(selector: string): DomElement | null
    querySelectorAll(selector: string): ArrayLike<DomElement>
    appendChild(node: DomNode): DomNode
    insertBefore(node: DomNode, before: DomNode | null): DomNode
    replaceChild(node: DomNode, old: DomNode): DomNode
    removeChild(node: DomNode): DomNode
  }
  export type DomDocument = Pick<DomElement, 'querySelector' | 'querySelectorAll'> & {
    body: DomElement
    createComment(text: string): DomNode
    createElement(name: string): DomElement
    createTextNode(text: string): DomNode
  }
  export function createDocument(html: string): DomDocument
}

declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it'
  export default function footnotes(markdown: MarkdownIt): void
}

declare module 'http_ece' {
  /** Encrypted content encoding (RFC 8188). `Curve`: an `ECDH` of Node.js. */
  type Curve = { computeSecret(key: Uint8Array): Uint8Array; getPublicKey(): Uint8Array }
  type Keys = { version: 'aes128gcm'; privateKey: Curve; authSecret: string }
  const ece: {
    encrypt(text: Uint8Array, keys: Keys & { dh: string }): Uint8Array
    decrypt(body: Uint8Array, keys: Keys): Uint8Array
  }
  export default ece
}
