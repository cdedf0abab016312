import type { Node } from 'prosemirror-model'
import type { NodeView, ViewMutationRecord } from 'prosemirror-view'

/** The heading of a section, and below it a place that isn't text, for the section's settings. */
export class SectionHeadingView implements NodeView {
  readonly dom = document.createElement('div')
  readonly contentDOM = document.createElement('h2')
  readonly #settings = document.createElement('div')

  constructor(node: Node) {
    this.dom.className = 'section-heading'
    this.contentDOM.dir = 'auto'
    this.#settings.className = 'section-settings'
    this.#settings.contentEditable = 'false'
    this.dom.append(this.contentDOM, this.#settings)
    this.#show(node)
  }

  update(node: Node): boolean {
    if (node.type.name !== 'section_heading') return false
    this.#show(node)
    return true
  }

  #show({ content }: Node) {
    this.contentDOM.classList.toggle('is-empty', content.size === 0)
  }

  stopEvent({ target }: Event): boolean {
    return target instanceof globalThis.Node && this.#settings.contains(target)
  }

  ignoreMutation({ target }: ViewMutationRecord): boolean {
    return !this.contentDOM.contains(target)
  }
}
