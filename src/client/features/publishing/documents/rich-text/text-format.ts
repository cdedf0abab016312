import type { Node } from 'prosemirror-model'
import { parseMarkdown } from './parse-markdown.ts'
import { writeMarkdown } from './write-markdown.ts'

/** How a value is read and written: one Markdown text, or all sections of a drop. */
export type TextFormat<Value> = {
  parse: (value: Value) => Node
  write: (doc: Node) => Value
  isSame: (one: Value, other: Value) => boolean
}

export const markdownFormat: TextFormat<string> = {
  parse: parseMarkdown,
  write: writeMarkdown,
  isSame: (one, other) => one === other,
}
