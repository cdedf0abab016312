import type { Token } from 'markdown-it'
import { Fragment, type Mark, type Node } from 'prosemirror-model'
import { markdownParser } from './markdown-parser.ts'
import { schema } from './schema.ts'

/** Thrown for syntax that the schema has no node for. The block is then shown as its source. */
export class UnsupportedSyntax extends Error {}

/** Addresses of `[label]: address` lines, as the parser collects them. */
export type References = Record<string, { title: string; href: string }>

const attribute = (token: Token, name: string) => {
  const value = token.attrGet(name)
  return value === null ? null : String(value)
}

function markOf(token: Token): Mark {
  const { marks } = schema
  switch (token.type) {
    case 'strong_open':
      return marks.strong.create({ written: token.markup })
    case 'em_open':
      return marks.em.create({ written: token.markup })
    case 's_open':
      return marks.strikethrough.create()
    case 'link_open':
      return marks.link.create({
        href: attribute(token, 'href') ?? '',
        title: attribute(token, 'title'),
        isAutomatic: token.markup === 'autolink',
      })
    default:
      throw new UnsupportedSyntax(token.type)
  }
}

function nodeOf(token: Token, marks: readonly Mark[]): Node | null {
  const { nodes } = schema
  switch (token.type) {
    case 'text':
      return token.content === '' ? null : schema.text(token.content, marks)
    case 'softbreak':
      return schema.text(' ', schema.marks.line_end.create().addToSet(marks))
    case 'hardbreak':
      return nodes.hard_break.create(null, null, marks)
    case 'code_inline':
      return schema.text(token.content, schema.marks.code.create().addToSet(marks))
    case 'merge_field':
      return nodes.merge_field.create({ written: token.content }, null, marks)
    case 'image':
      return nodes.image.create(
        { src: attribute(token, 'src') ?? '', alt: altOf(token), title: attribute(token, 'title') },
        null,
        marks,
      )
    default:
      throw new UnsupportedSyntax(token.type)
  }
}

export const altOf = ({ children }: Token): string =>
  (children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('')

/** Nodes of a line or paragraph. */
export function readInline(tokens: readonly Token[]): Fragment {
  const found: Node[] = []
  /** Marks around the current token, outermost first. */
  const around: Mark[][] = [[]]
  for (const token of tokens) {
    const marks = around.at(-1) ?? []
    if (token.nesting === 1) around.push([...markOf(token).addToSet(marks)])
    else if (token.nesting === -1) around.pop()
    else {
      const node = nodeOf(token, marks)
      if (node) found.push(node)
    }
  }
  return Fragment.fromArray(found)
}

export function parseInline(text: string, references: References | null): Fragment {
  const [token] = markdownParser.parseInline(text, references ? { references } : {})
  return readInline(token?.children ?? [])
}
