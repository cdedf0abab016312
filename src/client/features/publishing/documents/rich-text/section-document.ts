import { hashKey } from '@tanstack/react-query'
import type { Attrs, Node } from 'prosemirror-model'
import type { IssueSectionDraft } from '#shared/contracts/publishing/documents.ts'
import { isUntitledText } from '#shared/domain/derive-issue.ts'
import type { SectionSettings } from '../new-section-settings.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { schema } from './schema.ts'
import type { TextFormat } from './text-format.ts'
import { blockText, writeMarkdown } from './write-markdown.ts'

/*
 * All sections of a drop as one document: the text without a heading, then headings with their blocks. Each heading has
 * the settings of its section, and the document those of the text, so that undo restores them too. See decision 65.
 */

export type SectionPart = {
  /** The heading, or the document for the text at the start. */
  owner: Node
  /** Position of the heading; null for the text at the start. */
  pos: number | null
  settings: SectionSettings | null
  blocks: Node[]
}

export function partsOf(doc: Node): SectionPart[] {
  const parts: SectionPart[] = []
  doc.forEach((node, pos) => {
    const isHeading = node.type === schema.nodes.section_heading
    if (isHeading) parts.push({ owner: node, pos, settings: settingsOf(node), blocks: [] })
    else if (parts.length === 0) parts.push({ owner: doc, pos: null, settings: settingsOf(doc), blocks: [node] })
    else parts.at(-1)?.blocks.push(node)
  })
  return parts
}

const settingsOf = ({ attrs }: Node) => attrs.settings as SectionSettings | null

export const isBlank = ({ blocks }: SectionPart): boolean =>
  blocks.every(({ type, content }) => type === schema.nodes.paragraph && content.size === 0)

/** Markdown of the blocks with something in them. */
export const blockTexts = ({ owner, blocks }: SectionPart): string[] =>
  blocks.map((node) => blockText(node, owner)).filter((text) => text !== '')

export function parseSections(sections: readonly IssueSectionDraft[]): Node {
  let attributes: Attrs = { lineEnd: '\n' }
  const blocks: Node[] = []
  for (const [index, section] of sections.entries()) {
    const { heading, body, ...settings } = section
    const text = parseMarkdown(body)
    if (isUntitledText(section, index)) attributes = { ...text.attrs, settings }
    else {
      const words = heading === '' ? null : schema.text(heading)
      blocks.push(schema.nodes.section_heading.create({ ...text.attrs, settings }, words))
    }
    blocks.push(...text.children)
    written.set(settings, section)
  }
  return schema.nodes.doc.create(attributes, blocks.length > 0 ? blocks : [schema.nodes.paragraph.create()])
}

/** Sections as last read or written with these settings: unchanged ones stay the same object. */
const written = new WeakMap<SectionSettings, IssueSectionDraft>()

/** The sections of a document, each body as `writeMarkdown` writes it. An empty text before a heading is no section. */
export function writeSections(doc: Node): IssueSectionDraft[] {
  const parts = partsOf(doc)
  return parts.flatMap((part) => {
    const { owner, pos, settings, blocks } = part
    if (!settings || (pos === null && parts.length > 1 && isBlank(part))) return []
    const heading = pos === null ? '' : owner.textContent
    const body = writeMarkdown(schema.nodes.doc.create(owner.attrs, blocks))
    const known = written.get(settings)
    if (known?.heading === heading && known.body === body) return [known]
    const section = { ...settings, heading, body }
    written.set(settings, section)
    return [section]
  })
}

const isSameSection = (one: IssueSectionDraft, other: IssueSectionDraft | undefined) =>
  one === other || (one.body === other?.body && hashKey([one]) === hashKey([other]))

export const sectionsFormat: TextFormat<readonly IssueSectionDraft[]> = {
  parse: parseSections,
  write: writeSections,
  isSame: (sections, others) =>
    sections.length === others.length && sections.every((section, index) => isSameSection(section, others[index])),
}
