import fc from 'fast-check'
import { history, undo } from 'prosemirror-history'
import type { Node } from 'prosemirror-model'
import { EditorState } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { sourceOf } from './block-source.ts'
import { runsOf, signature } from './inline-runs.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { schema } from './schema.ts'
import { writeMarkdown } from './write-markdown.ts'

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return value && typeof value === 'object' ? Object.values(value).flatMap(stringsIn) : []
}

const files = import.meta.glob<string>('../../../../../../content/**/*.{yaml,md}', {
  query: '?raw',
  import: 'default',
  eager: true,
})
/** Every text of `content/`, and every page as it is. */
const published = Object.entries(files).flatMap(([path, text]) =>
  path.endsWith('.md') ? [text] : stringsIn(parse(text)),
)

const nested = Array.from({ length: 10 }, (_, depth) => `${'  '.repeat(depth)}- level ${depth}`).join('\n')

const hardCases = {
  'toggles and galleries':
    '> [!TOGGLE]\n> What else?\n>\n> - One\n\n> [!Gallery]\n>\n> ![a](/media/a.jpg)\n> ![b](/media/b.jpg)\n\n> [!TOGGLE] Not alone\n',
  bookmarks:
    '> [!BOOKMARK]\n> ![T](/media/a.jpg#1x1)\n>\n> [T \\*1\\*](https://example.com/a)\n>\n> Line\n\n> [!Bookmark]\n> [T](https://example.com)\n',
  files: `[List \\* 2](/files/${'a'.repeat(64)}.pdf "file, PDF, 482 kB")\n\n[Talk](/files/${'b'.repeat(64)}.mp3 "audio, 3:05")\n\n[No](https://example.com/a.pdf "file, PDF")\n`,
  'mixed list markers': '- one\n* two\n+ three\n\n1. one\n1) two\n\n- [ ] open\n- [x] done\n',
  'lists of many forms': '3. three\n3. three\n\n   more\n\n-   wide\n-\n- - nested\n- > quoted\n- ```\n  code\n  ```\n',
  'ten levels': nested,
  escapes:
    '\\*not bold\\* \\# \\[x] 5 \\* 3, snake_case, C\\\\D &amp; &copy; \\`no code\\`\n\n1\\. Not a list\n\\- Not one',
  tables: '| a | b |\n|---|:-:|\n| 1 \\| 2 | `x` |\n\na | b\n- | -\n1 | 2\n\n| short |\n| - |\n| 1 | 2 | 3 |',
  'hard breaks': 'one  \ntwo\\\nthree\nfour   \n\nfive  ',
  'Windows line ends': '# Title\r\n\r\nOne\r\ntwo  \r\nthree\r\n\r\n- a\r\n- b\r\n\r\n\r\n> [!TIP]\r\n> Text\r\n',
  'old line ends': 'one\rtwo\r\rthree',
  'trailing spaces': '  one   \n\n\n\n   two\t\n \n   \n',
  'HTML blocks':
    '<div align="center">\n  <b>Hi</b>\n\n</div>\n\nText <br> and <span>more</span>.\n\n<!-- note\n\nstill -->',
  footnotes: 'A claim[^1] and another[^note].\n\n[^1]: The source.\n[^note]: word\n',
  'setext headings': 'Title\n=====\n\nTwo\nlines\n---\n\ntext\n***\n_ _ _',
  'reference links':
    '[One][a], [b] and ![c][].\n\n[a]: https://example.com "A"\n[b]: <https://example.com/b>\n\n[c]: /media/x.png\n- [d]: in a list',
  'right to left': '# שלום\n\nمرحبا **بالعالم** [رابط](https://example.com)\n\n- אחת\n- two',
  emoji: 'Hi 👩‍🍳 **👍🏽** :smile: 🇩🇪\n\n> 🎉',
  brackets: 'He “wrote [sic] this”, [store_name] and [notes: what happened *tonight*].',
  variables:
    'Hello {{first_name|there}}, {{ unknown }} {{}} {{block:how-we-test}}\n\n{{block:how-we-test}}\n\n[x](https://example.com/{{name}})',
  'marked quotations':
    '> [!TIP]\n> Text\n>\n> - list\n\n> [!prompt]\n> Write to [customer_type].\n\n> [!COPY]\n>\n> Text\n\n> [!NOPE]\n> x\n\n>[!WARNING]\nlazy',
  'buttons and videos':
    '[Book](https://example.com "button")\n\n[![Still](/media/a.png#1x1)](https://example.com "video")\n\n[**B**](https://example.com "button")\n\n[x](javascript:alert(1))',
  captions:
    '![a](/media/a.png#1x1 "The (till) \\"today\\" {wide}")\n\nText ![b](/media/b.png \'one\') more\n\n![c](/media/c.png "{small}")',
  code: '    indented\n\n    more\n\n~~~js title\n```\n~~~\n\n```\nunclosed\n\n',
  emphasis: '*a **b** c* ***d*** __e__ _f_ ~~g~~ **foo:**bar *5 * 3* `` ` `` ` a ` <https://example.com> a_b_c_',
  nothing: '',
  'only blank lines': '\n  \n\n',
}
const line = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'ab 1*_`#->+[]()!|\\~:={}<&.\t"'), maxLength: 16 }),
  fc.constantFrom('', '    ', '- ', '  - x', '1. x', '> ', '> [!TIP]', '```', '| a | b |', '|-|-|', '---'),
  fc.constantFrom('[a]: /b', '# h', '<div>', '**a** b', '{{first_name}}', '[sic]'),
)
const markdown = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n', '\n\n', '\r')), { maxLength: 14 })
  .map((lines) => lines.flat().join(''))

const corpus = [...published, ...Object.values(hardCases)]

/** Reduces a document to its content, without how it was written. */
function meaning(node: Node): unknown {
  if (node.isTextblock && node.type.name !== 'code_block' && node.type.name !== 'source_block') {
    return [node.type.name, node.attrs.kind, node.attrs.href, signature(runsOf(node.content))]
  }
  if (node.isTextblock) return [node.type.name, node.textContent.trimEnd()]
  const { source, marker, tight, mark, lineEnd, trailing, references, ...attrs } = node.attrs
  // Empty paragraphs and headings can't be written.
  const children = node.children.filter(({ type, content }) => !/paragraph|heading/.test(type.name) || content.size > 0)
  return [node.type.name, attrs, children.map(meaning)]
}

/** The document as if every block had been edited. */
const rewritten = (doc: Node): Node =>
  schema.nodes.doc.create(
    doc.attrs,
    doc.children.map((node) => node.type.create({ ...node.attrs, source: null }, node.content)),
  )

test('all of content/ has texts to check', () => {
  expect(published.length).toBeGreaterThan(1_000)
})

test('every published text and every hard case is written as it was read, byte for byte', () => {
  for (const text of corpus) expect(writeMarkdown(parseMarkdown(text))).toBe(text)
})

test('any text is written as it was read', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      expect(writeMarkdown(parseMarkdown(text))).toBe(text)
    }),
    { numRuns: 3_000 },
  )
})

test('every block that is written anew says the same', () => {
  const check = (text: string) => {
    const doc = parseMarkdown(text)
    expect(meaning(parseMarkdown(writeMarkdown(rewritten(doc)))), text).toEqual(meaning(doc))
  }
  for (const text of corpus) check(text)
  fc.assert(fc.property(markdown, check), { numRuns: 3_000 })
})

/** The state after typing into a block. */
function typeInto(state: EditorState, index: number): EditorState {
  let at = 1
  for (let before = 0; before < index; before += 1) at += state.doc.child(before).nodeSize
  return state.apply(state.tr.insertText('typed', at))
}

test('editing a block leaves all others as they are, byte for byte', () => {
  const check = (text: string) => {
    const doc = parseMarkdown(text)
    const sources = doc.children.map((node) => sourceOf(node)?.text ?? '')
    for (const [index, node] of doc.children.entries()) {
      // Source is text, which may become something else.
      if (!node.isTextblock || node.type.name === 'source_block') continue
      const { doc: edited } = typeInto(EditorState.create({ doc }), index)
      const after = writeMarkdown(edited)
      const before = sources.slice(0, index).filter((source) => source !== '')
      const others = [...before, ...sources.slice(index + 1)].filter((source) => source !== '')
      let at = 0
      for (const source of others) {
        at = after.indexOf(source, at)
        expect(at, `${JSON.stringify(source)} of ${text}`).toBeGreaterThanOrEqual(0)
        at += source.length
      }
      expect(after).toContain('typed')
      expect(parseMarkdown(after).childCount, after).toBe(doc.childCount)
    }
  }
  for (const text of corpus.filter((each) => each.length < 3_000)) check(text)
})

test('after undo the text is the one that was read', () => {
  const text = '* one\n*  two\n\n\nA _paragraph_  \nof two lines\n'
  const doc = parseMarkdown(text)
  let state = EditorState.create({ doc, plugins: [history()] })
  state = state.apply(state.tr.insertText('X', 3))
  expect(writeMarkdown(state.doc)).toBe('* Xone\n* two\n\n\nA _paragraph_  \nof two lines\n')
  undo(state, (transaction) => {
    state = state.apply(transaction)
  })
  expect(writeMarkdown(state.doc)).toBe(text)
})

test('an edited paragraph keeps its line ends, brackets and kind of emphasis', () => {
  const doc = parseMarkdown('Wrote _this_ [sic] and [store_name]\nfor __you__, {{first_name|there}}: 5 * 3.')
  expect(writeMarkdown(typeInto(EditorState.create({ doc }), 0).doc)).toBe(
    'typedWrote _this_ [sic] and [store_name]\nfor __you__, {{first_name|there}}: 5 * 3.',
  )
})

test.each([
  ['1. is no list', '1\\. is no list'],
  ['# no heading', '\\# no heading'],
  ['- no list', '\\- no list'],
  ['*no emphasis* and [no](link)', '\\*no emphasis\\* and \\[no\\](link)'],
  ['<b>no HTML</b>', '\\<b>no HTML</b>'],
  ['5 * 3 [sic] a_b', '5 * 3 [sic] a_b'],
  ['Hello {{first_name}}', 'Hello {{first_name}}'],
])('typed as text, %j is written as %j', (typed, written) => {
  const doc = schema.nodes.doc.create(null, schema.nodes.paragraph.create(null, schema.text(typed)))
  expect(writeMarkdown(doc)).toBe(written)
})

test('a book of 2 MB and a table of 200 rows are read and written in a moment', () => {
  const chapter = published.filter((text) => text.includes('\n')).join('\n\n')
  const book = `${chapter}\n\n`.repeat(Math.ceil(2_000_000 / chapter.length))
  const table = `| a | b | c |\n| --- | --- | --- |\n${'| one | **two** | three |\n'.repeat(200)}`
  const started = performance.now()
  const doc = parseMarkdown(book + table)
  expect(writeMarkdown(typeInto(EditorState.create({ doc }), 0).doc).length).toBe((book + table).length + 5)
  expect(performance.now() - started).toBeLessThan(10_000)
  expect(doc.lastChild?.childCount).toBe(201)
})
