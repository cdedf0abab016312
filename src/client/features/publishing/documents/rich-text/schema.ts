import { type DOMOutputSpec, type MarkSpec, type Node, type NodeSpec, Schema } from 'prosemirror-model'
import { parseImageTitle } from '#shared/domain/image-titles.ts'
import { parseImageAddress } from '#shared/domain/markdown-images.ts'
import { copyLabels, isCopyKind, type MarkedKind, quotationLabels } from '#shared/domain/marked-quotations.ts'
import { parseFileTitle } from '#shared/domain/text-files.ts'
import { problemOfAddress } from '../markdown-commands.ts'

/** Kind of a quotation: a callout, a text to copy, or null for a plain one. */
export type QuotationKind = MarkedKind | null

/** Where a top-level block was read from, see block-source.ts. */
const source = { default: null }
const textDirection = { dir: 'auto' }

/**
 * Of a text: `trailing` is what comes after its last block, `references` the addresses of `[label]: address` lines, and
 * `settings` are those of the section, see section-document.ts.
 */
const textAttributes = {
  lineEnd: { default: '\n' },
  trailing: { default: '' },
  references: { default: null },
  settings: { default: null },
}

const cellAttributes = {
  colspan: { default: 1 },
  rowspan: { default: 1 },
  colwidth: { default: null },
  align: { default: null },
}
const cellLook = ({ attrs }: Node): Record<string, string> => ({
  ...textDirection,
  ...(attrs.align && { 'data-align': String(attrs.align) }),
})

const nodes = {
  doc: { content: '(block | section_heading)+', attrs: textAttributes },
  paragraph: {
    content: 'inline*',
    group: 'block',
    attrs: { source },
    parseDOM: [{ tag: 'p' }],
    toDOM: () => ['p', textDirection, 0],
  },
  heading: {
    content: 'inline*',
    group: 'block',
    defining: true,
    attrs: { source, level: { default: 3 } },
    parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } })),
    // The page has its title and the drop its sections above.
    toDOM: ({ attrs }) => [`h${Math.max(3, Number(attrs.level))}`, { ...textDirection, 'data-level': attrs.level }, 0],
  },
  /** Begins a section, whose text is all blocks up to the next one. Only in drops. */
  section_heading: {
    content: 'text*',
    marks: '',
    defining: true,
    attrs: textAttributes,
    toDOM: () => ['h2', textDirection, 0],
  },
  blockquote: {
    content: 'block+',
    group: 'block',
    defining: true,
    /** `mark` is the first line as written, such as `[!TIP]`. */
    attrs: { source, kind: { default: null }, mark: { default: null } },
    parseDOM: [{ tag: 'blockquote' }],
    toDOM: ({ attrs }) => quotationLook(attrs.kind as QuotationKind),
  },
  bullet_list: {
    content: 'list_item+',
    group: 'block',
    attrs: { source, marker: { default: '-' }, tight: { default: true } },
    parseDOM: [{ tag: 'ul' }],
    toDOM: () => ['ul', 0],
  },
  ordered_list: {
    content: 'list_item+',
    group: 'block',
    attrs: { source, start: { default: 1 }, marker: { default: '.' }, tight: { default: true } },
    parseDOM: [{ tag: 'ol' }],
    toDOM: ({ attrs }) => ['ol', attrs.start === 1 ? {} : { start: attrs.start }, 0],
  },
  list_item: { content: 'block+', defining: true, parseDOM: [{ tag: 'li' }], toDOM: () => ['li', textDirection, 0] },
  code_block: {
    content: 'text*',
    marks: '',
    group: 'block',
    code: true,
    defining: true,
    attrs: { source, info: { default: '' } },
    parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
    toDOM: () => ['pre', ['code', 0]],
  },
  /** Markdown that has no node of its own, as text. */
  source_block: {
    content: 'text*',
    marks: '',
    group: 'block',
    code: true,
    defining: true,
    isolating: true,
    attrs: { source },
    toDOM: () => ['pre', { class: 'source-block', ...textDirection }, ['code', 0]],
  },
  horizontal_rule: { group: 'block', attrs: { source }, parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] },
  button: {
    content: 'text*',
    marks: '',
    group: 'block',
    defining: true,
    /** `title` makes it a file or a sound, see text-files.ts. */
    attrs: { source, href: { default: '' }, title: { default: 'button' } },
    toDOM: ({ attrs }) => {
      const facts = parseFileTitle(String(attrs.title))?.facts
      return facts === undefined
        ? ['p', { class: 'action', ...textDirection }, ['a', { class: 'button', title: attrs.href }, 0]]
        : ['p', { class: 'attachment', 'data-facts': facts, ...textDirection }, ['a', { title: attrs.href }, 0]]
    },
  },
  video: {
    group: 'block',
    attrs: { source, href: { default: '' }, src: { default: '' }, alt: { default: '' } },
    toDOM: ({ attrs }) => [
      'p',
      [
        'span',
        { class: 'video' },
        imageLook(String(attrs.src), String(attrs.alt)),
        ['span', { class: 'video-label' }, 'Watch the video'],
      ],
    ],
  },
  reusable_block: {
    group: 'block',
    atom: true,
    attrs: { source, written: { default: '' } },
    toDOM: ({ attrs }) => ['div', { class: 'reusable-block' }, `Block: ${blockIdOf(String(attrs.written))}`],
  },
  table: {
    content: 'table_row+',
    tableRole: 'table',
    isolating: true,
    group: 'block',
    attrs: { source },
    toDOM: () => ['div', { class: 'table-box' }, ['table', ['tbody', 0]]],
  },
  table_row: { content: '(table_cell | table_header)*', tableRole: 'row', toDOM: () => ['tr', 0] },
  table_cell: {
    content: 'inline*',
    tableRole: 'cell',
    isolating: true,
    attrs: cellAttributes,
    toDOM: (node) => ['td', cellLook(node), 0],
  },
  table_header: {
    content: 'inline*',
    tableRole: 'header_cell',
    isolating: true,
    attrs: cellAttributes,
    toDOM: (node) => ['th', cellLook(node), 0],
  },
  text: { group: 'inline' },
  image: {
    inline: true,
    group: 'inline',
    draggable: true,
    attrs: { src: {}, alt: { default: '' }, title: { default: null } },
    toDOM: ({ attrs }) => {
      const image = imageLook(String(attrs.src), String(attrs.alt))
      const { caption, size } = parseImageTitle(attrs.title as string | null)
      if (caption === '' && size === null) return image
      return [
        'span',
        { class: `figure ${size ? `image-${size}` : ''}` },
        image,
        ...(caption === '' ? [] : [['span', { class: 'caption' }, caption]]),
      ]
    },
  },
  hard_break: {
    inline: true,
    group: 'inline',
    selectable: false,
    linebreakReplacement: true,
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
  },
  /** `{{first_name|there}}`, or a block in the middle of a line. */
  merge_field: {
    inline: true,
    group: 'inline',
    atom: true,
    attrs: { written: { default: '' } },
    toDOM: ({ attrs }) => ['span', { class: 'merge-field' }, String(attrs.written)],
    leafText: ({ attrs }) => String(attrs.written),
  },
} satisfies Record<string, NodeSpec>

const marks = {
  link: {
    attrs: { href: {}, title: { default: null }, isAutomatic: { default: false } },
    inclusive: false,
    toDOM: ({ attrs }) => {
      const href = String(attrs.href)
      // An address that readers can't open isn't one here either.
      return ['a', problemOfAddress(href) === null ? { href, title: href } : { title: href }, 0]
    },
  },
  em: {
    attrs: { written: { default: '*' } },
    parseDOM: [{ tag: 'i' }, { tag: 'em' }],
    toDOM: () => ['em', 0],
  },
  strong: {
    attrs: { written: { default: '**' } },
    parseDOM: [{ tag: 'b' }, { tag: 'strong' }],
    toDOM: () => ['strong', 0],
  },
  strikethrough: { parseDOM: [{ tag: 's' }], toDOM: () => ['s', 0] },
  /** A space that is a line end in the Markdown. */
  line_end: { inclusive: false, toDOM: () => ['span', 0] },
  code: { code: true, parseDOM: [{ tag: 'code' }], toDOM: () => ['code', { spellcheck: 'false' }, 0] },
} satisfies Record<string, MarkSpec>

export const schema = new Schema<keyof typeof nodes, keyof typeof marks>({ nodes, marks })

function quotationLook(kind: QuotationKind): DOMOutputSpec {
  if (kind === null) return ['blockquote', 0]
  if (isCopyKind(kind)) return ['blockquote', { 'data-label': copyLabels[kind] }, 0]
  return ['div', { class: `callout callout-${kind}`, role: 'note', 'data-label': quotationLabels[kind] }, 0]
}

/** Images that aren't uploaded aren't shown, like on the pages of readers. */
function imageLook(src: string, alt: string): DOMOutputSpec {
  const image = parseImageAddress(src)
  if (!image) return ['span', { class: 'merge-field', title: src }, `Image: ${alt || src}`]
  const size = image.width && image.height ? { width: image.width, height: image.height } : {}
  return ['img', { src: image.path, alt, ...size }]
}

export const blockIdOf = (written: string): string => /block:\s*([a-z0-9-]*)/i.exec(written)?.[1] ?? ''
