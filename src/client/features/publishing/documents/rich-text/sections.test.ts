import fc from 'fast-check'
import { redo, undo } from 'prosemirror-history'
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { emptySection, type IssueSectionDraft, maxSections } from '#shared/contracts/publishing/documents.ts'
import { pasteMarkdown } from './clipboard.ts'
import { createState } from './create-state.ts'
import {
  addSection,
  changeSettings,
  moveSectionAt,
  removeSectionAt,
  selectInSection,
  toggleSection,
} from './section-commands.ts'
import { parseSections, writeSections } from './section-document.ts'
import { sectionsPlugin } from './sections-plugin.ts'

const section = (id: string, heading: string, body: string, more: Partial<IssueSectionDraft> = {}) => ({
  ...emptySection(id),
  heading,
  body,
  ...more,
})
const drop = [
  section('text', '', 'Hello.\n\nMore of it.'),
  section('reviews', 'Reviews', 'Short.\n\nA much longer paragraph about reviews.', {
    summary: 'Kept',
    minutes: 4,
    focusAreas: ['Marketing'],
    openToEveryone: true,
  }),
  section('staff', 'Staff', '* Mixed\n*  list\n\n[a]: /b\n\nEnd [a].\n'),
]

let tooMany = 0
const open = (sections: readonly IssueSectionDraft[]) =>
  createState(parseSections(sections), [sectionsPlugin(() => (tooMany += 1))])

/** The state with the cursor at the start of the block that begins with these words. */
function at(state: EditorState, words: string): EditorState {
  let found = -1
  state.doc.descendants((node, pos) => {
    if (node.isTextblock && node.textContent.startsWith(words)) found = pos + 1
    return found < 0
  })
  expect(found, words).toBeGreaterThan(0)
  return state.apply(state.tr.setSelection(TextSelection.create(state.doc, found)))
}
function run(state: EditorState, command: typeof undo): EditorState {
  let next = state
  command(state, (transaction: Transaction) => {
    next = state.apply(transaction)
  })
  return next
}
const brief = ({ doc }: EditorState) => writeSections(doc).map(({ id, heading, body }) => [id, heading, body])
const fresh = expect.stringMatching(/^[0-9a-f-]{36}$/)

test('sections are written as they were read, byte for byte, and stay the same objects', () => {
  const { doc } = open(drop)
  expect(writeSections(doc)).toEqual(drop)
  expect(writeSections(doc)[1]).toBe(drop[1])
  expect(writeSections(open([]).doc)).toEqual([])
  const bare = [section('a', 'Only a heading', '')]
  expect(writeSections(open(bare).doc)).toEqual(bare)
  const inside = [section('a', 'A', 'Text\n\n## Not a section\n\nText'), section('b', '', '')]
  expect(writeSections(open(inside).doc)).toEqual(inside)
})

test('any bodies and headings are written as they were read', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab #`>-*[]\n\n\r1.'), maxLength: 30 })
  const line = fc.string({ unit: fc.constantFrom(...'ab #*[]'), minLength: 1, maxLength: 9 })
  fc.assert(
    fc.property(fc.array(fc.tuple(line, text), { maxLength: 5 }), text, (parts, first) => {
      const sections = [
        ...(first.trim() === '' ? [] : [section('text', '', first)]),
        ...parts.map(([heading, body], index) => section(`s${index}`, heading.trim() || 'x', body)),
      ]
      expect(writeSections(open(sections).doc)).toEqual(sections)
    }),
    { numRuns: 500 },
  )
})

test('a heading splits its section: the larger part keeps the id, and the text stays for the same readers', () => {
  const state = run(at(open(drop), 'A much longer'), toggleSection)
  expect(brief(state).slice(1, 3)).toEqual([
    ['reviews', 'Reviews', 'Short.'],
    [fresh, 'A much longer paragraph about reviews.', ''],
  ])
  const three = [...drop]
  three[1] = { ...(drop[1] as IssueSectionDraft), body: 'Short.\n\nTitle\n\nThe larger part of the text.' }
  const split = run(at(open(three), 'Title'), toggleSection)
  expect(brief(split).slice(1, 3)).toEqual([
    [fresh, 'Reviews', 'Short.'],
    ['reviews', 'Title', 'The larger part of the text.'],
  ])
  const [, first, second] = writeSections(split.doc)
  expect(first).toMatchObject({ summary: 'Kept', minutes: 4, openToEveryone: true })
  expect(second).toMatchObject({ summary: '', minutes: null, focusAreas: ['Marketing'], openToEveryone: true })

  const undone = run(split, undo)
  expect(writeSections(undone.doc)).toEqual(three)
  expect(brief(run(undone, redo))).toEqual(brief(split))
})

test('removing a heading joins the section with the one before, in one step of undo', () => {
  const state = run(at(open(drop), 'Reviews'), toggleSection)
  expect(brief(state)).toEqual([
    ['reviews', '', 'Hello.\n\nMore of it.\n\nReviews\n\nShort.\n\nA much longer paragraph about reviews.'],
    ['staff', 'Staff', drop[2]?.body],
  ])
  expect(writeSections(state.doc)[0]).toMatchObject({ openToEveryone: false, summary: '' })
  expect(writeSections(run(state, undo).doc)).toEqual(drop)
})

test('a pasted text with several headings makes several sections, and a cut section comes back as it was', () => {
  const state = at(open(drop), 'More of it.')
  const pasted = state.apply(pasteMarkdown(state, 'One.\n\n## Two\n\nText.\n\n## Three\n\n- a\n\n### Small'))
  expect(brief(pasted).map(([, heading]) => heading)).toEqual(['', 'Two', 'Three', 'Reviews', 'Staff'])
  expect(brief(pasted).map(([id]) => id)).toEqual([fresh, fresh, 'text', 'reviews', 'staff'])

  const cut = open(drop).apply(removeSectionAt(open(drop), 0))
  expect(brief(cut).map(([id]) => id)).toEqual(['text', 'staff'])
  const after = run(cut, addSection)
  const end = after.apply(after.tr.setSelection(TextSelection.atEnd(after.doc)))
  const back = end.apply(pasteMarkdown(end, `## Reviews\n\n${drop[1]?.body}`))
  expect(writeSections(back.doc).find(({ id }) => id === 'reviews')).toMatchObject({ summary: 'Kept', minutes: 4 })
})

test('sections move with their settings, and not above the text without a heading', () => {
  const state = open(drop)
  const moved = state.apply(moveSectionAt(state, 0, 1) as Transaction)
  expect(writeSections(moved.doc)).toEqual([drop[0], drop[2], drop[1]])
  expect(moveSectionAt(state, 0, -1)).toBeNull()
  expect(writeSections(run(moved, undo).doc)).toEqual(drop)
})

test('settings change with undo, and a new section has the defaults', () => {
  const state = open(drop)
  const { heading: _, body: __, ...settings } = drop[1] as IssueSectionDraft
  const changed = state.apply(changeSettings(state, 0, { ...settings, minutes: 9 }))
  expect(writeSections(changed.doc)[1]).toEqual({ ...drop[1], minutes: 9 })
  expect(writeSections(run(changed, undo).doc)).toEqual(drop)

  const added = writeSections(run(state, addSection).doc)
  expect(added).toHaveLength(4)
  expect(added[3]).toMatchObject({ id: fresh, heading: '', body: '', openToEveryone: false, focusAreas: [] })
})

test('a text that is deleted is no section, unless it is all there is', () => {
  const only = open([drop[1] as IssueSectionDraft])
  expect(brief(only.apply(removeSectionAt(only, 0)))).toEqual([])
  const typed = open([]).apply(open([]).tr.insertText('First words', 1))
  expect(brief(typed)).toEqual([[fresh, '', 'First words']])
  const state = open(drop)
  const emptied = state.apply(state.tr.delete(0, (state.doc.firstChild?.nodeSize ?? 0) + state.doc.child(1).nodeSize))
  expect(brief(emptied).map(([id]) => id)).toEqual(['reviews', 'staff'])
})

test('headings beyond the largest number of sections stay ordinary ones', () => {
  const state = open([])
  const book = Array.from({ length: maxSections + 5 }, (_, index) => `## Chapter ${index}\n\nText ${index}.`)
  const pasted = state.apply(pasteMarkdown(state, book.join('\n\n')))
  const sections = writeSections(pasted.doc)
  expect(sections).toHaveLength(maxSections)
  expect(sections.at(-1)?.body).toContain('### Chapter 64')
  expect(new Set(sections.map(({ id }) => id)).size).toBe(maxSections)
  expect(tooMany).toBe(1)
})

test('a problem’s link selects the line of its section', () => {
  const state = open(drop)
  const selected = state.apply(selectInSection(state, 1, 'body', 6))
  const { from, to } = selected.selection
  expect(selected.doc.textBetween(from, to)).toBe('End a.')
  expect(state.apply(selectInSection(state, 0, 'heading', null)).selection.$head.parent.textContent).toBe('Reviews')
})

test('whatever is split, joined, moved and undone, ids stay unique and no text is lost', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('toggle', 'move', 'undo', 'redo', 'type'), fc.nat()), {
    maxLength: 25,
  })
  fc.assert(
    fc.property(steps, (list) => {
      let state = open(drop)
      for (const [kind, number] of list) {
        const { doc } = state
        const index = number % doc.childCount
        let pos = 1
        for (let before = 0; before < index; before += 1) pos += doc.child(before).nodeSize
        if (kind === 'undo') state = run(state, undo)
        else if (kind === 'redo') state = run(state, redo)
        else if (kind === 'move') {
          const transaction = moveSectionAt(state, number % 4, number % 2 === 0 ? 1 : -1)
          if (transaction) state = state.apply(transaction)
        } else if (doc.child(index).isTextblock) {
          state = state.apply(state.tr.setSelection(TextSelection.create(doc, pos)))
          state = kind === 'type' ? state.apply(state.tr.insertText('x')) : run(state, toggleSection)
        }
        const sections = writeSections(state.doc)
        expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length)
        expect(writeSections(open(sections).doc)).toEqual(sections)
        const words = sections.map(({ heading, body }) => `${heading}\n${body}`).join('\n')
        for (const word of ['Hello', 'More of it', 'longer', 'Mixed', 'End']) expect(words).toContain(word)
      }
      for (let count = 0; count <= list.length * 2; count += 1) state = run(state, undo)
      expect(writeSections(state.doc)).toEqual(drop)
    }),
    { numRuns: 150 },
  )
})
