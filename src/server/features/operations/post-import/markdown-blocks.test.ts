import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { compareTexts } from './compare-texts.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'
import { splitAtHeadings, toOwnMarkdown } from './markdown-blocks.ts'

describe('Markdown of other programs', () => {
  test('reference links, footnotes and HTML become what our texts have, and the rest stays as written', () => {
    const source = `Intro with [a link][one] and <u>words</u>.

- a list   with *marks*

Text with a note[^1] and ![pic][two].

\`\`\`bash
# [no link][one] <b>
\`\`\`

[one]: https://a.example/one
[two]: https://a.example/a(1).png
[^1]: The note.
`
    expect(toOwnMarkdown(source, 'public')).toEqual({
      parts: [
        {
          isOpen: true,
          text: `Intro with [a link](https://a.example/one) and words.

- a list   with *marks*

Text with a note¹ and ![pic](https://a.example/a%281%29.png).

\`\`\`bash
# [no link][one] <b>
\`\`\`

1. The note.`,
        },
      ],
      notes: ['Converted: HTML in the text'],
    })
  })

  test('a text without any of it stays byte for byte: all texts of our content', () => {
    const folder = new URL('../../../../../content/drops/', import.meta.url)
    const texts = readdirSync(folder).flatMap((file) => {
      const drop = parse(readFileSync(new URL(file, folder), 'utf8')) as { intro: string; sections: { body: string }[] }
      return [drop.intro, ...drop.sections.map(({ body }) => body)]
    })
    for (const text of texts)
      expect(toOwnMarkdown(text, 'public')).toEqual({ parts: [{ text: text.trimEnd(), isOpen: true }], notes: [] })
  })

  test('a callout keeps its marker', () => {
    const { parts } = toOwnMarkdown('> [!TIP]\n> See [it][one].\n\n[one]: https://a.example', 'public')
    expect(parts[0]?.text).toBe('> [!TIP]\n> See [it](https://a.example).')
  })
})

describe('Headings', () => {
  test('a # in code is no heading, and an underlined heading is one', () => {
    expect(splitAtHeadings('Intro\n\n```\n# no\n```\n\nSetext\n------\n\nbody\n\n## *Two*\n\nb')).toEqual({
      largest: 2,
      before: 'Intro\n\n```\n# no\n```',
      parts: [
        { heading: 'Setext', body: 'body' },
        { heading: 'Two', body: 'b' },
      ],
    })
  })
})

describe('Comparing with the source', () => {
  const compare = (html: string) => compareTexts(html, htmlToMarkdown(html).markdown)

  test('says which words are missing', () => {
    expect(compare('<p>Kept.</p><form><p>Enter your name</p></form><p>Kept too.</p>')).toEqual([
      'Left out: “enter your name”',
    ])
  })

  test('says which Markdown is shown as text', () => {
    expect(compareTexts('<p>Read it.</p>', 'Read \\[it\\](ftp://a.example).')).toEqual([
      'Shown as text: “[it](ftp://a.example)”',
    ])
    expect(compareTexts('<p>Write [it](x) so.</p>', 'Write \\[it\\](x) so.')).toEqual([])
  })

  test('finds nothing in posts of paragraphs, emphasis, links, lists and tables', () => {
    const words = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,3}$/)
    const inline = fc.oneof(
      words,
      words.map((text) => `<strong>${text}<br></strong>`),
      words.map((text) => `<a href="https://a.example/${text.length}">${text}</a>`),
      words.map((text) => `<em>${text}</em>`),
    )
    const block = fc.oneof(
      inline.map((text) => `<p>${text}</p>`),
      fc
        .array(inline, { minLength: 1, maxLength: 3 })
        .map((items) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`),
      fc
        .array(inline, { minLength: 2, maxLength: 4 })
        .map((cells) => `<table><tr>${cells.map((cell) => `<td><p>${cell}</p></td>`).join('')}</tr></table>`),
      words.map((text) => `<h2>${text}</h2>`),
      words.map((text) => `<blockquote><p>${text}</p></blockquote>`),
    )
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 8 }), (blocks) => {
        expect(compare(blocks.join(''))).toEqual([])
      }),
    )
  })
})
